// Answers for leads that are not stored whether the account has them already. Writes nothing.

import * as v from "valibot"
import { described } from "../../../lead/described.ts"
import {
  ATTRIBUTES_MAX,
  AttributeInput,
  blanksToNull,
  count,
  leadChangeEntries,
  readOnlyEntries,
} from "../../../lead/fields.ts"
import type { LeadData } from "../../../lead/lead.ts"
import { parse } from "../../../lead/parse.ts"
import { AppError, badRequest } from "../../../runtime/errors.ts"
import type { MatchedLead } from "../../../store/contract/store.ts"
import { grouped } from "../../../text/text.ts"
import { rounded } from "../../duplicates/output.ts"
import { LEAD_ID } from "../../examples.ts"
import { calendarOf, operation, question, type ReadContext } from "../../operation.ts"
import { isSuppressed } from "../list/suppressed.ts"
import {
  comparisonBudget,
  duplicateAmong,
  type Match,
  pushedKeys,
  withFurther,
  withinBudget,
} from "../write/dedup.ts"
import { blankLead, withChanges } from "../write/lead-data.ts"
import { type Comparer, createComparer } from "./likely.ts"

const LEADS_MAX = 1_000
/** Leads that are looked up together: some 10 ms of a reader thread. */
const TOGETHER = 100
const BODY_MAX = 8 * 1024 * 1024

const PartialLead = v.strictObject({
  ...leadChangeEntries,
  ...readOnlyEntries,
  attributes: v.nullish(
    v.pipe(
      v.array(AttributeInput, "must be a list of {name, type, value}"),
      v.maxLength(ATTRIBUTES_MAX, `must hold at most ${ATTRIBUTES_MAX} attributes`),
    ),
  ),
})
type PartialLead = v.InferOutput<typeof PartialLead>

const MatchOutput = v.strictObject({
  results: v.array(
    v.strictObject({
      index: count,
      match: v.picklist(["none", "exact", "likely"]),
      lead_id: v.optional(v.string()),
      name: v.optional(v.string()),
      status: v.optional(v.string()),
      contactable: v.optional(v.boolean()),
      probability: v.optional(v.number()),
      reasons: v.optional(
        v.array(v.strictObject({ field: v.string(), text: v.string(), bits: v.optional(v.number()) })),
      ),
    }),
  ),
})
type Result = v.InferOutput<typeof MatchOutput>["results"][number]

export const matchLeads = operation({
  name: "match_leads",
  about: "Ask which leads the account has already, before they are bought or pushed",
  tag: "Leads",
  note: `Up to ${grouped(LEADS_MAX)} leads with whatever is known of them, in one request. \`exact\` by the criteria of a push: the same email, the same source_id, the same phone and a similar name, or the same name and city. \`likely\` when the matcher holds a stored lead for the same with a probability of 0.5 or more; it learns of new leads within seconds. Nothing is written.`,
  example: {
    body: {
      leads: [{ email: "nino@example.com" }, { name: "Trattoria Nino", city: "Berlin" }, { name: "Ada" }],
    },
    answers: {
      200: {
        results: [
          {
            index: 0,
            match: "exact",
            lead_id: LEAD_ID,
            name: "Trattoria Da Nino",
            status: "new",
            contactable: true,
            probability: 1,
            reasons: [{ field: "email", text: "same email" }],
          },
          {
            index: 1,
            match: "likely",
            lead_id: LEAD_ID,
            name: "Trattoria Da Nino",
            status: "new",
            contactable: true,
            probability: 0.8731,
            reasons: [{ field: "name", text: "similar name", bits: 6.1 }],
          },
          { index: 2, match: "none" },
        ],
      },
    },
  },
  access: "read",
  http: "POST /leads/match",
  tool: {
    set: "duplicates",
    named: { "leads[]": ["name", "email", "phone", "company", "website", "city", "source_id"] },
    words: { leads: "Each with some fields of create_lead" },
  },
  // Checked on the thread that answers: a thousand leads take longer than a request may.
  input: described(
    v.strictObject({
      leads: v.pipe(
        v.array(v.unknown(), "must be a list of leads"),
        v.nonEmpty("must hold at least one lead"),
        v.maxLength(LEADS_MAX, `must hold at most ${grouped(LEADS_MAX)} leads`),
      ),
    }),
    { leads: `Up to ${grouped(LEADS_MAX)}, each with any fields of a lead.` },
  ),
  toolInput: v.strictObject({ leads: v.pipe(v.array(PartialLead), v.nonEmpty(), v.maxLength(LEADS_MAX)) }),
  bodyList: "leads",
  bodyMax: BODY_MAX,
  output: described(MatchOutput, {
    results: "One for each lead, in their order.",
    "results[].index": "Index in the request, from 0.",
    "results[].match": "`none`, `exact` or `likely`.",
    "results[].lead_id": "The stored lead; absent for `none`.",
    "results[].name": "Name of the stored lead.",
    "results[].status": "Its status.",
    "results[].contactable": "Whether it is not on the do-not-contact list.",
    "results[].probability": "Probability that both are the same, 0-1.",
    "results[].reasons": "Why, the strongest first.",
    "results[].reasons[].field": "The lead's field, `distance` or `attributes`.",
    "results[].reasons[].text": "For people.",
    "results[].reasons[].bits": "Weight in bits, where leads were compared.",
  }),
  run: (ctx, { leads }) => ctx.questions.ask(matchQuestion, ctx, { leads }),
})

