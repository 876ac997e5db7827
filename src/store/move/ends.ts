// What an engine does for a database that moves: the one it leaves, and the one it comes to.
import type { AdminAction } from "../contract/admin-log.ts"
import type { LineTally, MovedCell } from "./lines.ts"
import type { MovedTable } from "./tables.ts"

/** What is read from: nobody else writes to it meanwhile. */
export interface MoveSource {
  /** Whom it belongs to and what it is, for a person: never with a password. */
  place: string
  /** How many rows there are, for showing how far it is; of large tables an estimate is enough. */
  count(table: MovedTable): Promise<number>
  /**
   * The lines of a table, some at a time, always in the same order; `after` is the key of the last one that came before,
   * undefined to begin.
   */
  lines(table: MovedTable, after?: readonly MovedCell[]): AsyncIterable<string[]>
  close(): Promise<void>
}

/** How far a table is. */
export interface TableState extends LineTally {
  /** The key of the last line that is written. */
  last?: string
  isDone: boolean
}

/** The move as the trail of administration has it, of all accounts. */
export interface MoveEntry {
  id: string
  /** As JSON. */
  details: string
}

export const MOVED_ACTION = "database.moved" satisfies AdminAction

export interface MoveState {
  /** Which database it comes from. */
  from: string
  tables: Record<string, TableState>
}

/** What is written to: it is no service's database until `finish` has resolved. */
export interface MoveTarget extends Pick<MoveSource, "place" | "lines" | "close"> {
  /** What an earlier move that did not end has left. */
  state: MoveState | undefined
  /** Writes rows and how far the move is, both or neither. */
  write(table: MovedTable, lines: readonly string[], state: MoveState): Promise<void>
  /** Takes all rows of a table out again. */
  clear(table: MovedTable, state: MoveState): Promise<void>
  /** Makes what helps to find rows, and works out what stands in none. */
  complete(tell: (done: number, of: number) => void): Promise<void>
  /** From now on it is a database like any other, whose trail of administration tells of the move. */
  finish(entry: MoveEntry): Promise<void>
}
