// The account's stages, which are asked for once they matter.
import { signal } from "@preact/signals"
import { peek } from "./api.ts"
import { VALUE_NAMES } from "./filters.ts"
import { painted } from "./loading.ts"
import type { Stage } from "./types.ts"

const loaded = signal<readonly Stage[]>([])
let isAsked = false

export function knowStages(all: readonly Stage[]): void {
  isAsked = true
  loaded.value = all
}

/** None until they are known. */
export function stages(): readonly Stage[] {
  if (!isAsked) {
    isAsked = true
    void painted().then(() => peek<Stage[]>("/stages").then(knowStages, () => {}))
  }
  return loaded.value
}

VALUE_NAMES.stage = (id) => stages().find((one) => one.id === id)?.name ?? ""
