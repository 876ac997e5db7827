// Arguments as agents send them, which often differ in form from what a schema says and not in what they mean.

import { typeOf } from "../../domain/leads/write/set-attributes.ts"
import { isObject } from "../../lead/parse.ts"
import type { ObjectSchema, ToolSchema } from "./schema.ts"
import type { Tool } from "./tools.ts"

type Arguments = Readonly<Record<string, unknown>>

/**
 * One text where a list of texts is taken is a list of it, attributes by name are a list of them where that is taken, and
 * nothing or an empty text in an optional argument of a tool that reads is the argument left out. A lead is `id` or `lead_id`,
 * and `-rating` sorts by the largest first.
 */
export function tidyArguments({ card, operation }: Tool, args: Arguments): Arguments {
  const { inputSchema, annotations } = card
  const tidy = sorted(inputSchema, tidied(inputSchema, named(inputSchema, args), annotations.readOnlyHint))
  if (operation.name === "update_lead") return withoutSaid(tidy)
  if (operation.name === "create_lead") return typed(tidy) as Arguments
  return operation.name === "batch_create_leads" && Array.isArray(tidy.leads)
    ? { ...tidy, leads: tidy.leads.map(typed) }
    : tidy
}

function tidied({ properties = {}, required = [] }: ToolSchema, args: Arguments, reads = false): Arguments {
  let tidy: Record<string, unknown> | undefined
  for (const name in args) {
    const value = args[name]
    const isNothing = reads && (value === null || value === "") && !required.includes(name)
    const own = isNothing && name in properties ? undefined : inForm(name, value, properties[name])
    if (own === value) continue
    tidy ??= { ...args }
    if (own === undefined) delete tidy[name]
    else tidy[name] = own
  }
  return tidy ?? args
}

/** Texts of a lead that are lists, where a schema does not name them. */
const LISTS = ["tags", "add_tags", "remove_tags"]

function inForm(name: string, value: unknown, schema: ToolSchema | undefined): unknown {
  if (typeof value === "string")
    return (schema ? schema.items?.type === "string" : LISTS.includes(name)) ? [value] : value
  if (isObject(value)) return schema?.type === "object" ? tidied(schema, value) : value
  const { items } = schema ?? {}
  if (!Array.isArray(value) || !items?.properties) return value
  return value.map((one) => (isObject(one) ? tidied(items, one) : one))
}

/** A lead by the name that the tool has for it. */
function named({ properties }: ObjectSchema, args: Arguments): Arguments {
  const { id, lead_id, ...rest } = args
  if (id === undefined && lead_id !== undefined && !properties.lead_id && properties.id?.description === LEAD)
    return { ...rest, id: lead_id }
  return lead_id === undefined && id !== undefined && !properties.id && properties.lead_id
    ? { ...rest, lead_id: id }
    : args
}

const LEAD = "Lead id"

function sorted({ properties }: ObjectSchema, args: Arguments): Arguments {
  const { sort, sort_order } = args
  const isLargestFirst = typeof sort === "string" && sort.startsWith("-") && sort_order === undefined
  return isLargestFirst && properties.sort_order ? { ...args, sort: sort.slice(1), sort_order: "DESC" } : args
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
