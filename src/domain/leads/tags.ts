import * as v from "valibot"
import { badRequest } from "../../core/errors.ts"
import { TAGS_MAX, Tag } from "../../core/fields.ts"
import { JsonText } from "../../core/json-text.ts"
import { operation } from "../../core/operation.ts"
import { fold } from "../../core/text.ts"
import { getLeadRow, Id } from "./leads.ts"
import { LeadOutput } from "./output.ts"
import { updateLead } from "./write.ts"

export const createLeadTag = operation({
  name: "create_lead_tag",
  about: "Add a tag to a lead; changes nothing if the lead has it already",
  access: "write",
  tool: true,
  input: v.strictObject({ id: Id, tag: Tag }),
  output: LeadOutput,
  run: (ctx, { id, tag }) =>
    ctx.store.write(ctx.caller.account.key, async (tx) => {
      const row = await getLeadRow(ctx, tx.leads, id)
      const { tags } = row.data()
      if (tags.some((one) => fold(one) === fold(tag))) return new JsonText(row.json())
      if (tags.length >= TAGS_MAX) throw badRequest(`A lead keeps at most ${TAGS_MAX} tags`)
      return new JsonText((await updateLead(ctx, tx, row, { tags: [...tags, tag] })).json())
    }),
})
