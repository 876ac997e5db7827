import * as v from "valibot"
import { PLAN_NAMES } from "../../access/plans.ts"
import { Country, changeAccount, TimeZone } from "../../domain/access/account.ts"
import { COMMAND_LINE, recordAdmin } from "../../domain/access/admin-log.ts"
import { issueKey } from "../../domain/access/api-keys.ts"
import { addDomains, readDomain, removeDomains } from "../../domain/access/domains.ts"
import { RequiredLine } from "../../lead/fields.ts"
import { systemClock, unixSeconds } from "../../runtime/clock.ts"
import { badRequest } from "../../runtime/errors.ts"
import type { AccountRow, Store, Transaction } from "../../store/contract/store.ts"
import { columns, command, json, when } from "./command.ts"
import { choice, databaseFile, OwnKeepTime } from "./config.ts"
import { ADMIN, existingPlace, Switch, withAccount, withStore } from "./database.ts"

const Plan = choice(PLAN_NAMES as [string, ...string[]])

/** A number that takes the place of the plan's. */
function limit(low: number, more: "none"[]) {
  const message = `must be a whole number of at least ${low}${more.map(() => ", or none to follow the plan").join("")}`
  const isLimit = (text: string) =>
    more.some((word) => word === text) || (/^\d{1,15}$/.test(text) && Number(text) >= low)
  const text = v.pipe(v.string(), v.check(isLimit, message))
  return v.optional(
    v.pipe(
      text,
      v.transform((given) => (given === "none" ? null : Number(given))),
    ),
  )
}

function limits(more: "none"[]) {
  const value = ["N", ...more].join("|")
  return {
    leadsLimit: {
      value,
      about: "leads the account may keep, in place of the plan's number",
      schema: limit(0, more),
    },
    requestsLimit: {
      value,
      about: "requests per 10 minutes, in place of the plan's",
      schema: limit(1, more),
    },
    batchLimit: { value, about: "leads per batch, in place of the plan's", schema: limit(1, more) },
    storageLimit: { value, about: "megabytes it may keep, in place of the plan's", schema: limit(1, more) },
  }
}

export const createAccount = command({
  name: "accounts create",
  about: "Create an account and its first API key",
  options: {
    name: { value: "NAME", about: "the account's name", schema: RequiredLine },
    plan: { value: "PLAN", default: "free", about: PLAN_NAMES.join(", "), schema: Plan },
    ...limits([]),
    ...ADMIN,
  },
  examples: ['leaddb accounts create --name "Acme" --plan pro --leads-limit 2000'],
  async run(io, { data, database, json: asJson, name, plan, ...overrides }) {
    const { account, key } = await withStore({ file: databaseFile(data), database }, (store) =>
      store.writeAcross(async (tx) => {
        const now = unixSeconds(systemClock.now())
        const id = tx.newId("acc_")
        const account = await tx.accounts.insert({ id, name, plan, created_at: now })
        await tx.accounts.setPlan(account, plan, asOverrides(overrides))
        const noted = { by: COMMAND_LINE, now, target: id, details: { name, plan } }
        await recordAdmin(tx, account, "account.created", noted)
        const { key } = await issueKey(tx, account, { name: "default", role: "owner", expires_at: null }, now)
        return { account: { id, name, plan }, key }
      }),
    )
    const rows = Object.entries({ Account: account.id, Name: name, Plan: plan, "API key": key })
    io.out(asJson ? json({ account, api_key: key }) : `${columns(rows)}${SHOWN_ONCE}`)
    return 0
  },
})

const SHOWN_ONCE = "\nThe key is shown only once: keep it now.\n"

export const listAccounts = command({
  name: "accounts list",
  about: "List the accounts with their plans and limits",
  options: ADMIN,
  async run(io, { data, database, json: asJson }) {
    const accounts = await withStore(existingPlace({ data, database }), (store) => store.read.accounts.list())
    io.out(asJson ? json({ accounts: accounts.map(accountJson) }) : table(accounts))
    return 0
  },
})

export const setPlan = command({
  name: "accounts set-plan",
  about: "Change an account's plan and the numbers that differ from it",
  options: {
    account: { value: "ID", about: "the account's id, or its name if no other has it", schema: v.string() },
    plan: { value: "PLAN", about: PLAN_NAMES.join(", "), schema: Plan },
    ...limits(["none"]),
    ...ADMIN,
  },
  examples: ["leaddb accounts set-plan --account Acme --plan pro --requests-limit none"],
  async run(io, { data, database, json: asJson, account: named, plan, ...overrides }) {
    const changed = await withAccount({ data, database }, named, (account, store) =>
      store.write(account.key, (tx) => changePlan(tx, account, plan, asOverrides(overrides))),
    )
    io.out(asJson ? json({ account: accountJson(changed) }) : table([changed]))
    return 0
  },
})

