import * as v from "valibot"
import { endOfKey, GUARDS, ROLES } from "../../access/rights.ts"
import { COMMAND_LINE } from "../../domain/access/admin-log.ts"
import { issueKey, revokeKeys, type ShownKey, shownKey } from "../../domain/access/api-keys.ts"
import { RequiredLine } from "../../lead/fields.ts"
import { LIST_STYLES } from "../../lead/list-style.ts"
import { systemClock, unixSeconds } from "../../runtime/clock.ts"
import { badRequest } from "../../runtime/errors.ts"
import type { Segment, Store } from "../../store/contract/store.ts"
import { parseTime, unitProblem } from "../../text/moment.ts"
import { columns, command, when } from "./command.ts"
import { choice, maybeChoice, option } from "./config.ts"
import { ACCOUNT, ADMIN, chooseAccount, existingPlace, withAccount, withStore } from "./database.ts"

const TIME = "must be Unix seconds or a date such as 2027-01-31 or 2027-01-31T12:00:00Z"
const Time = v.optional(
  v.pipe(
    v.string(),
    v.check(
      (text) => unitProblem(text) === undefined,
      (issue) => unitProblem(issue.input) ?? TIME,
    ),
    v.transform((text) => parseTime(text) ?? Number.NaN),
    v.check((at) => Number.isSafeInteger(at) && at >= 0, TIME),
  ),
)

const createKey = command({
  name: "keys create",
  about: "Create an API key; it is shown only once",
  options: {
    account: ACCOUNT,
    name: option("NAME", "the key's name", RequiredLine),
    role: option("ROLE", "owner, editor, viewer", choice(ROLES), { default: "owner" }),
    expiresAt: option("TIME", "when it expires, Unix seconds or ISO date (default: never)", Time),
    listStyle: option(
      "STYLE",
      "lists that the key gets: array, or object (default: as the service)",
      maybeChoice(LIST_STYLES),
    ),
    guard: option("GUARD", "plan: tools show what they would do before they do harm", maybeChoice(GUARDS)),
    segment: option(
      "SEGMENT",
      "id or name of a segment: the key sees and writes its leads alone",
      v.optional(v.string()),
    ),
    ...ADMIN,
  },
  examples: ['leaddb keys create --name "CRM sync" --role editor --expires-at 2027-12-31'],
  async run({ segment: wanted, ...given }) {
    const { name, role, guard, listStyle: list_style, expiresAt: expires_at = null } = given
    const time = unixSeconds(systemClock.now())
    if (expires_at !== null && expires_at <= time)
      throw badRequest(`--expires-at must be in the future; now is ${time}`)
    const { key, ...record } = await withAccount(given, (account, store, now) =>
      store.write(account.key, async (tx) => {
        const segment = wanted && segmentNamed(await tx.segments.list(account.key), wanted)
        return issueKey(tx, account.key, { name, role, expires_at, list_style, guard, segment }, now)
      }),
    )
    return {
      json: { ...record, api_key: key },
      text: `${table([record])}\nAPI key  ${key}\n\nThe key is shown only once: keep it now.\n`,
    }
  },
})

/** The id of a segment that is named by it or by its name. */
function segmentNamed(segments: readonly Pick<Segment, "id" | "name">[], named: string): string {
  const segment = segments.find(({ id }) => id === named) ?? segments.find(({ name }) => name === named)
  if (segment) return segment.id
  const names = segments.map(({ name }) => `"${name}"`).join(", ")
  throw badRequest(`there is no segment "${named}"${names && `: the account has ${names}`}`)
}

const listKeys = command({
  name: "keys list",
  about: "List an account's API keys, without the keys themselves",
  options: { account: ACCOUNT, ...ADMIN },
  async run(where) {
    const rows = await withAccount(where, ({ key }, { read }) => read.apiKeys.list(key))
    const keys = rows.map(shownKey)
    return { json: { keys }, text: table(keys) }
  },
})

const revokeKeyCommand = command({
  name: "keys revoke",
  about: "Revoke an API key at once with those that it issued, even the last one",
  argument: { name: "KEY_ID", about: "the key's id, from leaddb keys list", optional: true },
  options: {
    account: { ...ACCOUNT, about: "the account that it must be of; any when left out" },
    key: option("ID", "the key's id, in place of KEY_ID", v.optional(v.string())),
    ...ADMIN,
  },
  examples: ["leaddb keys revoke key_01978f0e-7a1c-7c2b-9b1d-3f6f0a2b4c5d"],
  async run({ data, database, account: named, key: flag }, [word]) {
    const id = idOf(word, flag)
    const now = unixSeconds(systemClock.now())
    const { account, key, also, owners } = await withStore(existingPlace({ data, database }), (store) =>
      revoke(store, id, named, now),
    )
    const note =
      owners > 0
        ? undefined
        : `No owner key is left. Make one: leaddb keys create --account ${account} --name owner`
    const revoked = { revoked: shownKey(key), also_revoked: also.map(shownKey), owner_keys_left: owners }
    const lines = [key, ...also].map(({ id, name }) => `Revoked ${id} "${name}".\n`)
    return {
      json: { ...revoked, ...(note && { note }) },
      text: `${lines.join("")}${note ? `${note}\n` : ""}`,
    }
  },
})

function idOf(word: string | undefined, flag: string | undefined): string {
  if (word !== undefined && flag !== undefined && word !== flag)
    throw badRequest("two keys are named: leave out --key or KEY_ID")
  const id = word ?? flag
  if (id === undefined) throw badRequest("KEY_ID is required: the key's id, from leaddb keys list")
  return id
}

async function revoke(store: Store, id: string, named: string | undefined, now: number) {
  const { read } = store
  const only = named === undefined ? undefined : await chooseAccount(read.accounts, named)
  const key = await read.apiKeys.accountOf(id)
  const account = (await read.accounts.list()).find((one) => one.key === key)
  const isOthers = only !== undefined && account?.key !== only.key
  const done =
    account &&
    !isOthers &&
    (await store.write(account.key, (tx) => revokeKeys(tx, account.key, id, { by: COMMAND_LINE, now })))
  if (!account || !done) {
    const whose = only ? `account ${only.id} has no key` : "there is no key"
    throw new Error(`${whose} ${idShown(id)}: see leaddb keys list${only ? ` --account ${only.id}` : ""}`)
  }
  const [first, ...also] = done.keys
  return { account: account.id, key: first!, also, owners: done.ownersLeft }
}

/** A raw key given by mistake must not end up in logs. */
function idShown(id: string): string {
  return id.startsWith("ldb_") ? "with that id (ids begin with key_; a key itself is not one)" : id
}

function table(keys: readonly ShownKey[]): string {
  if (keys.length === 0) return "No keys: make one with leaddb keys create --name owner\n"
  const head = ["ID", "NAME", "KEY", "ROLE", "FOR", "ISSUED BY", "CREATED", "LAST USED", "EXPIRES"]
  const rows = keys.map((key) => {
    const { id, name, prefix, role, kind, issued_by, created_at, last_used_at } = key
    const whole = key.segment === undefined ? "everything" : `segment ${key.segment}`
    const use = kind === "sign_in" ? "tools, by sign-in" : whole
    const times = [created_at, last_used_at, endOfKey(key)].map(when)
    return [id, name, `${prefix}...`, role, use, issued_by ?? "-", ...times]
  })
  return columns([head, ...rows])
}

export const keyCommands = [createKey, listKeys, revokeKeyCommand]
