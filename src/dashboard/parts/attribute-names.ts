import { computed, signal } from "@preact/signals"
import { get } from "../core/api.ts"
import type { Type } from "./attributes.tsx"

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
