// Going through an account's trail in order.
import type { ChangeFilter, ChangeQuery, DiffChange } from "../../contract/changes.ts"
import type { ChangeRow } from "../../shared/change-facts.ts"
import type { TrailIds } from "../../shared/trail-ids.ts"
import type { Db } from "../../sql/db.ts"
import { joined, limitOf, type Sql, sql, statement } from "../leads/sql.ts"
import { ROW } from "./states.ts"

/** Changes that are looked at together where it is asked for a field, and how long one look may take. */
const STEP = 200
const LOOK_MS = 250

export interface Found {
  found: ChangeRow[]
  position: number
  more: boolean
}

export function trailScan(db: Db, ids: TrailIds) {
  /** Undefined where nothing can match. */
  function tests(account: number, filter: ChangeFilter): Sql[] | undefined {
    const { lead_id, action, actor_id, key_id, batch_id, import_id, since, until } = filter
    const parts: Sql[] = []
    const equal = { lead_id, action, actor_id, key_id, import_id }
    for (const [name, value] of Object.entries(equal))
      if (value !== undefined) parts.push(sql(`t.${name} = ?`, value))
    if (batch_id !== undefined) {
      const alone = ids.seqOf("batch", account, batch_id)
      parts.push(
        alone === undefined
          ? sql("t.batch_id = ?", batch_id)
          : sql("(t.batch_id = ? OR (t.batch_id IS NULL AND t.seq = ?))", batch_id, alone),
      )
    }
    if (since !== undefined) parts.push(sql("t.created_at >= ?::float8", since))
    if (until !== undefined) parts.push(sql("t.created_at <= ?::float8", until))
    if (filter.ids) {
      const places = filter.ids
        .map((id) => ids.seqOf("change", account, id))
        .filter((seq) => seq !== undefined)
      parts.push(
        sql("(t.id = ANY (?::text[]) OR (t.id IS NULL AND t.seq = ANY (?::bigint[])))", filter.ids, places),
      )
    }
    return parts
  }

  function rows(
    account: number,
    parts: readonly Sql[],
    low: number,
    high: number,
    isDown: boolean,
    limit: number,
  ) {
    const within = sql("t.account_id = ? AND t.seq BETWEEN ? AND ?", account, low, high)
    const asked = joined(
      [
        sql(`SELECT ${ROW} FROM trail t WHERE`),
        joined([within, ...parts], " AND "),
        sql(`ORDER BY t.seq ${isDown ? "DESC" : "ASC"} LIMIT ${limit}`),
      ],
      " ",
    )
    return db.all<ChangeRow>(...statement(asked))
  }

  return async (
    account: number,
    { filter, descending, after, upTo, limit }: ChangeQuery,
    newest: number,
    diffsOf: (account: number, rows: readonly ChangeRow[]) => Promise<DiffChange[]>,
  ): Promise<Found> => {
    const end = Math.min(newest, upTo ?? newest)
    const nothing = { found: [], position: descending ? 0 : end, more: false }
    const parts = tests(account, filter)
    if (!parts) return nothing
    let low = descending ? 1 : (after ?? 0) + 1
    let high = descending ? Math.min(end, (after ?? end + 1) - 1) : end
    const { field } = filter
    const found: ChangeRow[] = []
    const until = performance.now() + LOOK_MS
    while (low <= high) {
      // One more than is shown tells whether there are more.
      const asked = field === undefined ? limitOf(limit + 1) : STEP
      const some = await rows(account, parts, low, high, descending, asked)
      const fits = field === undefined ? some : await having(field, account, some, diffsOf)
      for (const row of fits) {
        if (found.length === limit) return { found, position: found.at(-1)!.seq, more: true }
        found.push(row)
      }
      const last = some.at(-1)
      if (!last || some.length < asked) break
      if (descending) high = last.seq - 1
      else low = last.seq + 1
      if (low <= high && performance.now() > until) return { found, position: last.seq, more: true }
    }
    return { ...nothing, found }
  }
}

async function having(
  field: string,
  account: number,
  rows: readonly ChangeRow[],
  diffsOf: (account: number, rows: readonly ChangeRow[]) => Promise<DiffChange[]>,
): Promise<ChangeRow[]> {
  const diffs = await diffsOf(account, rows)
  return rows.filter((_, i) => field in diffs[i]!.diff)
}
