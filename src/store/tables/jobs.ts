import type { Job, JobReads, JobWrites, TakenJob } from "../contract/jobs.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import { rowAs } from "../sql/rows.ts"

type Texts = { errors: string }
type Shown = Omit<Job, "errors"> & Texts
type Taken = Omit<TakenJob, "errors" | "input" | "progress"> &
  Texts & { input: string; progress: string | null }

/** Unfinished jobs without a lease that lasts beyond $1. */
const FREE = "state IN ('waiting', 'running') AND (leased_until IS NULL OR leased_until <= $1)"

const INPUTS = `SELECT i.input FROM jobs j JOIN job_inputs i ON i.rid = j.rid
  WHERE j.kind = $1 AND j.state IN ('waiting', 'running')`
const SHOWN = 'id, kind, state, done, total AS "of", failed, errors, batch_id, started_at, ended_at'
const FIND = `SELECT ${SHOWN} FROM jobs WHERE account_id = $1 AND id = $2`
const PROGRESS = "SELECT progress FROM jobs WHERE account_id = $1 AND id = $2"
const UNFINISHED = `SELECT ${SHOWN} FROM jobs WHERE account_id = $1 AND state IN ('waiting', 'running')
  ORDER BY rid LIMIT $2`
/** The oldest free job of each account that has none under way. */
const OPEN = `SELECT min(rid) AS ref, account_id AS account FROM jobs WHERE ${FREE}
    AND account_id NOT IN (SELECT account_id FROM jobs
      WHERE state IN ('waiting', 'running') AND leased_until > $1)
  GROUP BY account_id ORDER BY ref LIMIT 100`

const shownJob = (row: Shown): Job => ({ ...row, errors: JSON.parse(row.errors) })

export function jobReads(db: Db): JobReads {
  return {
    inputs: async (kind) =>
      (await db.all<{ input: string }>(INPUTS, [kind])).map(({ input }) => JSON.parse(input)),
    unfinished: async (account, limit) => (await db.all<Shown>(UNFINISHED, [account, limit])).map(shownJob),
    async progress(account, id) {
      const row = await db.get<{ progress: string | null }>(PROGRESS, [account, id])
      return row?.progress == null ? undefined : JSON.parse(row.progress)
    },
    find: (account, id) => rowAs(db.get<Shown>(FIND, [account, id]), shownJob),
    open: (now) => db.all<{ ref: number; account: number }>(OPEN, [now]),
  }
}

const INSERT = `INSERT INTO jobs (account_id, id, kind, state, done, total, failed, errors, batch_id, import_id, key_id,
    actor_id, role, created_at)
  VALUES ($1, $2, $3, 'waiting', 0, $4, 0, '[]', $5, $6, $7, $8, $9, $10)`
const KEEP_NEWEST = `DELETE FROM jobs WHERE account_id = $1 AND state NOT IN ('waiting', 'running')
  AND id <= (SELECT id FROM jobs WHERE account_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $2)`
const INPUT_BYTES =
  "SELECT coalesce(sum(octet_length(input)), 0)::bigint AS bytes FROM job_inputs WHERE account_id = $1"
const KEEP_INPUT = `INSERT INTO job_inputs (rid, account_id, input)
  SELECT rid, account_id, $3 FROM jobs WHERE account_id = $1 AND id = $2`
const TAKE = `UPDATE jobs SET state = 'running', lease = $2, leased_until = $3,
    started_at = coalesce(started_at, $1::bigint / 1000)
  WHERE rid = $4 AND ${FREE}`
const LOAD = `SELECT j.rid AS ref, j.account_id AS account, a.id AS account_id, j.id, kind, i.input, progress, done,
    total AS "of", failed, errors, batch_id, import_id, key_id, actor_id, role, j.created_at
  FROM jobs j JOIN accounts a ON a.key = j.account_id JOIN job_inputs i ON i.rid = j.rid WHERE j.rid = $1`
const SAVE = `UPDATE jobs SET state = $3, progress = $4, done = $5, total = coalesce($6, total), errors = $7,
    ended_at = $8, failed = $10, leased_until = $9, lease = CASE WHEN $9::bigint IS NULL THEN NULL ELSE lease END
  WHERE rid = $1 AND lease = $2 AND state = 'running'`
const STOP = `UPDATE jobs SET state = 'stopped', ended_at = $3, lease = NULL, leased_until = NULL
  WHERE account_id = $1 AND id = $2 AND state IN ('waiting', 'running')`

export function jobWrites(db: WriteDb): JobWrites {
  return {
    inputBytes: async (account) => (await db.get<{ bytes: number }>(INPUT_BYTES, [account]))!.bytes,
    async keepNewest(account, most) {
      db.later(KEEP_NEWEST, [account, most])
    },
    async insert(account, job) {
      const { id, kind, of, batch_id, import_id, key_id, actor_id, role, created_at, input } = job
      db.later(INSERT, [account, id, kind, of, batch_id, import_id, key_id, actor_id, role, created_at])
      db.later(KEEP_INPUT, [account, id, JSON.stringify(input)])
    },
    async take(ref, { name, now, until }) {
      if ((await db.run(TAKE, [now, name, until, ref])) === 0) return undefined
      const { input, progress, errors, ...row } = (await db.get<Taken>(LOAD, [ref]))!
      return {
        ...row,
        input: JSON.parse(input),
        progress: progress === null ? null : JSON.parse(progress),
        errors: JSON.parse(errors),
      }
    },
    async save(ref, lease, { state, progress, done, of, failed, errors, at, until }) {
      const isOver = state !== "running"
      const saved = await db.run(SAVE, [
        ...[ref, lease, state, JSON.stringify(progress), done, of, JSON.stringify(errors)],
        ...[isOver ? at : null, isOver ? null : until, failed],
      ])
      if (saved > 0 && isOver) db.later("DELETE FROM job_inputs WHERE rid = $1", [ref])
      return saved > 0
    },
    async stop(account, id, at) {
      const stopped = await db.run(STOP, [account, id, at])
      if (stopped > 0) {
        const ofJob = "(SELECT rid FROM jobs WHERE account_id = $1 AND id = $2)"
        db.later(`DELETE FROM job_inputs WHERE rid = ${ofJob}`, [account, id])
      }
      return stopped > 0
    },
    async prune(before) {
      db.later(
        "DELETE FROM jobs WHERE rid IN (SELECT rid FROM jobs WHERE ended_at IS NOT NULL AND ended_at < $1 LIMIT 100)",
        [before],
      )
    },
  }
}
