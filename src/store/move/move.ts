// Copies a whole database from one engine to the other, verifies the copy, and follows what others write meanwhile.
import type { FollowingTarget, MoveSource, MoveTarget } from "./ends.ts"
import { type LineTally, NO_ROWS, tallied } from "./lines.ts"
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
/** Milliseconds of a round of changes that is short enough to be the last but one, which nobody may write in. */
const SHORT_MS = 500
/** A round has to take this part of the one before it. */
const SHRINKS = 0.8
/** Kept as a whole, and no part of the changes: files beside the database, and what a service changes alone. */
const AS_A_WHOLE = new Set(["kept_files", "settings"])

/**
 * Copies every table that an earlier attempt has not, and compares both databases by checksums of their rows. From a `live`
 * source it copies all as of one moment, then carries what has changed meanwhile, each time less, and the last of it
 * while writers are held. Throws an Error when something differs; then the target is not in use, and the source as it was.
 */
export async function moveRows(
  source: MoveSource,
  target: MoveTarget | FollowingTarget,
  tell: (step: MoveStep) => void,
): Promise<MovedRows[]> {
  const { live } = source
  const copying = createCopying(source, target, tell)
  await live?.follow()
  await copying.copyAll()
  const tallies = new Map<string, LineTally>()
  const compare = async (table: MovedTable) => tallies.set(table.name, await copying.compared(table))
  for (const table of MOVED) await compare(table)
  const complete = () => completeTarget(target, (done, of) => tell({ step: "indexing", done, of }))
  if (live && "replace" in target) {
    const carry = () => live.changes((changed) => target.replace(changed, tallies))
    const told = async () => tell({ step: "following", done: await carry(), of: 0 })
    await told()
    await complete()
    await untilFewAreLeft(told)
    live.hold()
    await carry()
    for (const table of MOVED.filter(({ name }) => AS_A_WHOLE.has(name))) await compare(table)
    await target.settle()
  } else await complete()
  const moved = MOVED.map(({ name }) => ({ table: name, ...tallies.get(name)! }))
  await finish(source, target, moved)
  return moved
}

async function completeTarget(target: MoveTarget, tell: (done: number, of: number) => void): Promise<void> {
  const indexes = await target.indexes()
  for (const [i, statement] of indexes.entries()) {
    tell(i, indexes.length)
    // An earlier attempt may have made it.
    await target.run(statement.replace(/^CREATE (UNIQUE )?INDEX /, "CREATE $1INDEX IF NOT EXISTS "))
  }
  tell(indexes.length, indexes.length)
  await target.complete()
}

/** Carries changes until few are left. Where writers are as fast as this, what is left does not become less. */
async function untilFewAreLeft(carry: () => Promise<void>): Promise<void> {
  for (let last = Number.POSITIVE_INFINITY; last > SHORT_MS; ) {
    const began = performance.now()
    await carry()
    const took = performance.now() - began
    if (took > SHRINKS * last) break
    last = took
  }
}

/** Hands the data over. Killed in between, both refuse to be written to, and the same move ends it. */
async function finish(source: MoveSource, target: MoveTarget, moved: readonly MovedRows[]): Promise<void> {
  await source.handOver?.(target.place)
  const rows = moved.reduce((sum, one) => sum + one.rows, 0)
  const details = JSON.stringify({ from: source.place, rows })
  await target.finish({ id: `adm_${Bun.randomUUIDv7()}`, details, numbering: crypto.randomUUID() })
}

function createCopying(source: MoveSource, target: MoveTarget, tell: (step: MoveStep) => void) {
  // What was copied of a live source is of another moment.
  const done = new Set(source.live ? [] : target.state?.done)
  /** What this attempt has copied and not compared yet. */
  const copied = new Map<string, LineTally>()
  const counts = new Map<string, number>()
  const telling =
    (step: "copying" | "checking", { name }: MovedTable) =>
    (rows: number) =>
      tell({ step, table: name, done: rows, of: Math.max(counts.get(name)!, rows) })

  async function copyTable(table: MovedTable): Promise<void> {
    const shown = telling("copying", table)
    // Reads the next lines while these are written.
    let writing: Promise<void> = Promise.resolve()
    const tally = await tallyOf(source.lines(table), shown, async (lines) => {
      await writing
      writing = target.write(table, lines)
      writing.catch(() => {})
    })
    await writing
    copied.set(table.name, tally)
    await target.keep({ from: source.place, done: [...done.add(table.name)] })
  }

  return {
    async copyAll(): Promise<void> {
      for (const table of MOVED) counts.set(table.name, await source.count(table))
      for (const table of MOVED) {
        if (done.has(table.name)) continue
        if (target.state) await target.clear(table)
        await copyTable(table)
      }
    },
    /** Compares a table in both; one that differs, as the source was written to since it was copied, is copied once more. */
    async compared(table: MovedTable): Promise<LineTally> {
      const inTarget = () => tallyOf(target.lines(table), telling("checking", table))
      const inSource = async () => copied.get(table.name) ?? tallyOf(source.lines(table))
      let [is, was] = [await inTarget(), await inSource()]
      if (differs(is, was)) {
        await target.clear(table)
        await copyTable(table)
        is = await inTarget()
        was = await inSource()
      }
      copied.delete(table.name)
      if (!differs(is, was)) return is
      throw new Error(
        `${table.name} differs after the move: ${was.rows} rows in ${source.place}, ${is.rows} in ${target.place} ` +
          `(sums ${was.sum} and ${is.sum}); nothing uses the new database yet, and the old one is as it was`,
      )
    },
  }
}

async function tallyOf(
  parts: AsyncIterable<string[]>,
  tell: (rows: number) => void = () => {},
  work: (lines: readonly string[]) => Promise<void> = async () => {},
): Promise<LineTally> {
  let [tally, characters] = [NO_ROWS, 0]
  tell(0)
  for await (const lines of parts) {
    await work(lines)
    tally = tallied(tally, lines)
    tell(tally.rows)
    for (const line of lines) characters += line.length
    if (characters < COLLECTED) continue
    characters = 0
    Bun.gc(true)
  }
  return tally
}

function differs(one: LineTally, other: LineTally): boolean {
  return one.rows !== other.rows || one.sum !== other.sum
}
