// Shapes of pairs in answers.

import * as v from "valibot"
import { named } from "../../lead/described.ts"
import { count, seconds } from "../../lead/fields.ts"
import type { Json } from "../../lead/lead.ts"
import { LEAD_FIELDS } from "../../lead/lead-fields.ts"
import { type DuplicatePair, PAIR_STATES, type StoredLead } from "../../store/contract/store.ts"
import { compactFields } from "../leads/list/fields.ts"

const exampleShort: Record<string, Json> = {
  id: LEAD_FIELDS.id.example,
  name: "Trattoria Da Nino",
  company: null,
  email: null,
  phone: "+49 30 1234567",
  website: null,
  address: "Torstr. 12",
  city: "Berlin",
  country: "DE",
  source: "google_maps",
  created_at: 1_795_176_000,
  score: 60,
}
const exampleOther: Record<string, Json> = {
  ...exampleShort,
  id: "cl_019aa6f2-9f07-7b18-8d24-c1a95e3b7f60",
  name: "Da Nino Trattoria GmbH",
  phone: "030 1234567",
  address: "Torstraße 12",
  source: "fair",
}
export const examplePair: Record<string, Json> = {
  id: "dup_41",
  probability: 0.9981,
  reasons: [
    { field: "phone", text: "same phone", bits: 5.2 },
    { field: "address", text: "same address", bits: 4.1 },
  ],
  a: exampleShort,
  b: exampleOther,
  state: "open",
  created_at: 1_795_262_400,
}

const text = v.nullable(v.string())

/** A lead in short: fields of it, and its score. */
const SHORT = {
  id: v.string(),
  name: v.string(),
  company: text,
  email: text,
  phone: text,
  website: text,
  address: text,
  city: text,
  country: text,
  source: v.string(),
  created_at: seconds,
}
const ShortLeadOutput = named("ShortLead", v.strictObject({ ...SHORT, score: v.number() }))
export type LeadSummary = v.InferOutput<typeof ShortLeadOutput>

export const PairOutput = named(
  "Duplicate",
  v.strictObject({
    id: v.string(),
    probability: v.number(),
    reasons: v.array(v.strictObject({ field: v.string(), text: v.string(), bits: v.number() })),
    a: ShortLeadOutput,
    b: ShortLeadOutput,
    state: v.picklist(PAIR_STATES),
    created_at: seconds,
  }),
  {
    id: "`dup_` and a number.",
    probability: "Probability that both are the same, 0-1.",
    "reasons[].field": "The lead's field, `distance` or `attributes`.",
    "reasons[].text": "For people.",
    "reasons[].bits": "Weight in bits: each bit doubles the odds, below 0 it halves them.",
    reasons: "Reasons for and against, the strongest first.",
    a: "The older lead.",
    b: "The other lead.",
    state: "`merged` after a merge, `dismissed` when marked as not duplicates.",
    created_at: "When the pair was found, Unix seconds.",
  },
)

const GroupOutput = v.strictObject({
  probability: v.number(),
  leads: v.array(ShortLeadOutput),
  pairs: v.array(v.string()),
})

const paged = { next_cursor: v.nullable(v.string()), has_more: v.boolean(), count }

export const PairPageOutput = named(
  "DuplicatePage",
  v.strictObject({
    duplicates: v.optional(v.array(PairOutput)),
    groups: v.optional(v.array(GroupOutput)),
    ...paged,
  }),
  {
    duplicates: "The pairs, the most probable first; not with `view=groups`.",
    "groups[].probability": "The mean over all pairs of its leads.",
    "groups[].leads": "The oldest first, at most 20.",
    "groups[].pairs": "Ids of the pairs among them.",
    groups: "With `view=groups`.",
  },
)

export const StatusOutput = v.strictObject({
  waiting: count,
  open: count,
  by_probability: v.array(v.strictObject({ from: v.number(), pairs: count })),
  rescan: v.optional(v.strictObject({ done: count, of: count })),
})

export function shortLead(lead: StoredLead): LeadSummary {
  const data = lead.data()
  const fields = Object.keys(SHORT).map((field) => [field, data[field as keyof typeof SHORT]])
  return { ...Object.fromEntries(fields), score: lead.score }
}

export function shownPair({ ref, probability, a, b, ...pair }: DuplicatePair) {
  return {
    id: pairId(ref),
    probability: rounded(probability),
    reasons: pair.reasons,
    a: shortLead(a),
    b: shortLead(b),
    state: pair.state,
    created_at: pair.created_at,
  }
}

/** A page for agents: leads without what is empty. */
export function compactPage({ duplicates, groups, ...page }: v.InferOutput<typeof PairPageOutput>) {
  return {
    ...(duplicates && {
      duplicates: duplicates.map(({ a, b, ...pair }) => ({
        ...pair,
        a: compactFields(a),
        b: compactFields(b),
      })),
    }),
    ...(groups && { groups: groups.map((group) => ({ ...group, leads: group.leads.map(compactFields) })) }),
    ...page,
  }
}

export const rounded = (probability: number) => Math.round(probability * 10_000) / 10_000

export const pairId = (ref: number) => `dup_${ref}`

/** The store's reference in a pair's id; undefined for an id of another form. */
export function pairRef(id: string): number | undefined {
  const digits = /^dup_([1-9]\d{0,14})$/.exec(id)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
