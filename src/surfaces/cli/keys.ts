import * as v from "valibot"
import { ROLES } from "../../core/access.ts"
import { systemClock, unixSeconds } from "../../core/clock.ts"
import { badRequest } from "../../core/errors.ts"
import { oneOf, RequiredLine } from "../../core/fields.ts"
import { issueKey } from "../../domain/access/api-keys.ts"
import type { AccountRow, ApiKeyRow, Transaction } from "../../store/store.ts"
import { columns, json, when } from "./columns.ts"
import { command } from "./command.ts"
import { ADMIN, chooseAccount, existingFile, withStore } from "./database.ts"

export const ACCOUNT = {
  value: "ID",
  about: "the account's id, or its name if no other has it; the only account when left out",
  schema: v.optional(v.string()),
} as const

const TIME = "must be Unix seconds or a date such as 2027-01-31 or 2027-01-31T12:00:00Z"
const Time = v.optional(
  v.pipe(
    v.string(),
    v.transform(seconds),
    v.check((at) => Number.isSafeInteger(at), TIME),
  ),
)

/** NaN for what is no time; a date without a zone is UTC. */
function seconds(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/i.test(text)) return Number.NaN
  const isZoned = /(Z|[+-]\d\d:?\d\d)$/i.test(text.slice(10)) || !/t/i.test(text)
  return unixSeconds(Date.parse(isZoned ? text : `${text}Z`))
}

export const createKey = command({
  name: "keys create",
  about: "Create an API key; it is shown only once",
  options: {
    account: ACCOUNT,
    name: { value: "NAME", about: "what the key is called", schema: RequiredLine },
    role: {
      value: "ROLE",
      default: "owner",
      about: "owner, editor, viewer",
      schema: v.pipe(v.string(), oneOf(ROLES)),
    },
    expiresAt: {
      value: "TIME",
      about: "when it stops working, Unix seconds or ISO date; never when left out",
      schema: Time,
    },
    ...ADMIN,
  },
  examples: ['leaddb keys create --name "CRM sync" --role editor --expires-at 2027-12-31'],
  async run(io, { data, json: asJson, account: named, name, role, expiresAt = null }) {
    const now = unixSeconds(systemClock.now())
    if (expiresAt !== null && expiresAt <= now)
      throw badRequest(`--expires-at must be in the future; now is ${now}`)
    const { key, ...record } = await withStore(existingFile(data), async (store) => {
      const account = await chooseAccount(store.read.accounts, named)
      return store.write(account.key, (tx) =>
        issueKey(tx, account.key, { name, role, expires_at: expiresAt }, now),
      )
    })
    if (asJson) io.out(json({ ...record, api_key: key }))
    else io.out(`${table([record])}\nAPI key  ${key}\n\nThe key is shown only once: keep it now.\n`)
    return 0
  },
})

export const listKeys = command({
  name: "keys list",
  about: "List an account's API keys, without the keys themselves",
  options: { account: ACCOUNT, ...ADMIN },
  async run(io, { data, json: asJson, account: named }) {
    const keys = await withStore(existingFile(data), async ({ read }) => {
      const account = await chooseAccount(read.accounts, named)
      return read.apiKeys.list(account.key)
    })
    io.out(asJson ? json({ keys }) : table(keys))
    return 0
  },
})

export const revokeKey = command({
  name: "keys revoke",
  about: "Revoke an API key at once, even the last one",
  options: {
    account: ACCOUNT,
    key: { value: "ID", about: "the key's id, from leaddb keys list", schema: v.string() },
    ...ADMIN,
  },
  async run(io, { data, json: asJson, account: named, key: id }) {
    const now = unixSeconds(systemClock.now())
    const { account, key, owners } = await withStore(existingFile(data), async (store) => {
      const account = await chooseAccount(store.read.accounts, named)
      return store.write(account.key, (tx) => revoke(tx, account, id, now))
    })
    const note =
      owners > 0
        ? undefined
        : `No owner key is left. Make one: leaddb keys create --account ${account} --name owner`
    if (asJson) io.out(json({ revoked: key, owner_keys_left: owners, ...(note && { note }) }))
    else io.out(`Revoked ${key.id} "${key.name}".\n${note ? `${note}\n` : ""}`)
    return 0
  },
})

async function revoke(tx: Transaction, account: AccountRow, id: string, now: number) {
  const keys = await tx.apiKeys.list(account.key)
  const key = keys.find((one) => one.id === id)
  if (!key)
    throw new Error(
      `account ${account.id} has no key ${idShown(id)}: see leaddb keys list --account ${account.id}`,
    )
  await tx.apiKeys.remove(account.key, id)
  const isUsable = ({ role, expires_at }: ApiKeyRow) =>
    role === "owner" && (expires_at === null || expires_at > now)
  return { account: account.id, key, owners: keys.filter((one) => one.id !== id && isUsable(one)).length }
}

/** A raw key given by mistake must not end up in logs. */
function idShown(id: string): string {
  return id.startsWith("ldb_") ? "with that id (ids begin with key_; a key itself is not one)" : id
}

function table(keys: readonly ApiKeyRow[]): string {
  if (keys.length === 0) return "No keys: make one with leaddb keys create --name owner\n"
  const head = ["ID", "NAME", "KEY", "ROLE", "CREATED", "LAST USED", "EXPIRES"]
  const rows = keys.map(({ id, name, prefix, role, created_at, last_used_at, expires_at }) => {
    return [id, name, `${prefix}...`, role, when(created_at), when(last_used_at), when(expires_at)]
  })
  return columns([head, ...rows])
}
