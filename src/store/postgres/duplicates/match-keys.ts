// The keys of leads that are compared: a row a lead, and an index that finds a lead by each of them. A row a key takes more
// than twice the room.
import type { IndexPart, MatchReads } from "../../contract/matching.ts"
import type { Db } from "../../sql/db.ts"
import { LEAST_KEY } from "../../tables/duplicates/index-parts.ts"
import { parsedDocument } from "../../tables/leads/shape.ts"
import type { Tx } from "../writes/transaction.ts"

// A key is signed and has 32 bits; those above are its account, so that other accounts' leads are never met.
const scoped = (account: string, key: string) => `(${account}::bigint << 32) | (${key} & 4294967295)`
const KEY = "(k.scoped << 32) >> 32"

const MEMBERS = `SELECT k.key, m.rid FROM unnest($2::bigint[]) AS k (key) CROSS JOIN LATERAL (
  SELECT rid FROM match_keys d WHERE d.keys @> ARRAY[${scoped("$1", "k.key")}] LIMIT $3) m`
const SHARED = `SELECT ${KEY} AS key, to_json((array_agg(m.rid ORDER BY m.rid))[:$5])::text AS refs
  FROM match_keys m CROSS JOIN LATERAL unnest(m.keys) AS k (scoped)
  WHERE m.account_id = $1 AND ${KEY} > $2 AND ${KEY} <= $3
  GROUP BY k.scoped HAVING count(*) >= $4 ORDER BY 1`
const LEADS = "SELECT lead_count AS n FROM accounts WHERE key = $1"

const WRITE = `INSERT INTO match_keys AS m (account_id, rid, keys)
  SELECT $1::bigint, r.rid, r.keys::bigint[] FROM unnest($2::bigint[], $3::text[]) AS r (rid, keys)
  ON CONFLICT (account_id, rid) DO UPDATE SET keys = excluded.keys WHERE m.keys <> excluded.keys`
const DROP = "DELETE FROM match_keys WHERE account_id = $1 AND rid = ANY ($2::bigint[])"

/** Keys that were found to have more leads than were asked for, and for how long that is taken for so. */
const COMMON_MAX = 20_000
const COMMON_MS = 600_000
/** Leads whose number of keys is read at once, each time from all leads of the account. */
const READ_AT_ONCE = 100_000

function membersOf(db: Db): MatchReads["members"] {
  // All leads of a key are read before the first is given, so a common one is looked up seldom.
  const common = new Set<string>()
  let since = performance.now()
  return async (account, keys, most) => {
    if (common.size > COMMON_MAX || performance.now() - since > COMMON_MS) {
      common.clear()
      since = performance.now()
    }
    const name = (key: number) => `${account} ${most} ${key}`
    const asked = keys.filter((key) => !common.has(name(key)))
    const byKey = new Map<number, number[]>()
    if (asked.length === 0) return byKey
    const rows = await db.all<{ key: number; rid: number }>(MEMBERS, [account, asked, most])
    for (const { key, rid } of rows) byKey.getOrInsertComputed(key, () => []).push(rid)
    for (const [key, refs] of byKey) {
      if (refs.length >= most) common.add(name(key))
      refs.sort((a, b) => a - b)
    }
    return byKey
  }
}

/** Keys above `after` that at least `least` leads share, with up to `most` of them: what one reading of the account finds. */
export async function sharedKeys(
  db: Db,
  account: number,
  after: number | undefined,
  most: number,
  least: 1 | 2,
): Promise<IndexPart<{ key: number; refs: number[] }>> {
  const { n = 0 } = (await db.get<{ n: number }>(LEADS, [account])) ?? {}
  const from = after ?? LEAST_KEY
  const to = from + Math.ceil(2 ** 32 / Math.ceil(Math.max(1, n) / READ_AT_ONCE))
  const rows = await db.all<{ key: number; refs: string }>(SHARED, [account, from, to, least, most])
  return {
    rows: rows.map(({ key, refs }) => ({ key, refs: JSON.parse(refs) })),
    next: to >= 2 ** 31 - 1 ? undefined : to,
  }
}

/** Writes all keys of leads; those without any leave. */
export function writeKeys(
  tx: Tx,
  account: number,
  leads: readonly { ref: number; keys: readonly number[] }[],
): void {
  const having = leads.filter(({ keys }) => keys.length > 0)
  const without = leads.filter(({ keys }) => keys.length === 0).map(({ ref }) => ref)
  const above = BigInt(account) << 32n
  const text = (keys: readonly number[]) => `{${keys.map((key) => above | BigInt(key >>> 0)).join()}}`
  if (having.length > 0)
    tx.later(WRITE, [account, having.map(({ ref }) => ref), having.map(({ keys }) => text(keys))])
  if (without.length > 0) tx.later(DROP, [account, without])
}

const BY_REFS =
  "SELECT rid AS ref, id, data AS text, shape FROM leads WHERE account_id = $1 AND rid = ANY ($2::bigint[])"
const TERM_COUNTS = "SELECT term, leads FROM match_terms WHERE account_id = $1 AND term = ANY ($2::bigint[])"

/** What a lead that is not stored is compared with. */
export function matchReads(db: Db): MatchReads {
  return {
    members: membersOf(db),
    async counts(account, terms) {
      const rows = await db.all<{ term: number; leads: number }>(TERM_COUNTS, [account, terms])
      return new Map(rows.map(({ term, leads }) => [term, leads]))
    },
    async leads(account, refs) {
      const rows = await db.all<{ ref: number; id: string; text: string; shape: number }>(BY_REFS, [
        account,
        refs,
      ])
      return rows.map(({ ref, id, text, shape }) => ({ ref, id, lead: parsedDocument(text, shape) }))
    },
  }
}
