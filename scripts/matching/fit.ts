// Fits the shipped weights (src/matching/data/weights.json) to all labelled sets and prints what they reach, on the
// sets themselves and leaving one out. Usage: node scripts/run.js scripts/matching/fit.ts [--write]
import { writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { weightTable } from "../../src/matching/matcher/index.ts"
import { fit } from "./fitting.ts"
import { leftOut } from "./leave-one-out.ts"
import { block, figures, line } from "./measure.ts"
import { FOLDER, readSets } from "./sets.ts"

const FILE = resolve(import.meta.dir, "../../src/matching/data/weights.json")

const sets = readSets().map(block)
if (sets.length === 0) {
  console.error(`no labelled sets in ${FOLDER}`)
  process.exit(1)
}
const weights = fit(sets)
for (const set of sets) console.log(line(set.set.name, figures(set, weights)))
console.log("\nleaving the set and its kin out")
for (const set of sets) console.log(line(set.set.name, figures(set, leftOut(set, sets))))
if (process.argv.includes("--write")) {
  const rows = Object.entries(weightTable(weights)).map(
    ([name, bits]) => `  ${JSON.stringify(name)}: ${bits}`,
  )
  writeFileSync(FILE, `{\n${rows.join(",\n")}\n}\n`)
  console.log(`\nwrote ${FILE}`)
}
