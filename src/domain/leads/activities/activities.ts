// The log of calls, emails and meetings with leads.

import * as v from "valibot"
import { described, named } from "../../../lead/described.ts"
import { Id, leadChangeEntries, oneOf, seconds } from "../../../lead/fields.ts"
import { unixSeconds } from "../../../runtime/clock.ts"
import { badRequest } from "../../../runtime/errors.ts"
import {
  ACTIVITY_KINDS,
  type ChangeRecord,
  type LoggedActivity,
  OUTCOMES,
} from "../../../store/contract/store.ts"
import { Moment } from "../../../text/moment-input.ts"
import { publish } from "../../events.ts"
import { EARLIER, type ExampleFields, LEAD_ID } from "../../examples.ts"
import { operation, ownContext, previewOne, type Services } from "../../operation.ts"
import { finder } from "../../things.ts"
import { getLeadRow } from "../lead-operations.ts"
import { PAGE, pageInput, pagesOf, paging } from "../list/cursor.ts"
import { withChanges } from "../write/lead-data.ts"
import { checkStorage, replaceLead, rewriteLead } from "../write/write.ts"
import { authorOf } from "./notes.ts"

/** Seconds by which the clock of a client may be ahead. */
const AHEAD_MAX = 300
/** The reason in the trail of the change that logged an activity begins so. */
const LOGGED = "activity:"

/** The id of the activity that a change logged, if it did. */
export function activityOf({ reason }: Pick<ChangeRecord, "reason">): string | undefined {
  return reason?.startsWith(LOGGED) ? reason.slice(LOGGED.length) : undefined
}

export const exampleActivity: ExampleFields = {
  id: "act_019aa6f5-2c31-7d40-9b7e-1f60c2a8d934",
  lead_id: LEAD_ID,
  kind: "call",
  outcome: "reached",
  text: "Wants an offer for 20 seats",
  at: EARLIER,
  author: "Eva",
  member_id: null,
  created_at: EARLIER,
}

const activityWords = { kind: "What it was.", outcome: "What came of it.", text: "Free text." }
export const ActivityOutput = named(
  "Activity",
  v.strictObject({
    id: v.string(),
    lead_id: v.string(),
    kind: v.picklist(ACTIVITY_KINDS),
    outcome: v.nullable(v.picklist(OUTCOMES)),
    text: v.nullable(v.string()),
    at: seconds,
    author: v.string(),
    member_id: v.nullable(v.string()),
    created_at: seconds,
  }),
  {
    id: "`act_` and a UUID.",
    ...activityWords,
    at: "When it was, in Unix seconds.",
    author: "Who logged it: the name of a member, or of a key; its id for what older versions logged by one.",
    member_id: "Id of the member who logged it; null for keys.",
  },
)

const { description: text, next_step, next_step_at } = leadChangeEntries
const entries = {
  kind: oneOf(ACTIVITY_KINDS),
  outcome: v.optional(v.nullable(oneOf(OUTCOMES))),
  text,
  at: v.optional(Moment),
  next_step,
  next_step_at,
}

export const logActivity = operation({
  name: "log_activity",
  about: "Log a call, an email or a meeting with a lead, and set the next step",
  tag: "Activities",
  errors: ["storage_limit_reached"],
  note: "A contact: `last_contacted_at` of the lead moves to its time, unless it was contacted later. The trail and `lead.updated` tell of it; reverting that change removes it.",
  example: {
    body: {
      kind: "call",
      outcome: "reached",
      text: "Wants an offer for 20 seats",
      next_step: "Send the offer",
      next_step_at: "2026-12-01",
    },
    answers: { 201: exampleActivity },
  },
  access: "write",
  forSegments: true,
  http: "POST /leads/:lead_id/activities",
  tool: {
    set: "activities",
    preview: previewOne<{ lead_id: string }>(async (ctx, { lead_id, ...logged }) => {
      const { name, company } = (await getLeadRow(ctx, ctx.store.read.leads, lead_id)).data()
      return { lead: { id: lead_id, name, company }, ...logged }
    }),
    words: {
      lead_id: "Lead id",
      text: "What was said",
      at: "When; now if absent",
      next_step: "What to do next",
      next_step_at: "When it is due: date or Unix seconds",
    },
  },
  input: described(v.strictObject({ lead_id: Id, ...entries }), {
    ...activityWords,
    at: "When it was: Unix seconds or an ISO date; now by default.",
    next_step: "Set on the lead: what is to be done next; null clears it.",
    next_step_at: "Set on the lead: when that is due, Unix seconds or an ISO date.",
  }),
  output: ActivityOutput,
  status: 201,
  async run(ctx, { lead_id, kind, outcome, text, at = ctx.now, ...next }) {
    if (at > ctx.now + AHEAD_MAX)
      throw badRequest("at must not be in the future: what is planned is a next_step with next_step_at")
    const account = ctx.caller.account.key
    return ctx.store.write(account, async (tx) => {
      const row = await getLeadRow(ctx, tx.leads, lead_id)
      const activity: LoggedActivity = {
        ...{ id: tx.newId("act_"), lead_id, kind, outcome: outcome ?? null, text: text || null, at },
        ...{ author: await authorOf(ctx, tx), member_id: ctx.caller.memberId ?? null, created_at: ctx.now },
      }
      await checkStorage(ctx, tx)
      await tx.activities.insert(account, row, activity)
      const before = row.data()
      await replaceLead(ctx, tx, {
        ...{ row: (await tx.leads.findByRef(account, row.ref)) ?? row, before },
        ...{ after: withChanges(before, next) },
        cause: { action: "updated", reason: LOGGED + activity.id },
        activityBefore: { recorded: row.activity, seen: row.activity },
      })
      return activity
    })
  },
})

