import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { type Sheet as ReadSheet, readXlsx } from "hucre/xlsx"
import { exportStream } from "../../src/domain/exports/formats.ts"
import {
  type LeadSheet,
  leadSheet,
  streamedWorkbook,
  wholeWorkbook,
  XLSX_MAX_COLUMNS,
  XLSX_MAX_ROWS,
  XLSX_WHOLE_MAX_ROWS,
} from "../../src/domain/exports/xlsx.ts"
import { bytesOf, sampleLead, sampleSource } from "./export-sample.ts"

type Writer = (sheet: LeadSheet) => AsyncGenerator<Uint8Array>
const WRITERS: [name: string, Writer][] = [
  ["write-excel-file", wholeWorkbook],
  ["the streaming writer", streamedWorkbook],
]

async function read(bytes: Uint8Array): Promise<ReadSheet> {
  const book = await readXlsx(bytes, { readStyles: true })
  expect(book.sheets.map((sheet) => sheet.name)).toEqual(["Leads"])
  return book.sheets[0]!
}

async function written(write: Writer, leads: string[], attributeNames: string[] = []): Promise<ReadSheet> {
  return read(await bytesOf(write(leadSheet(sampleSource(leads, attributeNames).source))))
}

/** A sheet of leads that have these texts in a field, and the cells of its column. */
async function columnOf(write: Writer, field: "name" | "description", texts: string[]) {
  const sheet = await written(
    write,
    texts.map((text) => sampleLead({ [field]: text })),
  )
  const index = sheet.rows[0]!.indexOf(field)
  return { sheet, cells: sheet.rows.slice(1).map((row) => row[index] ?? null) }
}

describe.each(WRITERS)("XLSX by %s", (_, write) => {
  test("has a bold, frozen header row and set column widths", async () => {
    const sheet = await written(write, [sampleLead()], ["email", "size"])
    expect(sheet.rows[0]!.slice(0, 3)).toEqual(["id", "name", "source"])
    expect(sheet.rows[0]!.slice(-3)).toEqual(["score", "attr:email", "size"])
    expect(sheet.freezePane).toMatchObject({ rows: 1 })
    expect(sheet.cells?.get("0,0")?.style?.font?.bold).toBe(true)
    expect(sheet.cells?.get("1,0")?.style?.font?.bold ?? false).toBe(false)
    expect(sheet.columns?.[0]?.width).toBe(40)
  })

  test("keeps numbers, booleans and texts apart", async () => {
    const attributes = {
      ...{ n: -1e-7, big: 1e21, yes: true, no: false, digits: "007", list: ["a", "b"], o: { a: 1 } },
    }
    const lead = sampleLead({ phone: "+49 30 1234", latitude: -33.5, tags: ["x", "y"] }, attributes)
    const [header, row] = (await written(write, [lead], Object.keys(attributes))).rows
    const cells = Object.fromEntries(header!.map((name, i) => [String(name), row![i]]))
    expect(cells).toMatchObject({
      ...{ phone: "+49 30 1234", latitude: -33.5, longitude: null, tags: "x|y", created_at: 1_760_000_000 },
      ...{ n: -1e-7, big: 1e21, yes: true, no: false, digits: "007", list: "a|b", o: '{"a":1}' },
    })
  })

  test("writes what looks like a formula as text", async () => {
    const texts = ["=1+1", "+1+cmd|' /C calc'!A0", "-2", "@SUM(A1)", "\t=1"]
    const { sheet, cells } = await columnOf(write, "name", texts)
    expect(cells).toEqual(texts)
    for (const cell of sheet.cells?.values() ?? []) expect(cell.formula).toBeUndefined()
  })

  test("keeps any text that XML can hold", async () => {
    const texts = [
      ...["<b>&amp;</b> ]]> \"'", " outer  spaces ", "two\nlines", "🎉 ü 東京", "_x0041_ _x000D_"],
      ...["__proto__", "constructor", "toString"],
    ]
    expect((await columnOf(write, "name", texts)).cells).toEqual(texts)
  })

  test("leaves out what XML cannot hold, and a text of nothing else is empty", async () => {
    const unwritable = "a\u0000\u0001\u001b\u007f\u009fb\ufffe\uffff\ufffd"
    const names = [unwritable, "one\r\ntwo\rthree", "\u0001", "\ud83f\udffe"]
    expect((await columnOf(write, "name", names)).cells).toEqual(["ab", "one\ntwo\nthree", null, null])
  })

  test("cuts a text at Excel's 32,767 characters and shows that it did", async () => {
    const longest = "x".repeat(32_767)
    const emoji = `${"x".repeat(32_765)}🎉🎉`
    const { cells } = await columnOf(write, "description", [longest, `${longest}y`, emoji])
    expect(cells).toEqual([longest, `${longest.slice(0, -1)}…`, `${"x".repeat(32_765)}…`])
  })

  test("is a sheet with just the header when there are no leads", async () => {
    expect((await written(write, [])).rows).toHaveLength(1)
  })
})

describe("XLSX export", () => {
  test("gives the same cells by both writers", async () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom(..."_x0041<&> \n\r=") }),
    )
    const value = fc.oneof(
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.array(text),
    )
    const leads = fc.array(fc.tuple(text, value), { minLength: 1, maxLength: 20 })
    const property = fc.asyncProperty(leads, async (leads) => {
      const texts = leads.map(([name, a]) => sampleLead({ name: name.toWellFormed() }, { a }))
      const [whole, streamed] = await Promise.all(WRITERS.map(([, write]) => written(write, texts, ["a"])))
      expect(streamed!.rows).toEqual(whole!.rows)
    })
    await fc.assert(property, { numRuns: 60 })
  })

  test.each([
    [XLSX_WHOLE_MAX_ROWS, true],
    [XLSX_WHOLE_MAX_ROWS + 1, false],
  ])("of %d leads is by write-excel-file: %p", async (count, byWriteExcelFile) => {
    const { source } = sampleSource([sampleLead()])
    const bytes = await bytesOf(exportStream("xlsx", { ...source, count }))
    expect(bytes.includes("xl/sharedStrings.xml")).toBe(byWriteExcelFile)
    expect((await read(bytes)).rows).toHaveLength(2)
  })

  test("of more leads than a sheet has rows is refused before it starts", () => {
    const { source, seen } = sampleSource([sampleLead()])
    expect(() => exportStream("xlsx", { ...source, count: XLSX_MAX_ROWS + 1 })).toThrow(
      "An XLSX sheet holds at most 1,048,575 leads and this export has 1,048,576: filter it, or use csv or json",
    )
    const attributeNames = Array.from({ length: XLSX_MAX_COLUMNS }, (_, i) => `a${i}`)
    expect(() => exportStream("xlsx", { ...source, attributeNames })).toThrow("at most 16,384 columns")
    expect(seen.chunks).toBe(0)
  })
})
