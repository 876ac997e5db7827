// Four times as large a file, filter or rule takes about four times as long, whatever is in it.
import { describe, expect, test } from "bun:test"
import { fitObject } from "../../src/domain/imports/cells/attribute-types.ts"
import { plainName } from "../../src/domain/imports/cells/vocabulary.ts"
import { createColumns } from "../../src/domain/imports/reader/columns.ts"
import { terms } from "../../src/domain/leads/list/fields.ts"
import { checkExpression, compileRules } from "../../src/expression/index.ts"
import { readCsv } from "../../src/formats/csv/read-csv.ts"
import { columnNames, headerAt } from "../../src/formats/header.ts"
import { readJson, readNdjson } from "../../src/formats/json/read-json.ts"
import type { Table } from "../../src/formats/rows.ts"
import { readXlsx } from "../../src/formats/xlsx/read-xlsx.ts"
import { openZip } from "../../src/formats/zip/read-zip.ts"
import { parseFilters } from "../support/filters.ts"
import { words } from "../support/words.ts"
import { relation, type WorkbookParts, workbookOf } from "../support/workbook.ts"
import { growsLinearly } from "./growth.ts"

const HEAD = '<row r="1"><c t="str"><v>name</v></c><c t="str"><v>city</v></c></row>'

/** Reads all rows of a workbook. */
async function workbook({ rows = "", ...parts }: WorkbookParts) {
  const file = new Blob([await workbookOf({ ...parts, rows: HEAD + rows })])
  return async () => readOut(await readXlsx(await openZip(file), { sheet: "S", knows: () => false }))
}

async function readOut({ rows }: Table): Promise<void> {
  for (let next = await rows.next(); !next.done; next = await rows.next());
}

/** Reads all rows of a text, of which some come at a time. */
function reading(text: string, read: (bytes: AsyncIterable<Uint8Array>) => Table | Promise<Table>) {
  const bytes = Buffer.from(text)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 32 * 1024) yield bytes.subarray(at, at + 32 * 1024)
  }
  return async () => {
    // A file that cannot be read is refused in linear time too.
    await Promise.resolve(read(pieces()))
      .then(readOut)
      .catch(() => undefined)
  }
}

/** Detects the columns of rows and makes leads of them. */
function columns(names: readonly string[], rows: readonly (readonly unknown[])[]) {
  const sample = rows.map((values, i) => ({ line: i + 2, names, values }))
  return () => {
    const { leadOf, reports } = createColumns(names, sample, "none", {
      map: [],
      source: "x",
      wording: "query",
    })
    for (const row of sample) leadOf(row)
    reports()
  }
}

// Names are remembered up to a number: with all of them used, small and large files are alike.
for (let i = 0; i < 6_000; i++) plainName(`name ${i}`)

const many = (size: number, of: (i: number) => string) =>
  Array.from({ length: size }, (_, i) => of(i)).join("")

