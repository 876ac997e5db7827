import type { ReminderReads, ReminderWrites } from "../contract/reminders.ts"
import type { Db, WriteDb } from "../sql/db.ts"

/** As in the index `leads_due`, which holds only what is to be told. */
const DUE = `next_step_at IS NOT NULL AND (due_told_at IS NULL OR due_told_at <> next_step_at) AND next_step_at <=`
const LIST = `SELECT id FROM leads WHERE account_id = $1 AND ${DUE} $2 ORDER BY next_step_at LIMIT $3`
const TAKE = `UPDATE leads SET due_told_at = next_step_at WHERE account_id = $1 AND id = $2 AND ${DUE} $3`

export function reminderReads(db: Db): ReminderReads {
  return {
    due: async (account, now, limit) =>
      (await db.all<{ id: string }>(LIST, [account, now, limit])).map(({ id }) => id),
  }
}

export function reminderWrites(db: WriteDb): ReminderWrites {
  return { take: async (account, id, now) => (await db.run(TAKE, [account, id, now])) > 0 }
}
