import { describe, expect, test } from "bun:test"
import { parse } from "csv-parse/sync"
import fc from "fast-check"
import { readCsv } from "../../src/formats/csv/read-csv.ts"
import { csvScanner } from "../../src/formats/csv/scanner.ts"
import { inPieces, rowsOf } from "../imports/reading.ts"

async function read(content: string | Uint8Array, size = 7) {
  const table = await readCsv(inPieces(content, size))
  return {
    names: table.names,
    rows: (await rowsOf(table))
      .filter(({ notice }) => notice === undefined)
      .map(({ line, values, problem, note }) => ({
        line,
        values,
        ...(problem && { problem }),
        ...(note && { note }),
      })),
  }
}
const message = (content: string | Uint8Array) =>
  read(content).then(
    () => "no error",
    (error: Error) => error.message,
  )

describe("CSV", () => {
  test("rows are told by the line that they begin in, through quoted newlines and blank lines", async () => {
    const { names, rows } = await read('name,city\nA,"two\nlines"\n\n,\n"say ""hi""",x\r\nZ,z')
    expect(names).toEqual(["name", "city"])
    expect(rows).toEqual([
      { line: 2, values: ["A", "two\nlines"] },
      { line: 6, values: ['say "hi"', "x"] },
      { line: 7, values: ["Z", "z"] },
    ])
  })

  const told = (cell: number) => `has a quote in cell ${cell} that is never closed: read without it`
  test.each([
    ["to the end", 'A,"Bad,x\nB,b,y\nC,c,z\n', "A|Bad|x, B|b|y, C|c|z"],
    [
      "to the next quoted cell",
      'A,"Bad,x\nB,b,y\nC,"Good, yes",z\nD,"d",w\n',
      "A|Bad|x, B|b|y, C|Good, yes|z, D|d|w",
    ],
    ["to an inch sign", 'A,"Bad,x\nB,b,y\nC,c,z\nD,19",w\n', 'A|Bad|x, B|b|y, C|c|z, D|19"|w'],
    ["past empty quoted cells", '"A","Bad,x\r\nB,"",y\r\nC,"",z\r\n', "A|Bad|x, B||y, C||z"],
    ["in the last row", 'A,b,x\nC,"Bad,z', "A|b|x, C|Bad|z"],
  ])("a quote that is never closed swallows no rows: %s", async (_, text, want) => {
    for (const size of [3, 1_000]) {
      const { rows } = await read(`name,city,note\n${text}`, size)
      expect(rows.map(({ values }) => values.join("|")).join(", ")).toBe(want)
      for (const { values, note } of rows) expect(note).toBe(values[1] === "Bad" ? told(2) : undefined)
    }
  })

  test.each([
    ["in quotes", `"${"x".repeat(1_100_000)}"`],
    ["in quotes with lines", `"x${"\nlong, of one row".repeat(80_000)}"`],
    ["without quotes", "x".repeat(1_100_000)],
  ])("a row that is too long is left out alone: %s", async (_, cell) => {
    const { rows } = await read(`name,city,note\nA,a,a\nB,b,${cell}\nC,c,c\n`, 64 * 1024)
    expect(rows.map(({ values, problem }) => [values[0], problem])).toEqual([
      ["A", undefined],
      [undefined, "is larger than 1 MiB"],
      ["C", undefined],
    ])
  })

  test("a quote that is never closed swallows no rows of a large file", async () => {
    const rows = Array.from({ length: 60_000 }, (_, i) => `Company ${i},City ${i},x${i}`)
    rows[10] = 'Company 10,"City 10,x10'
    const all = (await read(`name,city,note\n${rows.join("\n")}\n`, 64 * 1024)).rows
    expect([all.length, all[10], all[59_999]?.line]).toEqual([
      60_000,
      { line: 12, values: ["Company 10", "City 10", "x10"], note: told(2) },
      60_001,
    ])
  })

  test.each([
    'A,"Street 5, Berlin\nGermany, EU",5\n',
    'A,"one, two, three\nfour\nfive\nsix, seven, eight",5\n',
    'A,"x\n\ny\nz",5\n',
  ])("a cell of several lines stays one: %p", async (text) => {
    expect((await read(`name,city,note\n${text}B,b,b\n`)).rows).toHaveLength(2)
  })

  test.each([",", ";", "\t", "|"])("separated by %p is recognised", async (delimiter) => {
    const { rows } = await read(`name${delimiter}about\nA${delimiter}"x, y; z | w"\nB${delimiter}plain`)
    expect(rows.map(({ values }) => values)).toEqual([
      ["A", "x, y; z | w"],
      ["B", "plain"],
    ])
  })

  test("a line that tells Excel the delimiter is obeyed, a byte order mark and old line ends are taken", async () => {
    expect((await read("\ufeffsep=;\r\nname;a,b,c\r\nA;1\r\n")).rows).toEqual([
      { line: 3, values: ["A", "1"] },
    ])
    expect((await read("name,city\rA,B\rC,D")).rows).toHaveLength(2)
  })

  test("text of any script arrives whole, however the bytes are cut", async () => {
    const text = "name,city\n東京タワー,Αθήνα\n😀 Café,Köln\n"
    for (const size of [1, 2, 3, 5, 1000]) {
      expect((await read(Buffer.from(text), size)).rows.map(({ values }) => values)).toEqual([
        ["東京タワー", "Αθήνα"],
        ["😀 Café", "Köln"],
      ])
    }
    const wide = Buffer.from(`\ufeff${text}`, "utf16le")
    expect((await read(wide, 3)).rows[1]?.values).toEqual(["😀 Café", "Köln"])
  })

  test("rows with too few or too many cells, or text behind a quote, are told of; the others are read", async () => {
    const { rows } = await read('a,b\n1\n1,2,3\n"x"y,2\n1,2,,\n3,4\n')
    expect(rows).toEqual([
      { line: 2, values: ["1"], note: "has 1 cell, the header names 2 columns" },
      { line: 3, values: ["1", "2", "3"], note: "has 3 cells, the header names 2 columns" },
      {
        line: 4,
        values: ["xy", "2"],
        note: expect.stringContaining("text after a closing quote in cell 1"),
      },
      { line: 5, values: ["1", "2"] },
      { line: 6, values: ["3", "4"] },
    ])
  })

  test("a row that is too large is left out, quoted or not, and what follows is read", async () => {
    const huge = "x".repeat(1_100_000)
    for (const row of [`"${huge}\n"`, huge]) {
      const { rows } = await read(Buffer.from(`a,b\n${row},2\n3,4\n`), 50_000)
      expect(rows).toEqual([
        { line: 2, values: [], problem: "is larger than 1 MiB" },
        { line: row === huge ? 3 : 4, values: ["3", "4"] },
      ])
    }
  })

  test.each([
    ["windows-1250", "5a616bb36164;a3f3649f", "Zakład", "Łódź"],
    ["windows-1252", "4dfc6c6c6572;4bf66c6e", "Müller", "Köln"],
    ["windows-1252", "436f6575722035306db3;43f46e65", "Coeur 50m³", "Cône"],
    ["windows-1251", "d0eeece0f8eae0;cceef1eae2e0", "Ромашка", "Москва"],
    ["shift_jis", "89ef8ed08341834e8381;938c8b9e", "会社アクメ", "東京"],
    ["gb18030", "b9abcbbec3fbb3c6;b1b1bea9", "公司名称", "北京"],
  ])("in %s is found out by its letters, and told", async (encoding, row, name, city) => {
    const bytes = row.split(";").map((cell) => Buffer.from(cell, "hex"))
    const file = Buffer.concat([Buffer.from("name;city\n"), bytes[0]!, Buffer.from(";"), bytes[1]!])
    const table = await readCsv(inPieces(file, 100))
    expect(table.names).toEqual(["name", "city"])
    expect(await rowsOf(table)).toMatchObject([
      { values: [name, city] },
      { notice: expect.stringContaining(encoding) },
    ])
  })

  test("its encoding is found out, wherever the first byte of another one stands", async () => {
    const bytes = (text: string, encoding: BufferEncoding) => Buffer.from(text, encoding)
    const names = async (content: Uint8Array, size?: number) =>
      (await read(content, size)).rows.map(({ values }) => values[0])
    const late = `name,city\n${"A,B\n".repeat(30_000)}Müller,Köln\n`
    for (const size of [1, 3, 4_096])
      expect(await names(bytes("name,city\nA,B\nMüller,Köln\n", "latin1"), size)).toEqual(["A", "Müller"])
    expect((await names(bytes(late, "latin1"), 5_000)).at(-1)).toBe("Müller")
    expect(
      await names(Buffer.from([...bytes("name,city\nA", "latin1"), 0x80, ...bytes(",B\n", "latin1")])),
    ).toEqual(["A€"])
    expect(await names(bytes("name,city\nMüller,Köln\n", "utf16le"))).toEqual(["Müller"])
    const mixed = Buffer.concat([
      bytes("name,city\nMüller,Köln\nJ", "utf8"),
      Buffer.from([0xf6]),
      bytes("rg,Bonn\n", "utf8"),
    ])
    expect(await names(mixed)).toEqual(["Müller", "Jörg"])
  })

  test("below a title and notes it begins with the row that names the columns", async () => {
    const titled = await read('Leads,,\n"As of 1 May, all regions",,\n\nname,city,tags\nA,B,\n,,x\n')
    expect([titled.names, titled.rows.map(({ line }) => line)]).toEqual([
      ["name", "city", "tags"],
      [5, 6],
    ])
    expect((await read("a,a,b,a\n1,2,3,4\n")).names).toEqual(["a", "a (2)", "b", "a (3)"])
  })

  test("what cannot be read says where and what to do", async () => {
    expect(await message('name,city\nA,"never\nclosed')).toBe(
      "a quote that is opened in the row of line 2 is never closed",
    )
    expect(await message("")).toBe("the file is empty: the first line must name the columns")
    expect((await read("name,city\n")).rows).toEqual([])
  })

  test("reads what csv-parse reads, in pieces of any size", () => {
    const cell = fc.oneof(
      fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r\n", " ", "ß") }),
      fc.string(),
    )
    const table = fc
      .integer({ min: 2, max: 4 })
      .chain((columns) =>
        fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1 }),
      )
    fc.assert(
      fc.property(table, fc.integer({ min: 1, max: 20 }), (rows, size) => {
        const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
        const text = rows.map((row) => `${row.map(quoted).join(",")}\n`).join("")
        const scanner = csvScanner(",")
        const records = []
        for (let at = 0; at < text.length; at += size)
          records.push(...scanner.push(text.slice(at, at + size), false))
        records.push(...scanner.push("", true))
        expect(records.map(({ cells }) => cells)).toEqual(parse(text))
      }),
      { numRuns: 300 },
    )
  })
})
