// Batches in groups for the tool get_stats: how many imports, by whom, in which week.
import { badRequest } from "../../runtime/errors.ts"
import type { ChangeFilter } from "../../store/contract/store.ts"
import { PERIODS, periodNames } from "../../text/periods.ts"
import { excerpt } from "../../text/text.ts"
import type { Context } from "../operation.ts"
import { type Batch, batchPage } from "./batches.ts"

/** Batches that are read at most, and milliseconds of reading after which the counts are of what was read. */
const READ_MAX = 5_000
const READ_MS = 5_000
const GROUPS = 50
const OF_BATCH = ["kind", "action", "actor", "undone", ...PERIODS]

/** How many batches there were and of how many leads, in groups. Throws `bad_request`. */
export async function countBatches(
  ctx: Context,
  filter: ChangeFilter,
  { group_by, limit = GROUPS }: { group_by: readonly string[]; limit?: number | undefined },
) {
  const keys = group_by.flatMap((text) => text.split(",").map((name) => name.trim()))
  const unknown = keys.find((key) => !OF_BATCH.includes(key))
  if (unknown !== undefined)
    throw badRequest(`cannot group batches by "${excerpt(unknown)}": take ${OF_BATCH.join(", ")}`)
  const stop = ctx.clock.monotonic() + READ_MS
  const groups = new Map<string, { values: unknown[]; count: number; leads: number }>()
  const periodOf = periodNames(ctx.caller.account.time_zone)
  let total = 0
  let cursor: string | null | undefined
  do {
    const page = await batchPage(ctx, filter, { limit: 100, cursor: cursor ?? undefined })
    for (const batch of page.batches) {
      const values = keys.map((key) => periodOf(key, batch.ended_at) ?? groupOf(batch, key))
      const name = JSON.stringify(values)
      const group = groups.get(name) ?? { values, count: 0, leads: 0 }
      groups.set(name, { values, count: group.count + 1, leads: group.leads + batch.leads })
    }
    total += page.batches.length
    cursor = page.next_cursor
  } while (cursor && total < READ_MAX && ctx.clock.monotonic() < stop)
  const sorted = [...groups.values()].toSorted((a, b) => b.count - a.count)
  const shown = sorted.slice(0, limit).map(({ values, ...counts }) => ({
    ...Object.fromEntries(keys.map((key, i) => [key, values[i]])),
    ...counts,
  }))
  const more = sorted.length - shown.length
  return {
    total,
    groups: shown,
    ...(more > 0 && { other: { groups: more } }),
    ...(cursor && { message: "Only the newest batches were read: narrow it with since or until" }),
  }
}

function groupOf(batch: Batch, key: string): unknown {
  if (key === "actor") return batch.actor_name ?? batch.actor
  if (key === "undone") return batch.undone_by !== undefined
  return batch[key as "kind" | "action"] ?? null
}
