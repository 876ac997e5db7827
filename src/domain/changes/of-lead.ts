import * as v from "valibot"
import { described } from "../../lead/described.ts"
import { Id, whole } from "../../lead/fields.ts"
import { notFound } from "../../runtime/errors.ts"
import type { FullChange } from "../../store/contract/store.ts"
import { JsonText } from "../../text/json-text.ts"
import { type ExampleFields, exampleLead, exampleQualified, LEAD_ID, NOW } from "../examples.ts"
import { ChangesOutput } from "../leads/list/lead-output.ts"
import { operation, type ReadContext } from "../operation.ts"

export const exampleChange: ExampleFields = {
  id: "019aa6f7-10ad-7b63-8e5f-d47c2a9b0e18",
  lead_id: LEAD_ID,
  user_id: "acc_019aa6f0-5512-7c0f-a9d1-3e6b84f27a05",
  actor_id: "key_019aa6f6-3c58-7d07-b2a4-91e6f0d8c375",
  action: "updated",
  before: exampleLead,
  after: exampleQualified,
  reason: null,
  created_at: NOW,
}

/** JSON characters that end an answer early; GET /changes with lead_id continues there with a cursor. */
const PAGE_CHARACTERS = 8 * 1024 * 1024
/** Changes that are read at once. */
const AT_ONCE = 10

/** Leads whose trails are shown together. */
const LEADS_MAX = 50

/** A change record with the fields that every client gets. */
export function specified(change: FullChange, account: string) {
  const { id, lead_id, actor_id, action, before, after, reason, created_at } = change
  return { id, lead_id, user_id: account, actor_id, action, before, after, reason, created_at }
}

export const listChanges = operation({
  name: "list_changes",
  about: "The audit trail of a lead, newest first; also of a deleted one",
  tag: "Changes",
  note: "Each record holds the whole lead before and after. Records are never changed.",
  example: { answers: { 200: { changes: [exampleChange], count: 1 } } },
  access: "read",
  forSegments: true,
  http: "GET /leads/:id/changes",
  input: v.strictObject({ id: Id, limit: v.optional(whole(1, 100), 50) }),
  output: described(ChangesOutput, { changes: "Newest first." }),
  async run(ctx, { id, limit }) {
    const account = ctx.caller.account
    const all: { position: number; text: string }[] = []
    let characters = 0
    for (const lead of await withMergedLeads(ctx, id)) {
      let after: number | undefined
      // Few at a time, since each may hold two leads of 256 KiB.
      for (let more = true, n = 0; more && n < limit && characters < PAGE_CHARACTERS; ) {
        const query = {
          filter: { lead_id: lead },
          descending: true,
          after,
          limit: Math.min(AT_ONCE, limit - n),
        }
        const page = await ctx.store.read.changes.page(account.key, query)
        for (const change of page.changes) {
          const text = JSON.stringify(specified(change, account.id))
          all.push({ position: change.position, text })
          characters += text.length
          n++
        }
        after = page.position
        more = page.more
      }
    }
    const texts = all
      .sort((x, y) => y.position - x.position)
      .slice(0, limit)
      .map(({ text }) => text)
    if (texts.length === 0) throw notFound("Lead")
    return new JsonText(`{"changes":[${texts.join(",")}],"count":${texts.length}}`)
  },
})

/** The lead and those that were merged into it: their trails are one from then on. */
export async function withMergedLeads(ctx: ReadContext, id: string): Promise<string[]> {
  const all = [id]
  for (let at = 0; at < all.length && all.length < LEADS_MAX; at++) {
    for (const { data } of await ctx.store.read.duplicates.mergesInto(ctx.caller.account.key, all[at]!))
      for (const loser of data.losers) if (!all.includes(loser.data.id)) all.push(loser.data.id)
  }
  return all.slice(0, LEADS_MAX)
}
