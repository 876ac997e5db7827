// The two ends of a move, as each engine implements them: the source that is read and the target that is filled.
import type { AdminAction } from "../contract/admin-log.ts"
import type { LineTally, MovedCell } from "./lines.ts"
import type { MovedTable } from "./tables.ts"

export type Key = readonly MovedCell[]

interface MoveEnd {
  /** The database in words for a person, without its password. */
  place: string
  /** The lines of a table in batches, all of them as of one moment. */
  lines(table: MovedTable): AsyncIterable<string[]>
  close(): Promise<void>
}

/** The database that is read. It is locked against other writers until it is closed, unless it is `live`. */
export interface MoveSource extends MoveEnd {
  /** How many rows there are, for showing how far it is. */
  count(table: MovedTable): Promise<number>
  /** The source while services write to it; absent where nobody does. */
  live?: LiveSource
  /** Since when services that are there cannot write, as `performance.now()`; undefined where none may be there. */
  heldSince?: number | undefined
  /** Notes that the data is at `place` from now on, so that nobody writes to it here any more. */
  handOver?(place: string): Promise<void>
}

interface LiveSource {
  /** Begins to note which rows change. `lines` are those of this moment until the first `changes`. */
  follow(): Promise<void>
  /** Runs `work` with what has changed since the last call, as of one moment. Answers with the number of changes. */
  changes(work: (changed: ChangedRows) => Promise<void>): Promise<number>
  /** Keeps everybody else from writing until `handOver` or `close`; readers go on. */
  hold(): void
}

export interface ChangedRows {
  /** Keys of rows that were written or removed, some at a time. */
  keys(table: MovedTable): Iterable<readonly Key[]>
  /** The lines of those that are there. */
  lines(table: MovedTable, keys: readonly Key[]): string[]
}

export const MOVED_ACTION = "database.moved" satisfies AdminAction

export interface MoveState {
  /** The place of the source. */
  from: string
  /** Tables that are copied. */
  done: readonly string[]
}

/** The database that is filled. No service can open it until `finish` has resolved. */
export interface MoveTarget extends MoveEnd {
  /** The state of an earlier attempt; undefined where there is none. */
  state: MoveState | undefined
  write(table: MovedTable, lines: readonly string[]): Promise<void>
  /** Takes all rows of a table out again. */
  clear(table: MovedTable): Promise<void>
  /** Notes how far the move is. */
  keep(state: MoveState): Promise<void>
  /** Statements of the indexes that are made after all rows are in: filling a table is several times as fast without. */
  indexes(): Promise<readonly string[]>
  run(statement: string): Promise<void>
  /** Works out values that no line carries. */
  complete(): Promise<void>
  /**
   * Turns it into an ordinary database and notes the move in its admin log, with `details` as JSON. `numbering` is the name
   * of its numbering: positions in lists of the source do not fit, as leads may have other numbers and sorts are an engine's.
   */
  finish(entry: { id: string; details: string; numbering: string }): Promise<void>
}

/** A target that can follow a live source. */
export interface FollowingTarget extends MoveTarget {
  /** Makes changed rows as they are in the source, and compares them. The tallies of their tables change with them. */
  replace(changed: ChangedRows, tallies: Map<string, LineTally>): Promise<void>
  /** Works out again what changed rows have made out of date. */
  settle(): Promise<void>
}
