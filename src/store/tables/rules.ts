import type { RuleReads, RuleWrites, ScoringRule } from "../contract/store.ts"
import { type AccountColumns, newRevision } from "../sql/account-columns.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import { accountColumn, accountRows } from "../sql/rows.ts"

const COLUMNS = ["id", "name", "expression", "weight", "priority", "created_at", "updated_at"] as const
const ROWS = accountRows("scoring_rules", COLUMNS)
const LIST = `SELECT ${COLUMNS.join(", ")} FROM scoring_rules WHERE account_id = $1 ORDER BY priority, rid`

export function ruleReads(db: Db): RuleReads {
  const revision = accountColumn<number>(db, "rules_revision")
  return {
    find: (account, id) => db.get<ScoringRule>(...ROWS.find(account, id)),
    list: (account) => db.all<ScoringRule>(LIST, [account]),
    revision: async (account) => (await revision(account)) ?? 0,
  }
}

export function ruleWrites(db: WriteDb, columns: AccountColumns): RuleWrites & Pick<RuleReads, "revision"> {
  const revise = (account: number) => columns.set(account, "rules_revision", newRevision())
  return {
    revision: columns.reader("rules_revision"),
    async insert(account, rule) {
      db.later(...ROWS.insert(account, rule))
      await revise(account)
    },
    async update(account, rule) {
      db.later(...ROWS.update(account, rule))
      await revise(account)
    },
    async remove(account, id) {
      const removed = await db.run(...ROWS.remove(account, id))
      await revise(account)
      return removed > 0
    },
    async lease(account, { name, now, until }) {
      const taken = await db.run(
        `UPDATE accounts SET scoring_lease = $2, scoring_leased_until = $4 WHERE key = $1 AND (
          scoring_lease IS NULL OR scoring_lease = $2 OR scoring_leased_until NOT BETWEEN $3 AND $4)`,
        [account, name, now, until],
      )
      return taken > 0
    },
    async release(account, name) {
      db.later(
        "UPDATE accounts SET scoring_lease = NULL, scoring_leased_until = NULL WHERE key = $1 AND scoring_lease = $2",
        [account, name],
      )
    },
  }
}
