import type { Database } from "bun:sqlite"
import { and, asc, eq, sql } from "drizzle-orm"
import { drizzle } from "drizzle-orm/bun-sqlite"
import type { RuleReads, RuleWrites } from "../../contract/store.ts"
import { prepare } from "../file/database.ts"
import { scoringRules as rules } from "../tables.ts"

const SHOWN = {
  id: rules.id,
  name: rules.name,
  expression: rules.expression,
  weight: rules.weight,
  priority: rules.priority,
  created_at: rules.created_at,
  updated_at: rules.updated_at,
}

export function ruleReads(db: Database): RuleReads {
  const orm = drizzle({ client: db })
  const ofAccount = orm
    .select(SHOWN)
    .from(rules)
    .where(eq(rules.account_id, sql.placeholder("account")))
    .orderBy(asc(rules.priority), asc(rules.rid))
    .prepare()
  const revision = prepare<{ rules_revision: number }, [number]>(
    db,
    "SELECT rules_revision FROM accounts WHERE key = ?",
  )
  return {
    async find(account, id) {
      const where = and(eq(rules.account_id, account), eq(rules.id, id))
      return orm.select(SHOWN).from(rules).where(where).get()
    },
    list: async (account) => ofAccount.all({ account }),
    revision: async (account) => revision.get(account)?.rules_revision ?? 0,
  }
}

export function ruleWrites(db: Database): RuleWrites {
  const orm = drizzle({ client: db })
  // Random rather than counted: a revision that was rolled back never comes again with other rules.
  const revise = prepare(db, "UPDATE accounts SET rules_revision = random() & 0xffffffffffff WHERE key = ?")
  const lease = prepare(
    db,
    `UPDATE accounts SET scoring_lease = ?2, scoring_leased_until = ?4 WHERE key = ?1 AND (
      scoring_lease IS NULL OR scoring_lease = ?2 OR scoring_leased_until NOT BETWEEN ?3 AND ?4)`,
  )
  const release = prepare(
    db,
    "UPDATE accounts SET scoring_lease = NULL, scoring_leased_until = NULL WHERE key = ? AND scoring_lease = ?",
  )
  return {
    lease: async (account, { name, now, until }) => lease.run(account, name, now, until).changes > 0,
    release: async (account, name) => void release.run(account, name),
    async insert(account, rule) {
      orm
        .insert(rules)
        .values({ account_id: account, ...rule })
        .run()
      revise.run(account)
    },
    async update(account, { id, created_at: _, ...changes }) {
      const where = and(eq(rules.account_id, account), eq(rules.id, id))
      orm.update(rules).set(changes).where(where).run()
      revise.run(account)
    },
    async remove(account, id) {
      const where = and(eq(rules.account_id, account), eq(rules.id, id))
      const removed = orm.delete(rules).where(where).returning({ id: rules.id }).all()
      revise.run(account)
      return removed.length > 0
    },
  }
}
