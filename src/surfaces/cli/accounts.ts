import * as v from "valibot"
import { PLAN_NAMES } from "../../access/rights.ts"
import { Country, changeAccount, TimeZone } from "../../domain/access/account.ts"
import { COMMAND_LINE, recordAdmin } from "../../domain/access/admin-log.ts"
import { issueKey } from "../../domain/access/api-keys.ts"
import { addDomains, readDomain, removeDomains } from "../../domain/access/domains.ts"
import { RequiredLine } from "../../lead/fields.ts"
import { systemClock, unixSeconds } from "../../runtime/clock.ts"
import { badRequest } from "../../runtime/errors.ts"
import type { AccountRow, Store } from "../../store/contract/store.ts"
import { columns, command, when } from "./command.ts"
import { choice, databaseFile, flag, OwnKeepTime, option, type Values } from "./config.ts"
import { ADMIN, existingPlace, NAMED_ACCOUNT, withAccount, withStore } from "./database.ts"

const Plan = choice(PLAN_NAMES as [string, ...string[]])

/** Options for limits that override those of the plan; `none`, where it is allowed, reads as null. */
function limits(allowsNone: boolean) {
  const limit = (about: string, low = 1) => {
    const isLimit = (text: string) =>
      (allowsNone && text === "none") || (/^\d{1,15}$/.test(text) && Number(text) >= low)
    const message = `must be a whole number of at least ${low}${allowsNone ? ", or none to follow the plan" : ""}`
    const read = v.transform((text: string) => (text === "none" ? null : Number(text)))
    const schema = v.optional(v.pipe(v.string(), v.check(isLimit, message), read))
    return option(allowsNone ? "N|none" : "N", about, schema)
  }
  return {
    leadsLimit: limit("leads the account may keep, in place of the plan's number", 0),
    requestsLimit: limit("requests per 10 minutes, in place of the plan's"),
    batchLimit: limit("leads per batch, in place of the plan's"),
    storageLimit: limit("megabytes it may keep, in place of the plan's"),
  }
}

const createAccount = command({
  name: "accounts create",
  about: "Create an account and its first API key",
  options: {
    name: option("NAME", "the account's name", RequiredLine),
    plan: option("PLAN", PLAN_NAMES.join(", "), Plan, { default: "free" }),
    ...limits(false),
    ...ADMIN,
  },
  examples: ['leaddb accounts create --name "Acme" --plan pro --leads-limit 2000'],
  async run({ data, database, name, plan, ...overrides }) {
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
    const text = `${columns(rows)}\nThe key is shown only once: keep it now.\n`
    return { json: { account, api_key: key }, text }
  },
})

const listAccounts = command({
  name: "accounts list",
  about: "List the accounts with their plans and limits",
  options: ADMIN,
  async run({ data, database }) {
    const accounts = await withStore(existingPlace({ data, database }), (store) => store.read.accounts.list())
    return { json: { accounts: accounts.map(accountJson) }, text: table(accounts) }
  },
})

const setPlan = command({
  name: "accounts set-plan",
  about: "Change an account's plan and the numbers that differ from it",
  options: {
    account: NAMED_ACCOUNT,
    plan: option("PLAN", PLAN_NAMES.join(", "), Plan),
    ...limits(true),
    ...ADMIN,
  },
  examples: ["leaddb accounts set-plan --account Acme --plan pro --requests-limit none"],
  async run({ plan, ...given }) {
    const changed = await withAccount(given, ({ key, id }, store, now) =>
      store.write(key, async (tx) => {
        await tx.accounts.setPlan(key, plan, asOverrides(given))
        const changed = (await tx.accounts.find(id))!
        const details = { plan, ...limitsOf(changed) }
        await recordAdmin(tx, key, "plan.set", { by: COMMAND_LINE, now, target: id, details })
        return changed
      }),
    )
    return { json: { account: accountJson(changed) }, text: table([changed]) }
  },
})

const NoCountry = v.pipe(
  v.literal("none"),
  v.transform(() => null),
)

