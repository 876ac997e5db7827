import * as v from "valibot"
import { notFound } from "../../core/errors.ts"
import { whole } from "../../core/fields.ts"
import { JsonText } from "../../core/json-text.ts"
import { operation } from "../../core/operation.ts"
import type { FullChange } from "../../store/store.ts"
import { Id } from "../leads/leads.ts"
import { ChangesOutput } from "../leads/output.ts"

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
    const changes = await ctx.store.read.changes.list(ctx.caller.account.key, id, limit)
    if (changes.length === 0) throw notFound("Lead")
    const shown = changes.map((change) => specified(change, ctx.caller.account.id))
    return new JsonText(JSON.stringify({ changes: shown, count: shown.length }))
  },
})
