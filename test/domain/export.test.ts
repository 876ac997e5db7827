import { describe, expect, test } from "bun:test"
import { setImmediate as nextMacrotask } from "node:timers/promises"
import {
  EXPORT_CONTENT_TYPES,
  EXPORT_FORMATS,
  type ExportFormat,
  exportFileName,
  exportStream,
} from "../../src/domain/exports/formats.ts"
import { bytesOf, failingSource, sampleLead, sampleSource } from "./export-sample.ts"

// Enough leads that every writer streams.
const MANY = Array.from({ length: 12_000 }, (_, i) => sampleLead({ name: `Lead ${i}` }))

async function json(leads: string[]): Promise<unknown> {
  return new Response(exportStream("json", sampleSource(leads).source)).json()
}

describe("JSON export", () => {
  test("is an array of the full leads in their order", async () => {
    const leads = [
      sampleLead({ name: 'A "b" \\ ü' }, { size: 3 }),
      sampleLead({ name: "B" }),
      sampleLead({ name: "C" }),
    ]
    expect(await json(leads)).toEqual(leads.map((text) => JSON.parse(text)))
  })

  test("is an empty array without leads", async () => {
    expect(await json([])).toEqual([])
  })

  test("is an array whatever the number of leads", async () => {
    expect(await json(MANY)).toHaveLength(MANY.length)
  })
})

describe("an export", () => {
  test("has the documented content types and a dated file name", () => {
    expect(EXPORT_CONTENT_TYPES.csv).toStartWith("text/csv")
    expect(EXPORT_CONTENT_TYPES.json).toBe("application/json")
    expect(EXPORT_CONTENT_TYPES.xlsx).toBe(
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    )
    expect(exportFileName("csv", Date.UTC(2026, 10, 21, 23, 59, 59) / 1000)).toBe("leads-2026-11-21.csv")
  })

  test.each([...EXPORT_FORMATS])("%s gives the same bytes for the same leads", async (format) => {
    const make = () => bytesOf(exportStream(format, sampleSource(MANY, [], 250).source))
    expect((await make()).equals(await make())).toBe(true)
  })

  test.each([...EXPORT_FORMATS])("%s reads its source only as it is read itself", async (format) => {
    const { source, seen } = sampleSource(MANY, [], 100)
    const reader = exportStream(format, source).getReader()
    await pause()
    expect(seen.chunks).toBe(0)
    await reader.read()
    await reader.read()
    await pause()
    const afterTwo = seen.chunks
    expect(afterTwo).toBeLessThan(12)
    await pause()
    expect(seen.chunks).toBe(afterTwo)
    await reader.cancel()
  })

  test.each([...EXPORT_FORMATS])("%s ends its source when the reader stops", async (format) => {
    const { source, seen } = sampleSource(MANY, [], 100)
    const reader = exportStream(format, source).getReader()
    while (seen.chunks === 0) await reader.read()
    await reader.cancel()
    const then = seen.chunks
    await pause()
    expect(seen).toEqual({ chunks: then, stopped: true })
  })

  test.each([...EXPORT_FORMATS])("%s ends its source when it is never read", async (format) => {
    const { source, seen } = sampleSource(MANY)
    await exportStream(format, source).cancel()
    expect(seen).toEqual({ chunks: 0, stopped: true })
  })

  const small: [ExportFormat, number][] = EXPORT_FORMATS.map((format) => [format, 1])
  test.each([...small, ["xlsx", 10_001] as const])(
    "%s of %d leads fails when its source does",
    async (format, count) => {
      await expect(bytesOf(exportStream(format, failingSource(count)))).rejects.toThrow("disk on fire")
    },
  )

  test.each([...EXPORT_FORMATS])("%s lets the event loop serve others meanwhile", async (format) => {
    let exporting = true
    let turns = 0
    const others = (async () => {
      while (exporting) {
        await nextMacrotask()
        turns++
      }
    })()
    await bytesOf(exportStream(format, sampleSource(MANY, [], 1_000).source))
    exporting = false
    await others
    expect(turns).toBeGreaterThan(10)
  })
})

/** Time for anything that would run ahead to do so. */
async function pause(): Promise<void> {
  for (let i = 0; i < 20; i++) await nextMacrotask()
}
