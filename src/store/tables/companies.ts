import type { CompanyCount, CompanyDetails, CompanyReads, CompanyWrites } from "../contract/store.ts"
import { type AccountColumns, newRevision } from "../sql/account-columns.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import { suppressedSql } from "../sql/suppressed.ts"

const MERGES = "SELECT id, into_id FROM company_merges WHERE account_id = $1 ORDER BY id"
const DONE = "SELECT companies_from AS id FROM accounts WHERE key = $1"
const WITHOUT = `SELECT id FROM leads WHERE account_id = $1 AND id > $2 AND company_id IS NULL ORDER BY id LIMIT $3`

const MOST = "ORDER BY leads DESC, id LIMIT $2"
const SEVERAL = "HAVING count(*) > 1 AND (count(*) < $3 OR (count(*) = $3 AND company_id > $4))"
/** Most have one lead: they are read in the order of the index, and not sorted. */
const ONE = "AND company_id > $3 GROUP BY company_id HAVING count(*) = 1 ORDER BY company_id LIMIT $2"
const COUNTED =
  "SELECT company_id AS id, count(*) AS leads FROM leads WHERE account_id = $1 AND company_id IS NOT NULL"

export function companyReads(db: Db): CompanyReads {
  const { position } = db.dialect
  /** Counts the companies of a list, all without one. */
  const counted = (value: string, ids: readonly string[] | undefined) =>
    ids ? `${COUNTED} AND company_id = ANY (${value})` : COUNTED
  const suppressed = suppressedSql(db.dialect).replaceAll("?", "$1")
  const details = `SELECT l.company_id AS id, count(*) AS leads, max(l.last_touched_at) AS last_touched_at,
      min(l.next_step_at) AS next_step_at, min(l.rid) AS first, min(CASE WHEN l.company IS NOT NULL THEN l.rid END) AS named,
      min(CASE WHEN ${suppressed} THEN 1 ELSE 0 END) AS suppressed
    FROM leads l WHERE l.account_id = $1 AND l.company_id = ANY ($2) GROUP BY l.company_id`
  return {
    async page(account, { ids, after, limit }) {
      const sought = ids ? [ids] : []
      const { leads: most = Number.MAX_SAFE_INTEGER, id = "" } = after ?? {}
      const several =
        most > 1
          ? await db.all<CompanyCount>(`${counted("$5", ids)} GROUP BY company_id ${SEVERAL} ${MOST}`, [
              ...[account, limit, most, id],
              ...sought,
            ])
          : []
      if (several.length === limit) return several
      const left = [account, limit - several.length, most > 1 ? "" : id, ...sought]
      return [...several, ...(await db.all<CompanyCount>(`${counted("$4", ids)} ${ONE}`, left))]
    },
    async having(account, ids, fields, part) {
      const matches = fields.map((field) => `${position(field, "$3")} > 0`).join(" OR ")
      const sql = `SELECT DISTINCT company_id AS id FROM leads
        WHERE account_id = $1 AND company_id = ANY ($2) AND (${matches})`
      return new Set((await db.all<{ id: string }>(sql, [account, ids, part])).map(({ id }) => id))
    },
    async details(account, ids) {
      const rows = await db.all<Omit<CompanyDetails, "contactable"> & { suppressed: number }>(details, [
        account,
        ids,
      ])
      return rows.map(({ suppressed, ...row }) => ({ ...row, contactable: suppressed === 0 }))
    },
    merges: (account) => db.all(MERGES, [account]),
    doneUpTo: async (account) => (await db.get<{ id: string | null }>(DONE, [account]))?.id ?? null,
    without: async (account, after, limit) =>
      (await db.all<{ id: string }>(WITHOUT, [account, after, limit])).map(({ id }) => id),
  }
}

export function companyWrites(db: WriteDb, columns: AccountColumns): CompanyWrites {
  const RULE = "FROM company_merges WHERE account_id = $1 AND id = $2 AND into_id = $3"
  const isMerged = (...rule: [account: number, id: string, into: string]) =>
    db.get(`SELECT 1 AS found ${RULE}`, rule)
  return {
    async merge(account, id, into) {
      if (await isMerged(account, id, into)) return
      db.later("DELETE FROM company_merges WHERE account_id = $1 AND id = $2", [account, into])
      db.later(
        `INSERT INTO company_merges (account_id, id, into_id) VALUES ($1, $2, $3)
         ON CONFLICT (account_id, id) DO UPDATE SET into_id = excluded.into_id`,
        [account, id, into],
      )
      await columns.set(account, "rules_revision", newRevision())
    },
    async part(account, id, into) {
      if (!(await isMerged(account, id, into))) return
      db.later(`DELETE ${RULE}`, [account, id, into])
      await columns.set(account, "rules_revision", newRevision())
    },
    async setDoneUpTo(account, id) {
      await db.run("UPDATE accounts SET companies_from = $2 WHERE key = $1", [account, id])
    },
  }
}
