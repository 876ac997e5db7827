// The one place that chooses the engine: everybody else knows the contract alone.
import type { Ids } from "../core/ids.ts"
import type {
  Indexer,
  MatchingStore,
  ReadBounds,
  ScoringStore,
  Store,
  StoreOptions,
  StoreReads,
} from "./contract/store.ts"
import type { CheckReport, FileCare, Repaired, SecretsChange, SecretsState } from "./file-care.ts"
import type { MovedRows, MoveStep } from "./move/move.ts"
import { openIndexer } from "./sqlite/derived/follower.ts"
import { sqliteFileCare } from "./sqlite/file/care.ts"
import { openMatchingStore, openScoringStore, openSqliteReads, openSqliteStore } from "./sqlite/index.ts"

/** Where the data is, as plain values: it is handed to other threads. */
export interface Place {
  file: string
  /** The URL of a PostgreSQL database, which then takes the file's place. */
  database?: string | undefined
  /** The key that encrypts the secrets in the file, once they are encrypted. */
  secretKey?: string | undefined
}

/** How many migrations a file and a PostgreSQL database have that this program made: two programs that differ in it differ. */
export async function schemaVersions(): Promise<{ file: number; postgres: number }> {
  const [{ MIGRATIONS }, { PG_MIGRATIONS }] = await Promise.all([
    import("./sqlite/file/migrations.ts"),
    import("./postgres/schema/migrations.ts"),
  ])
  return { file: MIGRATIONS.length, postgres: PG_MIGRATIONS.length }
}

/** Opens the database, making it or bringing it up to date when needed. Throws an Error that a person can act on. */
export async function openStore(place: Place, ids: Ids, options?: StoreOptions): Promise<Store> {
  const { file, database, secretKey } = place
  if (database === undefined) return openSqliteStore(file, ids, options, secretKey)
  const { openPostgresStore } = await import("./postgres/index.ts")
  return openPostgresStore(database, ids, options, secretKey)
}

/**
 * Opens what is there for reading only, as admin commands, the worker and reader threads do. Throws an Error when it must be
 * brought up to date first.
 */
export async function openReads(place: Place, bounds?: ReadBounds): Promise<StoreReads> {
  const { file, database, secretKey } = place
  if (database === undefined) return openSqliteReads(file, secretKey, bounds?.cacheKib)
  const { openPostgresReads } = await import("./postgres/index.ts")
  return openPostgresReads(database, secretKey, bounds?.statementMs)
}

/** Opens what is there for scoring runs on another thread, beside the store of the same process. */
export async function openScoring({ file, database }: Place): Promise<ScoringStore> {
  if (database === undefined) return openScoringStore(file)
  return (await import("./postgres/index.ts")).openScoringStore(database)
}

/** Opens what brings the data derived from leads up to date, on another thread than the store. */
export async function openIndexing({ file, database }: Place): Promise<Indexer> {
  if (database === undefined) return openIndexer(file)
  return (await import("./postgres/index.ts")).openIndexer()
}

/** Opens what is there for the matcher on another thread, beside the store of the same process. */
export async function openMatching({ file, database }: Place): Promise<MatchingStore> {
  if (database === undefined) return openMatchingStore(file)
  return (await import("./postgres/index.ts")).openMatchingStore(database)
}

/**
 * Carries the database of a place to another one that is not there yet: a PostgreSQL URL where it is a file, the path of a
 * file where it is a PostgreSQL database. Goes on with what an earlier attempt has left. Throws an Error that a person can
 * act on; then the database is as it was.
 */
export async function moveStore(
  { file, database }: Place,
  to: string,
  tell: (step: MoveStep) => void,
): Promise<{ from: string; to: string; tables: MovedRows[] }> {
  const { moveRows } = await import("./move/move.ts")
  const source = database === undefined ? await fileSource(file) : await databaseSource(database)
  try {
    const target =
      database === undefined ? await databaseTarget(to, source.place) : await fileTarget(to, source.place)
    try {
      return { from: source.place, to: target.place, tables: await moveRows(source, target, tell) }
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

const fileSource = async (file: string) => (await import("./move/sqlite/source.ts")).openSqliteSource(file)
const fileTarget = async (file: string, from: string) =>
  (await import("./move/sqlite/target.ts")).openSqliteTarget(file, from)
const databaseSource = async (url: string) =>
  (await import("./move/postgres/source.ts")).openPostgresSource(url)
const databaseTarget = async (url: string, from: string) =>
  (await import("./move/postgres/target.ts")).openPostgresTarget(url, from)

/** How the secrets stand in the database of a place, and whether its key opens them. */
export async function secretsIn({ file, database, secretKey }: Place): Promise<SecretsState> {
  if (database === undefined) return sqliteFileCare.secrets(file, secretKey)
  return (await import("./postgres/secrets/resealing.ts")).secretsState(database, secretKey)
}

/**
 * Gives the secrets of a database another key, or none, while nobody else has it open. Answers with how many webhooks have
 * some. Throws an Error that a person can act on; then nothing has changed.
 */
export async function changeSecretKey(
  { file, database }: Place,
  change: SecretsChange,
): Promise<{ webhooks: number }> {
  if (database === undefined) return sqliteFileCare.changeSecretKey(file, change)
  return (await import("./postgres/secrets/resealing.ts")).changeSecretKey(database, change)
}

/** Whether a PostgreSQL database is fit for the service; a file is looked after below. Throws an Error when it is not reached. */
export async function checkDatabase(
  url: string,
  at: { now(): number; key?: string | undefined },
): Promise<CheckReport> {
  return (await import("./postgres/check.ts")).checkPostgres(url, at)
}

/** Mends counts, heads and what leads are found by in a PostgreSQL database. Throws an Error when it is not reached. */
export async function repairDatabase(url: string): Promise<Repaired[]> {
  return (await import("./postgres/repair.ts")).repairPostgres(url)
}

/** Maintenance of the database file, in an engine that has one. */
export const fileCare: FileCare = sqliteFileCare
