import * as v from "valibot"
import { badRequest } from "../../runtime/errors.ts"
import { changeSecretKey, type Place, secretsIn } from "../../store/open.ts"
import type { SecretsChange, SecretsState } from "../../store/shared/file-care.ts"
import { counted } from "../../text/text.ts"
import { command, type Outcome } from "./command.ts"
import { flag, OPTIONS, option, SecretKey } from "./config.ts"
import { ADMIN, existingPlace } from "./database.ts"

const KEY = OPTIONS.secretKey.env
const NEW_KEY = "LEADDB_SECRET_KEY_NEW"
/** Rotating holds the database as maintenance does, which a shared pooler does not allow. */
const REACH = { ...ADMIN, databaseDirect: OPTIONS.databaseDirect }
const KEEP_IT =
  `Keep ${KEY} where the backups are not: leaddb does not start without it, and nobody can read the secrets without it.\n` +
  "Backups made before still hold the secrets as they were. leaddb compact clears what older changes left of them in the file.\n"

const encryptSecrets = command({
  name: "secrets encrypt",
  about: `Encrypt the database's secrets with ${KEY}; stop the service first`,
  options: REACH,
  examples: [`${KEY}=$(openssl rand -base64 32) leaddb secrets encrypt`],
  async run({ data, database, databaseDirect, secretKey: to }) {
    if (to === undefined) throw badRequest(`${KEY} is required: ${OPTIONS.secretKey.about}`)
    const place = existingPlace({ data, database, databaseDirect })
    const state = await secretsIn({ ...place, secretKey: to })
    if (state === "wrong key")
      throw new Error(
        "the secrets are encrypted with another key: give them a new one with leaddb secrets rotate",
      )
    if (state === "encrypted")
      return outcome(place, state, "The secrets are encrypted with this key already.\n")
    return change(place, { to }, `are encrypted with ${KEY} now.\n${KEEP_IT}`)
  },
})

const rotateSecrets = command({
  name: "secrets rotate",
  about: `Encrypt the secrets with ${NEW_KEY} instead`,
  options: {
    ...REACH,
    secretKeyNew: option("TEXT", "the key that replaces LEADDB_SECRET_KEY", v.optional(SecretKey), {
      secret: true,
      env: NEW_KEY,
    }),
  },
  examples: [`${NEW_KEY}=$(openssl rand -base64 32) leaddb secrets rotate`],
  async run({ data, database, databaseDirect, secretKey: from, secretKeyNew: to }) {
    if (to === undefined) throw badRequest(`${NEW_KEY} is required: the key that takes the place of ${KEY}`)
    const place = existingPlace({ data, database, databaseDirect })
    if ((await secretsIn({ ...place, secretKey: from })) === "clear")
      throw new Error("the secrets are not encrypted: leaddb secrets encrypt does that")
    return change(
      place,
      { from, to },
      `are encrypted with the new key: it is ${KEY} from now on.\n${KEEP_IT}`,
    )
  },
})

const decryptSecrets = command({
  name: "secrets decrypt",
  about: "Store the secrets unencrypted again",
  options: {
    ...REACH,
    lost: flag("the key is lost: delete the secrets and disable the webhooks that signed with one"),
  },
  examples: ["leaddb secrets decrypt"],
  async run({ data, database, databaseDirect, secretKey: from, lost: isLost }) {
    const place = existingPlace({ data, database, databaseDirect })
    if ((await secretsIn({ ...place, secretKey: from })) === "clear")
      return outcome(place, "clear", "The secrets are in clear already.\n")
    return isLost
      ? change(place, { isLost }, "are gone: the webhooks that had one are off until they have another.\n")
      : change(place, { from }, `are in clear again: start leaddb without ${KEY}.\n`)
  },
})

async function change(place: Place, change: SecretsChange, result: string): Promise<Outcome> {
  const { webhooks } = await changeSecretKey(place, change)
  const state = await secretsIn({ ...place, secretKey: change.to })
  const owner = place.database === undefined ? "file" : "database"
  const text = `The ${owner}'s own secret and those of ${counted(webhooks, "webhook")} ${result}`
  return outcome(place, state, text, webhooks)
}

function outcome({ file, database }: Place, state: SecretsState, text: string, webhooks?: number): Outcome {
  const where = database === undefined ? { file } : { database: "postgres" }
  return { json: { secrets: { ...where, state, ...(webhooks !== undefined && { webhooks }) } }, text }
}

export const secretsCommands = [encryptSecrets, rotateSecrets, decryptSecrets]
