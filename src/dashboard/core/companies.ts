// Names of companies by their ids, which are asked for once they are shown.
import { signal } from "@preact/signals"
import { peek } from "./api.ts"
import { VALUE_NAMES } from "./filters.ts"
import { painted } from "./loading.ts"
import type { Companies } from "./types.ts"

const names = signal<ReadonlyMap<string, string>>(new Map())
const asked = new Set<string>()
let waiting: string[] = []
/** Ids of one request. */
const TOGETHER = 100

async function learn(): Promise<void> {
  await painted()
  const ids = waiting
  waiting = []
  for (let at = 0; at < ids.length; at += TOGETHER) {
    const some = ids.slice(at, at + TOGETHER)
    const answer = await peek<Companies>("/companies", { ids: some.join(",") }).catch(() => undefined)
    if (answer)
      names.value = new Map([...names.value, ...answer.companies.map(({ id, name }) => [id, name] as const)])
    else for (const id of some) asked.delete(id)
  }
}

VALUE_NAMES.company_id = (id) => {
  if (!asked.has(id)) {
    asked.add(id)
    if (waiting.push(id) === 1) void learn()
  }
  return names.value.get(id) ?? "…"
}
