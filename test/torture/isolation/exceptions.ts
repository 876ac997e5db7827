// Statements that look at rows of no account in particular, each with the reason why no tenant gains anything by it.
import type { Exception } from "./audit.ts"

const of = (why: string, ...all: string[]): Exception[] => all.map((sql) => ({ why, sql }))

export const EXCEPTIONS: readonly Exception[] = [
  {
    why: "candidates for a search of a text, of any account: the list around it takes those of one",
    sql: "select rowid as rid from lead_texts where lead_texts match ? union all select rid from lead_texts_waiting",
    tables: ["lead_texts", "lead_texts_waiting"],
  },
  ...of(
    "signing in: a key is found by its hash, and tells the account",
    "from api_keys k join accounts a on a.key = k.account_id where k.hash = ?",
    "update api_keys set last_used_at = ? where id = ? and coalesce(last_used_at, 0) < ?",
  ),
  ...of(
    "signing in through a browser: codes are secrets that tell the account",
    "delete from oauth_grants where expires_at <= ? and key_rid is null",
    "delete from oauth_logins where expires_at <= ?",
    "delete from oauth_logins where selector = ?",
    "from oauth_grants g left join api_keys k on k.rid = g.key_rid where g.code_hash = ?",
    "from api_keys k join oauth_grants g on g.key_rid = k.rid where k.id = ?",
    "update oauth_grants set key_rid = (select rid from api_keys where id = ?) where code_hash = ?",
    "update oauth_logins set tries_left = tries_left - 1 where selector = ?",
  ),
  ...of(
    "accounts are made and listed on the command line",
    "insert into accounts (",
    "lead_count from accounts order by key",
  ),
  ...of(
    "whoever runs the service watches the deliveries of one account, or of all",
    "where v.turn > ?1 and (?2 is null or v.account_id = ?2)",
  ),
  ...of(
    "the place of a lead, by the rid of a row that was found in its account",
    "delete from lead_locations where rid = ?",
    "insert into lead_locations values (?, ?, ?, ?, ?, ?, ?)",
  ),
  ...of(
    "the text index knows no accounts: it gives candidates, which lists join with the leads of one account",
    "select rowid as rid from lead_texts where lead_texts match ? limit 1 offset 100",
    "delete from lead_texts where rowid = ?",
    "insert into lead_texts (rowid, text) values (?, ?)",
    "insert into lead_texts (lead_texts, rank) values ('merge', ?)",
    "delete from lead_texts_waiting where rid = ?",
    "insert or ignore into lead_texts_waiting (rid) values (?)",
    "select (select max(rid) from lead_texts_waiting)",
    "select rid from lead_texts_waiting order by rid limit ?",
    "end as data from lead_documents d where rid = ?",
  ),
  ...of(
    "bound to its account by account_id; the filter of an aggregate stands in the way of seeing it",
    "min(rid) as oldest from lead_attributes where account_id = ? and name = ?",
  ),
  ...of(
    "the trail of an older version is read in the order of its rows, of which those of one account are taken",
    "select (select min(rid) from changes) as low, (select max(rid) from changes) as high",
    "account_id from changes where rid >= ? and rid <= ? order by rid",
  ),
  ...of(
    "what an entry of the trail that was found in its account points to",
    "select name from trail_names where key = ?",
    "select lead_id from trail_leads where key = ?",
    "select id, import_id from trail_batches where key = ?",
    "update trail_leads set changes = ?, last = ?, score = ? where key = ?",
  ),
  ...of(
    "what was done to the account, and to the service as a whole",
    "from admin_log where account_id in (?, 0)",
  ),
  ...of(
    "the newest row, of which nothing is shown: later ids and rids are made greater",
    "select id from leads order by rid desc limit 1",
    "select max(rid) as rid from leads",
  ),
  ...of(
    "deliveries are sent for all accounts in turn, each under a lease of its own",
    "with recursive step (webhook) as ( select min(webhook_rid) from deliveries",
    "select rid from deliveries where webhook_rid = ?2 and status = 'pending' and due_at <= ?1",
    "from deliveries v join events e on e.rid = v.event_rid join webhooks w on w.rid = v.webhook_rid where v.rid = ? and v.lease = ?",
    "update deliveries set lease = ?2, leased_until = ?3 where rid = ?4 and status = 'pending'",
    "update deliveries set lease = null, leased_until = null where rid = ? and lease = ?",
    "update deliveries set leased_until = min(leased_until - ?2, ?1 + ?4)",
    "update deliveries set status = ?3, due_at = ?4, code = ?5",
    "select coalesce(max(turn), 0) as turn from deliveries where turn is not null",
    "select rid as ref, id, url, active, failing_since from webhooks where rid = (select webhook_rid from deliveries",
    "update webhooks set active = 0, disabled_reason = ?2, updated_at = ?3 where rid = ?1 and active = 1",
    "update webhooks set failing_since = ?2 where rid = ?1",
  ),
  ...of(
    "a delivery is tried again by the ref that was found in its account",
    "attempts = iif(status = 'pending', attempts, 0) where rid = ?2 and (status <> 'pending'",
  ),
  ...of(
    "what is over and old is cleared away for all accounts",
    "delete from deliveries where rid = ?",
    "delete from events where rid = ?1 and not exists",
    "delete from webhooks where removed = 1 and not exists",
    "select rid, event_rid from (select rid, event_rid, created_at from deliveries order by rid limit ?2)",
    "select v.rid, v.event_rid from webhooks w cross join deliveries v on v.webhook_rid = w.rid where w.removed = 1",
  ),
]
