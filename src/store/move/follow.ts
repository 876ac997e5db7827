// Copies a database while others write to it, and follows what they write until a moment without it is enough.
import type { FollowingTarget, LiveSource, MoveState } from "./ends.ts"
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

interface Following {
  source: LiveSource
  target: FollowingTarget
  state: MoveState
  /** Of each table, as it is in the target. */
  tallies: Map<string, LineTally>
  tell(step: MoveStep): void
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
  const following: Following = { source, target, state, tallies: new Map(), tell }
  await forgetEarlier(following)
  await source.follow()
  await copyAndCompare(following)
  tell({ step: "following", done: await carry(following), of: 0 })
  await target.complete((done, of) => tell({ step: "indexing", done, of }))
  await catchUp(following)
  const began = performance.now()
  await source.hold()
  await carry(following)
  await carryWhole(following)
  await target.settle()
  const tables = MOVED.map(({ name: table }) => {
    const { rows, sum } = following.tallies.get(table)!
    return { table, rows, sum }
  })
  await finishMove(source, target, tables)
  return { tables, held: performance.now() - began }
}

/** Takes out what an earlier attempt has copied: it is of another moment. */
async function forgetEarlier({ target, state }: Following): Promise<void> {
  for (const table of MOVED.toReversed()) {
    if (state.tables[table.name] === undefined) continue
    delete state.tables[table.name]
    await target.clear(table, state)
  }
}

async function copyAndCompare({ source, target, state, tallies, tell }: Following): Promise<void> {
  const telling = await copyAll(source, target, state, tell)
  for (const table of MOVED) {
    const was = state.tables[table.name] ?? NO_ROWS
    const is = await tallyOf(target, table, telling("checking", table))
    if (differs(is, was)) throw notTheSame(table.name, source.place, target.place)
    tallies.set(table.name, is)
  }
}

/** Carries what has changed since the last time. Answers with how many changes there were. */
function carry({ source, target, tallies }: Following): Promise<number> {
  return source.changes((changed) => target.replace(changed, tallies))
}

/** Carries changes until few are left. Where writers are as fast as this, what is left does not become less. */
async function catchUp(following: Following): Promise<void> {
  for (let last = Number.POSITIVE_INFINITY; last > SHORT_MS; ) {
    const began = performance.now()
    following.tell({ step: "following", done: await carry(following), of: 0 })
    const took = performance.now() - began
    if (took > SHRINKS * last) break
    last = took
  }
}

/** Carries the tables that are no part of the changes. */
async function carryWhole({ source, target, state, tallies }: Following): Promise<void> {
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
}

function notTheSame(table: string, from: string, to: string): Error {
  return new Error(
    `${table} differs after the move: ${from} goes on as before, and nothing uses ${to}; try again, and see leaddb check`,
  )
}
