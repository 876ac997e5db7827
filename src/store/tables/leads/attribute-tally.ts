// Builds the attribute catalogue from counts.
import type { AttributeType, LeadData } from "../../../lead/lead.ts"
import { compareCodePoints, fold } from "../../../text/text.ts"
import type { CataloguedAttribute } from "../../contract/leads.ts"

/** Names that are counted; a client that makes up a name for each lead gets those first by name. */
export const NAMES_MAX = 1_000
/** An attribute with more values is no category: its values are left out of the catalogue. */
export const VALUES_MAX = 200
const VALUES_TOLD = 10

/** How often one value of an attribute was seen; `leads` are those that have the attribute at all. */
export interface Seen {
  type: AttributeType
  text: string | null
  n: number
  leads: number
  min: number | null
  max: number | null
  oldest: number
}

export type Tally = Omit<Seen, "text"> & {
  values: Map<string, { count: number; oldest: number }> | undefined
}

/** A catalogue entry; `documentOf` returns the JSON text of a lead by its reference. */
export async function catalogueEntry(
  name: string,
  tally: Tally,
  documentOf: (ref: number) => Promise<string | undefined>,
): Promise<CataloguedAttribute> {
  const { type, leads, min, max, values } = tally
  const entry = { name, type, leads }
  if (type === "number" || type === "date") return { ...entry, min: min ?? 0, max: max ?? 0 }
  if (type === "bool" || !values || values.size === 0) return entry
  const commonest = [...values].sort(([a, x], [b, y]) => y.count - x.count || compareCodePoints(a, b))
  const shown = commonest.slice(0, VALUES_TOLD).map(async ([value, { count, oldest }]) => ({
    value: writtenIn(await documentOf(oldest), name, value),
    count,
  }))
  return { ...entry, values: await Promise.all(shown) }
}

/** Adds to what is counted of the types of one attribute. */
export function addSeen(types: Map<AttributeType, Tally>, seen: Seen): void {
  const tally = types.get(seen.type) ?? { ...seen, leads: 0, n: 0, values: new Map() }
  types.set(seen.type, tally)
  tally.leads += seen.leads
  if (seen.min !== null) tally.min = Math.min(tally.min ?? seen.min, seen.min)
  if (seen.max !== null) tally.max = Math.max(tally.max ?? seen.max, seen.max)
  if (!tally.values || seen.text === null || seen.text === "") return
  const counted = tally.values.get(seen.text)
  if (counted) counted.count += seen.n
  else tally.values.set(seen.text, { count: seen.n, oldest: seen.oldest })
  if (tally.values.size > VALUES_MAX) tally.values = undefined
}

function writtenIn(data: string | undefined, name: string, folded: string): string {
  if (data === undefined) return folded
  const { attributes }: LeadData = JSON.parse(data)
  const value = attributes.find((attribute) => attribute.name === name)?.value
  const texts = Array.isArray(value) ? value : [value]
  return texts.find((text): text is string => typeof text === "string" && fold(text) === folded) ?? folded
}

/** Most leads first. */
export function byLeads(a: CataloguedAttribute, b: CataloguedAttribute): number {
  return b.leads - a.leads || compareCodePoints(a.name, b.name)
}