describe("takes time in step with its size:", () => {
  test.each<[string, number, (size: number) => (() => unknown) | Promise<() => unknown>]>([
    ["a header of one name", 5_000, (n) => () => columnNames(Array(n).fill("a"))],
    [
      "a header of numbered names",
      5_000,
      (n) => () => columnNames(Array.from({ length: n }, (_, i) => (i % 2 ? "a" : `a (${i})`))),
    ],
    [
      "the rows above a header",
      5_000,
      (n) => () => headerAt(Array(60).fill({ cells: Array(n).fill("x") }), undefined),
    ],
    ["a CSV header", 4_000, (n) => reading(`${"a,".repeat(n)}\n1`, (bytes) => readCsv(bytes))],
    [
      "CSV rows of quotes",
      100_000,
      (n) => reading(`a,b\n${'"""",x\n'.repeat(n / 5)}`, (bytes) => readCsv(bytes)),
    ],
    [
      "a quoted cell of many lines",
      200_000,
      (n) => reading(`a,b\n"${'x\n""'.repeat(n / 4)}",y\n`, (bytes) => readCsv(bytes)),
    ],
    [
      "a quote that is never closed",
      200_000,
      (n) => reading(`a,b\n"${"x\n".repeat(n)}`, (bytes) => readCsv(bytes)),
    ],
    ["JSON of brackets", 200_000, (n) => reading(`[${"[".repeat(n)}`, (bytes) => readJson(bytes))],
    ["lines of JSON", 20_000, (n) => reading('{"a":1}\n'.repeat(n), (bytes) => readNdjson(bytes))],
    [
      "sheets and relations",
      2_000,
      (n) =>
        workbook({
          book: `${many(n, (i) => `<sheet name="s${i}" r:id="z${i}"/>`)}<sheet name="S" r:id="a"/>`,
          relations: many(n, (i) => relation(`y${i}`, "worksheet", "worksheets/s.xml")),
        }),
    ],
    ["a long relation", 100_000, (n) => workbook({ relations: relation("d", "x", "a/../".repeat(n / 5)) })],
    [
      "number formats of brackets",
      200,
      (n) =>
        workbook({ styles: many(n, (i) => `<numFmt numFmtId="${i}" formatCode="${"[".repeat(1_000)}"/>`) }),
    ],
    [
      "cell styles",
      10_000,
      (n) => workbook({ styles: `<cellXfs>${'<xf numFmtId="1"/>'.repeat(n)}</cellXfs>` }),
    ],
    ["shared texts", 5_000, (n) => workbook({ shared: "<si><t>a</t></si>".repeat(n) })],
    ["a long shared text", 400_000, (n) => workbook({ shared: `<si><t>${"si>".repeat(n / 3)}</t></si>` })],
    [
      "a shared text of many parts",
      20_000,
      (n) => workbook({ shared: `<si>${"<rPh><t>a</t></rPh>".repeat(n)}</si>` }),
    ],
    ["a row of many cells", 4_000, (n) => workbook({ rows: `<row>${"<c><v>1</v></c>".repeat(n)}</row>` })],
    ["a row that looks closed", 400_000, (n) => workbook({ rows: `<row>${"row>".repeat(n / 4)}</row>` })],
    ["many rows", 2_500, (n) => workbook({ rows: "<row><c><v>1</v></c></row>".repeat(n) })],
    [
      "merged cells",
      2_000,
      (n) =>
        workbook({
          rows: `${"<row><c><v>1</v></c></row>".repeat(n)}</sheetData>${many(n, (i) => `<mergeCell ref="A${i + 2}:A${n + 9}"/>`)}`,
        }),
    ],
    [
      "columns",
      500,
      (n) =>
        columns(
          ["name", ...Array.from({ length: n }, (_, i) => `c${i}`)],
          Array(5).fill(Array(n + 1).fill("x")),
        ),
    ],
    [
      "columns of one role",
      500,
      (n) =>
        columns(
          Array.from({ length: n }, (_, i) => `email (${i})`),
          Array(5).fill(Array(n).fill("a@b.co")),
        ),
    ],
    [
      "nested columns",
      500,
      (n) =>
        columns(
          ["name", ...Array.from({ length: n }, (_, i) => `c${i}`)],
          [["x", ...Array(n).fill('{"a":1}')], ["y"]],
        ),
    ],
    [
      "numbered columns",
      500,
      (n) => columns(["name", ...Array.from({ length: n }, (_, i) => `tags/${i}`)], [Array(n + 1).fill("x")]),
    ],
    [
      "an object of many parts",
      2_000,
      (n) => () => fitObject(Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, i]))),
    ],
    ["a filter", 3_000, (n) => () => refused(() => parseFilters([`and.in.city.${"a,".repeat(n / 2)}`]))],
    [
      "a filter of quotes",
      3_000,
      (n) => () => refused(() => parseFilters([`and.eq.attr:"${'""'.repeat(n / 2)}`])),
    ],
    ["terms", 10_000, (n) => () => terms([`"${'"",'.repeat(n)}`])],
    ["a rule", 900, (n) => () => refused(() => checkExpression(`1${" + 1".repeat(n / 4)}`))],
    ["a rule of quotes", 900, (n) => () => refused(() => checkExpression(`"${'\\"'.repeat(n / 2)}`))],
    [
      "rules",
      20,
      (n) => {
        const expression = 'contains(name, "a") * 2'
        const rules = Array.from({ length: n }, (_, i) => ({
          id: `${i}`,
          name: `r${i}`,
          weight: 1,
          expression,
        }))
        return () => refused(() => compileRules(rules))
      },
    ],
  ])("%s", async (_, size, make) => {
    expect(await growsLinearly(make, size)).toBe(true)
  })

  const PUMPS = [
    "a",
    "0",
    " ",
    "a@",
    "a.",
    "1 ",
    ".",
    "(",
    "(0",
    "+0 ",
    ",",
    ";",
    "\t",
    "\n",
    "[",
    "{",
    '"',
    "'",
    "-",
    "a-",
    "/",
    "google.",
    "http://",
    "é",
    "<",
    " or ",
  ]
  const FIELDS = words(`
    name email phone website linkedin latitude coordinates rating reviews tags status address notes
    other
  `)
  test.each(PUMPS)("a cell of %j", async (pump) => {
    const make = (size: number) => {
      const cell = `${pump.repeat(size / pump.length)}\u0001`
      return columns(FIELDS, Array(4).fill(FIELDS.map(() => cell)))
    }
    expect(await growsLinearly(make, 5_000)).toBe(true)
  })
})

/** A filter or rule that is refused is refused in linear time too. */
function refused(parse: () => unknown): void {
  try {
    parse()
  } catch {}
}
