import * as v from "valibot"
import { notFound } from "../../core/errors.ts"
import { whole } from "../../core/fields.ts"
import { JsonText } from "../../core/json-text.ts"
import { operation } from "../../core/operation.ts"
import type { FullChange } from "../../store/store.ts"
import { Id } from "../leads/leads.ts"
import { ChangesOutput } from "../leads/output.ts"

/** JSON characters after which the answer ends; GET /changes with lead_id goes on from there with a cursor. */
const PAGE_CHARACTERS = 8 * 1024 * 1024
/** Changes that are read at a time. */
const AT_ONCE = 10

/** A change record as SPEC has it. */
export function specified(change: FullChange, account: string) {
  const { id, lead_id, actor_id, action, before, after, reason, created_at } = change
  return { id, lead_id, user_id: account, actor_id, action, before, after, reason, created_at }
}

export const listChanges = operation({
  name: "list_changes",
  about: "The audit trail of a lead, newest first; also of a deleted one",
  access: "read",
  http: "GET /leads/:id/changes",
  input: v.strictObject({ id: Id, limit: v.optional(whole(1, 100), 50) }),
  output: ChangesOutput,
  async run(ctx, { id, limit }) {
    const account = ctx.caller.account
    const texts: string[] = []
    let characters = 0
    let after: number | undefined
    // A few at a time: each may hold two leads of 256 KiB.
    for (let more = true; more && texts.length < limit && characters < PAGE_CHARACTERS; ) {
      const query = {
        filter: { lead_id: id },
        descending: true,
        after,
        limit: Math.min(AT_ONCE, limit - texts.length),
      }
      const page = await ctx.store.read.changes.page(account.key, query)
      for (const change of page.changes) texts.push(JSON.stringify(specified(change, account.id)))
      characters = texts.reduce((sum, text) => sum + text.length, 0)
      after = page.position
      more = page.more
    }
    if (texts.length === 0) throw notFound("Lead")
    return new JsonText(`{"changes":[${texts.join(",")}],"count":${texts.length}}`)
  },
})
