import type {
  ErasureReads,
  ErasureRow,
  ErasureWrites,
  RetentionReads,
  RetentionRule,
  RetentionWrites,
} from "../contract/privacy.ts"
import type { Db, WriteDb } from "../sql/db.ts"

const RULE = `SELECT id, name, filter, months, days, notice_days, noticed_at, created_at, updated_at
  FROM retention_rules WHERE account_id = $1`

const RUNNING = "SELECT value FROM settings WHERE name = 'running_time'"
const KEEP_RUNNING = `INSERT INTO settings (name, value) VALUES ('running_time', $1)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`

type Row = Omit<RetentionRule, "filter"> & { filter: string }
const ruleOf = (row: Row): RetentionRule => ({ ...row, filter: JSON.parse(row.filter) })

export function retentionReads(db: Db): RetentionReads {
  return {
    async runningTime() {
      const row = await db.get<{ value: Uint8Array }>(RUNNING)
      return row && JSON.parse(Buffer.from(row.value).toString())
    },
    list: async (account) => (await db.all<Row>(`${RULE} ORDER BY rid`, [account])).map(ruleOf),
    async find(account, id) {
      const row = await db.get<Row>(`${RULE} AND id = $2`, [account, id])
      return row && ruleOf(row)
    },
  }
}

const INSERT = `INSERT INTO retention_rules
  (account_id, id, name, filter, months, days, notice_days, noticed_at, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
const UPDATE = `UPDATE retention_rules SET name = $3, filter = $4, months = $5, days = $6, notice_days = $7,
  noticed_at = $8, updated_at = $9 WHERE account_id = $1 AND id = $2`
const LEASE = `UPDATE retention_rules SET leased_until = $4
  WHERE account_id = $1 AND id = $2 AND (leased_until IS NULL OR leased_until <= $3)`

export function retentionWrites(db: WriteDb): RetentionWrites {
  return {
    async keepRunningTime(time) {
      db.later(KEEP_RUNNING, [Buffer.from(JSON.stringify(time))])
    },
    async insert(
      account,
      { id, name, filter, months, days, notice_days, noticed_at, created_at, updated_at },
    ) {
      const kept = [id, name, JSON.stringify(filter), months, days, notice_days, noticed_at]
      await db.run(INSERT, [account, ...kept, created_at, updated_at])
    },
    async update(account, { id, name, filter, months, days, notice_days, noticed_at, updated_at }) {
      const kept = [id, name, JSON.stringify(filter), months, days, notice_days, noticed_at]
      await db.run(UPDATE, [account, ...kept, updated_at])
    },
    remove: async (account, id) =>
      (await db.run("DELETE FROM retention_rules WHERE account_id = $1 AND id = $2", [account, id])) > 0,
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
      const before = after === undefined ? Number.MAX_SAFE_INTEGER : Number(after)
      const rows = await db.all<ErasureRow & { rid: number }>(ERASURES, [account, before, limit + 1])
      const page = rows.slice(0, limit)
      return {
        erasures: page.map(({ rid: _, ...erasure }) => erasure),
        next: rows.length > limit ? String(page.at(-1)!.rid) : undefined,
      }
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
