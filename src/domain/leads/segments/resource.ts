// A segment as a resource that clients of tools read and watch.

import * as v from "valibot"
import { Id } from "../../../lead/fields.ts"
import { JsonText } from "../../../text/json-text.ts"
import { operation } from "../../operation.ts"
import { listLeads } from "../list-leads.ts"
import { getSegment } from "./segments.ts"

export const readSegment = operation({
  name: "read_segment",
  about: "A segment with its first leads",
  tag: "Segments",
  access: "read",
  input: v.strictObject({ id: Id }),
  async run(ctx, { id }) {
    const segment = await getSegment.run(ctx, { id })
    const page = (await listLeads.tool!.run!(ctx, { segment: id })) as JsonText
    return new JsonText(`{"segment":${JSON.stringify(segment)},"page":${page.text}}`)
  },
})
