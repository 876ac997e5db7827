import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { writeXlsx } from "hucre"
import type { SourceRow } from "../../src/formats/rows.ts"
import { readXlsx } from "../../src/formats/xlsx/read.ts"
import { openZip } from "../../src/formats/zip/read.ts"
import { type ZipPart, zip } from "../../src/formats/zip/write.ts"

async function read(bytes: Uint8Array, sheet?: string) {
  const file = await openZip(new Blob([bytes as Uint8Array<ArrayBuffer>]))
  const { names, rows } = await readXlsx(file, { sheet, knows: () => false })
  const all: SourceRow[] = []
  for (let next = await rows.next(); !next.done; next = await rows.next()) all.push(...next.value)
  return { names, rows: all }
}
const valuesOf = async (bytes: Uint8Array) =>
  (await read(bytes)).rows.map(({ line, values }) => [line, values])
const message = (bytes: Uint8Array) =>
  read(bytes).then(
    () => "no error",
    (error: Error) => error.message,
  )

/** A workbook whose sheet has this XML, as programs other than ours write it. */
async function workbook(sheet: string, more: Record<string, string> = {}): Promise<Uint8Array> {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Target="${target}" Type="http://x/${type}" Id="${id}"/>`
  const parts: Record<string, string> = {
    "_rels/.rels": relation("r1", "officeDocument", "/xl/workbook.xml"),
    "xl/workbook.xml": '<x:workbook><x:workbookPr date1904="1"/><x:sheet name="S" r:id="a"/></x:workbook>',
    "xl/_rels/workbook.xml.rels":
      relation("a", "worksheet", "worksheets/s.xml") +
      relation("b", "sharedStrings", "../xl/shared.xml") +
      relation("c", "styles", "styles.xml"),
    "xl/worksheets/s.xml": sheet,
    ...more,
  }
  const zipped: ZipPart[] = Object.entries(parts).map(([path, xml]) => ({ path, chunks: [Buffer.from(xml)] }))
  return Buffer.concat(await Array.fromAsync(zip(zipped)))
}

describe("XLSX", () => {
  test("numbers, booleans, dates and text keep what they are; empty rows and cells are passed over", async () => {
    const rows = [
      ["name", "n", "b", "d"],
      ["A & <B>", 1.5, true, new Date(Date.UTC(2026, 10, 21))],
      [],
      [null, null, false],
      ["_x005F_x0041_", -2, null, new Date(Date.UTC(2026, 10, 21, 13, 45))],
    ]
    expect(await valuesOf(await writeXlsx({ sheets: [{ name: "S", rows }] }))).toEqual([
      [2, ["A & <B>", 1.5, true, "2026-11-21"]],
      [4, [null, null, false]],
      [5, ["_x0041_", -2, null, "2026-11-21T13:45:00Z"]],
    ])
  })

  test("what is merged over several rows is said of each of them", async () => {
    const row = (number: number, cells: Record<string, string>) =>
      `<row r="${number}">${Object.entries(cells)
        .map(([column, text]) => `<c r="${column}${number}" t="inlineStr"><is><t>${text}</t></is></c>`)
        .join("")}</row>`
    const rows = [
      row(1, { A: "city", B: "name", C: "email" }),
      row(2, { A: "Ulm", B: "Ada", C: "a@x.de" }),
      row(3, { B: "Bea", C: "b@x.de" }),
      '<row r="4"/>',
      row(5, { B: "Cy" }),
      row(6, { A: "Bonn", B: "Dee" }),
    ]
    const merged = ["A2:A5", "C3:C3", "B6:C6"].map((ref) => `<mergeCell ref="${ref}"/>`).join("")
    const sheet = `<worksheet><sheetData>${rows.join("")}</sheetData><mergeCells count="3">${merged}</mergeCells></worksheet>`
    expect(await valuesOf(await workbook(sheet))).toEqual([
      [2, ["Ulm", "Ada", "a@x.de"]],
      [3, ["Ulm", "Bea", "b@x.de"]],
      [5, ["Ulm", "Cy"]],
      [6, ["Bonn", "Dee"]],
    ])
  })

  test("is read as other programs write it: prefixes, shared and rich text, days from 1904, no references", async () => {
    const cells = '<x:c t="s"><x:v>0</x:v></x:c><x:c t="s"><x:v>1</x:v></x:c>'
    const sheet =
      `<x:worksheet><x:sheetData><x:row r="3">${cells}</x:row><x:row/><x:row r="9"><x:c r="B9" s="1"><x:v>1</x:v></x:c></x:row>` +
      '<x:row><x:c r="A10" t="str"><x:f>A1</x:f><x:v>a&#x41;&amp;</x:v></x:c><x:c s="1"><x:v>100.5</x:v></x:c></x:row>' +
      "</x:sheetData></x:worksheet>"
    const bytes = await workbook(sheet, {
      "xl/shared.xml":
        "<sst><si><r><t>na</t></r><r><t>me</t></r><rPh><t>x</t></rPh></si><si><t>day</t></si></sst>",
      "xl/styles.xml":
        '<numFmts><numFmt numFmtId="170" formatCode="yyyy&quot;d&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs>',
    })
    const { names, rows } = await read(bytes)
    expect(names).toEqual(["name", "day"])
    expect(rows.map(({ line, values }) => [line, values])).toEqual([
      [9, [null, 1]],
      [10, ["aA&", "1904-04-10T12:00:00Z"]],
    ])
  })

  test("rows with more cells than the header are told of", async () => {
    const bytes = await writeXlsx({ sheets: [{ name: "S", rows: [["name"], ["A", "B"]] }] })
    expect((await read(bytes)).rows[0]?.note).toBe("has 2 cells, the header names 1 column")
  })

  test("a file that is cut off or forged is refused, wherever it is damaged", async () => {
    const bytes = await workbook(
      "<worksheet><sheetData><row><c t='n'><v>1</v></c></row></sheetData></worksheet>",
    )
    expect(await message(bytes.subarray(0, bytes.length - 30))).toBe("the file is damaged or cut off")
    const noSheet = await workbook("<worksheet/>")
    expect(await message(noSheet)).toContain("the sheet is empty")
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const forged = Uint8Array.from(bytes)
        forged[at] = forged[at]! ^ change
        // Read after all, or refused in words; never a crash, never hanging.
        expect(await message(forged)).toMatch(/^no error$|workbook|sheet|file/)
      }),
      { numRuns: 150 },
    )
  })
})

// In step with the square of its size it would take hours.
test("a sheet made to waste time is read in step with its size", async () => {
  for (const waste of ["<c>", "<c><v>", "<c t='s' ", "<is><rPh>"]) {
    const sheet = `<worksheet><sheetData><row>${waste.repeat(400_000)}</row></sheetData></worksheet>`
    expect(await message(await workbook(sheet))).toContain("the sheet is empty")
  }
})
