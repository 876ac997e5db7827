import { addDomains, readDomain, removeDomains } from "../../domain/access/domains.ts"
import { systemClock, unixSeconds } from "../../runtime/clock.ts"
import { badRequest } from "../../runtime/errors.ts"
import { columns, json } from "./columns.ts"
import { command } from "./command.ts"
import { ADMIN, chooseAccount, existingPlace, withStore } from "./database.ts"

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
    const { account, domains } = await withStore(existingPlace({ data, database }), async (store) => {
      const account = await chooseAccount(store.read.accounts, named)
      const now = unixSeconds(systemClock.now())
      const domains =
        verb === undefined
          ? await store.read.accounts.domains(account.key)
          : await store.writeAcross((tx) => VERBS[verb](tx, account, given, now))
      return { account, domains }
    })
    if (asJson) io.out(json({ account: account.id, domains }))
    else if (domains.length > 0) io.out(columns(domains.map((domain) => [domain])))
    else
      io.out(
        `${account.name} has no domains: its people first sign in with the provider by the link of an invitation.\n`,
      )
    return 0
  },
})
