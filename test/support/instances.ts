// Several services on one database, each a process with a folder of its own, as on machines of their own.
import { join } from "node:path"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import { openPostgresStore } from "../../src/store/postgres/index.ts"
import { addAccountTo, type NewAccount } from "./account.ts"
import { newDatabase } from "./postgres.ts"
import { openPlace, type Served } from "./service.ts"

export type Instance = Pick<Served, "url" | "mcpUrl" | "pid" | "call" | "kill">

export interface Instances extends AsyncDisposable {
  database: string
  all: Instance[]
  /** The owner's key of the first account. */
  key: string
  /** Starts one more; `env` goes over what all have. */
  start(env?: Record<string, string>): Promise<Instance>
  /** Another account with a key. */
  account(options: NewAccount): Promise<{ id: string; key: string }>
}

/**
 * Starts so many services on a new database, which they reach by the URL that `wayTo` makes of its own. `program` is what
 * is started, by default as `PROGRAM` says.
 */
export async function openInstances(
  count: number,
  env: Record<string, string> = {},
  wayTo: (database: string) => string | Promise<string> = (database) => database,
  program?: readonly string[],
): Promise<Instances> {
  const database = await newDatabase()
  const reached = await wayTo(database)
  const place = openPlace(program)
  const all: Instance[] = []
  let key = ""

  async function start(more: Record<string, string> = {}): Promise<Instance> {
    const folder = join(place.folder, String(all.length))
    const service = await place.serve(["--data", folder], { LEADDB_DATABASE: reached, ...env, ...more })
    key ||= service.key
    all.push(service)
    return service
  }

  await start()
  await Promise.all(Array.from({ length: count - 1 }, () => start()))
  return {
    database,
    all,
    key,
    start,
    async account(options) {
      const store = await openPostgresStore(database, createIds(systemClock))
      try {
        return await addAccountTo(store, options)
      } finally {
        await store.close()
      }
    },
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  }
}
