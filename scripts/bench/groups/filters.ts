import type { JsonText } from "../../../src/core/json-text.ts"
import { listLeads } from "../../../src/domain/leads/list/list-leads.ts"
import { execute } from "../../../src/domain/operation.ts"
import { dataset, type Opened, openDataset } from "../dataset.ts"
import type { Group } from "../group.ts"
import { type Check, check, percentile, ROUNDS, ratios, shown, spread, takeTurns, timed } from "../harness.ts"
import { SELECTIONS, type Selected } from "../selections.ts"

/** Milliseconds and calls that a selection gets in a round, whatever comes first. */
const PATIENCE_MS = 40
const CALLS = 40
/** What takes so long at first is far from its goal: one round has to do. */
const HOPELESS_MS = 500

/** Row 6: 24 selections at a million leads against 100,000. In this process: the first 50 leads, as JSON. */
export const filters: Group = {
  name: "filters",
  about: "24 filter and sort combinations at a million leads against 100,000",
  async run() {
    const few = await openDataset((await dataset(100_000)).file)
    const many = await openDataset((await dataset(1_000_000)).file)
    const found: Check[] = []
    for (const selected of SELECTIONS) found.push(await compare(selected, few, many))
    await Promise.all([few.close(), many.close()])
    const worst = (key: "x" | "ms") => Math.max(...found.map(({ numbers }) => medianOf(numbers[key]!)))
    const short = found.filter(({ ok }) => !ok).length
    return [
      check(6, "24 selections at 1 M / at 100 k leads, the worst", worst("x"), "<= 2", "x"),
      check(6, "24 selections at 1 M leads, the slowest", worst("ms"), "<= 10", "ms"),
      {
        work: "selections that fall short",
        goal: "",
        value: `${short} of ${found.length}`,
        numbers: { short },
      },
      ...found.map(({ row: _, ...one }) => one),
    ]
  },
}

async function compare(selected: Selected, few: Opened, many: Opened): Promise<Check> {
  let matches = ""
  const measure = (opened: Opened) => async () => {
    const times: number[] = []
    for (const end = performance.now() + PATIENCE_MS; times.length < CALLS && performance.now() < end; ) {
      times.push(await timed(() => list(opened, selected)))
    }
    return percentile(
      times.toSorted((a, b) => a - b),
      50,
    )
  }
  await list(few, selected)
  const first = await timed(async () => {
    const page = JSON.parse(await list(many, selected))
    matches = page.has_more ? "50+" : String(page.count)
  })
  const rounds = first > HOPELESS_MS ? 1 : ROUNDS
  const { at100k, at1M } = await takeTurns({ at100k: measure(few), at1M: measure(many) }, rounds)
  const [ratio, slow] = [ratios(at1M, at100k), spread(at1M)]
  return {
    work: `- ${selected.name} (${matches}), by ${selected.sort_by} ${selected.sort_order}`,
    goal: "<= 2x, <= 10 ms",
    value: `${shown(ratio, "x")}, ${shown(slow, "ms")}`,
    ok: ratio.median <= 2 && slow.median <= 10,
    numbers: { x: ratio, ms: slow },
  }
}

async function list({ ctx }: Opened, { filter, sort_by, sort_order }: Selected): Promise<string> {
  const answer = await execute(ctx, listLeads, ctx.caller, { filter, sort_by, sort_order })
  return (answer as JsonText).text
}

function medianOf(value: Check["numbers"][string]): number {
  return typeof value === "number" ? value : value.median
}
