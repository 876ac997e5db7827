// Small files that would fill the memory or keep a thread busy for minutes.
import { describe, expect, test } from "bun:test"
import { gzipSync } from "node:zlib"
import { openFile } from "../../src/formats/any/open.ts"
import { readXlsx } from "../../src/formats/xlsx/read-xlsx.ts"
import { openZip } from "../../src/formats/zip/read-zip.ts"
import { Upload } from "../../src/runtime/upload.ts"
import { type WorkbookParts, workbookOf } from "../support/workbook.ts"

/** What is said when all of it is read. */
async function refusal(file: Blob): Promise<string> {
  try {
    const { rows } = await readXlsx(await openZip(file), { sheet: undefined, knows: () => false })
    for (let next = await rows.next(); !next.done; next = await rows.next());
    return "nothing"
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const HEAD = '<row r="1"><c t="str"><v>name</v></c></row>'

describe("a workbook of under a megabyte", () => {
  test.each<[string, WorkbookParts, RegExp]>([
    [
      "with more tiny shared texts than memory should hold",
      { rows: HEAD, shared: "<si><t>a</t></si>".repeat(1_000_001) },
      /more than 1,000,000 texts/,
    ],
    [
      "whose rows all say that they are the second",
      { rows: HEAD + '<row r="2"/>'.repeat(1_048_577) },
      /more than 1,048,576 rows/,
    ],
    [
      "with a row beyond the last one",
      { rows: `${HEAD}<row r="1048577"><c t="str"><v>x</v></c></row>` },
      /more than 1,048,576 rows/,
    ],
    [
      "that unpacks to a thousand times its size",
      { rows: HEAD + " ".repeat(40 * 1024 * 1024) },
      /more than 200 times its size/,
    ],
    [
      "with one row without end",
      { rows: `${HEAD}<row r="2">${"<c/>".repeat(6_000_000)}` },
      /the row after row 1 of the sheet/,
    ],
  ])(
    "%s is refused in words",
    async (_, parts, words) => {
      const file = new Blob([await workbookOf(parts)])
      expect(file.size).toBeLessThan(1024 * 1024)
      expect(await refusal(file)).toMatch(words)
    },
    120_000,
  )
})

test("texts that a workbook shares keep their places, however the file is cut into pieces", async () => {
  const count = 30_000
  const shared = Array.from({ length: count }, (_, i) => `<si><t>text ${i}</t></si>`).join("")
  const rows = Array.from({ length: count }, (_, i) => `<row><c t="s"><v>${i}</v></c></row>`).join("")
  const file = new Blob([await workbookOf({ rows: HEAD + rows, shared })])
  const table = await readXlsx(await openZip(file), { sheet: undefined, knows: () => false })
  let read = 0
  for (let next = await table.rows.next(); !next.done; next = await table.rows.next())
    for (const { values } of next.value) if (values[0] === `text ${read}`) read++
  expect(read).toBe(count)
})

test("a gzip file that unpacks to a thousand times its size is refused", async () => {
  const packed = gzipSync(`name\n${`${"x".repeat(1_000_000)}\n`.repeat(40)}`)
  async function* bytes() {
    yield packed
  }
  const { table } = await openFile(new Upload(bytes(), undefined, "a.csv.gz"), { knows: () => false })
  const readOut = async () => {
    for (let next = await table.rows.next(); !next.done; next = await table.rows.next());
  }
  await expect(readOut()).rejects.toThrow("unpacks to more than 200 times its size")
})
