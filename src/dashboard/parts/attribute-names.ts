import { signal } from "@preact/signals"
import { get } from "../core/api.ts"

/** Names of the account's attributes, commonest first. */
export const attributeNames = signal<readonly string[]>([])
let isAsked = false

/** Learns them once. */
export async function learnAttributeNames(): Promise<void> {
  if (isAsked) return
  isAsked = true
  try {
    attributeNames.value = (await get<{ name: string }[]>("/attributes")).map(({ name }) => name)
  } catch {
    isAsked = false
  }
}