async function changePlan(
  tx: Transaction,
  { key, id }: AccountRow,
  plan: string,
  overrides: ReturnType<typeof asOverrides>,
) {
  await tx.accounts.setPlan(key, plan, overrides)
  const changed = (await tx.accounts.find(id))!
  const now = unixSeconds(systemClock.now())
  const details = { plan, ...limitsOf(changed) }
  await recordAdmin(tx, key, "plan.set", { by: COMMAND_LINE, now, target: id, details })
  return changed
}

const NoCountry = v.pipe(
  v.literal("none"),
  v.transform(() => null),
)

export const setAccount = command({
  name: "accounts set",
  about: "Set an account's default country for phone numbers, and its time zone",
  options: {
    account: {
      value: "ID",
      about: "the account's id, or its name; not needed where there is one",
      schema: v.optional(v.string()),
    },
    name: {
      value: "NAME",
      about: "the account's name, in place of --account",
      schema: v.optional(v.string()),
    },
    timeZone: {
      value: "ZONE",
      about: "IANA name of the zone of its days, such as Europe/Berlin",
      schema: v.optional(TimeZone),
    },
    defaultCountry: {
      value: "CODE|none",
      about: "ISO 3166 code of two letters, such as DE",
      schema: v.optional(
        v.union(
          [NoCountry, Country],
          "must be none or the ISO 3166 code of a country in two letters, such as DE",
        ),
      ),
    },
    ...ADMIN,
  },
  examples: ["leaddb accounts set --account Acme --default-country DE --time-zone Europe/Berlin"],
  async run(io, { data, database, json: asJson, account: named, name, defaultCountry, timeZone }) {
    if (defaultCountry === undefined && timeZone === undefined)
      throw badRequest("nothing to change: give --default-country or --time-zone")
    const changes = { default_country: defaultCountry, time_zone: timeZone }
    const changed = await withAccount({ data, database }, named ?? name, ({ key, id }, store, now) =>
      store.write(key, async (tx) => {
        await changeAccount(tx, { key, id }, changes, { by: COMMAND_LINE, now })
        return (await tx.accounts.find(id))!
      }),
    )
    if (asJson) io.out(json({ account: accountJson(changed) }))
    else {
      const country = changed.default_country ?? "no country"
      if (defaultCountry !== undefined)
        io.out(`Phones of ${changed.name} without a country's number are of ${country}.\n`)
      if (timeZone !== undefined) io.out(`Days of ${changed.name} are those of ${changed.time_zone}.\n`)
    }
    return 0
  },
})

export const keepChanges = command({
  name: "accounts keep-changes",
  about: "Set how long an account's changes are kept",
  options: {
    account: { value: "ID", about: "the account's id, or its name if no other has it", schema: v.string() },
    for: {
      value: "TIME",
      about: "90d, forever, or default to follow the service",
      schema: OwnKeepTime,
    },
    ...ADMIN,
  },
  examples: ["leaddb accounts keep-changes --account Acme --for 365d"],
  async run(io, { data, database, json: asJson, account: named, for: keep }) {
    const id = await withAccount({ data, database }, named, async ({ id, key }, store) => {
      await store.write(key, (tx) => tx.trail.setKeep(key, keep))
      return id
    })
    const time =
      keep === null ? "as the service is set" : keep === 0 ? "for ever" : `for ${keep / 86_400} days`
    io.out(asJson ? json({ account: id, keep_seconds: keep }) : `Changes of ${id} are kept ${time}.\n`)
    return 0
  },
})

interface LimitFlags {
  leadsLimit?: number | null | undefined
  requestsLimit?: number | null | undefined
  batchLimit?: number | null | undefined
  /** Megabytes. */
  storageLimit?: number | null | undefined
}

function asOverrides({ leadsLimit, requestsLimit, batchLimit, storageLimit: megabytes }: LimitFlags) {
  const storage_limit = typeof megabytes === "number" ? megabytes * 1_000_000 : megabytes
  return { leads_limit: leadsLimit, requests_limit: requestsLimit, batch_limit: batchLimit, storage_limit }
}

function limitsOf({ limits: { leads, requests, batch, storage } }: AccountRow) {
  return { leads_limit: leads, requests_limit: requests, batch_limit: batch, storage_limit: storage }
}

