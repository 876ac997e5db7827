import { FOLDER, readSets } from "../../matching/sets.ts"
import { freshness } from "../duplicates/freshness.ts"
import { pushedOverHttp } from "../duplicates/labelled.ts"
import { pushesSlowed } from "../duplicates/pushes.ts"
import { rescanned } from "../duplicates/rescan.ts"
import { walk } from "../duplicates/walk.ts"
import type { Group } from "../group.ts"
import type { Check } from "../harness.ts"

/** Duplicates as clients see them. */
export const duplicates: Group = {
  name: "duplicates",
  about:
    "duplicates over HTTP: F1 of labelled sets as pushed, a rescan of 100,000 leads, freshness, what pushes pay",
  async run(bench) {
    const sets = readSets()
    if (sets.length === 0) console.log(`skipped: no labelled sets in ${FOLDER}`)
    const checks: Check[] = []
    for (const set of sets) checks.push(await pushedOverHttp(bench, set))
    checks.push(...(await walk(bench)), await freshness(bench), ...(await pushesSlowed(bench)))
    return [...checks, ...(await rescanned(bench))]
  },
}
