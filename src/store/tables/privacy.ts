import type {
  ErasureReads,
  ErasureRow,
  ErasureWrites,
  RetentionReads,
  RetentionRule,
  RetentionWrites,
} from "../contract/privacy.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import { accountRows, belowOf, pageOf, rowAs } from "../sql/rows.ts"

const RULES = accountRows("retention_rules", [
  ...(["id", "name", "filter", "months", "days", "notice_days", "noticed_at"] as const),
  ...(["created_at", "updated_at"] as const),
])

const RUNNING = "SELECT value FROM settings WHERE name = 'running_time'"
const KEEP_RUNNING = `INSERT INTO settings (name, value) VALUES ('running_time', $1)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`

type Row = Omit<RetentionRule, "filter"> & { filter: string }
const ruleOf = (row: Row): RetentionRule => ({ ...row, filter: JSON.parse(row.filter) })
const rowOf = (rule: RetentionRule): Row => ({ ...rule, filter: JSON.stringify(rule.filter) })

export function retentionReads(db: Db): RetentionReads {
  return {
    async runningTime() {
      const row = await db.get<{ value: Uint8Array }>(RUNNING)
      return row && JSON.parse(Buffer.from(row.value).toString())
    },
    list: async (account) => (await db.all<Row>(...RULES.list(account))).map(ruleOf),
    find: (account, id) => rowAs(db.get<Row>(...RULES.find(account, id)), ruleOf),
  }
}

const LEASE = `UPDATE retention_rules SET leased_until = $4
  WHERE account_id = $1 AND id = $2 AND (leased_until IS NULL OR leased_until <= $3)`

export function retentionWrites(db: WriteDb): RetentionWrites {
  return {
    async keepRunningTime(time) {
      db.later(KEEP_RUNNING, [Buffer.from(JSON.stringify(time))])
    },
    insert: async (account, rule) => void (await db.run(...RULES.insert(account, rowOf(rule)))),
    update: async (account, rule) => void (await db.run(...RULES.update(account, rowOf(rule)))),
    remove: async (account, id) => (await db.run(...RULES.remove(account, id))) > 0,
    lease: async (account, id, now, until) => (await db.run(LEASE, [account, id, now, until])) > 0,
    async release(account, id) {
      await db.run("UPDATE retention_rules SET leased_until = NULL WHERE account_id = $1 AND id = $2", [
        account,
        id,
      ])
    },
  }
}

const ERASURES = `SELECT rid, id, reason, rule_id, rule_name, count, actor_id, key_id, created_at
  FROM erasures WHERE account_id = $1 AND rid < $2 ORDER BY rid DESC LIMIT $3`
const RECORD = `INSERT INTO erasures (account_id, id, reason, rule_id, rule_name, count, actor_id, key_id, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (account_id, id) DO UPDATE SET count = erasures.count + excluded.count`

export function erasureReads(db: Db): ErasureReads {
  return {
    async list(account, { after, limit }) {
      const params = [account, belowOf(after), limit + 1]
      const { page, next } = pageOf(await db.all<ErasureRow & { rid: number }>(ERASURES, params), limit)
      return { erasures: page.map(({ rid: _, ...erasure }) => erasure), next }
    },
  }
}

export function erasureWrites(db: WriteDb): ErasureWrites {
  return {
    async record(account, { id, reason, rule_id, rule_name, count, actor_id, key_id, created_at }) {
      await db.run(RECORD, [account, id, reason, rule_id, rule_name, count, actor_id, key_id, created_at])
    },
  }
}
