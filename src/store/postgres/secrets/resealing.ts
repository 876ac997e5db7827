// Turning the encryption of a database's secrets on and off, and giving them another key.
import type { ReservedSQL, SQL } from "bun"
import type { SecretsChange, SecretsState } from "../../shared/file-care.ts"
import {
  FORMS,
  type KeptForm,
  type KeptWebhook,
  resealing,
  SETTING,
  sealingState,
  WEBHOOKS,
} from "../../shared/resealing.ts"
import {
  connectForMaintenance,
  inTransaction,
  refuseInstances,
  reserveForMaintenance,
  shownPlace,
} from "../connection/maintenance.ts"
import { sendQuery } from "../connection/query.ts"

/** How a database's secrets stand in it, and whether `key` opens them. */
export async function secretsState(url: string, key: string | undefined): Promise<SecretsState> {
  const pool = connectForMaintenance(url)
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
  const pool = connectForMaintenance(url)
  try {
    await refuseInstances(pool, shownPlace(url))
    return { webhooks: await reseal(pool, change) }
  } finally {
    await pool.close()
  }
}

/** Encrypts what is in clear, for a service that starts with a key. Of several services that start at once one does it. */
export async function sealAtStart(pool: SQL, key: string): Promise<void> {
  if (!(await setting(pool, "sealing"))) await reseal(pool, { to: key })
}

async function reseal(pool: SQL, change: SecretsChange): Promise<number> {
  const sql = await reserveForMaintenance(pool)
  try {
    const changed = await inTransaction(sql, () => resealed(sql, change))
    // Old versions of the rows still hold the secrets in clear.
    await sendQuery(sql, "VACUUM settings, webhooks, forms").catch(() => undefined)
    return changed
  } finally {
    sql.release()
  }
}

async function resealed(sql: ReservedSQL, change: SecretsChange): Promise<number> {
  await sendQuery(sql, "SELECT 1 FROM settings WHERE name = 'secret' FOR UPDATE")
  await sendQuery(sql, "LOCK TABLE webhooks, forms IN EXCLUSIVE MODE")
  const webhooks = (await sendQuery(sql, WEBHOOKS)) as unknown as KeptWebhook[]
  const forms = (await sendQuery(sql, FORMS)) as unknown as KeptForm[]
  const [sealing, secret] = [await setting(sql, "sealing"), await setting(sql, "secret")]
  const sealed = { sealing, secret, webhooks, forms }
  const statements = resealing(change, sealed)
  for (const [text, params] of statements) await sendQuery(sql, text, params)
  return statements.length > 0 ? webhooks.length : 0
}

async function setting(sql: SQL | ReservedSQL, name: string): Promise<Uint8Array | undefined> {
  const [row] = await sendQuery(sql, SETTING, [name])
  return row?.value as Uint8Array | undefined
}
