// Questions about all leads of a selection: their number, their ids.
import { Download } from "../../../text/json-text.ts"
import { type Context, calendarOf, question } from "../../operation.ts"
import { parseFilters } from "./filter.ts"
import { filtersOf, type LeadSelection, selectionOf } from "./selection.ts"

/** Ids in a piece of text. */
const PIECE = 10_000

export const countQuestion = question({
  name: "count",
  async run(ctx, selection: LeadSelection) {
    const { filter } = await selectionOf(ctx, selection)
    return ctx.store.read.leads.count(ctx.caller.account.key, filter)
  },
})

/** How many leads a selection has. Throws `bad_request`. */
export async function countOf(ctx: Context, selection: LeadSelection): Promise<number> {
  return isLittle(ctx, selection)
    ? countQuestion.run(ctx, selection)
    : ctx.questions.ask(countQuestion, ctx, selection)
}

/** The ids one a line, as a file: so that no thread takes up very many at once. */
export const idsQuestion = question({
  name: "ids",
  async run(ctx, selection: LeadSelection) {
    const { filter } = await selectionOf(ctx, selection)
    const ids = await ctx.store.read.leads.ids(ctx.caller.account.key, filter)
    const progress = { leads: 0 }
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const piece = ids.slice(progress.leads, progress.leads + PIECE)
          progress.leads += piece.length
          if (piece.length === 0) controller.close()
          else controller.enqueue(new TextEncoder().encode(`${piece.join("\n")}\n`))
        },
      },
      { highWaterMark: 0 },
    )
    return new Download("text/plain", "ids", stream, progress)
  },
})

/** The ids of the leads of a selection. Throws `bad_request`. */
export async function idsOf(ctx: Context, selection: LeadSelection): Promise<string[]> {
  if (isLittle(ctx, selection)) {
    const { filter } = await selectionOf(ctx, selection)
    return ctx.store.read.leads.ids(ctx.caller.account.key, filter)
  }
  const { stream } = await ctx.questions.ask(idsQuestion, ctx, selection)
  const ids: string[] = []
  // An id is ASCII, and a piece ends with a line.
  for await (const piece of stream) {
    for (const id of Buffer.from(piece).toString("latin1").split("\n")) if (id !== "") ids.push(id)
    await ctx.eventLoop.yield()
  }
  return ids
}

function isLittle(ctx: Context, selection: LeadSelection): boolean {
  const { q, segment, ids, attribute } = selection
  if (q !== undefined || segment !== undefined || ids !== undefined || attribute !== undefined) return false
  return ctx.store.read.leads.readsLittle(
    ctx.caller.account.key,
    parseFilters(filtersOf(selection), calendarOf(ctx)),
  )
}