function accountJson(account: AccountRow) {
  const { id, name, plan, leads, default_country, time_zone, created_at } = account
  return { id, name, plan, leads, ...limitsOf(account), default_country, time_zone, created_at }
}

function table(accounts: readonly AccountRow[]): string {
  if (accounts.length === 0) return 'No accounts yet: make one with leaddb accounts create --name "My team"\n'
  const head = ["ID", "NAME", "PLAN", "LEADS", "OF", "REQUESTS/10 MIN", "BATCH", "CREATED"]
  const rows = accounts.map(({ id, name, plan, leads, limits, created_at }) => {
    const most = [limits.leads, limits.requests, limits.batch].map((limit) => limit ?? "no limit")
    return [id, name, plan, leads, ...most, when(created_at)]
  })
  return columns([head, ...rows])
}

const Named = v.optional(v.string())

export const deleteAccount = command({
  name: "accounts delete",
  about: "Delete an account with everything in it, for good",
  options: {
    account: { value: "ID", about: "the account's id", schema: Named },
    name: { value: "NAME", about: "in place of the id: its name, if no other has it", schema: Named },
    confirm: { about: "confirm the deletion", schema: Switch },
    ...ADMIN,
  },
  examples: ["leaddb accounts delete --account acc_01978f0e-7a1c-7c2b-9b1d-3f6f0a2b4c5d --confirm"],
  async run(io, { data, database, json: asJson, account: id, name, confirm }) {
    const named = id ?? name
    if (named === undefined || (id !== undefined && name !== undefined)) {
      throw badRequest(
        "say which account: either --account ID or --name NAME; leaddb accounts list shows them",
      )
    }
    const gone = await withAccount({ data, database }, named, async (account, store) => {
      if (!confirm) {
        throw badRequest(
          `this deletes account "${account.name}" (${account.id}) with its ${account.leads} leads, their trail, keys and ` +
            "webhooks, and nothing brings it back but a backup: add --confirm to do it",
        )
      }
      await removeAccount(store, account)
      return account
    })
    if (asJson) io.out(json({ deleted: { id: gone.id, name: gone.name, leads: gone.leads } }))
    else io.out(`Deleted ${gone.name} (${gone.id}) with ${gone.leads} leads.\n`)
    return 0
  },
})

/** Deletes in steps, so that a running service keeps answering other accounts; an interrupted deletion is repeated. */
async function removeAccount(store: Store, { key, id, leads }: AccountRow): Promise<void> {
  const step = () =>
    store.writeAcross(async (tx) => {
      const more = await tx.accounts.remove(key)
      if (more) return true
      const now = unixSeconds(systemClock.now())
      // Log only the id; the name must not survive deletion.
      const noted = { by: COMMAND_LINE, now, target: id, details: { leads } }
      await recordAdmin(tx, key, "account.deleted", noted)
      return false
    })
  while (await step());
}

const VERBS = { add: addDomains, remove: removeDomains } as const
const isVerb = (word: string): word is keyof typeof VERBS => Object.hasOwn(VERBS, word)

export const accountDomains = command({
  name: "accounts domains",
  about: "Set whose emails sign in to an account with the provider",
  argument: {
    name: "ACCOUNT",
    about:
      "the account's id or name; behind it add or remove, and email domains. Without them lists its domains",
    many: true,
  },
  options: ADMIN,
  examples: ["leaddb accounts domains Acme add corp.example", "leaddb accounts domains Acme"],
  async run(io, { data, database, json: asJson }, [named, verb, ...texts]) {
    if (verb !== undefined && !isVerb(verb))
      throw badRequest(`"${verb}" must be add or remove: leaddb accounts domains ${named} add corp.example`)
    if (verb !== undefined && texts.length === 0)
      throw badRequest(`name a domain: leaddb accounts domains ${named} ${verb} corp.example`)
    const given = texts.map(readDomain)
    const { account, domains } = await withAccount(
      { data, database },
      named,
      async (account, store, now) => ({
        account,
        domains:
          verb === undefined
            ? await store.read.accounts.domains(account.key)
            : await store.writeAcross((tx) => VERBS[verb](tx, account, given, now)),
      }),
    )
    if (asJson) io.out(json({ account: account.id, domains }))
    else if (domains.length > 0) io.out(columns(domains.map((domain) => [domain])))
    else
      io.out(
        `${account.name} has no domains: its people first sign in with the provider by the link of an invitation.\n`,
      )
    return 0
  },
})
