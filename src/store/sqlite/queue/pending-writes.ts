import type { Statement } from "bun:sqlite"
import type { ColumnValue } from "../../sql/schema/lead-columns.ts"

/** Rows that count as many: of some 80 leads, which take 5 ms to write. */
const LARGE = 1_000

type Insert = Statement<unknown, ColumnValue[]>

/** Writes the values that were deferred for it, in that order. */
export interface BulkWriter<T> {
  write(all: readonly T[]): void
}

/** Inserts of a transaction that wait until its work is done or reads them. */
export interface PendingWrites {
  /** Defers an insert. */
  insert(statement: Insert, ...values: ColumnValue[]): void
  /** Defers a value that a writer of its own writes. */
  defer<T>(writer: BulkWriter<T>, value: T): void
  /** Whether anything waits for a writer. */
  hasPending<T>(writer: BulkWriter<T>): boolean
  /** Says that rows of the lead with this rid, or changes of the lead with this id, are among those that wait. */
  markPending(lead: number | string): void
  /** Writes everything when rows or changes of this lead wait; without a lead, when those of any do. */
  flushFor(lead?: number | string): void
  /** Writes everything. Throws what SQLite throws; then nothing waits any more. */
  flush(): void
  /** Writes everything once so much waits that writing it at the end would hold up other requests. */
  flushIfLarge(): void
  /** Forgets everything. */
  discard(): void
  /** Grows with everything that is deferred or written. */
  count(): number
}

/**
 * Defers inserts into tables that the rest of a work hardly ever reads, so that a batch writes table after table. Lead
 * after lead takes 14 us more a lead, 5 % of a batch: a table's pages and statement have left the processor's cache by
 * the time they are needed again.
 */
export function createPendingWrites(): PendingWrites {
  const waiting = new Map<Insert, ColumnValue[][]>()
  const deferred = new Map<BulkWriter<never>, unknown[]>()
  const marked = new Set<number | string>()
  let count = 0
  let puts = 0

  function discard(): void {
    waiting.clear()
    deferred.clear()
    marked.clear()
    puts = 0
  }

  function flush(): void {
    if (waiting.size === 0 && deferred.size === 0) return
    const all = [...waiting]
    const writers = [...deferred]
    discard()
    count++
    for (const [writer, values] of writers) writer.write(values as never[])
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
    defer(writer, value) {
      count++
      puts++
      const values = deferred.get(writer as BulkWriter<never>)
      if (values) values.push(value)
      else deferred.set(writer as BulkWriter<never>, [value])
    },
    hasPending: (writer) => deferred.has(writer as BulkWriter<never>),
    markPending: (lead) => void marked.add(lead),
    flushFor(lead) {
      if (lead === undefined ? marked.size > 0 : marked.has(lead)) flush()
    },
    flush,
    flushIfLarge() {
      if (puts > LARGE) flush()
    },
    discard,
    count: () => count,
  }
}
