// Copies a whole database from one engine to the other and verifies the copy.
import type { MoveSource, MoveState, MoveTarget, TableState } from "./ends.ts"
import { keptKey, type LineTally, lineKey, NO_ROWS, readKey, tallied } from "./lines.ts"
import { MOVED, type MovedTable } from "./tables.ts"

export type MoveStep =
  | { step: "copying" | "checking"; table: string; done: number; of: number }
  | { step: "indexing" | "following"; done: number; of: number }

/** A table, as it is in both databases. */
export interface MovedRows extends LineTally {
  table: string
}

/** Characters of lines after which garbage is collected: left alone, the runtime lets two gigabytes pile up. */
const COLLECTED = 64_000_000

const EMPTY: TableState = { ...NO_ROWS, isDone: false }

/**
 * Copies every table, resuming an earlier attempt, and compares both databases by checksums of their rows. A table that
 * differs, as the source was written to between two attempts, is copied once more. Throws an Error when it still
 * does; the target is then not in use.
 */
export async function moveRows(
  source: MoveSource,
  target: MoveTarget,
  tell: (step: MoveStep) => void,
): Promise<MovedRows[]> {
  const isResumed = target.state !== undefined
  const state: MoveState = target.state ?? { from: source.place, tables: {} }
  const telling = await copyAll(source, target, state, tell)
  const moved: MovedRows[] = []
  for (const table of MOVED) {
    const sourceTally = async () =>
      isResumed ? tallyOf(source, table, () => {}) : (state.tables[table.name] ?? EMPTY)
    const shown = telling("checking", table)
    let [is, was] = [await tallyOf(target, table, shown), await sourceTally()]
    if (differs(is, was)) {
      await target.clear(table, without(state, table))
      await copyTable(source, target, state, table, telling("copying", table))
      is = await tallyOf(target, table, shown)
      was = await tallyOf(source, table, () => {})
    }
    if (differs(is, was)) {
      throw new Error(
        `${table.name} differs after the move: ${was.rows} rows in ${source.place}, ${is.rows} in ${target.place} ` +
          `(sums ${was.sum} and ${is.sum}); nothing uses the new database yet, and the old one is as it was`,
      )
    }
    moved.push({ table: table.name, rows: is.rows, sum: is.sum })
  }
  await target.complete((done, of) => tell({ step: "indexing", done, of }))
  await finishMove(source, target, moved)
  return moved
}

/** Copies all tables that are not copied yet. Returns what tells how far a table is. */
export async function copyAll(
  source: MoveSource,
  target: MoveTarget,
  state: MoveState,
  tell: (step: MoveStep) => void,
) {
  const of = new Map<string, number>()
  for (const table of MOVED) of.set(table.name, await source.count(table))
  const telling =
    (step: "copying" | "checking", { name }: MovedTable) =>
    (done: number) =>
      tell({ step, table: name, done, of: Math.max(of.get(name)!, done) })
  for (const table of MOVED) await copyTable(source, target, state, table, telling("copying", table))
  return telling
}

/** Hands the data over. Killed in between, both refuse to be written to, and the same move ends it. */
export async function finishMove(
  source: MoveSource,
  target: MoveTarget,
  moved: readonly MovedRows[],
): Promise<void> {
  await source.handOver?.(target.place)
  const rows = moved.reduce((sum, one) => sum + one.rows, 0)
  const details = JSON.stringify({ from: source.place, rows })
  await target.finish({ id: `adm_${Bun.randomUUIDv7()}`, details, numbering: crypto.randomUUID() })
}

function without(state: MoveState, { name }: MovedTable): MoveState {
  delete state.tables[name]
  return state
}

async function copyTable(
  source: MoveSource,
  target: MoveTarget,
  state: MoveState,
  table: MovedTable,
  tell: (done: number) => void,
): Promise<void> {
  const found = state.tables[table.name] ?? EMPTY
  if (found.isDone) return
  let now = found
  // Reads the next lines while these are written.
  let writing: Promise<void> = Promise.resolve()
  const write = async (lines: readonly string[], next: TableState) => {
    await writing
    state.tables[table.name] = next
    now = next
    writing = target.write(table, lines, state)
    writing.catch(() => {})
    tell(now.rows)
  }
  const after = found.last === undefined ? undefined : readKey(found.last)
  for await (const lines of collecting(source.lines(table, after))) {
    const tally = tallied(now, lines)
    await write(lines, { ...tally, last: keptKey(lineKey(table, lines.at(-1)!)), isDone: false })
  }
  await write([], { rows: now.rows, sum: now.sum, isDone: true })
  await writing
}

export async function tallyOf(
  end: Pick<MoveSource, "lines">,
  table: MovedTable,
  tell: (done: number) => void,
): Promise<LineTally> {
  let tally: LineTally = NO_ROWS
  for await (const lines of collecting(end.lines(table))) {
    tally = tallied(tally, lines)
    tell(tally.rows)
  }
  return tally
}

async function* collecting(parts: AsyncIterable<string[]>): AsyncGenerator<string[]> {
  let characters = 0
  for await (const lines of parts) {
    yield lines
    for (const line of lines) characters += line.length
    if (characters < COLLECTED) continue
    characters = 0
    Bun.gc(true)
  }
}

export function differs(one: LineTally, other: LineTally): boolean {
  return one.rows !== other.rows || one.sum !== other.sum
}
