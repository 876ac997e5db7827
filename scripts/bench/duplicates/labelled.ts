// Labelled records as a client pushes them, and the queue as it reads it.
import { join } from "node:path"
import { startService } from "../../../test/support/service.ts"
import type { LabelledSet } from "../../matching/sets.ts"
import type { Bench } from "../group.ts"
import type { Check } from "../harness.ts"
import { allCompared, type Call } from "./compared.ts"

/** Records in a batch. */
const BATCH = 500

export async function pushedOverHttp({ program, scratch }: Bench, set: LabelledSet): Promise<Check> {
  const folder = join(scratch, set.name)
  const env = { PATH: process.env.PATH ?? "", LEADDB_DATA: folder, LEADDB_LOG: "off" }
  const child = await startService([program], { cwd: scratch, env })
  const call: Call = async (method, path, body) => {
    const init = {
      method,
      headers: { "X-API-Key": child.key },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }
    const response = await fetch(`${child.url}${path}`, init)
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  try {
    const ids: string[] = []
    const began = performance.now()
    for (let at = 0; at < set.records.length; at += BATCH) {
      const leads = set.records.slice(at, at + BATCH).map(({ lead }) => lead)
      for (const { index, id } of (await call("POST", "/leads/batch", { leads })).created)
        ids[at + index] = id
    }
    await allCompared(call)
    const seconds = (performance.now() - began) / 1_000
    const pairs = new Set<string>()
    let cursor: string | null = ""
    while (cursor !== null) {
      const page = await call(
        "GET",
        `/duplicates?min_probability=0.5&limit=200${cursor && `&cursor=${cursor}`}`,
      )
      for (const { a, b } of page.duplicates) pairs.add(`${a.id} ${b.id}`).add(`${b.id} ${a.id}`)
      cursor = page.next_cursor
    }
    const figures = judged(set, (a, b) => ids[a] === ids[b] || pairs.has(`${ids[a]} ${ids[b]}`))
    return {
      work: `${set.name}: F1 over HTTP`,
      goal: "",
      value: figures.text,
      numbers: { ...figures.numbers, seconds },
    }
  } finally {
    child.signal("SIGTERM")
    await child.ended
  }
}

function judged({ records, truth }: LabelledSet, isFound: (a: number, b: number) => boolean) {
  let [right, wrong, missed] = [0, 0, 0]
  for (let a = 0; a < records.length; a++) {
    for (let b = a + 1; b < records.length; b++) {
      const same = truth(a, b)
      if (same === undefined) continue
      const found = isFound(a, b)
      if (found && same) right++
      else if (found) wrong++
      else if (same) missed++
    }
  }
  const [precision, recall] = [right / (right + wrong), right / (right + missed)]
  const f1 = (2 * precision * recall) / (precision + recall)
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  return {
    text: `${percent(f1)} (precision ${percent(precision)}, recall ${percent(recall)})`,
    numbers: { f1, precision, recall },
  }
}
