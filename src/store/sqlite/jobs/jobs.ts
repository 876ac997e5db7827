import type { Database } from "bun:sqlite"
import type { Job, JobReads, JobWrites, TakenJob } from "../../contract/jobs.ts"
import { prepare } from "../file/database.ts"

type Texts = { errors: string }
type Shown = Omit<Job, "errors"> & Texts
type Taken = Omit<TakenJob, "errors" | "input" | "progress"> &
  Texts & { input: string; progress: string | null }

/** Nobody's at ?1. */
const FREE = "state IN ('waiting', 'running') AND (leased_until IS NULL OR leased_until <= ?1)"

export function jobReads(db: Database): JobReads {
  const find = prepare<Shown>(
    db,
    `SELECT id, kind, state, done, total AS "of", failed, errors, batch_id, started_at, ended_at
     FROM jobs WHERE account_id = ? AND id = ?`,
  )
  const open = prepare<{ ref: number; account: number }>(
    db,
    `SELECT min(rid) AS ref, account_id AS account FROM jobs WHERE ${FREE}
       AND account_id NOT IN (SELECT account_id FROM jobs
         WHERE state IN ('waiting', 'running') AND leased_until > ?1)
     GROUP BY account_id ORDER BY ref LIMIT 100`,
  )
  const inputs = prepare<{ input: string }>(
    db,
    `SELECT i.input FROM jobs j JOIN job_inputs i ON i.rid = j.rid
     WHERE j.kind = ? AND j.state IN ('waiting', 'running')`,
  )
  return {
    inputs: async (kind) => inputs.all(kind).map(({ input }) => JSON.parse(input)),
    async find(account, id) {
      const row = find.get(account, id)
      return row ? { ...row, errors: JSON.parse(row.errors) } : undefined
    },
    open: async (now) => open.all(now),
  }
}

export function jobWrites(db: Database): JobWrites {
  const insert = prepare(
    db,
    `INSERT INTO jobs (account_id, id, kind, state, done, total, failed, errors, batch_id, import_id, key_id,
       actor_id, role, created_at)
     VALUES (?, ?, ?, 'waiting', 0, ?, 0, '[]', ?, ?, ?, ?, ?, ?)`,
  )
  const keepInput = prepare(db, "INSERT INTO job_inputs (rid, account_id, input) VALUES (?, ?, ?)")
  const dropInput = prepare(db, "DELETE FROM job_inputs WHERE rid = ?")
  const dropInputOf = prepare(
    db,
    "DELETE FROM job_inputs WHERE rid = (SELECT rid FROM jobs WHERE account_id = ? AND id = ?)",
  )
  const take = prepare(
    db,
    `UPDATE jobs SET state = 'running', lease = ?2, leased_until = ?3,
       started_at = coalesce(started_at, ?1 / 1000)
     WHERE rid = ?4 AND ${FREE}`,
  )
  const load = prepare<Taken>(
    db,
    `SELECT j.rid AS ref, j.account_id AS account, a.id AS account_id, j.id, kind, i.input, progress, done,
       total AS "of", failed, errors, batch_id, import_id, key_id, actor_id, role, j.created_at
     FROM jobs j JOIN accounts a ON a.key = j.account_id JOIN job_inputs i ON i.rid = j.rid WHERE j.rid = ?`,
  )
  const save = prepare(
    db,
    `UPDATE jobs SET state = ?3, progress = ?4, done = ?5, total = coalesce(?6, total), errors = ?7,
       failed = ?8, ended_at = ?9, leased_until = ?10, lease = CASE WHEN ?10 IS NULL THEN NULL ELSE lease END
     WHERE rid = ?1 AND lease = ?2 AND state = 'running'`,
  )
  const stop = prepare(
    db,
    `UPDATE jobs SET state = 'stopped', ended_at = ?3, lease = NULL, leased_until = NULL
     WHERE account_id = ?1 AND id = ?2 AND state IN ('waiting', 'running')`,
  )
  const prune = prepare(
    db,
    "DELETE FROM jobs WHERE rid IN (SELECT rid FROM jobs WHERE ended_at IS NOT NULL AND ended_at < ? LIMIT 100)",
  )
  return {
    async insert(account, job) {
      const { lastInsertRowid } = insert.run(
        account,
        job.id,
        job.kind,
        job.of,
        job.batch_id,
        job.import_id,
        job.key_id,
        job.actor_id,
        job.role,
        job.created_at,
      )
      keepInput.run(Number(lastInsertRowid), account, JSON.stringify(job.input))
    },
    async take(ref, { name, now, until }) {
      if (take.run(now, name, until, ref).changes === 0) return undefined
      const { input, progress, errors, ...row } = load.get(ref)!
      return {
        ...row,
        input: JSON.parse(input),
        progress: progress === null ? null : JSON.parse(progress),
        errors: JSON.parse(errors),
      }
    },
    async save(ref, lease, { state, progress, done, of, failed, errors, at, until }) {
      const isOver = state !== "running"
      const texts = [JSON.stringify(progress), done, of ?? null, JSON.stringify(errors), failed] as const
      const end = [isOver ? at : null, isOver ? null : until] as const
      const isSaved = save.run(ref, lease, state, ...texts, ...end).changes > 0
      if (isSaved && isOver) dropInput.run(ref)
      return isSaved
    },
    async stop(account, id, at) {
      const isStopped = stop.run(account, id, at).changes > 0
      if (isStopped) dropInputOf.run(account, id)
      return isStopped
    },
    async prune(before) {
      prune.run(before)
    },
  }
}
