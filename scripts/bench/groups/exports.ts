import { writeFileSync } from "node:fs"
import { dataset } from "../dataset.ts"
import type { Group } from "../group.ts"
import { type Check, check, spread, takeTurns, timed } from "../harness.ts"
import { memoryOf } from "../machine.ts"
import { BASE_PATH, type Service, serve } from "../service.ts"

const LEADS = 1_000_000
const GOALS = { csv: ">= 90000", json: ">= 250000", xlsx: ">= 30000" } as const
type Format = keyof typeof GOALS

/** Row 10: a million leads as a file, read as fast as it comes and thrown away; memory is the service's. */
export const exports: Group = {
  name: "exports",
  about: "export of a million leads as CSV, JSON and XLSX",
  async run({ program }) {
    const service = await serve(program, await dataset(LEADS), "unbound")
    try {
      const growth: Record<Format, number[]> = { csv: [], json: [], xlsx: [] }
      const measure = (format: Format) => async () => {
        const before = memoryOf(service.pid).now
        resetPeak(service.pid)
        const ms = await timed(() => read(service, format))
        growth[format].push(memoryOf(service.pid).peak - before)
        // Leaves the next one a service at rest.
        await Bun.sleep(1_000)
        return LEADS / (ms / 1_000)
      }
      const rates = await takeTurns({
        csv: measure("csv"),
        json: measure("json"),
        xlsx: measure("xlsx"),
      })
      const formats = Object.keys(GOALS) as Format[]
      return formats.flatMap((format): Check[] => [
        check(10, `export of 1 M as ${format}`, spread(rates[format]), GOALS[format], "rows/s"),
        check(
          10,
          `export of 1 M as ${format}, growth at the peak`,
          Math.max(...growth[format]),
          "<= 60",
          "MB",
        ),
      ])
    } finally {
      await service.stop()
    }
  },
}

/** Throws an Error when the file breaks off. */
async function read({ origin, headers }: Service, format: Format): Promise<void> {
  const response = await fetch(`${origin}${BASE_PATH}/leads/export?format=${format}`, { headers })
  if (!response.ok || !response.body) throw new Error(`the export answered ${response.status}`)
  let bytes = 0
  for await (const chunk of response.body) bytes += chunk.length
  if (bytes < LEADS * 50) throw new Error(`the export ended after ${bytes} bytes`)
}

/** From here on the kernel tells the peak anew (proc(5), clear_refs). */
function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5")
}
