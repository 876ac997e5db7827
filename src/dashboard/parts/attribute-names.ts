import { computed, signal } from "@preact/signals"
import { get } from "../core/api.ts"

export const TYPES = ["text", "number", "date", "bool", "list", "object"] as const
export type Type = (typeof TYPES)[number]

/** The account's attributes, commonest first. */
export const attributes = signal<readonly { name: string; type: Type }[]>([])
export const attributeNames = computed(() => attributes.value.map(({ name }) => name))
let isAsked = false

/** Learns them once. */
export async function learnAttributeNames(): Promise<void> {
  if (isAsked) return
  isAsked = true
  try {
    attributes.value = await get("/attributes")
  } catch {
    isAsked = false
  }
}
