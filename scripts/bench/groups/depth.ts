import { listLeads } from "../../../src/domain/leads/list-leads.ts"
import { execute } from "../../../src/domain/operation.ts"
import type { JsonText } from "../../../src/text/json-text.ts"
import { dataset, type Opened, openDataset } from "../dataset.ts"
import type { Group } from "../group.ts"
import {
  type Check,
  check,
  note,
  percentile,
  ratios,
  type Spread,
  spread,
  takeTurns,
  timed,
} from "../harness.ts"

const LEADS = 1_000_000
const CALLS = 150
const SORTS = [
  ["created_at", "ASC"],
  ["name", "DESC"],
  ["city", "ASC"],
  ["rating", "DESC"],
  ["score", "DESC"],
  ["attr:employees", "ASC"],
] as const
type Sort = (typeof SORTS)[number]

/** Row 7: the page of 50 in the middle of a million leads against the first one. In this process. */
export const depth: Group = {
  name: "depth",
  about: "the page at 50 % depth of a million leads against page 1",
  async run() {
    const opened = await openDataset((await dataset(LEADS)).file)
    const found: { sort: Sort; ratio: Spread; us: Spread }[] = []
    for (const sort of SORTS) {
      const middle = await middleCursor(opened, sort)
      const measure = (cursor?: string) => async () => {
        const times: number[] = []
        for (let i = 0; i < CALLS; i++) times.push(await timed(() => page(opened, sort, 50, cursor)))
        return percentile(times, 50)
      }
      await measure()()
      const { first, deep } = await takeTurns({ first: measure(), deep: measure(middle) })
      found.push({ sort, ratio: ratios(deep, first), us: spread(deep.map((ms) => ms * 1_000)) })
    }
    await opened.close()
    const worst = found.toSorted((a, b) => b.ratio.median - a.ratio.median)[0]!
    const of = (sort: Sort) => `page at 50 % by ${sort.join(" ")}`
    return [
      check(7, `${of(worst.sort)}, the worst of 6 sorts / page 1`, worst.ratio, "<= 1.1", "x"),
      ...found.flatMap(({ sort, ratio, us }): Check[] => [
        note(`- ${of(sort)} / page 1`, ratio, "x"),
        note(`- ${of(sort)}`, us, "us"),
      ]),
    ]
  },
}

/** Reads on by 1,000 until half of the leads are passed. */
async function middleCursor(opened: Opened, sort: Sort): Promise<string> {
  let cursor: string | undefined
  for (let read = 0; read < LEADS / 2; read += 1_000) {
    cursor = /"next_cursor":"([^"]+)"/.exec((await page(opened, sort, 1_000, cursor)).slice(-1_000))![1]!
  }
  return cursor!
}

async function page({ ctx }: Opened, [sort_by, sort_order]: Sort, limit: number, cursor?: string) {
  const input = { sort_by, sort_order, limit, ...(cursor !== undefined && { cursor }) }
  return ((await execute(ctx, listLeads, ctx.caller, input)) as JsonText).text
}