const findActivity = finder<LoggedActivity>("Activity")

export const deleteActivity = operation({
  name: "delete_activity",
  about: "Delete an activity that was logged by mistake",
  tag: "Activities",
  note: "`last_contacted_at` of the lead goes back to the contact before it; its next step stays.",
  access: "write",
  forSegments: true,
  http: "DELETE /activities/:id",
  async run(ctx, { id }) {
    const account = ctx.caller.account.key
    await ctx.store.write(account, async (tx) => {
      const activity = await findActivity(ctx, tx.activities, id)
      const row = await getLeadRow(ctx, tx.leads, activity.lead_id)
      await tx.activities.remove(account, id)
      const data = row.data()
      await rewriteLead(ctx, tx, {
        ...{ row: (await tx.leads.findByRef(account, row.ref)) ?? row, before: data, after: data },
        cause: { action: "updated" },
        activityBefore: { recorded: row.activity, seen: row.activity },
      })
    })
    return undefined
  },
})

export const listActivities = operation({
  name: "list_activities",
  about: "List the calls, emails and meetings with a lead, newest first",
  tag: "Activities",
  note: "In the order of when they were, whenever they were logged.",
  access: "read",
  forSegments: true,
  http: "GET /leads/:lead_id/activities",
  tool: {
    set: "activities",
    words: { lead_id: "Lead id", limit: "How many at most, 1-1000", cursor: "next_cursor" },
  },
  input: v.strictObject({ lead_id: Id, ...pageInput(1_000, PAGE) }),
  ...pagesOf("activities", ActivityOutput, exampleActivity),
  async run(ctx, { lead_id, limit, cursor }) {
    const account = ctx.caller.account.key
    const { leads, activities } = ctx.store.read
    const { after, rest } = paging(ctx, { account, sort: "activities", filters: [lead_id] }, cursor)
    const row = await getLeadRow(ctx, leads, lead_id)
    const rows = await activities.list(account, row, { after, limit: limit + 1 })
    const page = rows.slice(0, limit)
    const last = rows.length > limit ? page.at(-1) : undefined
    return { activities: page, ...rest(last && `${last.at} ${last.id}`, page.length) }
  },
})

// Tells webhooks of leads whose next step is due.

/** Leads of an account that are told of in one transaction. */
const AT_ONCE = 100
const ACTOR = "reminders"

/** Sends `lead.due` once for each time that has come. A next step that is put off is told of again. */
export async function tellDueLeads(services: Services): Promise<void> {
  const { store, clock, eventLoop } = services
  for (const account of await store.read.accounts.list()) {
    const now = unixSeconds(clock.now())
    for (let due = AT_ONCE; due === AT_ONCE; ) {
      const ids = await store.read.reminders.due(account.key, now, AT_ONCE)
      due = ids.length
      if (due === 0) break
      const ctx = ownContext(services, account, ACTOR)
      await store.write(account.key, async (tx) => {
        for (const id of ids) {
          if (!(await tx.reminders.take(account.key, id, now))) continue
          const lead = await tx.leads.find(account.key, id)
          if (lead) await publish(ctx, tx, "lead.due", lead.json())
        }
      })
    }
    await eventLoop.yield()
  }
}
