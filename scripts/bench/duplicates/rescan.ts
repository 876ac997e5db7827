// All leads of an account compared again, and what matching takes beside the leads.
import { Database } from "bun:sqlite"
import { join } from "node:path"
import { indexFile } from "../../../src/store/sqlite/derived/file.ts"
import { copyOf, dataset } from "../dataset.ts"
import type { Bench } from "../group.ts"
import { type Check, check, note } from "../harness.ts"
import { memoryOf } from "../machine.ts"
import { serve } from "../service.ts"
import { allCompared, rescan } from "./compared.ts"

const LEADS = 100_000
const SECONDS = 45
const BYTES = 250
const MEMORY_AT_A_MILLION = 150

export async function rescanned({ program, scratch }: Bench): Promise<Check[]> {
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
