// What bulk work would do: leads before and after, field by field, and tags that would be lost.

import * as v from "valibot"
import type { Json } from "../../../lead/lead.ts"
import { isObject } from "../../../lead/parse.ts"
import { AppError } from "../../../runtime/errors.ts"
import type { Transaction } from "../../../store/contract/store.ts"
import { fold } from "../../../text/text.ts"
import { outcomeOfWrite, triedOut } from "../../batch.ts"
import type { Context } from "../../operation.ts"
import { aggregateQuestion } from "../groups/aggregate.ts"
import type { LeadSelection } from "../list/selection.ts"
import { changesBetween } from "../write/lead-data.ts"
import type { Act } from "./actions.ts"

/** Leads that are shown before and after. */
const SHOWN = 3
/** Tags that are counted, the commonest first. */
const TAGS_SHOWN = 50

/** With `[before, after]` by field, or why it could not be changed. */
export const LeadPreview = v.strictObject({
  lead_id: v.string(),
  name: v.string(),
  changes: v.optional(v.record(v.string(), v.pipe(v.array(v.any()), v.length(2)))),
  message: v.optional(v.string()),
})
export type LeadPreview = v.InferOutput<typeof LeadPreview>

/** The first leads before and after an action, which is tried out and undone. */
export function previewed(ctx: Context, ids: readonly string[], act: Act): Promise<LeadPreview[]> {
  return ctx.store.write(ctx.caller.account.key, (tx) =>
    triedOut(tx, async () => {
      const shown: LeadPreview[] = []
      for (const id of ids.slice(0, SHOWN)) shown.push(...(await previewOf(ctx, tx, id, act)))
      return shown
    }),
  )
}

async function previewOf(ctx: Context, tx: Transaction, id: string, act: Act): Promise<LeadPreview[]> {
  const find = () => tx.leads.find(ctx.caller.account.key, id)
  const row = await find()
  if (!row) return []
  const { name } = row.data()
  const outcome = await outcomeOfWrite(tx, () => act(ctx, tx, id))
  if ("error" in outcome) return [{ lead_id: id, name, message: outcome.error }]
  const after = await find()
  if (!after) return []
  const scores: [Json, Json] = [row.score, after.score]
  const changes = {
    ...changesBetween(row.data(), after.data()),
    ...(row.score !== after.score && { score: scores }),
  }
  return [{ lead_id: id, name, changes }]
}

/** How many of the leads would lose which tags. Undefined for work that removes none, and for too many tags to count. */
export async function tagsLost(
  ctx: Context,
  selection: LeadSelection,
  data: unknown,
): Promise<Record<string, number> | undefined> {
  const { tags, add_tags = [], remove_tags = [] } = isObject(data) ? (data as Tagging) : {}
  if (tags === undefined && remove_tags.length === 0) return undefined
  const staying = new Set([...(tags ?? []), ...add_tags].map(fold))
  const removed = new Set(remove_tags.map(fold))
  const isLost = (tag: string) => !staying.has(tag) && (tags !== undefined || removed.has(tag))
  try {
    const { text } = await ctx.questions.ask(aggregateQuestion, ctx, {
      ...{ ...selection, group_by: ["tags"], limit: 1_000 },
    })
    const { groups } = JSON.parse(text) as { groups: { tags: string | null; count: number }[] }
    const lost = groups.filter(({ tags: tag }) => tag !== null && isLost(fold(tag)))
    return Object.fromEntries(lost.slice(0, TAGS_SHOWN).map(({ tags: tag, count }) => [tag, count]))
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.kind === "too_many_groups") return undefined
    throw thrown
  }
}

interface Tagging {
  tags?: readonly string[] | null
  add_tags?: readonly string[]
  remove_tags?: readonly string[]
}
