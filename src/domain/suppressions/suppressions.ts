// The do-not-contact list of an account: its entries, one by one.

import * as v from "valibot"
import { described, named } from "../../lead/described.ts"
import { Id, seconds, whole } from "../../lead/fields.ts"
import { keyOf, SUPPRESSION_KINDS } from "../../lead/suppression-keys.ts"
import { AppError, badRequest } from "../../runtime/errors.ts"
import type { KeyedSuppression, Suppression } from "../../store/contract/store.ts"
import { JsonText } from "../../text/json-text.ts"
import { grouped } from "../../text/text.ts"
import { type ExampleFields, NOW } from "../examples.ts"
import { getLeadRow } from "../leads/lead-operations.ts"
import { examplePage, PAGE, pageEntries, pageInput, paging } from "../leads/list/cursor.ts"
import { contactEntries } from "../leads/write/account-settings.ts"
import { authorise, type Context, operation, previewListed, previewOne } from "../operation.ts"
import { deleting, finder } from "../things.ts"
import { addSent, EntryInput, KindField, readEntry } from "./entry.ts"
import { exportEntries } from "./file.ts"

/** Entries of one request. */
const SENT_MAX = 1_000
const TOOLSET = "suppressions"

const SUPPRESSION_ID = "sup_019aa6f8-1d20-7b55-9c1e-4f0a8d2b6e37"

const exampleSuppression: ExampleFields = {
  id: SUPPRESSION_ID,
  kind: "email",
  value: "anna@example.com",
  reason: "asked by phone",
  created_at: NOW,
}

const SuppressionOutput = named(
  "Suppression",
  v.strictObject({
    id: v.string(),
    kind: v.picklist(SUPPRESSION_KINDS),
    value: v.string(),
    reason: v.nullable(v.string()),
    created_at: seconds,
  }),
  {
    id: "`sup_` and a UUID.",
    kind: "`hash` stands for the email or phone of an erased person.",
    value: "The email, domain or phone as it was sent; a keyed hash for an erased person.",
    reason: "Why; `unsubscribed` for the link in a mail, `erased` for an erased person.",
  },
)

const words = {
  kind: "What the value is; told from the value by default.",
  value: "An email, a domain (with the domains below it), or a phone.",
  reason: "Why, for people.",
}

const ListOutput = v.strictObject({
  suppressions: v.array(SuppressionOutput),
  ...pageEntries,
  total: whole(0),
})

const listEntries = {
  kind: v.optional(KindField),
  value: v.optional(v.string("must be text")),
  lead_id: v.optional(Id),
  ...pageInput(1_000),
}

export const listSuppressions = operation({
  name: "list_suppressions",
  about: "List the emails, domains and phones that must not be contacted",
  tag: "Do not contact",
  errors: ["not_found"],
  note: "Newest first. With `value` or `lead_id` the entries that stop this email, domain or phone, or this lead. `format=csv` exports all entries as a file that can be imported again.",
  example: {
    answers: { 200: { ...examplePage("suppressions", exampleSuppression), total: 1 } },
    text: "kind,value,reason,created_at\nemail,anna@example.com,asked by phone,1795262400\n",
  },
  access: "read",
  http: "GET /suppressions",
  tool: {
    set: TOOLSET,
    words: {
      kind: "Only entries of this kind",
      value: "Those that stop this email or phone",
      lead_id: "Those that stop this lead",
      limit: "Entries per page, 1-1000",
      cursor: "next_cursor",
    },
    input: v.strictObject(listEntries),
  },
  input: described(
    v.strictObject({
      ...listEntries,
      format: v.optional(v.picklist(["csv"], "must be csv, or left out for JSON")),
    }),
    {
      kind: "Only entries of this kind.",
      value: "Only entries that stop this email, domain or phone.",
      lead_id: "Only entries that stop this lead.",
      format: "`csv` exports all entries as a file.",
    },
  ),
  files: ["application/json", "text/csv"],
  output: described(ListOutput, { suppressions: "Newest first.", total: "Entries of the whole list." }),
  async run(ctx, { kind, value, lead_id, limit = PAGE, cursor, format }) {
    const account = ctx.caller.account.key
    const reads = ctx.store.read.suppressions
    if (format) return exportEntries(ctx, kind)
    const total = await reads.count(account)
    if (value !== undefined || lead_id !== undefined) {
      if (value !== undefined && lead_id !== undefined) throw badRequest("give value or lead_id, not both")
      const entries = value !== undefined ? await entriesFor(ctx, value) : await entriesOfLead(ctx, lead_id!)
      const all = entries.filter((one) => kind === undefined || one.kind === kind).map(shown)
      return { suppressions: all, next_cursor: null, has_more: false, count: all.length, total }
    }
    const scope = { account, sort: "suppressions", filters: kind ? [kind] : [] }
    const { after, rest } = paging(ctx, scope, cursor)
    const rows = await reads.list(account, { kind, after, limit: limit + 1 })
    const page = rows.slice(0, limit)
    const next = rows.length > limit ? page.at(-1)!.id : undefined
    return { suppressions: page, ...rest(next, page.length), total }
  },
})

