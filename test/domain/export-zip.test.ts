import { describe, expect, test } from "bun:test"
import { crc32, inflateRawSync } from "node:zlib"
import { readXlsx } from "hucre/xlsx"
import { SHEET_END, SHEET_PATH, sheetStart, workbookParts } from "../../src/formats/xlsx/parts.ts"
import { zip } from "../../src/formats/zip/write-zip.ts"
import { bytesOf } from "./export-sample.ts"

describe("a streamed ZIP", () => {
  test("joins pieces into one deflate stream with the right sizes and checksum", async () => {
    const chunks = ["first ", "second ", "third".repeat(10_000)].map((text) => Buffer.from(text))
    const bytes = await bytesOf(zip([{ path: "a.txt", chunks }]))
    const text = Buffer.concat(chunks)
    const end = bytes.indexOf("PK\x07\x08", 0, "latin1")
    expect(inflateRawSync(bytes.subarray(30 + "a.txt".length, end)).equals(text)).toBe(true)
    expect(bytes.readUInt32LE(end + 4)).toBe(crc32(text))
    expect(bytes.readUInt32LE(end + 8)).toBe(end - 35)
    expect(bytes.readUInt32LE(end + 12)).toBe(text.length)
  })

  test.each([
    ["classic", undefined],
    ["ZIP64", 1],
  ])("is readable in %s form", async (_, limit) => {
    const parts = Object.entries(workbookParts("Leads")).map(([path, xml]) => ({
      path,
      chunks: [Buffer.from(xml)],
    }))
    const xml = `${sheetStart([10])}<row r="1"><c r="A1"><v>42</v></c></row>${SHEET_END}`
    const sheet = { path: SHEET_PATH, chunks: [Buffer.from(xml)], maybeHuge: true }
    const book = await readXlsx(await bytesOf(zip([...parts, sheet], limit)))
    expect(book.sheets[0]!.rows).toEqual([[42]])
  })
})
