// Copies a database while others write to it, and follows what they write until a moment without it is enough.
import type { FollowingTarget, LiveSource } from "./ends.ts"
import { type LineTally, NO_ROWS } from "./lines.ts"
import { copyAll, differs, finishMove, type MovedRows, type MoveStep, tallyOf } from "./move.ts"
import { MOVED } from "./tables.ts"

/** Milliseconds of a round that is short enough to be the last but one, which nobody may write in. */
const SHORT_MS = 500
/** A round has to take this part of the one before it. */
const SHRINKS = 0.8
/** Kept as a whole, and no part of the changes: files beside the database, and what a service changes alone. */
const AS_A_WHOLE = new Set(["kept_files", "settings"])

export interface FollowedMove {
  tables: MovedRows[]
  /** Milliseconds in which nobody could write. */
  held: number
}

/**
 * Copies every table as of one moment and compares it, then carries what has changed meanwhile, each time less, and the last
 * of it while writers are held. Throws an Error when something differs; then the source goes on as before.
 */
export async function moveLive(
  source: LiveSource,
  target: FollowingTarget,
  tell: (step: MoveStep) => void,
): Promise<FollowedMove> {
  const state = target.state ?? { from: source.place, tables: {} }
  // What an earlier attempt has copied is of another moment.
  for (const table of MOVED.toReversed()) {
    if (state.tables[table.name] === undefined) continue
    delete state.tables[table.name]
    await target.clear(table, state)
  }
  await source.follow()
  const telling = await copyAll(source, target, state, tell)
  const tallies = new Map<string, LineTally>()
  for (const table of MOVED) {
    const was = state.tables[table.name] ?? NO_ROWS
    const is = await tallyOf(target, table, telling("checking", table))
    if (differs(is, was)) throw notTheSame(table.name, source.place, target.place)
    tallies.set(table.name, is)
  }
  const carry = () => source.changes((changed) => target.replace(changed, tallies))
  tell({ step: "following", done: await carry(), of: 0 })
  await target.complete((done, of) => tell({ step: "indexing", done, of }))
  // Where writers are as fast as this, what is left does not become less.
  for (let last = Number.POSITIVE_INFINITY; last > SHORT_MS; ) {
    const began = performance.now()
    tell({ step: "following", done: await carry(), of: 0 })
    const took = performance.now() - began
    if (took > SHRINKS * last) break
    last = took
  }
  const began = performance.now()
  await source.hold()
  await carry()
  for (const table of MOVED.filter(({ name }) => AS_A_WHOLE.has(name))) {
    const was = await tallyOf(source, table, () => {})
    if (!differs(was, tallies.get(table.name)!)) continue
    delete state.tables[table.name]
    await target.clear(table, state)
    for await (const lines of source.lines(table)) await target.write(table, lines, state)
    const is = await tallyOf(target, table, () => {})
    if (differs(is, was)) throw notTheSame(table.name, source.place, target.place)
    tallies.set(table.name, is)
  }
  await target.settle()
  const tables = MOVED.map(({ name: table }) => {
    const { rows, sum } = tallies.get(table)!
    return { table, rows, sum }
  })
  await finishMove(source, target, tables)
  return { tables, held: performance.now() - began }
}

function notTheSame(table: string, from: string, to: string): Error {
  return new Error(
    `${table} differs after the move: ${from} goes on as before, and nothing uses ${to}; try again, and see leaddb check`,
  )
}
