// Arguments as agents send them, which often differ in form from what a schema says and not in what they mean.
import { isObject } from "../../core/parse.ts"
import { typeOf } from "../../domain/leads/write/set-attributes.ts"
import type { Tool } from "./tools.ts"

type Arguments = Readonly<Record<string, unknown>>

/**
 * One text where a list of texts is taken is a list of it, attributes by name are a list of them where that is taken, and
 * nothing or an empty text in an optional argument of a tool that reads is the argument left out.
 */
export function tidyArguments({ card, operation }: Tool, args: Arguments): Arguments {
  const { properties, required = [] } = card.inputSchema
  const { readOnlyHint: reads } = card.annotations
  let tidied: Record<string, unknown> | undefined
  for (const name in args) {
    const value = args[name]
    if (typeof value !== "string" && value !== null) continue
    const schema = properties[name]
    if (schema === undefined) continue
    const isOptional = !required.includes(name)
    if (reads && isOptional && (value === null || value === "")) {
      tidied ??= { ...args }
      delete tidied[name]
    } else if (schema.type === "array" && typeof value === "string" && schema.items?.type === "string") {
      tidied ??= { ...args }
      tidied[name] = [value]
    }
  }
  const tidy = tidied ?? args
  if (operation.name === "update_lead") return withoutSaid(tidy)
  if (operation.name === "create_lead") return typed(tidy) as Arguments
  return operation.name === "batch_create_leads" && Array.isArray(tidy.leads)
    ? { ...tidy, leads: tidy.leads.map(typed) }
    : tidy
}

/** A lead that was read can be sent back: without what tools say beside it. */
function withoutSaid(lead: Arguments): Arguments {
  if (!("contactable" in lead || "suppressed" in lead)) return lead
  const { contactable, suppressed, ...rest } = lead
  return rest
}

/** A new lead whose attributes have types: by their values, where none are said. */
function typed(sent: unknown): unknown {
  if (!isObject(sent)) return sent
  const lead = withoutSaid(sent as Arguments)
  const { attributes } = lead
  if (isObject(attributes)) return { ...lead, attributes: listOf(attributes) }
  if (!Array.isArray(attributes)) return lead
  const isUntyped = (one: unknown): one is Arguments =>
    isObject(one) && one.type === undefined && "value" in one
  if (!attributes.some(isUntyped)) return lead
  return {
    ...lead,
    attributes: attributes.map((one) => (isUntyped(one) ? { ...one, type: typeOf(one.value) } : one)),
  }
}

function listOf(values: Arguments): object[] {
  return Object.entries(values)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ({ name, type: typeOf(value), value }))
}
