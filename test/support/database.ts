// Where the data of a test's service is: its file, or with LEADDB_TEST_DATABASE=postgres a database that stands for it.
import { Database, SQLiteError } from "bun:sqlite"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Ids } from "../../src/runtime/clock.ts"
import type { Store } from "../../src/store/contract/store.ts"
import { openStore, type Place } from "../../src/store/open.ts"
import { indexFile } from "../../src/store/sqlite/derived/file.ts"
import { giveBackDatabase, newDatabase, runOnce, startPostgres } from "./postgres.ts"
import { until } from "./until.ts"

export const onPostgres = process.env.LEADDB_TEST_DATABASE === "postgres"
if (onPostgres) await startPostgres()

/** Databases by the files that they stand for. */
const databases = new Map<string, Promise<string>>()

/** The URL of the database that stands for a file; undefined where the file is the database. */
export async function databaseOf(file: string): Promise<string | undefined> {
  if (!onPostgres) return undefined
  const made = databases.get(file) ?? newDatabase()
  databases.set(file, made)
  return made
}

export async function placeOf(file: string): Promise<Place> {
  return { file, database: await databaseOf(file) }
}

/** Opens the data of a service from outside, as an admin command beside it does. */
export async function openBeside(file: string, ids: Ids): Promise<Store> {
  return openStore(await placeOf(file), ids)
}

/** Runs a statement on the data of a service, past it. */
export async function sqlBeside(file: string, text: string): Promise<Record<string, unknown>[]> {
  const database = await databaseOf(file)
  if (database !== undefined) return runOnce(database, text)
  // Waits by turns of the event loop: a writer of this process goes on meanwhile.
  return until("the data is free", () => {
    try {
      using db = new Database(file)
      if (existsSync(indexFile(file))) db.query("ATTACH ? AS derived").run(indexFile(file))
      return db.query<Record<string, unknown>, []>(text).all()
    } catch (error) {
      if (error instanceof SQLiteError && error.code === "SQLITE_BUSY") return false
      throw error
    }
  })
}

/** All that is kept of a service's data, as it stands there. */
export async function everythingKept(folder: string): Promise<string> {
  const database = await databaseOf(join(folder, "leads.db"))
  if (database === undefined) {
    const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
    const files = entries.filter((entry) => entry.isFile())
    return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1")).join("\n")
  }
  const tables = await runOnce(
    database,
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  )
  const all = tables.map(async ({ name }) => {
    const rows = await runOnce(database, `SELECT * FROM ${name}`)
    const values = rows.flatMap((row) => Object.values(row))
    return values.map((one) =>
      one instanceof Uint8Array ? Buffer.from(one).toString("latin1") : String(one),
    )
  })
  return (await Promise.all(all)).flat().join("\n")
}

/** What a program has to know of its environment to find the data of a service in a folder. */
export async function environmentOf(folder: string): Promise<Record<string, string>> {
  const database = await databaseOf(join(folder, "leads.db"))
  return database === undefined ? {} : { LEADDB_DATABASE: database }
}

/** Forgets the database that stands for a file, if there is one. */
export async function forgetDatabase(file: string): Promise<void> {
  const made = databases.get(file)
  databases.delete(file)
  if (made) await giveBackDatabase(await made)
}
