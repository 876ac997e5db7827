// Row 7: requests of every route and every tool, right, nearly right and hostile; most of them without sockets, a
// tenth over sockets against a process of its own.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { fuzzAccount, newTally, type Tally } from "./fuzz/inside.ts"
import { fuzzOutside, type Memory } from "./fuzz/outside.ts"
import { openInside } from "./in-process.ts"
import type { Row, RowOptions, RowResult } from "./row.ts"

const LONG = { inside: 450_000, outside: 150_000, account: 5_000, database: 50_000 }
const SHORT = { inside: 1_600, outside: 150, account: 800, database: 1_600 }
/** How much larger the process may be at the end than after a third of its requests. */
const GROWTH = 1.15

export const fuzz: Row = {
  number: 7,
  name: "fuzz",
  must: ">= 500,000 requests from the schemas: 0 answers of 500, 0 hangs over 1 s, memory flat, answers as documented",
  seconds: 1_800,
  run,
}

async function run(options: RowOptions): Promise<RowResult> {
  const { short, seed, before } = options
  const goal = short ? SHORT : LONG
  const deadline = performance.now() + options.seconds * 1_000
  const tally = newTally()
  let done = before.inside ?? 0
  while (done < goal.inside && performance.now() < deadline && tally.failures.length === 0) {
    await using service = await openInside(options.folder)
    for (
      let of = 0;
      of < goal.database && done < goal.inside && performance.now() < deadline;
      of += goal.account
    ) {
      await fuzzAccount(service, seed, done, goal.account, tally)
      done += goal.account
      options.keep({ inside: done })
      options.progress(`${done} of ${goal.inside} requests without sockets`)
    }
    tally.failures.push(...service.defects)
  }
  const folder = join(options.folder, "outside")
  mkdirSync(folder)
  const memory = await fuzzOutside(
    {
      program: options.program,
      folder,
      seed: seed + 1,
      requests: goal.outside,
      deadline,
      told: (sent) => options.progress(`${sent} of ${goal.outside} requests over sockets`),
    },
    tally,
  )
  return summary(tally, (before.inside ?? 0) + tally.requests, goal.inside + goal.outside, memory, short)
}

function summary(tally: Tally, requests: number, goal: number, memory: Memory, short: boolean): RowResult {
  const { failures, statuses, slowest, checked } = tally
  const isFlat = short || memory.end <= memory.warm * GROWTH
  if (!isFlat) failures.push(`the process grew from ${memory.warm} to ${memory.end} MB`)
  // Some cannot be said with fetch at all.
  const isEnough = requests >= goal * 0.97
  const by = [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, times]) => `${status}: ${times.toLocaleString("en-US")}`)
  return {
    ok: failures.length === 0 && isEnough,
    result:
      failures.length === 0
        ? `${requests.toLocaleString("en-US")} requests (${by.join(", ")}), ${checked.toLocaleString("en-US")} answers held ` +
          `against the OpenAPI document; 0 of 500, slowest ${Math.round(slowest)} ms; memory ${memory.warm} MB after a third, ` +
          `${memory.end} MB at the end`
        : failures.join("\n"),
    numbers: {
      requests,
      checked,
      slowest,
      failures: failures.length,
      warm_mb: memory.warm,
      end_mb: memory.end,
    },
  }
}
