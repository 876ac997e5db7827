// Turns the encryption of a database's secrets on and off, or changes its key, by statements that both engines run.

import type { Params } from "../sql/db.ts"
import type { SecretsChange, SecretsState } from "./file-care.ts"
import {
  closeText,
  createSeal,
  formPlace,
  LOST_SECRET,
  OWN_PLACE,
  SALT_BYTES,
  type Seal,
  webhookPlace,
} from "./sealing.ts"
import { opened, sealOf } from "./secrets.ts"

/** A webhook with its secrets as they are stored. */
export interface KeptWebhook {
  rid: number
  account_id: number
  id: string
  secret: string | null
  previous_secret: string | null
}

/** A form with the secret of its captcha as it is stored. */
export interface KeptForm {
  rid: number
  account_id: number
  id: string
  secret: string
}

/** The settings by their names, and the webhooks and forms that have secrets, as they are in the database. */
interface KeptSecrets {
  sealing: Uint8Array | undefined
  secret: Uint8Array | undefined
  webhooks: readonly KeptWebhook[]
  forms: readonly KeptForm[]
}
export const SETTING = "SELECT value FROM settings WHERE name = $1"
export const WEBHOOKS = `SELECT rid, account_id, id, secret, previous_secret FROM webhooks
  WHERE secret IS NOT NULL OR previous_secret IS NOT NULL`
export const FORMS = "SELECT rid, account_id, id, secret FROM forms WHERE secret IS NOT NULL"

const SET_OWN = "UPDATE settings SET value = $1 WHERE name = 'secret'"
const SET_WEBHOOK = "UPDATE webhooks SET secret = $2, previous_secret = $3 WHERE rid = $1"
/** Nothing is sent unsigned that was to be signed: those webhooks are off until they have another secret. */
const FORGET = `UPDATE webhooks SET secret = NULL, previous_secret = NULL, active = false, disabled_reason = $2
  WHERE rid = $1`
const SET_FORM = "UPDATE forms SET secret = $2 WHERE rid = $1"
/** Nothing comes in unchecked that was to be checked: those forms are closed until they have another secret. */
const FORGET_FORM = "UPDATE forms SET secret = NULL, active = false WHERE rid = $1"
const DROP_SALT = "DELETE FROM settings WHERE name = 'sealing'"
const KEEP_SALT = "INSERT INTO settings (name, value) VALUES ('sealing', $1)"
const NOTE =
  "INSERT INTO admin_log (account_id, id, action, details, created_at) VALUES (0, $1, $2, '{}', $3)"

type Statement = readonly [sql: string, params: Params]

/** How secrets stand, by the salt and the database's own secret as they are kept, and whether `key` opens them. */
export function sealingState(
  salt: Uint8Array | undefined,
  own: Uint8Array | undefined,
  key: string | undefined,
): SecretsState {
  if (!salt) return "clear"
  if (key === undefined) return "no key"
  return createSeal(key, salt).open(own!, OWN_PLACE) ? "encrypted" : "wrong key"
}

/**
 * Makes the statements that change the stored secrets, to be run in the transaction that has read them. None when another
 * process was faster to encrypt them. Throws an Error that a person can act on when they cannot be read with `from`.
 */
export function resealing(
  { from, to, isLost }: SecretsChange,
  { sealing, secret, webhooks, forms }: KeptSecrets,
): Statement[] {
  if (sealing && from === undefined && to !== undefined && !isLost) return []
  const before = isLost ? undefined : sealOf(sealing, from)
  const salt = to === undefined ? undefined : crypto.getRandomValues(new Uint8Array(SALT_BYTES))
  const after = salt && to !== undefined ? createSeal(to, salt) : undefined
  const ownSecret = isLost ? crypto.getRandomValues(new Uint8Array(32)) : opened(before, secret!, OWN_PLACE)
  const action = isLost ? "lost" : !salt ? "decrypted" : sealing ? "rotated" : "encrypted"
  return [
    [SET_OWN, [after?.close(ownSecret, OWN_PLACE) ?? ownSecret]],
    ...webhooks.map(
      (webhook): Statement =>
        isLost ? [FORGET, [webhook.rid, LOST_SECRET]] : [SET_WEBHOOK, resealed(webhook, before, after)],
    ),
    ...forms.map(
      (form): Statement =>
        isLost ? [FORGET_FORM, [form.rid]] : [SET_FORM, [form.rid, resealedForm(form, before, after)]],
    ),
    [DROP_SALT, []],
    ...(salt ? [[KEEP_SALT, [salt]] as const] : []),
    [NOTE, [`adm_${Bun.randomUUIDv7()}`, `secrets.${action}`, Math.floor(Date.now() / 1000)]],
  ]
}

function resealed(webhook: KeptWebhook, before: Seal | undefined, after: Seal | undefined): Params {
  const place = webhookPlace(webhook.account_id, webhook.id)
  const changed = (sealed: string | null) =>
    sealed === null ? null : changedSeal(sealed, place, before, after)
  return [webhook.rid, changed(webhook.secret), changed(webhook.previous_secret)]
}

function resealedForm(
  { account_id, id, secret }: KeptForm,
  before: Seal | undefined,
  after: Seal | undefined,
) {
  return changedSeal(secret, formPlace(account_id, id), before, after)
}

function changedSeal(
  sealed: string,
  place: string,
  before: Seal | undefined,
  after: Seal | undefined,
): string {
  const text = before ? Buffer.from(opened(before, Buffer.from(sealed, "base64"), place)).toString() : sealed
  return after ? closeText(after, text, place) : text
}
