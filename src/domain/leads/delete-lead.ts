import * as v from "valibot"
import { described } from "../../lead/described.ts"
import { Id, OptionalFlag } from "../../lead/fields.ts"
import { authorise, operation, previewOne } from "../operation.ts"
import { eraseLead } from "../privacy/erasing/erase.ts"
import { getLeadRow, requireMatch } from "./lead-operations.ts"
import { removeLead } from "./write/write.ts"

export const deleteLead = operation({
  name: "delete_lead",
  about: "Delete a lead with notes and attributes",
  tag: "Leads",
  errors: ["precondition_failed"],
  note: "Its notes and attributes go with it; its audit trail stays.",
  access: "write",
  forSegments: true,
  http: "DELETE /leads/:id",
  tool: {
    words: { id: "Lead id", erase: "Also from the trail, for good (owner)" },
    preview: previewOne<{ id: string }>(async (ctx, { id }) =>
      (await getLeadRow(ctx, ctx.store.read.leads, id)).data(),
    ),
  },
  query: ["erase"],
  input: described(v.strictObject({ id: Id, erase: OptionalFlag }), {
    erase:
      "Also from the trail, events and indexes, for good, and a lead that was deleted before, too: for owners.",
  }),
  async run(ctx, { id, erase = false }) {
    if (erase) {
      authorise("owner", ctx.caller)
      await eraseLead(ctx, id)
      return undefined
    }
    await ctx.store.write(ctx.caller.account.key, async (tx) =>
      removeLead(ctx, tx, requireMatch(ctx, await getLeadRow(ctx, tx.leads, id))),
    )
    return undefined
  },
})
