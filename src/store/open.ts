// The one place that chooses the engine: everybody else knows the contract alone.
import type { Ids } from "../runtime/clock.ts"
import type {
  Indexer,
  MatchingStore,
  ReadBounds,
  ScoringStore,
  Store,
  StoreOptions,
  StoreReads,
} from "./contract/store.ts"
import type { MovedRows, MoveStep } from "./move/move.ts"
import { sharesOf, type Ways } from "./postgres/connection/ways.ts"
import type { CheckReport, FileCare, Repaired, SecretsChange, SecretsState } from "./shared/file-care.ts"
import { sqliteFileCare } from "./sqlite/file/care.ts"
import { openIndexer } from "./sqlite/file/follower.ts"
import { openMatchingStore, openScoringStore, openSqliteReads, openSqliteStore } from "./sqlite/index.ts"

export { useFolder } from "./sqlite/file/used-folder.ts"

/** Where the data is, as plain values: it is handed to other threads. */
export interface Place {
  file: string
  /** The URL of a PostgreSQL database, which then takes the file's place. */
  database?: string | undefined
  /** Its address past a pooler, those of its replicas, and how many connections an instance opens at most. */
  databaseDirect?: string | undefined
  databaseRead?: readonly string[] | undefined
  databaseConnections?: number | undefined
  /** Whether a pooler gives each transaction another session; undefined where it is to be found out. */
  sharesSessions?: boolean | undefined
  /** The key that encrypts the secrets in the file, once they are encrypted. */
  secretKey?: string | undefined
}

function waysOf({ database, ...place }: Place): Ways {
  return {
    url: database!,
    direct: place.databaseDirect,
    replicas: place.databaseRead,
    connections: place.databaseConnections,
    sharesSessions: place.sharesSessions,
  }
}

/** How many migrations a file and a PostgreSQL database have that this program made: two programs that differ in it differ. */
export async function schemaVersions(): Promise<{ file: number; postgres: number }> {
  const [{ MIGRATIONS }, { PG_SCHEMA }] = await Promise.all([
    import("./sqlite/file/migrations.ts"),
    import("./postgres/schema/migrations.ts"),
  ])
  return { file: MIGRATIONS.length, postgres: PG_SCHEMA }
}

/** Opens the database, making it or bringing it up to date when needed. Throws an Error that a person can act on. */
export async function openStore(place: Place, ids: Ids, options?: StoreOptions): Promise<Store> {
  const { file, database, secretKey } = place
  if (database === undefined) return openSqliteStore(file, ids, options, secretKey)
  const { openPostgresStore } = await import("./postgres/index.ts")
  return openPostgresStore(waysOf(place), ids, options, secretKey)
}

/**
 * Opens what is there for reading only, as admin commands, the worker and reader threads do. Throws an Error when it must be
 * brought up to date first.
 */
export async function openReads(place: Place, bounds?: ReadBounds): Promise<StoreReads> {
  const { file, database, secretKey } = place
  if (database === undefined) return openSqliteReads(file, secretKey, bounds?.cacheKib)
  const { openPostgresReads } = await import("./postgres/index.ts")
  return openPostgresReads(waysOf(place), secretKey, bounds?.statementMs)
}

/** Threads for questions that have a connection each; undefined where the database is a file. */
export function questionThreads({ database, databaseConnections }: Place): number | undefined {
  return database === undefined ? undefined : sharesOf(databaseConnections).questions
}

/** Opens what is there for scoring runs on another thread, beside the store of the same process. */
export async function openScoring(place: Place): Promise<ScoringStore> {
  if (place.database === undefined) return openScoringStore(place.file)
  return (await import("./postgres/index.ts")).openScoringStore(waysOf(place))
}

/** Opens what brings the data derived from leads up to date, on another thread than the store. */
export async function openIndexing({ file, database }: Place): Promise<Indexer> {
  if (database === undefined) return openIndexer(file)
  return (await import("./postgres/index.ts")).openIndexer()
}

/** Opens what is there for the matcher on another thread, beside the store of the same process. */
export async function openMatching(place: Place): Promise<MatchingStore> {
  if (place.database === undefined) return openMatchingStore(place.file)
  return (await import("./postgres/index.ts")).openMatchingStore(waysOf(place))
}

