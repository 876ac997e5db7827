// What matching costs those who push: the same pushes to a service whose leads are matched, and to one where none are.
import { Database } from "bun:sqlite"
import { join } from "node:path"
import { indexFile } from "../../../src/store/sqlite/derived/file.ts"
import { copyOf, dataset, freshLeads } from "../dataset.ts"
import type { Bench } from "../group.ts"
import { type Check, ratios, shown, takeTurns } from "../harness.ts"
import { serve } from "../service.ts"
import { allCompared, cpuOf } from "./compared.ts"

const LEADS = 20_000
const PUSHES = 400
const ROUNDS = 7
const GOAL = 1.1

export async function pushesSlowed({ program, scratch }: Bench): Promise<Check[]> {
  const filled = await dataset(LEADS)
  const matched = await serve(program, copyOf(filled, join(scratch, "matched")), "unbound")
  const other = copyOf(filled, join(scratch, "unmatched"))
  const unmatched = await serve(program, other, "unbound")
  try {
    await allCompared(matched.call)
    await allCompared(unmatched.call)
    matchNothing(other.file)
    const busy = { matched: [] as number[], unmatched: [] as number[] }
    const push = async (service: typeof matched, name: keyof typeof busy, round: number) => {
      const leads = freshLeads(PUSHES, 20 + round)
      const before = cpuOf(service.pid).main
      const began = performance.now()
      for (const lead of leads) await service.call("POST", "/leads", lead)
      const taken = performance.now() - began
      busy[name].push(cpuOf(service.pid).main - before)
      await allCompared(service.call)
      return taken
    }
    const taken = await takeTurns(
      {
        matched: (round) => push(matched, "matched", round),
        unmatched: (round) => push(unmatched, "unmatched", round),
      },
      ROUNDS,
    )
    const [slowed, main] = [ratios(taken.matched, taken.unmatched), ratios(busy.matched, busy.unmatched)]
    return [
      {
        work: "pushes one by one, matched / not matched, time",
        goal: `<= ${GOAL}x`,
        value: shown(slowed, "x"),
        ok: slowed.median <= GOAL,
        numbers: { x: slowed },
      },
      {
        work: "the same, processor of the main thread",
        goal: "",
        value: shown(main, "x"),
        numbers: { x: main },
      },
    ]
  } finally {
    await matched.stop()
    await unmatched.stop()
  }
}

/** From now on no lead is noted to be compared. */
function matchNothing(file: string): void {
  const db = new Database(indexFile(file))
  db.run("PRAGMA busy_timeout = 10000")
  db.run("CREATE TRIGGER unmatched BEFORE INSERT ON match_queue BEGIN SELECT raise(IGNORE); END")
  db.close()
}
