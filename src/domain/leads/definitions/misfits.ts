// Counts the values of an attribute that would not fit a definition.
import type { AttributeDefinition } from "../../../lead/attribute-definition.ts"
import type { AttributeValue } from "../../../lead/lead.ts"
import { question } from "../../operation.ts"
import { valueAs } from "../bulk/change-attribute.ts"
import { selectionOf } from "../list/selection.ts"

const SAMPLE = 5

interface Misfits {
  matched: number
  misfits: number
  /** Leads of values that do not fit; of those that have it at all where every value fits. */
  sample: { lead_id: string; value: AttributeValue; message?: string }[]
}

/** `definition` is undefined where every value fits. */
export const misfitsQuestion = question({
  name: "attribute_misfits",
  async run(
    ctx,
    { name, definition }: { name: string; definition?: Pick<AttributeDefinition, "type" | "options"> },
  ): Promise<Misfits> {
    const account = ctx.caller.account.key
    const { filter } = await selectionOf(ctx, { attribute: name })
    const outcome: Misfits = { matched: 0, misfits: 0, sample: [] }
    const fitting: Misfits["sample"] = []
    const sort = { key: { on: "id" }, descending: false } as const
    const yieldIfDue = ctx.eventLoop.yieldEvery()
    for await (const leads of ctx.store.readThrough.leads.walk(account, { filter, sort })) {
      for (const lead of leads) {
        const { id, attributes } = lead.data()
        const attribute = attributes.find((one) => one.name === name)
        if (!attribute) continue
        const { value } = attribute
        outcome.matched++
        const problem = definition && valueAs(definition, value).problem
        if (problem === undefined) {
          if (fitting.length < SAMPLE) fitting.push({ lead_id: id, value })
        } else if (++outcome.misfits <= SAMPLE) outcome.sample.push({ lead_id: id, value, message: problem })
        await yieldIfDue()
      }
    }
    return outcome.misfits > 0 ? outcome : { ...outcome, sample: fitting }
  },
})
