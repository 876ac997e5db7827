// What somebody does with the queue of 20,000 seeded leads, printed as it goes.
import { join } from "node:path"
import { copyOf, dataset } from "../dataset.ts"
import type { Bench } from "../group.ts"
import type { Check } from "../harness.ts"
import { memoryOf } from "../machine.ts"
import { serve } from "../service.ts"
import { allCompared, rescan } from "./compared.ts"

const LEADS = 20_000
const SHOWN = 20

export async function walk({ program, scratch }: Bench): Promise<Check[]> {
  const service = await serve(program, copyOf(await dataset(LEADS), join(scratch, "walk")), "unbound")
  const { call, pid } = service
  try {
    await allCompared(call)
    const { seconds, cpu } = await rescan(call, pid)
    const { open } = await call("GET", "/duplicates/status")
    const { duplicates } = await call("GET", `/duplicates?limit=${SHOWN}`)
    for (const pair of duplicates) print(pair)
    const steps = await mergeAndBack(call, duplicates[0])
    return [
      {
        work: `rescan of ${LEADS.toLocaleString("en-US")} seeded leads`,
        goal: "",
        value: `${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of processor, ${Math.round(memoryOf(pid).peak)} MB at most; ${open} pairs`,
        numbers: { seconds, cpu_seconds: cpu, pairs: open, peak_mb: memoryOf(pid).peak },
      },
      ...steps,
    ]
  } finally {
    await service.stop()
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a pair as it is answered
function print({ probability, a, b, reasons }: any): void {
  const bits = (one: number) => (one > 0 ? `+${one}` : one)
  console.log(`  ${probability.toFixed(3)}  ${a.name}, ${a.city}  =  ${b.name}, ${b.city}`)
  console.log(
    `         ${reasons.map((one: { text: string; bits: number }) => `${one.text} ${bits(one.bits)}`).join("; ")}`,
  )
}

/** Looked at, made, pushed to, taken back, pushed to again. */
// biome-ignore lint/suspicious/noExplicitAny: answers of any route
async function mergeAndBack(call: (...all: any[]) => Promise<any>, { a, b }: any): Promise<Check[]> {
  const step = (work: string, ok: boolean, value: string): Check => ({
    work,
    goal: "",
    value,
    ok,
    numbers: {},
  })
  const loser = await call("GET", `/leads/${b.id}`)
  const body = { survivor: a.id, losers: [b.id] }
  const again = { name: loser.name, source: loser.source, email: "walk@loser.example", source_id: "walk-1" }
  await call("PUT", `/leads/${b.id}`, { email: again.email, source_id: again.source_id })
  const preview = await call("POST", "/leads/merge", { ...body, dry_run: true })
  const still = await call("GET", `/leads/${b.id}`)
  const merged = await call("POST", "/leads/merge", body)
  const intoSurvivor = await call("POST", "/leads", again)
  const undone = await call("POST", `/merges/${merged.merge_id}/undo`)
  const intoLoser = await call("POST", "/leads", again)
  await allCompared(call)
  const { duplicates } = await call("GET", `/leads/${b.id}/duplicates`)
  const isBack = duplicates.some((pair: { a: { id: string }; b: { id: string } }) =>
    [pair.a.id, pair.b.id].includes(a.id),
  )
  return [
    step(
      "a merge looked at first",
      still.id === b.id && preview.dry_run === true,
      `would change ${preview.changed.join(", ") || "nothing"}, remember ${preview.aliases.length} aliases`,
    ),
    step(
      "made; the loser is pushed again",
      intoSurvivor.id === a.id && intoSurvivor.duplicate === true,
      intoSurvivor.id === a.id ? "into the survivor" : `into ${intoSurvivor.id}`,
    ),
    step(
      "taken back; the loser is pushed again",
      intoLoser.id === b.id && undone.losers.length === 1,
      intoLoser.id === b.id ? "into itself" : `into ${intoLoser.id}`,
    ),
    step("the pair is open again", isBack, isBack ? "it is in the queue again" : "it is not in the queue"),
  ]
}
