import type { Attribute, Lead } from "./types.ts"

/** A field's or an attribute's value of a lead. */
export function leadValue(lead: Lead, name: string): unknown {
  if (!name.startsWith("attr:")) return (lead as unknown as Record<string, unknown>)[name]
  return attributeNamed(lead, name)?.value
}

function attributeNamed(lead: Lead, name: string): Attribute | undefined {
  return lead.attributes?.find((attribute) => attribute.name === name.slice("attr:".length))
}