const setAccount = command({
  name: "accounts set",
  about: "Set an account's default country for phone numbers, and its time zone",
  options: {
    account: option(
      "ID",
      "the account's id, or its name; not needed where there is one",
      v.optional(v.string()),
    ),
    name: option("NAME", "the account's name, in place of --account", v.optional(v.string())),
    timeZone: option(
      "ZONE",
      "IANA name of the zone of its days, such as Europe/Berlin",
      v.optional(TimeZone),
    ),
    defaultCountry: option(
      "CODE|none",
      "ISO 3166 code of two letters, such as DE",
      v.optional(
        v.union(
          [NoCountry, Country],
          "must be none or the ISO 3166 code of a country in two letters, such as DE",
        ),
      ),
    ),
    ...ADMIN,
  },
  examples: ["leaddb accounts set --account Acme --default-country DE --time-zone Europe/Berlin"],
  async run({ data, database, account, name, defaultCountry, timeZone }) {
    if (defaultCountry === undefined && timeZone === undefined)
      throw badRequest("nothing to change: give --default-country or --time-zone")
    const changes = { default_country: defaultCountry, time_zone: timeZone }
    const changed = await withAccount(
      { data, database, account: account ?? name },
      ({ key, id }, store, now) =>
        store.write(key, async (tx) => {
          await changeAccount(tx, { key, id }, changes, { by: COMMAND_LINE, now })
          return (await tx.accounts.find(id))!
        }),
    )
    const country = changed.default_country ?? "no country"
    const lines = [
      defaultCountry !== undefined &&
        `Phones of ${changed.name} without a country's number are of ${country}.\n`,
      timeZone !== undefined && `Days of ${changed.name} are those of ${changed.time_zone}.\n`,
    ]
    return { json: { account: accountJson(changed) }, text: lines.filter(Boolean).join("") }
  },
})

const keepChanges = command({
  name: "accounts keep-changes",
  about: "Set how long an account's changes are kept",
  options: {
    account: NAMED_ACCOUNT,
    for: option("TIME", "90d, forever, or default to follow the service", OwnKeepTime),
    ...ADMIN,
  },
  examples: ["leaddb accounts keep-changes --account Acme --for 365d"],
  async run({ for: keep, ...given }) {
    const id = await withAccount(given, async ({ id, key }, store) => {
      await store.write(key, (tx) => tx.trail.setKeep(key, keep))
      return id
    })
    const time =
      keep === null ? "as the service is set" : keep === 0 ? "for ever" : `for ${keep / 86_400} days`
    return { json: { account: id, keep_seconds: keep }, text: `Changes of ${id} are kept ${time}.\n` }
  },
})

type Limits = Values<ReturnType<typeof limits>>

function asOverrides({ leadsLimit, requestsLimit, batchLimit, storageLimit: megabytes }: Limits) {
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

const deleteAccount = command({
  name: "accounts delete",
  about: "Delete an account with everything in it, for good",
  options: {
    account: option("ID", "the account's id", Named),
    name: option("NAME", "in place of the id: its name, if no other has it", Named),
    confirm: flag("confirm the deletion"),
    ...ADMIN,
  },
  examples: ["leaddb accounts delete --account acc_01978f0e-7a1c-7c2b-9b1d-3f6f0a2b4c5d --confirm"],
  async run({ data, database, account: id, name, confirm }) {
    if ((id === undefined) === (name === undefined)) {
      throw badRequest(
        "say which account: either --account ID or --name NAME; leaddb accounts list shows them",
      )
    }
    const gone = await withAccount({ data, database, account: id ?? name }, async (account, store) => {
      if (!confirm) {
        throw badRequest(
          `this deletes account "${account.name}" (${account.id}) with its ${account.leads} leads, their trail, keys and ` +
            "webhooks, and nothing brings it back but a backup: add --confirm to do it",
        )
      }
      await removeAccount(store, account)
      return account
    })
    return {
      json: { deleted: { id: gone.id, name: gone.name, leads: gone.leads } },
      text: `Deleted ${gone.name} (${gone.id}) with ${gone.leads} leads.\n`,
    }
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

const accountDomains = command({
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
  async run(values, [named, verb, ...texts]) {
    if (verb !== undefined && !isVerb(verb))
      throw badRequest(`"${verb}" must be add or remove: leaddb accounts domains ${named} add corp.example`)
    if (verb !== undefined && texts.length === 0)
      throw badRequest(`name a domain: leaddb accounts domains ${named} ${verb} corp.example`)
    const given = texts.map(readDomain)
    return withAccount({ ...values, account: named }, async (account, store, now) => {
      const domains = verb
        ? await store.writeAcross((tx) => VERBS[verb](tx, account, given, now))
        : await store.read.accounts.domains(account.key)
      const none = `${account.name} has no domains: its people first sign in with the provider by the link of an invitation.\n`
      return {
        json: { account: account.id, domains },
        text: columns(domains.map((domain) => [domain])) || none,
      }
    })
  },
})

export const accountCommands = [
  createAccount,
  listAccounts,
  setPlan,
  setAccount,
  keepChanges,
  accountDomains,
  deleteAccount,
]
