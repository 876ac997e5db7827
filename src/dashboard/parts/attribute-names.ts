import { computed, signal } from "@preact/signals"
import { get } from "../core/api.ts"
import { once } from "../core/loading.ts"

export const TYPES = ["text", "number", "date", "bool", "list", "object"] as const
export type Type = (typeof TYPES)[number]

/** The account's attributes, commonest first. */
export const attributes = signal<readonly { name: string; type: Type }[]>([])
export const attributeNames = computed(() => attributes.value.map(({ name }) => name))

export const learnAttributeNames = once(async () => {
  attributes.value = await get("/attributes")
})
