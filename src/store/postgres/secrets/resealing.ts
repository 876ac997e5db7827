// Turning the encryption of a database's secrets on and off, and giving them another key.
import type { ReservedSQL, SQL } from "bun"
import type { SecretsChange, SecretsState } from "../../file-care.ts"
import {
  closeText,
  createSeal,
  LOST_SECRET,
  NO_KEY,
  OWN_PLACE,
  SALT_BYTES,
  type Seal,
  WRONG_KEY,
  webhookPlace,
} from "../../sealing.ts"
import { connectAlone, refuseInstances, shownPlace } from "../connection/alone.ts"
import { send } from "../connection/connection.ts"

interface Webhook {
  rid: number
  account_id: number
  id: string
  secret: string | null
  previous_secret: string | null
}

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
  const salt = await setting(sql, "sealing")
  if (!salt) return "clear"
  if (key === undefined) return "no key"
  return createSeal(key, salt).open((await setting(sql, "secret"))!, OWN_PLACE) ? "encrypted" : "wrong key"
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
    await send(sql, "BEGIN")
    const changed = await resealed(sql, change)
    await send(sql, "COMMIT")
    // What it was before stands in versions of rows that nobody reads any more.
    await send(sql, "VACUUM settings, webhooks").catch(() => undefined)
    return changed
  } catch (error) {
    await send(sql, "ROLLBACK").catch(() => undefined)
    throw error
  } finally {
    sql.release()
  }
}

async function resealed(sql: ReservedSQL, { from, to, isLost }: SecretsChange): Promise<number> {
  await send(sql, "SELECT 1 FROM settings WHERE name = 'secret' FOR UPDATE")
  await send(sql, "LOCK TABLE webhooks IN EXCLUSIVE MODE")
  const sealed = await setting(sql, "sealing")
  // Another process was faster.
  if (sealed && from === undefined && to !== undefined && !isLost) return 0
  const before = isLost || !sealed ? undefined : sealOf(sealed, from)
  const salt = to === undefined ? undefined : crypto.getRandomValues(new Uint8Array(SALT_BYTES))
  const after = salt && to !== undefined ? createSeal(to, salt) : undefined
  const kept = (await setting(sql, "secret"))!
  const own = isLost ? crypto.getRandomValues(new Uint8Array(32)) : opened(before, kept, OWN_PLACE)
  await send(sql, "UPDATE settings SET value = $1 WHERE name = 'secret'", [
    after?.close(own, OWN_PLACE) ?? own,
  ])
  const webhooks = await send(
    sql,
    `SELECT rid, account_id, id, secret, previous_secret FROM webhooks
     WHERE secret IS NOT NULL OR previous_secret IS NOT NULL`,
  )
  for (const webhook of webhooks as unknown as Webhook[]) {
    if (isLost) await forget(sql, webhook)
    else await keep(sql, webhook, before, after)
  }
  await send(sql, "DELETE FROM settings WHERE name = 'sealing'")
  if (salt) await send(sql, "INSERT INTO settings (name, value) VALUES ('sealing', $1)", [salt])
  const action = isLost ? "lost" : !salt ? "decrypted" : sealed ? "rotated" : "encrypted"
  await send(
    sql,
    `INSERT INTO admin_log (account_id, id, action, details, created_at)
     VALUES (0, $1, $2, '{}', extract(epoch FROM now())::bigint)`,
    [`adm_${Bun.randomUUIDv7()}`, `secrets.${action}`],
  )
  return webhooks.length
}

async function keep(
  sql: ReservedSQL,
  { rid, account_id: account, id, secret, previous_secret: previous }: Webhook,
  before: Seal | undefined,
  after: Seal | undefined,
): Promise<void> {
  const place = webhookPlace(account, id)
  const changed = (kept: string | null) => {
    if (kept === null) return null
    const text = before ? Buffer.from(opened(before, Buffer.from(kept, "base64"), place)).toString() : kept
    return after ? closeText(after, text, place) : text
  }
  await send(sql, "UPDATE webhooks SET secret = $2, previous_secret = $3 WHERE rid = $1", [
    rid,
    changed(secret),
    changed(previous),
  ])
}

/** Nothing is sent unsigned that was to be signed: those webhooks are off until they have another secret. */
async function forget(sql: ReservedSQL, { rid }: Webhook): Promise<void> {
  await send(
    sql,
    `UPDATE webhooks SET secret = NULL, previous_secret = NULL, active = false, disabled_reason = $2 WHERE rid = $1`,
    [rid, LOST_SECRET],
  )
}

function sealOf(salt: Uint8Array, key: string | undefined): Seal {
  if (key === undefined) throw new Error(NO_KEY)
  return createSeal(key, salt)
}

function opened(seal: Seal | undefined, kept: Uint8Array, place: string): Uint8Array {
  const secret = seal ? seal.open(kept, place) : kept
  if (!secret) throw new Error(WRONG_KEY)
  return secret
}

async function setting(sql: SQL | ReservedSQL, name: string): Promise<Uint8Array | undefined> {
  const [row] = await send(sql, "SELECT value FROM settings WHERE name = $1", [name])
  return row?.value as Uint8Array | undefined
}
