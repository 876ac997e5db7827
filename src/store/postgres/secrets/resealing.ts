// Turning the encryption of a database's secrets on and off, and giving them another key.
import type { ReservedSQL, SQL } from "bun"
import type { SecretsChange, SecretsState } from "../../file-care.ts"
import { type KeptWebhook, resealing, sealingState } from "../../resealing.ts"
import { LOST_SECRET } from "../../sealing.ts"
import { connectAlone, refuseInstances, shownPlace } from "../connection/alone.ts"
import { sendQuery } from "../connection/connection.ts"

/** How a database's secrets stand in it, and whether `key` opens them. */
export async function secretsState(url: string, key: string | undefined): Promise<SecretsState> {
  const pool = connectAlone(url)
  try {
    return await stateIn(pool, key)
  } finally {
    await pool.close()
  }
}

export async function stateIn(sql: SQL | ReservedSQL, key: string | undefined): Promise<SecretsState> {
  return sealingState(await setting(sql, "sealing"), await setting(sql, "secret"), key)
}

/**
 * Gives a database's secrets another key, or none, while no instance is connected. Throws an Error that a person can act
 * on when they cannot be read with `from`; then nothing has changed.
 */
export async function changeSecretKey(url: string, change: SecretsChange): Promise<{ webhooks: number }> {
  const pool = connectAlone(url)
  try {
    await refuseInstances(pool, shownPlace(url))
    return { webhooks: await reseal(pool, change) }
  } finally {
    await pool.close()
  }
}

/** Encrypts what is in clear, for a service that starts with a key. Of several that start at once one does it. */
export async function sealAtStart(pool: SQL, key: string): Promise<void> {
  if (!(await setting(pool, "sealing"))) await reseal(pool, { to: key })
}

async function reseal(pool: SQL, change: SecretsChange): Promise<number> {
  const sql = await pool.reserve()
  try {
    await sendQuery(sql, "BEGIN")
    const changed = await resealed(sql, change)
    await sendQuery(sql, "COMMIT")
    // What it was before stands in versions of rows that nobody reads any more.
    await sendQuery(sql, "VACUUM settings, webhooks").catch(() => undefined)
    return changed
  } catch (error) {
    await sendQuery(sql, "ROLLBACK").catch(() => undefined)
    throw error
  } finally {
    sql.release()
  }
}

async function resealed(sql: ReservedSQL, change: SecretsChange): Promise<number> {
  await sendQuery(sql, "SELECT 1 FROM settings WHERE name = 'secret' FOR UPDATE")
  await sendQuery(sql, "LOCK TABLE webhooks IN EXCLUSIVE MODE")
  const todo = resealing(change, await setting(sql, "sealing"))
  if (!todo) return 0
  const own = todo.own((await setting(sql, "secret"))!)
  await sendQuery(sql, "UPDATE settings SET value = $1 WHERE name = 'secret'", [own])
  const webhooks = await sendQuery(
    sql,
    `SELECT rid, account_id, id, secret, previous_secret FROM webhooks
     WHERE secret IS NOT NULL OR previous_secret IS NOT NULL`,
  )
  for (const webhook of webhooks as unknown as KeptWebhook[]) {
    if (change.isLost) {
      await forget(sql, webhook)
      continue
    }
    const { secret, previous_secret: previous } = todo.webhook(webhook)
    await sendQuery(sql, "UPDATE webhooks SET secret = $2, previous_secret = $3 WHERE rid = $1", [
      webhook.rid,
      secret,
      previous,
    ])
  }
  await sendQuery(sql, "DELETE FROM settings WHERE name = 'sealing'")
  if (todo.salt)
    await sendQuery(sql, "INSERT INTO settings (name, value) VALUES ('sealing', $1)", [todo.salt])
  await sendQuery(
    sql,
    `INSERT INTO admin_log (account_id, id, action, details, created_at)
     VALUES (0, $1, $2, '{}', extract(epoch FROM now())::bigint)`,
    [`adm_${Bun.randomUUIDv7()}`, todo.action],
  )
  return webhooks.length
}

/** Nothing is sent unsigned that was to be signed: those webhooks are off until they have another secret. */
async function forget(sql: ReservedSQL, { rid }: KeptWebhook): Promise<void> {
  await sendQuery(
    sql,
    `UPDATE webhooks SET secret = NULL, previous_secret = NULL, active = false, disabled_reason = $2 WHERE rid = $1`,
    [rid, LOST_SECRET],
  )
}

async function setting(sql: SQL | ReservedSQL, name: string): Promise<Uint8Array | undefined> {
  const [row] = await sendQuery(sql, "SELECT value FROM settings WHERE name = $1", [name])
  return row?.value as Uint8Array | undefined
}