/** What a move has carried. */
export interface Moved {
  from: string
  to: string
  tables: MovedRows[]
  /** Milliseconds in which services could not write, where any may have been there. */
  held?: number | undefined
}

export interface MoveWish {
  /** A PostgreSQL URL where the place is a file, the path of a file where it is a PostgreSQL database. */
  to: string
  /** Services on a file go on writing while it is copied. */
  isOnline: boolean
}

/**
 * Carries the database of a place to another one that is not there yet. Goes on with what an earlier attempt has left. Services
 * go on reading meanwhile. Throws an Error that a person can act on; then the database is as it was.
 */
export async function moveStore(
  place: Place,
  { to, isOnline }: MoveWish,
  tell: (step: MoveStep) => void,
): Promise<Moved> {
  const isFile = place.database === undefined
  const url = await maintained(isFile ? { file: place.file, database: to } : place)
  const [{ moveRows }, file, database, fileTarget, databaseTarget, { shownPlace }] = await Promise.all([
    import("./move/move.ts"),
    import("./move/sqlite/source.ts"),
    import("./move/postgres/source.ts"),
    import("./move/sqlite/target.ts"),
    import("./move/postgres/target.ts"),
    import("./postgres/connection/maintenance.ts"),
  ])
  const source = isFile
    ? file.openSqliteSource(place.file, { to: shownPlace(url), isOnline })
    : await database.openPostgresSource(url, to)
  try {
    const target = isFile
      ? await databaseTarget.openPostgresTarget(url, source.place)
      : fileTarget.openSqliteTarget(to, source.place)
    try {
      const tables = await moveRows(source, target, tell)
      const held = source.heldSince && performance.now() - source.heldSince
      return { from: source.place, to: target.place, tables, held }
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** Takes a database into use again that was moved, or that a killed move has left its log in. */
export async function cancelMove(
  place: Place,
): Promise<{ movedTo: string | undefined; wasFollowed: boolean }> {
  if (place.database === undefined) return (await import("./move/sqlite/source.ts")).cancelMove(place.file)
  const movedTo = await (await import("./postgres/writes/moves.ts")).cancelMove(await maintained(place))
  return { movedTo, wasFollowed: false }
}

/** The address for maintenance of a PostgreSQL database. Throws an Error where a pooler shares sessions. */
async function maintained(place: Place): Promise<string> {
  return (await import("./postgres/connection/sharing.ts")).ownSessions(waysOf(place))
}

/** How the secrets stand in the database of a place, and whether its key opens them. */
export async function secretsIn(place: Place): Promise<SecretsState> {
  const { file, database, secretKey } = place
  if (database === undefined) return sqliteFileCare.secrets(file, secretKey)
  return (await import("./postgres/secrets/resealing.ts")).secretsState(await maintained(place), secretKey)
}

/**
 * Gives the secrets of a database another key, or none, while nobody else has it open. Answers with how many webhooks have
 * some. Throws an Error that a person can act on; then nothing has changed.
 */
export async function changeSecretKey(place: Place, change: SecretsChange): Promise<{ webhooks: number }> {
  if (place.database === undefined) return sqliteFileCare.changeSecretKey(place.file, change)
  return (await import("./postgres/secrets/resealing.ts")).changeSecretKey(await maintained(place), change)
}

/** Whether a PostgreSQL database is fit for the service; a file is looked after below. Throws an Error when it is not reached. */
export async function checkDatabase(
  place: Place,
  at: { now(): number; key?: string | undefined },
): Promise<CheckReport> {
  return (await import("./postgres/check.ts")).checkPostgres(await maintained(place), at)
}

/** Mends counts, heads and what leads are found by in a PostgreSQL database. Throws an Error when it is not reached. */
export async function repairDatabase(place: Place): Promise<Repaired[]> {
  return (await import("./postgres/repair.ts")).repairPostgres(await maintained(place))
}

/** Maintenance of the database file, in an engine that has one. */
export const fileCare: FileCare = sqliteFileCare
