// Enrichments: what another service knows of a lead fills what the lead lacks.

import { isDeepStrictEqual } from "node:util"
import * as v from "valibot"
import { described, named } from "../../../lead/described.ts"
import {
  type AttributeInput,
  blanksToNull,
  Id,
  LeadInput,
  leadEntries,
  Probability,
  RequiredLine,
  type Said,
  whole,
} from "../../../lead/fields.ts"
import { badRequest } from "../../../runtime/errors.ts"
import type { LeadRow, Segment, Transaction } from "../../../store/contract/store.ts"
import { JsonText } from "../../../text/json-text.ts"
import { Moment } from "../../../text/moment-input.ts"
import { publish } from "../../events.ts"
import { EARLIER, exampleLead } from "../../examples.ts"
import { type Context, operation, ownContext, type Services } from "../../operation.ts"
import { explainConflict, getLeadRow } from "../lead-operations.ts"
import { LeadOutput } from "../list/lead-output.ts"
import { idsOf } from "../list/whole.ts"
import { withAttributes, withChanges } from "../write/lead-data.ts"
import {
  ENRICHED,
  type KeptEnrichment,
  keptEnrichments,
  type Origins,
  originsOf,
  valueHash,
  valuesByField,
} from "../write/origins.ts"
import { replaceByHand } from "../write/write.ts"

const DAY = 86_400
const DAYS_MAX = 36_500
/** Seconds by which the clock of a source may be ahead of ours. */
const AHEAD_MAX = 300
const SOURCE_MAX = 100

/** The fields of a lead but those that the account decides on. */
const { status: _status, stage: _stage, lost_reason: _reason, owner: _owner, ...told } = leadEntries
const { attributes } = LeadInput.entries
const EnrichedFields = v.strictObject({ name: v.optional(RequiredLine), ...told, attributes })
type EnrichedFields = v.InferOutput<typeof EnrichedFields>

const EnrichedOutput = named(
  "EnrichedLead",
  v.strictObject({ ...LeadOutput.entries, filled: v.array(v.string()), kept: v.array(v.string()) }),
  {
    filled: "The fields that were set; an attribute is `attr:` and its name.",
    kept: "The fields that the lead has already, which are left as they are.",
  },
)

const enrichmentEntries = {
  source: v.pipe(RequiredLine, v.maxLength(SOURCE_MAX, `must have at most ${SOURCE_MAX} characters`)),
  at: v.optional(Moment),
  fields: EnrichedFields,
  confidence: v.nullish(Probability),
  older_than_days: v.nullish(whole(0, DAYS_MAX)),
}

export const enrichLead = operation({
  name: "enrich_lead",
  about: "Fill what a lead lacks with what another service knows of it",
  tag: "Leads",
  errors: ["conflict", "suppressed", "storage_limit_reached"],
  note: "Sets the fields that are empty and leaves the others, unless `older_than_days` allows to replace values that are known for longer. Of each field that it sets it keeps source, time and confidence: `GET /leads/{id}?include=origins` shows them. The trail has the change with the reason `enriched:` and the source.",
  example: {
    body: {
      source: "clearbit",
      at: EARLIER,
      fields: { phone: "+49 30 1234567", attributes: [{ name: "employees", type: "number", value: 12 }] },
      confidence: 0.9,
    },
    answers: { 200: { ...exampleLead, filled: ["phone", "attr:employees"], kept: [] } },
  },
  access: "write",
  http: "POST /leads/:id/enrichments",
  tool: {
    set: "enrichment",
    named: {
      fields: [
        ...["email", "phone", "website", "company", "job_title", "linkedin_url", "address", "city", "state"],
        ...["country", "postal_code", "category", "description", "rating", "review_count", "attributes"],
      ],
    },
    words: {
      id: "Lead id, from list_leads",
      source: "Where the data comes from",
      at: "When it was known there; now by default",
      fields: "Lead fields, as for create_lead",
      confidence: "0 to 1",
      older_than_days: "Replaces values older than this",
    },
  },
  input: described(v.strictObject({ id: Id, ...enrichmentEntries }), {
    source: "The service that the data comes from, such as `clearbit`.",
    at: "When the data was known there: Unix seconds or an ISO date; now by default.",
    fields: "Lead fields as in a new lead, attributes too.",
    confidence: "How sure the source is, from 0 to 1.",
    older_than_days: "Also replaces values that are older than so many days, and older than `at`.",
  }),
  prepare: (input) =>
    typeof input === "object" && input !== null && "fields" in input
      ? { ...input, fields: blanksToNull(input.fields) }
      : input,
  output: EnrichedOutput,
  async run(ctx, { id, ...sent }) {
    const { at = ctx.now } = sent
    if (at > ctx.now + AHEAD_MAX) throw badRequest(`at must not be in the future; now is ${ctx.now}`)
    const { row, ...result } = await ctx.store.write(ctx.caller.account.key, (tx) =>
      explainConflict(async () => enrich(ctx, tx, await getLeadRow(ctx, tx.leads, id), { ...sent, at })),
    )
    return new JsonText(row.json(result))
  },
})

type Enrichment = Said<typeof enrichmentEntries> & { at: number }

/** Values by field, as they were sent; an attribute is `attr:` and its name. Without what is empty. */
function sentValues({ attributes, ...fields }: EnrichedFields): Map<string, unknown> {
  const isThere = (value: unknown) =>
    value != null && value !== "" && !(Array.isArray(value) && value.length === 0)
  const values = new Map<string, unknown>(Object.entries(fields).filter(([, value]) => isThere(value)))
  for (const { name, value } of attributes ?? []) values.set(`attr:${name}`, value)
  return values
}

