import * as v from "valibot"
import { notFound } from "../../core/errors.ts"
import { whole } from "../../core/fields.ts"
import { JsonText } from "../../core/json-text.ts"
import { operation } from "../../core/operation.ts"
import { Id } from "./leads.ts"
import { ChangesOutput } from "./output.ts"

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
    return new JsonText(`{"changes":[${changes.join(",")}],"count":${changes.length}}`)
  },
})
