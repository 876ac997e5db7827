import type { RuleReads, RuleWrites, ScoringRule } from "../contract/store.ts"
import { type AccountColumns, newRevision } from "../sql/account-columns.ts"
import type { Db, WriteDb } from "../sql/db.ts"

const RULE = `SELECT id, name, expression, weight, priority, created_at, updated_at FROM scoring_rules
  WHERE account_id = $1`
const FIND = `${RULE} AND id = $2`
const LIST = `${RULE} ORDER BY priority, rid`

export function ruleReads(db: Db): RuleReads {
  return {
    find: (account, id) => db.get<ScoringRule>(FIND, [account, id]),
    list: (account) => db.all<ScoringRule>(LIST, [account]),
    async revision(account) {
      const text = "SELECT rules_revision AS n FROM accounts WHERE key = $1"
      return (await db.get<{ n: number }>(text, [account]))?.n ?? 0
    },
  }
}

export function ruleWrites(db: WriteDb, columns: AccountColumns): RuleWrites & Pick<RuleReads, "revision"> {
  const revise = (account: number) => columns.set(account, "rules_revision", newRevision())
  return {
    revision: (account) => columns.get(account, "rules_revision"),
    async insert(account, { id, name, expression, weight, priority, created_at, updated_at }) {
      db.later(
        `INSERT INTO scoring_rules (account_id, id, name, expression, weight, priority, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [account, id, name, expression, weight, priority, created_at, updated_at],
      )
      await revise(account)
    },
    async update(account, { id, name, expression, weight, priority, updated_at }) {
      db.later(
        `UPDATE scoring_rules SET name = $3, expression = $4, weight = $5, priority = $6, updated_at = $7
         WHERE account_id = $1 AND id = $2`,
        [account, id, name, expression, weight, priority, updated_at],
      )
      await revise(account)
    },
    async remove(account, id) {
      const removed = await db.run("DELETE FROM scoring_rules WHERE account_id = $1 AND id = $2", [
        account,
        id,
      ])
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
