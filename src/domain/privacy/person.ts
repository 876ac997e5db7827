// Everything that is kept about a person, as one JSON: the answer to a request for access.

import * as v from "valibot"
import { NO_FILTER } from "../../filters/lead-query.ts"
import { described, named } from "../../lead/described.ts"
import { Id, seconds } from "../../lead/fields.ts"
import { type Json, STATUSES } from "../../lead/lead.ts"
import { notFound } from "../../runtime/errors.ts"
import { type DiffChange, PAIR_STATES, type Position } from "../../store/contract/store.ts"
import { withMergedLeads } from "../changes/of-lead.ts"
import { shownPair } from "../duplicates/output.ts"
import { BATCH_ID, EARLIER, type ExampleFields, exampleLead, LEAD_ID, NOW } from "../examples.ts"
import { ActivityOutput, exampleActivity } from "../leads/activities/activities.ts"
import { exampleNote, NoteOutput } from "../leads/activities/notes.ts"
import { FeedChangeOutput, ReadLeadOutput } from "../leads/list/lead-output.ts"
import { originsOf } from "../leads/write/origins.ts"
import { operation, question, type ReadContext } from "../operation.ts"
import { bodyWithout } from "./erasing/erase.ts"
import { type Person, personPage } from "./person-page.ts"

/** Newest first; beyond them `GET /changes?lead_id=ID` has all. */
const CHANGES_MAX = 2_000
const EVENTS_MAX = 1_000
const PAIRS_MAX = 500
/** Characters of changes and events that end their lists early. */
const CHARACTERS_MAX = 16 * 1024 * 1024
const AT_ONCE = 100

const PersonOutput = named(
  "PersonExport",
  v.strictObject({
    exported_at: seconds,
    lead: v.nullable(ReadLeadOutput),
    notes: v.array(NoteOutput),
    activities: v.array(ActivityOutput),
    changes: v.array(FeedChangeOutput),
    deliveries: v.array(
      v.strictObject({
        event: v.string(),
        timestamp: seconds,
        data: v.custom<Json>((value) => value !== undefined),
      }),
    ),
    duplicates: v.array(
      v.strictObject({
        id: v.string(),
        state: v.picklist(PAIR_STATES),
        probability: v.number(),
        other: v.string(),
        created_at: seconds,
      }),
    ),
    complete: v.boolean(),
  }),
  {
    exported_at: "Unix seconds.",
    notes: "Its notes, oldest first.",
    activities: "Calls, emails and meetings with it, newest first.",
    "deliveries[].event": "Name of the event.",
    "deliveries[].timestamp": "Unix seconds.",
    "duplicates[].probability": "That both are the same, 0 to 1.",
    lead: "The lead with the origin of each value; null once it was deleted.",
    changes: "Its trail, with that of leads merged into it, newest first.",
    deliveries: "Events about it that were sent to webhooks, or will be: those of the last 30 days.",
    "deliveries[].data": "What the event tells of this lead.",
    duplicates: "Pairs with other leads, and what was decided about them.",
    "duplicates[].other": "Id of the other lead.",
    complete: "False where a list is cut: at 2,000 changes, 1,000 events, 500 pairs or 16 MB.",
  },
)

const exampleChange: ExampleFields = {
  ...{ id: "019aa6f7-10ad-7b63-8e5f-d47c2a9b0e18", lead_id: LEAD_ID, batch_id: BATCH_ID, import_id: null },
  ...{
    user_id: "acc_019aa6f0-5512-7c0f-a9d1-3e6b84f27a05",
    actor_id: "user_42",
    key_id: null,
    action: "updated",
  },
  ...{ reason: null, created_at: NOW, diff: { status: [STATUSES[0], STATUSES[2]] } },
}

export const personQuestion = question({
  name: "person",
  run: (ctx, { id }: { id: string }) => everythingAbout(ctx, id),
})

export const exportPerson = operation({
  name: "export_lead",
  about: "Everything about one person, as JSON or a page: lead, notes, trail, events",
  tag: "Privacy",
  note: "The answer to a request for access. Also for a deleted lead, whose trail is still there; an erased one has nothing left but that it was erased. Of other leads it holds ids alone. `format=html` gives the same as a page to hand over.",
  example: {
    text: "<!doctype html>…",
    answers: {
      200: {
        exported_at: NOW,
        lead: exampleLead,
        notes: [exampleNote],
        activities: [exampleActivity],
        changes: [exampleChange],
        deliveries: [{ event: "lead.created", timestamp: EARLIER, data: exampleLead }],
        duplicates: [],
        complete: true,
      },
    },
  },
  access: "read",
  http: "GET /leads/:id/export",
  input: described(
    v.strictObject({
      id: Id,
      format: v.optional(v.picklist(["json", "html"], "must be json or html")),
    }),
    { format: "`html` for a page that people read and print." },
  ),
  files: ["application/json", "text/html"],
  output: PersonOutput,
  async run(ctx, { id, format }) {
    const person = await ctx.questions.ask(personQuestion, ctx, { id })
    return format === "html" ? personPage(ctx, id, person) : person
  },
})

