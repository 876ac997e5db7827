import { join } from "node:path"
import { stringify } from "csv-stringify/sync"
import type { LeadInput } from "../../../src/lead/fields.ts"
import { TEXT_FIELDS } from "../../../src/lead/lead.ts"
import { generateLeads } from "../../seed/leads.ts"
import type { Group } from "../group.ts"
import { check, ROUNDS, spread, timed } from "../harness.ts"
import { newAccount } from "../service.ts"

const ROWS = 100_000
const WORK = "leaddb import of 100,000 CSV rows with dedup"

/** Row 14: the command on a file, into a database without leads; about 8 % of the rows are merged. */
export const imports: Group = {
  name: "import",
  about: "import of 100,000 CSV rows by the command",
  async run({ program, scratch }) {
    const file = join(scratch, "leads.csv")
    await writeCsv(file)
    const rates: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const folder = join(scratch, `data-${round}`)
      newAccount(program, folder, "bench")
      const ms = await timed(() => importAll([program, "import", file, "--data", folder, "--json"]))
      rates.push(ROWS / (ms / 1_000))
    }
    return [check(14, WORK, spread(rates), ">= 8000", "rows/s")]
  },
}

/** Throws an Error when rows were rejected: that would be quick. */
function importAll(command: string[]): void {
  const { stdout, stderr, exitCode } = Bun.spawnSync(command, { stdin: "ignore" })
  if (exitCode !== 0) throw new Error(`${command.slice(1).join(" ")} exited with ${exitCode}: ${stderr}`)
  const said = stdout.toString()
  if (JSON.parse(said).import.rejected > 0) throw new Error(`rows were rejected: ${said.slice(0, 500)}`)
}

/** The seeded leads as a spreadsheet has them: all fields, and two attributes as columns. */
async function writeCsv(file: string): Promise<void> {
  const columns = [
    ...TEXT_FIELDS.filter((name) => name !== "email_status"),
    "latitude",
    "longitude",
    "rating",
    "review_count",
    "tags",
  ] as const
  const attributes = ["employees", "industry"]
  const cells = (lead: LeadInput) => [
    ...columns.map((column) => (column === "tags" ? (lead.tags ?? []).join(", ") : (lead[column] ?? ""))),
    ...attributes.map((name) => String(lead.attributes?.find((one) => one.name === name)?.value ?? "")),
  ]
  const out = Bun.file(file).writer()
  out.write(stringify([[...columns, ...attributes.map((name) => `attr:${name}`)]]))
  for (const lead of generateLeads(ROWS, 3)) {
    out.write(stringify([cells(lead)]))
  }
  await out.end()
}
