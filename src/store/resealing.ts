// What becomes of a database's secrets when their encryption is turned on or off, or gets another key: the same whichever
// engine keeps them.
import type { SecretsChange, SecretsState } from "./file-care.ts"
import { closeText, createSeal, OWN_PLACE, SALT_BYTES, webhookPlace } from "./sealing.ts"
import { opened, sealOf } from "./secrets.ts"

/** A webhook with what is kept of its secrets. */
export interface KeptWebhook {
  rid: number
  account_id: number
  id: string
  secret: string | null
  previous_secret: string | null
}

/** Each throws an Error that a person can act on when what is kept cannot be read. */
export interface Resealing {
  /** Kept beside the secrets while they are encrypted. */
  salt: Uint8Array | undefined
  /** What the log of administration calls it. */
  action: "secrets.lost" | "secrets.decrypted" | "secrets.rotated" | "secrets.encrypted"
  /** What is to be kept of the database's own secret; a new one where the old is lost. */
  own(kept: Uint8Array): Uint8Array
  /** What is to be kept of a webhook's secrets. */
  webhook(kept: KeptWebhook): Pick<KeptWebhook, "secret" | "previous_secret">
}

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
 * What a change does to secrets that are encrypted under the salt `sealed`, or in clear without one. Undefined when another
 * process was faster to encrypt them. Throws an Error that a person can act on when there is no key to read them with.
 */
export function resealing(
  { from, to, isLost }: SecretsChange,
  sealed: Uint8Array | undefined,
): Resealing | undefined {
  if (sealed && from === undefined && to !== undefined && !isLost) return undefined
  const before = isLost ? undefined : sealOf(sealed, from)
  const salt = to === undefined ? undefined : crypto.getRandomValues(new Uint8Array(SALT_BYTES))
  const after = salt && to !== undefined ? createSeal(to, salt) : undefined
  const action = isLost ? "lost" : !salt ? "decrypted" : sealed ? "rotated" : "encrypted"
  return {
    salt,
    action: `secrets.${action}`,
    own(kept) {
      const own = isLost ? crypto.getRandomValues(new Uint8Array(32)) : opened(before, kept, OWN_PLACE)
      return after?.close(own, OWN_PLACE) ?? own
    },
    webhook({ account_id: account, id, secret, previous_secret }) {
      const place = webhookPlace(account, id)
      const changed = (kept: string | null) => {
        if (kept === null) return null
        const text = before
          ? Buffer.from(opened(before, Buffer.from(kept, "base64"), place)).toString()
          : kept
        return after ? closeText(after, text, place) : text
      }
      return { secret: changed(secret), previous_secret: changed(previous_secret) }
    },
  }
}
