// The two ends of a move, as each engine implements them: the source that is read and the target that is filled.
import type { AdminAction } from "../contract/admin-log.ts"
import type { LineTally, MovedCell } from "./lines.ts"
import type { MovedTable } from "./tables.ts"

/** The database that is read. It is locked against other writers until it is closed. */
export interface MoveSource {
  /** The database in words for a person, without its password. */
  place: string
  /** How many rows there are, for showing how far it is; of large tables an estimate is enough. */
  count(table: MovedTable): Promise<number>
  /**
   * The lines of a table in batches, always in the same order; `after` is the key of the last line already read,
   * undefined to begin.
   */
  lines(table: MovedTable, after?: readonly MovedCell[]): AsyncIterable<string[]>
  /** Notes that the data is at `place` from now on, so that nobody writes to it here any more. */
  handOver?(place: string): Promise<void>
  close(): Promise<void>
}

/** A source that others go on writing to. */
export interface LiveSource extends MoveSource {
  /** Where an earlier move has taken the data. */
  readonly movedTo: string | undefined
  /** Begins to note which rows change. `lines` are those of this moment until the first `changes`. */
  follow(): Promise<void>
  /**
   * Runs `work` with what has changed since the last call, all of it as of one moment. Answers with how many changes there
   * were.
   */
  changes(work: (changed: ChangedRows) => Promise<void>): Promise<number>
  /** Keeps everybody else from writing until `handOver` or `close`; readers go on. */
  hold(): Promise<void>
}

export interface ChangedRows {
  /** Keys of rows that were written or removed, some at a time. */
  keys(table: MovedTable): Iterable<readonly (readonly MovedCell[])[]>
  /** The lines of those that are there. */
  lines(table: MovedTable, keys: readonly (readonly MovedCell[])[]): string[]
}

/** How far a table is. */
export interface TableState extends LineTally {
  /** The key of the last line that is written. */
  last?: string
  isDone: boolean
}

/** The move as the trail of administration has it, of all accounts. */
interface MoveEntry {
  id: string
  /** As JSON. */
  details: string
  /**
   * The name of the target's numbering. Positions in lists of the source do not fit there: leads may have other numbers,
   * and an engine's sorts are its own.
   */
  numbering: string
}

export const MOVED_ACTION = "database.moved" satisfies AdminAction

export interface MoveState {
  /** The place of the source. */
  from: string
  tables: Record<string, TableState>
}

/** The database that is filled. No service can open it until `finish` has resolved. */
export interface MoveTarget extends Pick<MoveSource, "place" | "lines" | "close"> {
  /** The state of an earlier attempt; undefined where there is none. */
  state: MoveState | undefined
  /** Writes rows and how far the move is, both or neither. */
  write(table: MovedTable, lines: readonly string[], state: MoveState): Promise<void>
  /** Takes all rows of a table out again. */
  clear(table: MovedTable, state: MoveState): Promise<void>
  /** Makes indexes and works out values that no line carries. */
  complete(tell: (done: number, of: number) => void): Promise<void>
  /** Turns it into an ordinary database and notes the move in its admin log. */
  finish(entry: MoveEntry): Promise<void>
}

/** A target that can follow a source. */
export interface FollowingTarget extends MoveTarget {
  /** Makes changed rows as they are in the source, and compares them. The tallies of their tables change with them. */
  replace(changed: ChangedRows, tallies: Map<string, LineTally>): Promise<void>
  /** Works out again what changed rows have made out of date. */
  settle(): Promise<void>
}
