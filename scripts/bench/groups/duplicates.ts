import { Database } from "bun:sqlite"
import { join } from "node:path"
import { indexFile } from "../../../src/store/sqlite/derived/file.ts"
import { FOLDER, type LabelledSet, readSets } from "../../matching/sets.ts"
import { copyOf, dataset } from "../dataset.ts"
import { allCompared, rescan } from "../duplicates/compared.ts"
import { freshness } from "../duplicates/freshness.ts"
import { pushesSlowed } from "../duplicates/pushes.ts"
import type { Bench, Group } from "../group.ts"
import { type Check, check, note } from "../harness.ts"
import { memoryOf } from "../machine.ts"
import { newAccount, serve } from "../service.ts"

// Labelled records as a client pushes them, and the queue as it reads it.

/** Records in a batch. */
const BATCH = 500

async function pushedOverHttp({ program, scratch }: Bench, set: LabelledSet): Promise<Check> {
  const folder = join(scratch, set.name)
  const key = newAccount(program, folder, set.name)
  const service = await serve(program, { folder, key }, "unbound")
  const { call } = service
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
    await service.stop()
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

// All leads of an account compared again, and what matching takes beside the leads.
const LEADS = 100_000
const SECONDS = 45
const BYTES = 250
const MEMORY_AT_A_MILLION = 150

async function rescanned({ program, scratch }: Bench): Promise<Check[]> {
  const data = copyOf(await dataset(LEADS), join(scratch, "rescan"))
  const service = await serve(program, data, "unbound")
  try {
    const idle = memoryOf(service.pid).now
    await allCompared(service.call)
    const { seconds, cpu } = await rescan(service.call, service.pid)
    const { peak } = memoryOf(service.pid)
    await service.stop()
    const bytes = bytesALead(data.file)
    return [
      check(0, `rescan of ${LEADS.toLocaleString("en-US")} leads`, seconds, `<= ${SECONDS}`, "s"),
      note("processor that it took, all threads", cpu, "s"),
      note(
        `memory above that of a start at most, at ${LEADS.toLocaleString("en-US")} leads (goal at 1 M: ${MEMORY_AT_A_MILLION} MB)`,
        peak - idle,
        "MB",
      ),
      {
        work: "keys, counts and pairs on disk",
        goal: `<= ${BYTES} bytes a lead`,
        value: `${Math.round(bytes.all)} bytes a lead (${Object.entries(bytes.parts)
          .map(([name, size]) => `${name} ${Math.round(size)}`)
          .join(", ")})`,
        ok: bytes.all <= BYTES,
        numbers: { bytes_a_lead: bytes.all },
      },
    ].map(({ row: _, ...rest }: Check) => rest)
  } finally {
    await service.stop()
  }
}

/** By table with its indexes, in both files. */
function bytesALead(file: string): { all: number; parts: Record<string, number> } {
  const rows = [file, indexFile(file)].flatMap((one) => {
    using db = new Database(one)
    return db
      .query<{ name: string; size: number }, []>(
        `SELECT s.tbl_name AS name, sum(d.pgsize) AS size FROM dbstat d JOIN sqlite_schema s ON s.name = d.name
         WHERE s.tbl_name LIKE 'duplicate%' OR s.tbl_name LIKE 'match%' GROUP BY s.tbl_name ORDER BY size DESC`,
      )
      .all()
  })
  const parts = Object.fromEntries(
    rows.filter(({ size }) => size > LEADS).map(({ name, size }) => [name, size / LEADS]),
  )
  return { all: rows.reduce((sum, { size }) => sum + size, 0) / LEADS, parts }
}

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
    checks.push(await freshness(bench), ...(await pushesSlowed(bench)))
    return [...checks, ...(await rescanned(bench))]
  },
}
