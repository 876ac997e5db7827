import { signal } from "@preact/signals"
import { can, get } from "../core/api.ts"
import type { LeadPage } from "../core/types.ts"

/** Names of the account's attributes, commonest first, as far as they are known. */
export const attributeNames = signal<readonly string[]>([])
let isAsked = false

/** Learns them once: from the catalogue, or from the newest leads where there is none. */
export async function learnAttributeNames(): Promise<void> {
  if (isAsked) return
  isAsked = true
  try {
    attributeNames.value = can("GET /attributes")
      ? (await get<{ name: string }[]>("/attributes")).map(({ name }) => name)
      : await fromNewest()
  } catch {
    isAsked = false
  }
}

async function fromNewest(): Promise<string[]> {
  const { leads } = await get<LeadPage>("/leads", { limit: 200, sort_by: "created_at", sort_order: "DESC" })
  return [...new Set(leads.flatMap(({ attributes }) => attributes.map(({ name }) => name)))].toSorted()
}
