// The account's stages, which are asked for once they matter.
import { signal } from "@preact/signals"
import { peek } from "./api.ts"
import { VALUE_NAMES } from "./filters.ts"
import { once, painted } from "./loading.ts"
import type { Stage } from "./types.ts"

const loaded = signal<readonly Stage[] | undefined>(undefined)

export function knowStages(all: readonly Stage[]): void {
  loaded.value = all
}

const learnStages = once(async () => {
  await painted()
  knowStages(await peek("/stages"))
})

/** None until they are known. */
export function stages(): readonly Stage[] {
  if (!loaded.value) void learnStages()
  return loaded.value ?? []
}

VALUE_NAMES.stage = (id) => stages().find((one) => one.id === id)?.name ?? ""
