// What the document says of an operation beyond its one line, by its name.
import { DUPLICATE_NOTES } from "./duplicate-words.ts"
import { FILTER_WORDS } from "./words.ts"

export const NOTES: Readonly<Record<string, string>> = {
  ...DUPLICATE_NOTES,
  list_leads: `Pages are read by cursor: pass \`next_cursor\` on as \`cursor\`, with the same filters and sort. Leads that come and go meanwhile never shift the pages.

${FILTER_WORDS}`,
  export_leads: `All matching leads in one answer, without pages. Filters and sort are those of \`GET /leads\`.`,
  import_leads: `Every row goes the way of \`POST /leads\`: duplicates are merged, also those within the file, and a bad row fails alone. The file is the body, with its content type, or the \`file\` of a form; it is read while it comes and may have 2 GiB, a row 1 MiB.

What the file is, is found out: CSV separated by comma, semicolon, tab or bar, in any usual encoding, JSON (an array, or an object around one), lines of JSON, XLSX, and ZIP or gzip of these. Columns are known by their names in seven languages, by the programs that write them, and by what is in them; the others become attributes with the type of their values. \`map\` says otherwise: \`Firm:name\`, \`Seats:attr:seats:number\`, \`Junk:-\` to leave one out. What an export writes is taken back. A value that cannot be what its column is is left out with a warning; only a row of which no name can be had is rejected.

What was said of a header is remembered for the next file with the same one; \`save_mapping\` keeps it under a name, \`mapping\` uses that. With \`background\` the answer is 202 with the import's id as soon as the file is kept: it goes on behind it, also after a restart.

The rows are saved in many small transactions, between which other requests are served. When the file breaks off, what was saved stays and the message says how much; importing the whole file again merges it. An import is one request of the limit and one \`leads.created\` or \`leads.updated\` event for each transaction; the plan's batch size does not apply, its leads do. With \`dry_run\` nothing is changed and the answer is the one that the import would give.`,
  undo_import:
    "Leads that the import created go, those that it merged get what they had. A lead that somebody changed since is left and listed. More than 250 leads are a job.",
  create_lead: `Every push is checked for duplicates, by four criteria in this order:

| | Criterion | What happens |
|---|---|---|
| 1 | same \`email\`, ignoring case | merged: 200, \`duplicate: true\` |
| 2 | same \`source_id\` | merged: 200, \`duplicate: true\` |
| 3 | same \`phone\` and names more than 80 % similar | merged: 200, \`duplicate: true\` |
| 4 | same \`name\` and \`city\`, ignoring case | created: 201, with \`potential_duplicate_id\` |

A merge is Last Touch Wins: what was sent with something in it overwrites, attributes are replaced by name. A merge does not count against the plan's leads. Fields that the service sets may be sent and are passed over; an unknown field is refused.`,
  get_lead: "Every field is there: an empty text or number is null, tags and attributes are an empty list.",
  update_lead:
    'Only the fields to change. `null` or `""` clears an optional field. Attributes have routes of their own.',
  delete_lead: "Its notes and attributes go with it; its audit trail stays.",
  list_changes: "Each record holds the whole lead before and after. Records are never changed.",
  list_account_changes: `Newest first, unless \`order=asc\`. Read with \`order=asc\`, the trail is a feed: pages follow the order of commits, a cursor from here may be kept and misses no change and shows none twice, and at the end \`next_cursor\` is where to go on later. \`wait\` holds the request until there is a change. With \`Accept: text/event-stream\` every change is an event whose id is the cursor behind it, taken up again by \`Last-Event-ID\`. \`cursor=now\` begins at the end.

\`view=diff\` shows what differs instead of whole leads. A page may end before \`limit\` when much was looked at: \`has_more\` tells. After a restore cursors are answered with 410.`,
  revert_changes: `Every lead that these are changes of goes back to what it was before the first of them, as a new change with \`reason\` \`revert:<id>\`. A deleted lead comes back with its id, its times, its attributes and its notes; a lead that was made goes. A lead that was changed since is left alone and named, unless \`force\`. A revert has a \`batch_id\` and can be reverted. More than 250 leads are a job.`,
  get_job:
    "Long work goes on after its request was answered, also in another process or after a crash. Jobs are kept for 30 days.",
  batch_create_leads:
    "Each lead goes the way of `POST /leads`, one after the other: duplicates are merged, a bad lead fails alone. Answers 207 when any failed, also when all did. A batch over the plan's size is refused whole.",
  batch_update_leads: "Answers 207 when any failed, also when all did.",
  batch_delete_leads: "Answers 207 when any failed, also when all did.",
  list_attributes: "In the order in which they were added.",
  update_attribute:
    "The value must fit the attribute's type. The body is `{value}`, or the whole record as it was read with another value.",
  list_notes: "All of them, in one answer.",
  list_segments: "Oldest first. An account keeps at most 100.",
  create_segment:
    "`segment=ID` then stands wherever filters go, together with other filters and searches. The leads are those that match when it is asked.",
  update_segment: "Only what is to change. `null` takes the filters, the search or the sort out.",
  list_scoring_rules: "Lowest priority first, then the oldest. An account keeps at most 200 rules.",
  get_scoring_rule: "The expression is kept as it was sent, spaces and all.",
  create_scoring_rule: `The score of a lead is the sum of value times weight over all rules, clamped to 0-100. Writes score their lead at once; \`POST /leads/score/batch\` applies changed rules to all leads.

Expressions know \`+ - * / %\`, comparisons, \`&& || !\`, \`condition ? a : b\`, parentheses, texts in quotes, lead fields by name, attributes as \`attr_<name>\`, and \`min max abs round floor ceil log sqrt contains(text, part) has(list, item) len(x) days_since(time)\`. What is missing is 0. A mistake is refused with its position.`,
  preview_scoring_rule: "Give `lead_id`, or `lead`, or neither for an empty lead. Nothing is saved.",
  update_all_scores:
    "Runs on a second thread while the service goes on answering; answers when it is done, or with `background=true` at once with a job. Two at a time are one.",
  list_webhooks: "Those that are turned off too. An account keeps at most 100.",
  get_webhook: "When failing deliveries turned it off, `disabled_reason` says why.",
  create_webhook: `Events are delivered at least once, signed when there is a \`secret\`: see the webhooks of this document. An endpoint answers with 2xx within 5 seconds, else it is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h.

Private addresses are refused unless the service is configured to allow them.`,
  update_webhook:
    "Only the fields to change. `events: null` means all of them, `secret: null` ends signing. Turning it on again forgets why it was turned off.",
  test_webhook: "Sends a `webhook.test` event, whatever the webhook subscribes to.",
  update_account:
    "Phones without their country's number are of the lead's `country`, else of this one. Leads that are there are looked at again behind the writes.",
  list_admin_log:
    "Keys made, revoked and used for sign-in, webhooks changed, plans set, the database restored or moved, its secrets encrypted or not. Entries are never changed.",
  list_webhook_deliveries:
    "A delivery is kept for 30 days after it is over; one that still waits, for as long as it does.",
  get_stats: "Of all leads of the account. A lead is hot from a score of 70 on, warm from 40 on, else cold.",
  list_categories: "Leads without a category are left out.",
  list_cities: "Leads without a city are left out.",
  explain_lead_score:
    "Reads only: nothing is stored and no event is sent, unlike `POST`. Rules are tried on the lead as it is now.",
  create_session: `Answers with a cookie, which browsers then send instead of a key: \`__Host-leaddb\` over HTTPS, HttpOnly and SameSite=Strict. A session ends after 12 hours without use, after 30 days, and with its key or member. It counts only on requests with \`Sec-Fetch-Site: same-origin\`, or with the service's own \`Origin\` where browsers do not send that; bodies must be JSON. Sessions have a request limit of their own, 6,000 in 10 minutes, beside the plan's.

Give exactly one of \`code\`, \`key\`, \`name\` with \`password\`, and \`passkey\`.`,
  create_passkey_challenge:
    "The answer is for `navigator.credentials.get()`. Browsers allow passkeys on HTTPS and on localhost names.",
  get_session: "Works with an API key as well.",
  list_sessions: "Newest first. Those that have ended are not shown.",
  delete_session: "`current` is the session that asks. Owners may end any of the account, others their own.",
  invite_member:
    "Send the link to the person: no mail is sent. With it they choose a passkey or a password, and are signed in.",
  reinvite_member:
    "The link before it is good no longer. When it is used, the password and passkeys they had are forgotten.",
  update_member: "Their sessions go on with the new role.",
  accept_invite: "Give `passkey` or `password`. Answers like `POST /sessions`, with its cookie.",
  create_api_key: "The key is in this answer and nowhere else: only its hash is kept.",
  delete_api_key:
    "The keys that it issued are revoked with it, but for the one that revokes. It holds from the moment this answers. The last owner key cannot be revoked.",
}