/** The entries that stop an email, a domain, a phone or the person behind it. */
async function entriesFor(ctx: Context, value: string): Promise<KeyedSuppression[]> {
  const { key, default_country } = ctx.caller.account
  const { kind, key: entryKey } = readEntry({ value: value.trim() }, default_country)
  if (kind === "email") return contactEntries(ctx, ctx.store.read.suppressions, { email: value.trim() })
  if (kind === "phone") return contactEntries(ctx, ctx.store.read.suppressions, { phone: value.trim() })
  const keys = kind === "domain" ? domainKeys(entryKey) : [entryKey]
  return ctx.store.read.suppressions.having(key, keys)
}

/** The key of a domain and of those above it. */
function domainKeys(key: string): string[] {
  const labels = key.slice("domain:".length).split(".")
  return labels.slice(0, -1).map((_, i) => keyOf("domain", labels.slice(i).join(".")))
}

async function entriesOfLead(ctx: Context, id: string): Promise<KeyedSuppression[]> {
  const row = await getLeadRow(ctx, ctx.store.read.leads, id)
  return contactEntries(ctx, ctx.store.read.suppressions, row.data())
}

const shown = ({ id, kind, value, reason, created_at }: Suppression): Suppression => ({
  ...{ id, kind, value, reason, created_at },
})

const AddedOutput = v.strictObject({
  suppressions: v.array(SuppressionOutput),
  added: whole(0),
  existing: whole(0),
})

export const createSuppression = operation({
  name: "create_suppression",
  about: "Add emails, domains or phones to the do-not-contact list",
  tag: "Do not contact",
  note: `One entry, a list of them, or \`{suppressions: [...]}\` with up to ${grouped(SENT_MAX)}. What is on the list already is answered as it is, with 200. From then on such a lead cannot come in, by no way; leads that are stored stay, and \`contactable=true\` leaves them out.`,
  says: { 201: "Added.", 200: "Everything was on the list already." },
  example: {
    body: { kind: "email", value: "anna@example.com", reason: "asked by phone" },
    answers: { 200: exampleSuppression, 201: exampleSuppression },
  },
  access: "write",
  http: "POST /suppressions",
  tool: {
    set: TOOLSET,
    words: {
      kind: "Told from the value when left out",
      value: "Email, domain or phone",
      reason: "Why, for people",
      suppressions: "Several: each {kind?, value, reason?}",
      "suppressions[].kind": "Told from the value when left out",
      "suppressions[].value": "Email, domain or phone",
      "suppressions[].reason": "Why, for people",
    },
    preview: previewListed<{ suppressions?: readonly EntryInput[] }>(({ suppressions, ...one }) =>
      suppressions ? suppressions : [one],
    ),
  },
  bodyList: "suppressions",
  input: described(
    v.strictObject({
      kind: v.optional(KindField),
      value: v.optional(EntryInput.entries.value),
      reason: EntryInput.entries.reason,
      suppressions: v.optional(
        v.pipe(
          v.array(EntryInput, "must be a list of entries"),
          v.nonEmpty("must hold at least one entry"),
          v.maxLength(SENT_MAX, `must hold at most ${grouped(SENT_MAX)} entries: import more as a CSV`),
        ),
      ),
    }),
    {
      ...words,
      suppressions: "Several entries at once.",
      "suppressions[].kind": words.kind,
      "suppressions[].value": words.value,
      "suppressions[].reason": words.reason,
    },
  ),
  output: described(v.union([SuppressionOutput, AddedOutput]), {
    suppressions: "The entries, in the order of the request.",
    added: "How many are new.",
    existing: "How many were on the list already.",
  }),
  status: 201,
  otherStatuses: [200],
  async run(ctx, { suppressions, ...one }) {
    if (suppressions && one.value !== undefined) throw badRequest("give value or suppressions, not both")
    if (!suppressions && one.value === undefined) throw badRequest("value is required")
    const { default_country } = ctx.caller.account
    const read = suppressions
      ? suppressions.map((entry, i) => {
          try {
            return readEntry(entry, default_country)
          } catch (error) {
            throw error instanceof AppError ? badRequest(`suppressions[${i}].${error.message}`) : error
          }
        })
      : [readEntry(one as EntryInput, default_country)]
    const { entries, added } = await addSent(ctx, read)
    const all = read.map(({ key }) => shown(entries.get(key)!))
    const body = suppressions ? { suppressions: all, added, existing: all.length - added } : all[0]
    return new JsonText(JSON.stringify(body), added > 0 ? 201 : 200)
  },
})

const findSuppression = finder<Suppression>("Suppression")

export const getSuppression = operation({
  name: "get_suppression",
  about: "Get one entry of the do-not-contact list",
  tag: "Do not contact",
  note: "A `hash` stands for the email or phone of an erased person, which is not kept.",
  example: { answers: { 200: exampleSuppression } },
  access: "read",
  http: "GET /suppressions/:id",
  output: SuppressionOutput,
  run: async (ctx, { id }) => shown(await findSuppression(ctx, ctx.store.read.suppressions, id)),
})

export const deleteSuppression = operation({
  name: "delete_suppression",
  about: "Remove an entry from the do-not-contact list",
  tag: "Do not contact",
  note: "Entries of erased people are removed by owners alone.",
  access: "write",
  http: "DELETE /suppressions/:id",
  tool: {
    set: TOOLSET,
    words: { id: "Entry id, from list_suppressions" },
    preview: previewOne(getSuppression.run),
  },
  run: deleting("Suppression", async (tx, account, id, ctx) => {
    const entry = await findSuppression(ctx, tx.suppressions, id)
    if (entry.kind === "hash") authorise("owner", ctx.caller)
    return tx.suppressions.remove(account, id)
  }),
})
