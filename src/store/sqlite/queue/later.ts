import type { Statement } from "bun:sqlite"
import type { ColumnValue } from "../../shared/lead-columns.ts"

/** What much is: of some 80 leads, which takes 5 ms to write. */
const WAITING_MAX = 1_000

type Insert = Statement<unknown, ColumnValue[]>

/** Writes what was put off for it, in that order. */
export interface Sink<T> {
  write(all: readonly T[]): void
}

/** Inserts that wait until their work is done, or looks for them. */
export interface Later {
  /** Puts off an insert. */
  insert(statement: Insert, ...values: ColumnValue[]): void
  /** The same for what is written in another way. */
  defer<T>(sink: Sink<T>, value: T): void
  /** Whether anything waits for a sink. */
  waits<T>(sink: Sink<T>): boolean
  /** Says that rows of this lead are among what waits, or changes of the lead with this id. */
  owes(lead: number | string): void
  /** Writes everything when rows or changes of this lead wait, or of any lead when none is named. */
  settle(lead?: number | string): void
  /** Writes everything. Throws what SQLite throws; then nothing waits any more. */
  flush(): void
  /** The same once so much waits that it would hold up others at the end. */
  relieve(): void
  /** Forgets everything. */
  discard(): void
  /** Grows with everything that is put off or written. */
  count(): number
}

/**
 * Puts off inserts into tables that the rest of a work hardly ever looks into, so that a batch writes table after
 * table. Lead after lead takes 14 us more a lead, 5 % of a batch: a table's pages and statement have left the
 * processor's cache by the time they are needed again.
 */
export function createLater(): Later {
  const waiting = new Map<Insert, ColumnValue[][]>()
  const deferred = new Map<Sink<never>, unknown[]>()
  const owed = new Set<number | string>()
  let count = 0
  let puts = 0

  function discard(): void {
    waiting.clear()
    deferred.clear()
    owed.clear()
    puts = 0
  }

  function flush(): void {
    if (waiting.size === 0 && deferred.size === 0) return
    const all = [...waiting]
    const sinks = [...deferred]
    discard()
    count++
    for (const [sink, values] of sinks) sink.write(values as never[])
    for (const [statement, rows] of all) for (const row of rows) statement.run(...row)
  }

  return {
    insert(statement, ...values) {
      count++
      puts++
      const rows = waiting.get(statement)
      if (rows) rows.push(values)
      else waiting.set(statement, [values])
    },
    defer(sink, value) {
      count++
      puts++
      const values = deferred.get(sink as Sink<never>)
      if (values) values.push(value)
      else deferred.set(sink as Sink<never>, [value])
    },
    waits: (sink) => deferred.has(sink as Sink<never>),
    owes: (lead) => void owed.add(lead),
    settle(lead) {
      if (lead === undefined ? owed.size > 0 : owed.has(lead)) flush()
    },
    flush,
    relieve() {
      if (puts > WAITING_MAX) flush()
    },
    discard,
    count: () => count,
  }
}
