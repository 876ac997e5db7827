import { describe, expect, test } from "bun:test"
import { setImmediate as nextMacrotask } from "node:timers/promises"
import { EXPORT_FORMATS, type ExportFormat, exportStream } from "../../src/domain/exports/formats.ts"
import { bytesOf, failingSource, sampleLead, sampleSource } from "./export-sample.ts"

// Enough leads that every writer streams.
const MANY = Array.from({ length: 12_000 }, (_, i) => sampleLead({ name: `Lead ${i}` }))

describe("an export", () => {
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