async function enrich(ctx: Context, tx: Transaction, row: LeadRow, enrichment: Enrichment) {
  const account = ctx.caller.account.key
  const before = row.data()
  const has = valuesByField(before)
  const sent = sentValues(enrichment.fields)
  const replaceable = await replaceableFields(ctx, tx, row, enrichment)
  const isTaken = (name: string) => !has.has(name) || replaceable(name)
  const filled = [...sent.keys()].filter(
    (name) => isTaken(name) && !isDeepStrictEqual(has.get(name), sent.get(name)),
  )
  const unchanged = [...sent.keys()].filter((name) => !filled.includes(name))
  if (filled.length === 0) return { row, filled, kept: unchanged }
  const taken = new Set(filled)
  const { attributes, ...fields } = enrichment.fields
  const changes = Object.fromEntries(Object.entries(fields).filter(([name]) => taken.has(name)))
  const after = withChanges(before, changes)
  const filledAttributes = (attributes ?? []).filter(({ name }) =>
    taken.has(`attr:${name}`),
  ) as AttributeInput[]
  after.attributes = withAttributes(before.attributes, filledAttributes, tx)
  const cause = { action: "updated", reason: ENRICHED + enrichment.source } as const
  const replaced = await replaceByHand(ctx, tx, { row, before, after, cause })
  const is = valuesByField(after)
  const all = keptWith(await keptEnrichments(tx, account, row), enrichment, filled, is)
  await tx.enrichment.setOrigins(account, replaced.ref, JSON.stringify(all))
  return { row: replaced, filled, kept: unchanged }
}

/** Tells of a field that the lead has whether it may be replaced: it is older than asked for, and than what was sent. */
async function replaceableFields(
  ctx: Context,
  tx: Transaction,
  row: LeadRow,
  { older_than_days, at }: Enrichment,
): Promise<(name: string) => boolean> {
  if (older_than_days == null) return () => false
  const origins: Origins = await originsOf(tx, ctx.caller.account.key, row)
  const until = ctx.now - older_than_days * DAY
  return (name) => {
    const since = origins[name]?.at
    return since !== undefined && since <= until && since < at
  }
}

/** Adds an enrichment to the kept ones, which lose its fields and those that have changed. */
function keptWith(
  records: readonly KeptEnrichment[],
  { source, at, confidence = null }: Enrichment,
  filled: readonly string[],
  values: ReadonlyMap<string, unknown>,
): KeptEnrichment[] {
  const fresh: KeptEnrichment = [
    source,
    at,
    confidence,
    filled.map((name) => [name, valueHash(values.get(name))]),
  ]
  const isLeft = ([name, hash]: [string, string]) =>
    !filled.includes(name) && valueHash(values.get(name)) === hash
  const left = records.map(([s, a, c, fields]): KeptEnrichment => [s, a, c, fields.filter(isLeft)])
  return [...left.filter(([, , , fields]) => fields.length > 0), fresh]
}

// Tells webhooks of leads that are to be enriched.

/** Leads that are queued, and told of, in one transaction. */
const QUEUED_AT_ONCE = 500
const TOLD_AT_ONCE = 50
const ACTOR = "enrichment"
const EVENT = "lead.needs_enrichment"

/**
 * Sends `lead.needs_enrichment` for the leads of segments with `enrich`, once for each lead whatever segments it is in.
 * While no webhook takes the event they wait. Work that was cut off goes on with the next call.
 */
export async function tellWhatNeedsEnrichment(services: Services): Promise<void> {
  const { store, eventLoop } = services
  for (const account of await store.read.accounts.list()) {
    const ctx = ownContext(services, account, ACTOR)
    for (const segment of await store.read.segments.list(account.key))
      if (segment.enrich === 1) await queueAll(ctx, segment)
    await tellQueued(ctx)
    await eventLoop.yield()
  }
}

/** Queues the leads that are in a segment now; those that enter later are queued as they do. */
async function queueAll(ctx: Context, segment: Segment): Promise<void> {
  const account = ctx.caller.account.key
  const ids = await idsOf(ctx, { segment: segment.id })
  for (let at = 0; at < ids.length; at += QUEUED_AT_ONCE) {
    await ctx.store.write(account, (tx) => tx.enrichment.queue(account, ids.slice(at, at + QUEUED_AT_ONCE)))
    await ctx.eventLoop.yield()
  }
  await ctx.store.write(account, (tx) => tx.segments.setEnriched(account, segment))
}

async function tellQueued(ctx: Context): Promise<void> {
  const account = ctx.caller.account.key
  const { read } = ctx.store
  for (let taken = TOLD_AT_ONCE; taken === TOLD_AT_ONCE; ) {
    const ids = await read.enrichment.queued(account, TOLD_AT_ONCE)
    taken = ids.length
    if (taken === 0 || (await read.webhooks.subscribed(account, EVENT)).length === 0) return
    await ctx.store.write(account, async (tx) => {
      for (const id of ids) {
        if (!(await tx.enrichment.take(account, id, ctx.now))) continue
        const lead = await tx.leads.find(account, id)
        if (lead) await publish(ctx, tx, EVENT, lead.json())
      }
    })
    await ctx.eventLoop.yield()
  }
}
