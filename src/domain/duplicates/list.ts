import * as v from "valibot"
import { described } from "../../lead/described.ts"
import { Id, oneOf, Probability } from "../../lead/fields.ts"
import { badRequest } from "../../runtime/errors.ts"
import { PAIR_STATES, type PairPlace } from "../../store/contract/store.ts"
import { getLeadRow } from "../leads/lead-operations.ts"
import { decodeCursor, encodeCursor, examplePage, PAGE, pageInput } from "../leads/list/cursor.ts"
import { FILTERS_MAX, Filters, parseFilters } from "../leads/list/filter.ts"
import { type Context, calendarOf, operation, toolOf } from "../operation.ts"
import { groupPage } from "./groups.ts"
import { compactPage, examplePair, PairPageOutput, shownPair } from "./output.ts"

const MIN_PROBABILITY = 0.5

const entries = {
  min_probability: v.optional(Probability, MIN_PROBABILITY),
  state: v.optional(oneOf(PAIR_STATES), "open"),
  ...pageInput(200, PAGE),
}

const Input = v.strictObject({
  ...entries,
  lead_id: v.optional(Id),
  filter: v.optional(Filters),
  view: v.optional(oneOf(["pairs", "groups"]), "pairs"),
})
const pageWords = {
  min_probability: "Minimum probability, 0-1 (default 0.5).",
  state: "State of the pairs; default `open`.",
}
type Input = v.InferOutput<typeof Input>

export const listDuplicates = operation({
  name: "list_duplicates",
  errors: ["cursor_expired"],
  about: "Leads that may be the same, the most probable pairs first, with reasons",
  tag: "Duplicates",
  note: "Leads are compared in the background after each push; a push itself merges by its four criteria only. Other likely duplicates are listed here, with reasons. `filter` must match one lead of the pair, as in `GET /leads`. `view=groups` groups leads by the mean probability of all their pairs, never by a chain of pairs alone.",
  example: { answers: { 200: examplePage("duplicates", examplePair) } },
  access: "read",
  http: "GET /duplicates",
  tool: toolOf({
    set: "duplicates",
    page: "duplicates",
    words: {
      lead_id: "Only pairs of this lead",
      min_probability: "0 to 1",
      state: "State of the pairs",
      limit: "How many at most, 1-200",
      cursor: "next_cursor",
      filter: "One lead matches, as in list_leads",
      view: "Pairs, or groups of leads",
    },
    input: Input,
    run: async (ctx, input) => compactPage(await page(ctx, input)),
  }),
  input: described(Input, {
    ...pageWords,
    lead_id: "Only records of this lead.",
    filter: `\`logic.operator.field.value\`, at most ${FILTERS_MAX} times: all \`and\` filters must hold, and one of the \`or\` filters.`,
    view: "Changes: whole leads (`full`) or differences (`diff`). Duplicates: pairs or groups.",
  }),
  output: PairPageOutput,
  run: (ctx, input) => page(ctx, input),
})

export const listLeadDuplicates = operation({
  name: "list_lead_duplicates",
  about: "Leads that may be the same as this one, the most probable first",
  tag: "Duplicates",
  note: "Open pairs, unless `state` asks for others.",
  errors: ["cursor_expired"],
  example: { answers: { 200: examplePage("duplicates", examplePair) } },
  access: "read",
  http: "GET /leads/:id/duplicates",
  input: described(v.strictObject({ id: Id, ...entries }), pageWords),
  output: PairPageOutput,
  async run(ctx, { id, ...input }) {
    await getLeadRow(ctx, ctx.store.read.leads, id)
    return page(ctx, { ...input, lead_id: id, view: "pairs" })
  },
})

async function page(ctx: Context, input: Input): Promise<v.InferOutput<typeof PairPageOutput>> {
  const { min_probability: least, state, limit, lead_id: lead, view } = input
  const filter = parseFilters(input.filter ?? [], calendarOf(ctx))
  if (view === "groups" && state !== "open")
    throw badRequest("view=groups shows open pairs alone: leave state out")
  const account = ctx.caller.account.key
  const scope = {
    account,
    sort: JSON.stringify(["duplicates", view, state, least, lead ?? null]),
    filters: input.filter ?? [],
    numberings: await ctx.store.read.accounts.numberings(),
  }
  const after: PairPlace | undefined =
    input.cursor === undefined ? undefined : JSON.parse(decodeCursor(ctx.secret, scope, input.cursor))
  const query = { least, lead, filter, after, limit }
  const cursorTo = (next: PairPlace | undefined) => ({
    next_cursor: next ? encodeCursor(ctx.secret, scope, JSON.stringify(next)) : null,
    has_more: next !== undefined,
  })
  if (view === "groups") {
    const { groups, next } = await groupPage(ctx, query)
    return { groups, ...cursorTo(next), count: groups.length }
  }
  const { pairs, next } = await ctx.store.read.duplicates.page(account, { ...query, state })
  return { duplicates: pairs.map(shownPair), ...cursorTo(next), count: pairs.length }
}