/** What the parts of the document are about, by tag, in the order they are shown. */
export const TAGS: Readonly<Record<string, string>> = {
  Leads: "The records of an account: pushed, merged, listed, exported.",
  Batches: "Many leads in one request.",
  Duplicates: "Leads that may be the same, with reasons; merging them, and taking that back.",
  Attributes: "Typed custom fields of a lead, for filters, sorting and scoring.",
  Notes: "Free text on a lead.",
  Segments: "Filters, a search and a sort under one name.",
  Scoring: "Rules that make the score of each lead.",
  Webhooks: "Events pushed to your own address.",
  "API keys": "For owners: who may use the account.",
  Sessions: "Signing in with a browser.",
  Members: "The people of the account.",
  Stats: "Numbers about the account.",
}

/** The tag of a route, by its path. */
export function tagOf(path: string): string {
  if (path.startsWith("/leads/batch")) return "Batches"
  if (path.includes("/duplicates") || path.includes("merge")) return "Duplicates"
  if (/scor/.test(path)) return "Scoring"
  if (path.includes("/attributes")) return "Attributes"
  if (path.includes("/notes")) return "Notes"
  if (path.startsWith("/webhooks")) return "Webhooks"
  if (path.startsWith("/api-keys") || path.startsWith("/admin-log")) return "API keys"
  if (path.startsWith("/sessions")) return "Sessions"
  if (path.startsWith("/members")) return "Members"
  if (path.startsWith("/segments")) return "Segments"
  if (path.startsWith("/stats")) return "Stats"
  return "Leads"
}
