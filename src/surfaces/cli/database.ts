// How the admin commands reach the data: on the file itself, beside a running server, which obeys at once.

import { existsSync } from "node:fs"
import * as v from "valibot"
import { ANSWERED_HERE, type Context, execute, type Operation } from "../../domain/operation.ts"
import { spoolFolder } from "../../formats/spool.ts"
import { createIds, type Ids, systemClock, unixSeconds } from "../../runtime/clock.ts"
import { badRequest } from "../../runtime/errors.ts"
import { createEventLoop } from "../../runtime/event-loop.ts"
import type { AccountReads, AccountRow, Store, StoreReads } from "../../store/contract/store.ts"
import { openReads, openStore, type Place } from "../../store/open.ts"
import { JsonText } from "../../text/json-text.ts"
import { closest } from "../../text/text.ts"
import { createFileReaders } from "../../worker/readers/readers.ts"
import { databaseFile, flag, OPTIONS, option } from "./config.ts"

/** Services of a process that has neither worker nor network. */
export function localServices(store: Store, ids: Ids): Omit<Context, "readers" | "caller" | "now"> {
  const absent = () => Promise.reject(new Error("there is no worker in this process"))
  return {
    store,
    ids,
    clock: systemClock,
    eventLoop: createEventLoop(systemClock),
    secret: store.secret,
    scoring: { score: absent },
    webhooks: { refuse: absent },
    files: {
      keep: absent,
      free: () => Infinity,
      open: async () => undefined,
      remove: absent,
      olderThan: absent,
    },
    questions: ANSWERED_HERE,
    origin: () => undefined,
    network: () => [],
  }
}

/**
 * Opens a file for operations of one account that need neither worker nor network: who may open the file acts as its
 * owner, and the audit trail says `local`.
 */
export async function withLocalContext<T>(
  { account, data, database, secretKey }: ChosenData,
  work: (ctx: Context, store: Store) => Promise<T>,
): Promise<T> {
  const ids = createIds(systemClock)
  const store = await openStore(existingPlace({ data, database, secretKey }), ids)
  const readers = createFileReaders(spoolFolder())
  try {
    const ctx: Context = {
      ...localServices(store, ids),
      readers,
      caller: {
        account: await chooseAccount(store.read.accounts, account),
        keyId: "local",
        role: "owner",
        actorId: "local",
      },
      now: unixSeconds(systemClock.now()),
    }
    return await work(ctx, store)
  } finally {
    readers.close()
    await store.close()
  }
}

/** Does an operation as `withLocalContext`. */
export function perform<T>(where: ChosenData, operation: unknown, input: object = {}): Promise<T> {
  return withLocalContext(where, async ({ caller, now: _, ...services }) => {
    const answer = await execute(services, operation as Operation, caller, input)
    return (answer instanceof JsonText ? JSON.parse(String(answer.text)) : answer) as T
  })
}

/** The options of every admin command. */
export const ADMIN = {
  data: OPTIONS.data,
  database: OPTIONS.database,
  secretKey: OPTIONS.secretKey,
  json: flag("print one JSON document"),
} as const

/**
 * The database file of a data folder. Throws an Error that says where it looked when there is none, and where a
 * PostgreSQL database takes its place.
 */
export function existingFile(folder: string, database?: string | undefined, instead?: string): string {
  refuseDatabase(database, instead)
  const file = databaseFile(folder)
  if (existsSync(file)) return file
  throw new Error(
    `no database at ${file}: name its folder with --data or ${OPTIONS.data.env}, ` +
      "or make one with leaddb serve or leaddb accounts create",
  )
}

/** Throws an Error where a command that looks after a file would pass over the database that is meant. */
export function refuseDatabase(database: string | undefined, instead = BACKUPS): void {
  if (database === undefined) return
  throw new Error(
    `this command looks after a file, and ${OPTIONS.database.env} names a PostgreSQL database: ${instead}`,
  )
}

const BACKUPS =
  "pg_dump --format=custom makes a backup of it and pg_restore brings it back; pgBackRest or WAL-G keep every moment"

/** The data of a service, with what opens its secrets. Throws as `existingFile` where there is no file. */
export function existingPlace(named: {
  data: string
  database?: string | undefined
  databaseDirect?: string | undefined
  secretKey?: string | undefined
}): Place {
  const { data, ...rest } = named
  return { ...rest, file: rest.database === undefined ? existingFile(data) : databaseFile(data) }
}

/** Opens the store of a service for one piece of work. */
export async function withStore<T>(place: Place, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(place, createIds(systemClock))
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Opens a database for one piece of work that reads alone, beside a service. */
export async function withReads<T>(place: Place, work: (reads: StoreReads) => Promise<T>): Promise<T> {
  const reads = await openReads(place)
  try {
    return await work(reads)
  } finally {
    reads.close()
  }
}

/** Opens the store of a service for one piece of work on an account; `now` is in Unix seconds. */
export function withAccount<T>(
  { account: named, data, database }: ChosenAccount,
  work: (account: AccountRow, store: Store, now: number) => Promise<T>,
): Promise<T> {
  return withStore(existingPlace({ data, database }), async (store) => {
    const account = await chooseAccount(store.read.accounts, named)
    return work(account, store, unixSeconds(systemClock.now()))
  })
}

/** An account as options name it; the only one there is without `account`. */
interface ChosenAccount {
  account?: string | undefined
  data: string
  database?: string | undefined
}

type ChosenData = ChosenAccount & { secretKey?: string | undefined }

export const ACCOUNT = option(
  "ID",
  "the account's id, or its name if no other has it; the only account when left out",
  v.optional(v.string()),
)

/** The option where an account must be named. */
export const NAMED_ACCOUNT = option("ID", "the account's id, or its name if no other has it", v.string())

/**
 * The account with this id, or with this name when only one has it; without either the only account there is.
 * Throws `bad_request` when it stays unclear which, an Error when there is none.
 */
export async function chooseAccount(accounts: AccountReads, named: string | undefined): Promise<AccountRow> {
  const all = await accounts.list()
  if (all.length === 0)
    throw new Error('no account yet: make one with leaddb accounts create --name "My team"')
  if (named === undefined) {
    if (all.length === 1) return all[0]!
    throw badRequest(
      `--account ID is required, since there are ${all.length} accounts: see leaddb accounts list`,
    )
  }
  const namesakes = all.filter(({ name }) => name === named)
  const account = all.find(({ id }) => id === named) ?? (namesakes.length === 1 ? namesakes[0] : undefined)
  if (account) return account
  if (namesakes.length > 1) {
    const ids = namesakes.map(({ id }) => id).join(", ")
    throw badRequest(
      `--account "${named}" is the name of ${namesakes.length} accounts: use one of their ids, ${ids}`,
    )
  }
  const near = closest(
    named,
    all.flatMap(({ id, name }) => [name, id]),
  )
  const hint = near ? `did you mean "${near}"?` : "see leaddb accounts list"
  throw new Error(`no account has the id or name "${named}"; ${hint}`)
}
