import type { Database } from "bun:sqlite"
import type { Job, JobReads, JobWrites, TakenJob } from "../../jobs.ts"
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
    `SELECT id, kind, state, done, total AS "of", errors, batch_id, started_at, ended_at
     FROM jobs WHERE account_id = ? AND id = ?`,
  )
  const open = prepare<{ ref: number; account: number }>(
    db,
    `SELECT min(rid) AS ref, account_id AS account FROM jobs WHERE ${FREE}
       AND account_id NOT IN (SELECT account_id FROM jobs
         WHERE state IN ('waiting', 'running') AND leased_until > ?1)
     GROUP BY account_id ORDER BY ref LIMIT 100`,
  )
  return {
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
    `INSERT INTO jobs (account_id, id, kind, state, input, done, total, errors, batch_id, import_id, key_id,
       actor_id, role, created_at)
     VALUES (?, ?, ?, 'waiting', ?, 0, ?, '[]', ?, ?, ?, ?, ?, ?)`,
  )
  const take = prepare(
    db,
    `UPDATE jobs SET state = 'running', lease = ?2, leased_until = ?3,
       started_at = coalesce(started_at, ?1 / 1000)
     WHERE rid = ?4 AND ${FREE}`,
  )
  const load = prepare<Taken>(
    db,
    `SELECT j.rid AS ref, j.account_id AS account, a.id AS account_id, j.id, kind, input, progress, done,
       total AS "of", errors, batch_id, import_id, key_id, actor_id, role, j.created_at
     FROM jobs j JOIN accounts a ON a.key = j.account_id WHERE j.rid = ?`,
  )
  const save = prepare(
    db,
    `UPDATE jobs SET state = ?3, progress = ?4, done = ?5, total = coalesce(?6, total), errors = ?7,
       ended_at = ?8, leased_until = ?9, lease = CASE WHEN ?9 IS NULL THEN NULL ELSE lease END
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
      insert.run(
        account,
        job.id,
        job.kind,
        JSON.stringify(job.input),
        job.of,
        job.batch_id,
        job.import_id,
        job.key_id,
        job.actor_id,
        job.role,
        job.created_at,
      )
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
    async save(ref, lease, { state, progress, done, of, errors, at, until }) {
      const isOver = state !== "running"
      const texts = [JSON.stringify(progress), done, of ?? null, JSON.stringify(errors)] as const
      return save.run(ref, lease, state, ...texts, isOver ? at : null, isOver ? null : until).changes > 0
    },
    stop: async (account, id, at) => stop.run(account, id, at).changes > 0,
    async prune(before) {
      prune.run(before)
    },
  }
}
