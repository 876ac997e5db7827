import { describe, expect, test } from "bun:test"
import { parse } from "csv-parse/sync"
import { stringify } from "csv-stringify/sync"
import fc from "fast-check"
import { csvLines } from "../../src/domain/exports/csv.ts"
import { exportStream } from "../../src/domain/exports/formats.ts"
import { cellOfText, withoutFormula } from "../../src/formats/csv/formula.ts"
import { LEAD_FIELD_NAMES } from "../../src/lead/lead-fields.ts"
import { golden } from "../support/golden.ts"
import { bytesOf, sampleLead, sampleSource } from "./export-sample.ts"

async function csv(leads: string[], attributeNames: string[] = []): Promise<string> {
  return String(await bytesOf(exportStream("csv", sampleSource(leads, attributeNames).source)))
}

/** The first lead's cells by their header. */
async function cells(lead: string, attributeNames: string[] = []): Promise<Record<string, string>> {
  const [row] = parse(await csv([lead], attributeNames), { columns: true }) as Record<string, string>[]
  return row!
}

const STANDARD = golden("export-columns.txt", LEAD_FIELD_NAMES.join(","))

describe("CSV columns", () => {
  test("are the standard ones, then one per attribute name", async () => {
    expect(await csv([], ["employees", "size, in m²"])).toBe(`${STANDARD},employees,"size, in m²"\n`)
    const { attributes: _a, emails: _e, phones: _p, ...fields } = JSON.parse(sampleLead())
    expect(STANDARD.split(",").toSorted()).toEqual(Object.keys(fields).toSorted())
  })

  test("have different headers when an attribute is named like a standard column", async () => {
    const [header] = parse(await csv([], ["attr:email", "email", "score"])) as string[][]
    expect(header!.slice(-3)).toEqual(["attr:attr:email", "attr:email", "attr:score"])
  })

  test("do not run formulas in attribute names", async () => {
    expect(await csv([], ["=1+1"])).toEndWith(",'=1+1\n")
  })

  test("leave out an attribute that was not listed beforehand", async () => {
    expect(await cells(sampleLead({}, { late: 1, known: 2 }), ["known"])).toMatchObject({ known: "2" })
  })
})

describe("CSV cells", () => {
  test("show every kind of value", async () => {
    const attributes = {
      n: -1.5,
      yes: true,
      no: false,
      list: ["a", "b, c"],
      object: { a: [1, "x"] },
      text: "t",
    }
    const lead = sampleLead({ latitude: -33.5, rating: 0, tags: ["hot", "b2b"], score: 100 }, attributes)
    expect(await cells(lead, Object.keys(attributes))).toMatchObject({
      ...{
        latitude: "-33.5",
        longitude: "",
        rating: "0",
        tags: "hot|b2b",
        score: "100",
        created_at: "1760000000",
      },
      ...{ n: "-1.5", yes: "true", no: "false", list: "a|b, c", object: '{"a":[1,"x"]}', text: "t" },
    })
  })

  test("survive names that objects inherit", async () => {
    const names = ["__proto__", "constructor"]
    const lead = sampleLead({}, JSON.parse('{"__proto__":"p","constructor":"c"}'))
    expect((await csv([lead], names)).trimEnd()).toEndWith(",p,c")
  })

  test("come back from a parser as they were, apart from formulas", async () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom(..."\"',;|=+-@\t\r\n 1a"), fc.string({ unit: "grapheme" })),
    })
    const property = fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), async (names) => {
      const leads = names.map((name) => sampleLead({ name }))
      const rows = parse(await csv(leads), { columns: true, record_delimiter: "\n" }) as Record<
        string,
        string
      >[]
      expect(rows.map((row) => row.name!)).toEqual(names.map(cellOfText))
    })
    await fc.assert(property, { numRuns: 200 })
  })

  test("are quoted exactly as csv-stringify quotes whole rows", () => {
    const cell = fc.oneof(
      fc.string({ unit: fc.constantFrom(..."\",;\r\n a'") }),
      fc.integer(),
      fc.constant(null),
    )
    const rows = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 5 })
    const property = fc.property(rows, (rows) => {
      const safe = rows.map((row) =>
        row.map((value) => (typeof value === "string" ? cellOfText(value) : value)),
      )
      expect(csvLines(rows).join("")).toBe(stringify(safe))
    })
    fc.assert(property, { numRuns: 500 })
  })

  test("start without a byte order mark", async () => {
    expect((await bytesOf(exportStream("csv", sampleSource([]).source))).subarray(0, 3).toString()).toBe(
      "id,",
    )
  })
})

describe("formulas in CSV", () => {
  const risky = [
    ..."= + - @".split(" ").map((start) => `${start}SUM(A1)`),
    ..."=1+1;=cmd|' /C calc'!A0;@user;＝1+1;＋1+1;－1;＋49 30 1234;＠SUM(1);-A1;+A1;-1+A1;--help;+cmd".split(
      ";",
    ),
    ..."+1+cmd|' /C calc'!A0;-2+3+cmd|' /C calc'!A0;+49 30 1234=A1;-1|2;-1!2;+1:2;+1x;-x12;+1 x12 x".split(
      ";",
    ),
    ...["\t=1", "\r=1", "\n=1", "-1\n=A1"],
  ]
  test.each(risky)("%j gets an apostrophe", async (text) => {
    expect(withoutFormula(text)).toBe(`'${text}`)
  })

  const phones =
    "+49 30 1234;+1-202-555-0101;+1 (202) 555-0101 ext. 12;+44 20 7946 0958 x3;+49/30.1234".split(";")
  const numbers = "-5;-5.25;-1,234.50;-1e-5;-5%;-5 €;-$5;+3;- 3;−5;-;+;-12".split(";")
  const words = ["(+1) 202", "a=b", "1-2", " =1", "'=1", "", "name@example.com", "–"]
  test.each([...phones, ...numbers, ...words])("%j stays as it is", (text) => {
    expect(withoutFormula(text)).toBe(text)
  })
})
