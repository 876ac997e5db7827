// The one place that chooses the engine: everybody else knows the contract alone.
import type { Ids } from "../core/ids.ts"
import type { FileCare } from "./file-care.ts"
import { sqliteFileCare } from "./sqlite/file/care.ts"
import { openScratchStore } from "./sqlite/file/scratch.ts"
import { openMatchingStore, openScoringStore, openSqliteReads, openSqliteStore } from "./sqlite/index.ts"
import type { MatchingStore, ScoringStore, Store, StoreOptions, StoreReads } from "./store.ts"

/** Where the data is, as plain values: it is handed to other threads. */
export interface Place {
  file: string
}

/** Opens the database, making it or bringing it up to date when needed. Throws an Error that a person can act on. */
export function openStore({ file }: Place, ids: Ids, options?: StoreOptions): Store {
  return openSqliteStore(file, ids, options)
}

/** Opens what is there for reading only. Throws an Error when it must be brought up to date first. */
export function openReads({ file }: Place): StoreReads {
  return openSqliteReads(file)
}

/** Opens what is there for scoring runs on another thread, beside the store of the same process. */
export function openScoring({ file }: Place): ScoringStore {
  return openScoringStore(file)
}

/** Opens what is there for the matcher on another thread, beside the store of the same process. */
export function openMatching({ file }: Place): MatchingStore {
  return openMatchingStore(file)
}

/** Opens an empty store for one piece of work; what is in it goes when it is closed. */
export async function openScratch(ids: Ids): Promise<Store> {
  return openScratchStore(ids)
}

/** What looks after the database's file, in an engine that has one. */
export const fileCare: FileCare = sqliteFileCare