export const matchQuestion = question({
  name: "match",
  async run(ctx, { leads }: { leads: readonly unknown[] }) {
    const comparer = await createComparer(ctx)
    const budget = comparisonBudget()
    const results: Result[] = []
    for (let from = 0; from < leads.length; from += TOGETHER) {
      const some = await readLeads(ctx, leads, from)
      const exact = await exactMatches(ctx, some, budget)
      const open = some.flatMap(({ data }, i) => (exact[i]!.kind === "none" ? data : []))
      const likely = await comparer.compareAll(open)
      let next = 0
      for (const [i, { data }] of some.entries()) {
        const match = exact[i]!
        const result =
          match.kind === "none" ? resultOfLikely(likely[next++]) : await resultOf(ctx, match, data, comparer)
        results.push({ index: from + i, ...result, ...(await storedOf(ctx, result.lead_id)) })
      }
    }
    return { results }
  },
})

interface Asked {
  input: PartialLead
  data: LeadData
}

async function readLeads(ctx: ReadContext, leads: readonly unknown[], from: number): Promise<Asked[]> {
  const yieldIfDue = ctx.eventLoop.yieldEvery()
  const read: Asked[] = []
  for (let i = from; i < Math.min(leads.length, from + TOGETHER); i++) {
    const input = readLead(ctx, leads[i], i)
    const { attributes, ...fields } = input
    const data = withChanges(blankLead(), fields)
    data.attributes = (attributes ?? []).map((attribute) => ({ ...attribute, id: "" }))
    data.name ??= ""
    read.push({ input, data })
    await yieldIfDue()
  }
  return read
}

/** Throws `bad_request` that names the lead. */
function readLead(ctx: ReadContext, lead: unknown, index: number): PartialLead {
  if (typeof lead !== "object" || lead === null || Array.isArray(lead))
    throw badRequest(`leads[${index}] must be a JSON object`)
  try {
    return parse(PartialLead, blanksToNull(lead), calendarOf(ctx))
  } catch (error) {
    if (error instanceof AppError) throw badRequest(`leads[${index}].${error.message}`)
    throw error
  }
}

async function exactMatches(
  ctx: ReadContext,
  asked: readonly Asked[],
  budget: ReturnType<typeof comparisonBudget>,
): Promise<Match[]> {
  const { key: account, default_country } = ctx.caller.account
  const { leads } = ctx.store.read
  const keys = asked.map(({ data }) =>
    withinBudget(pushedKeys({ ...data, name: data.name, source: "" }, default_country), budget),
  )
  const byLead = await leads.findDuplicates(account, keys)
  const matches: Match[] = []
  for (const [i, sought] of keys.entries()) {
    const candidates = sought.more ? await withFurther({ leads }, account, sought, byLead[i]!) : byLead[i]!
    matches.push(await duplicateAmong({ leads }, account, sought, candidates, asked[i]!.data, budget))
  }
  return matches
}

/** What an agent asks next about a lead that is there. */
async function storedOf(ctx: ReadContext, id: string | undefined) {
  const { account } = ctx.caller
  const row = id === undefined ? undefined : await ctx.store.read.leads.find(account.key, id)
  if (!row) return {}
  const { name, status, ...contacts } = row.data()
  return { name, status, contactable: !(await isSuppressed(account, ctx.store.read.suppressions, contacts)) }
}

const REASONS = {
  email: { field: "email", text: "same email" },
  source_id: { field: "source_id", text: "same source_id" },
  phone: { field: "phone", text: "same phone and similar name" },
} as const

async function resultOf(
  ctx: ReadContext,
  match: Exclude<Match, { kind: "none" }>,
  lead: MatchedLead,
  comparer: Comparer,
): Promise<Omit<Result, "index">> {
  if (match.kind === "duplicate") {
    const { row, criterion } = match
    return { match: "exact", lead_id: row.data().id, probability: 1, reasons: [REASONS[criterion]] }
  }
  const row = await ctx.store.read.leads.find(ctx.caller.account.key, match.id)
  const compared = row && (await comparer.compareWith(lead, row.data()))
  return {
    match: "exact",
    lead_id: match.id,
    probability: rounded(compared?.probability ?? 0),
    reasons: [{ field: "name", text: "same name and city" }],
  }
}

function resultOfLikely(
  likely: { lead_id: string; probability: number; reasons: Result["reasons"] } | undefined,
): Omit<Result, "index"> {
  if (!likely) return { match: "none" }
  const { lead_id, probability, reasons } = likely
  return { match: "likely", lead_id, probability: rounded(probability), reasons }
}