/** Throws `not_found` for a lead that never was. */
async function everythingAbout(ctx: ReadContext, id: string): Promise<Person> {
  const account = ctx.caller.account.key
  const { read } = ctx.store
  const row = await read.leads.find(account, id)
  const changes = await changesOf(ctx, id)
  if (!row && changes.items.length === 0) throw notFound("Lead")
  const events = await eventsAbout(ctx, id)
  const pairs = await pairsOf(ctx, id)
  return {
    exported_at: ctx.now,
    lead: row ? JSON.parse(row.json({ origins: await originsOf(read, account, row) })) : null,
    notes: row ? await read.notes.list(account, row) : [],
    activities: row ? await read.activities.list(account, row) : [],
    changes: changes.items,
    deliveries: events.items,
    duplicates: pairs.items,
    complete: [changes, events, pairs].every(({ isWhole }) => isWhole),
  }
}

interface Listed<T> {
  items: T[]
  isWhole: boolean
}

async function changesOf(
  ctx: ReadContext,
  id: string,
): Promise<Listed<Omit<DiffChange, "position"> & { user_id: string }>> {
  const { account } = ctx.caller
  const changes: DiffChange[] = []
  let isWhole = true
  for (const lead of await withMergedLeads(ctx, id)) {
    let after: number | undefined
    for (let more = true; more; ) {
      const query = { filter: { lead_id: lead }, descending: true, after, limit: AT_ONCE }
      const page = await ctx.store.read.changes.diffs(account.key, query)
      changes.push(...page.changes)
      after = page.position
      more = page.more
      if (changes.length >= CHANGES_MAX) {
        isWhole &&= !more
        break
      }
    }
  }
  const shown = changes
    .sort((a, b) => b.position - a.position)
    .map(({ position: _, ...change }) => ({ ...change, user_id: account.id }))
  const items = fitting(shown)
  return { items, isWhole: isWhole && items.length === shown.length }
}

interface SentEvent {
  event: string
  timestamp: number
  data: { leads?: { id?: unknown }[]; [name: string]: unknown }
}

/** Events whose data is about the lead; of lists of leads its own entry. */
async function eventsAbout(ctx: ReadContext, id: string): Promise<Listed<SentEvent>> {
  const account = ctx.caller.account.key
  const events: SentEvent[] = []
  let after: Position | undefined
  do {
    const page = await ctx.store.read.deliveries.mentioning(account, [JSON.stringify(id)], after)
    for (const { body } of page.events) {
      if (bodyWithout(body, id) === body) continue
      const { event, timestamp, data }: SentEvent = JSON.parse(body)
      const shown = data.leads ? { leads: data.leads.filter((lead) => lead.id === id) } : data
      events.push({ event, timestamp, data: shown })
    }
    after = page.next
  } while (after !== undefined && events.length < EVENTS_MAX)
  const items = fitting(events)
  return { items, isWhole: after === undefined && items.length === events.length }
}

async function pairsOf(ctx: ReadContext, lead: string): Promise<Listed<Person["duplicates"][number]>> {
  const items: Person["duplicates"][number][] = []
  let isWhole = true
  for (const state of PAIR_STATES) {
    const query = { state, least: 0, lead, filter: NO_FILTER, after: undefined, limit: PAIRS_MAX }
    const { pairs, next } = await ctx.store.read.duplicates.page(ctx.caller.account.key, query)
    isWhole &&= next === undefined
    for (const { a, b, ...pair } of pairs.map(shownPair)) {
      const { id, probability, created_at } = pair
      items.push({ id, state, probability, other: a.id === lead ? b.id : a.id, created_at })
    }
  }
  return { items, isWhole }
}

/** The first of these that fit into the answer. */
function fitting<T extends object>(items: readonly T[]): T[] {
  let characters = 0
  const end = items.findIndex((item) => {
    characters += JSON.stringify(item).length
    return characters > CHARACTERS_MAX
  })
  return end < 0 ? [...items] : items.slice(0, end)
}
