import { describe, expect, test } from "bun:test"
import { createColumns } from "../../src/domain/imports/reader/columns.ts"
import type { SourceRow, Typing } from "../../src/formats/rows.ts"

interface Options {
  map?: string[]
  unknown?: "reject" | "refuse" | "attributes" | "ignore"
  source?: string
  typing?: Typing
}

/** The leads of a table whose first row names the columns. */
function leads(
  [names = [], ...rows]: unknown[][],
  { map = [], unknown, source, typing = "none" }: Options = {},
) {
  const all: SourceRow[] = rows.map((values, i) => ({ line: i + 2, names: names as string[], values }))
  const columns = createColumns(names as string[], all, typing, { map, unknown, source, wording: "query" })
  return {
    leads: all.map((row) => {
      const read = columns.leadOf(row)
      return "lead" in read ? (read.lead as Record<string, unknown>) : read
    }),
    known: columns.reports().map(({ column, target }) => ({ column, target })),
  }
}
const message = (table: unknown[][], options?: Options) => {
  try {
    leads(table, options)
    return "no error"
  } catch (error) {
    return (error as Error).message
  }
}

describe("columns", () => {
  test.each([
    ["a year behind a dot is a part of a name", "Umsatz.2024", "Umsatz.2024"],
    ["years in a row are, too", "Umsatz.2024 Umsatz.2025", "Umsatz.2024 Umsatz.2025"],
    ["a repeated column is no list", "size size.1", "size size.1"],
    ["one that begins at 1 alone is no list", "size.1", "size.1"],
    ["numbers with a gap are no list", "size.0 size.2", "size.0 size.2"],
    ["numbers from 0 are a list", "size.0 size.1", "size"],
    ["numbers from 1 are a list", "size.1 size.2", "size"],
    ["a slash is always a path", "size/7", "size"],
  ])("%s", (_, header, columns) => {
    const names = header.split(" ")
    const { known } = leads([
      ["name", "source", ...names],
      ["Ada", "web", ...names.map((_, i) => String(i + 5))],
    ])
    expect(known.map(({ column }) => column)).toEqual(["name", "source", ...columns.split(" ")])
  })

  test("a column named with a year keeps its name and its value", () => {
    const { leads: all } = leads([
      ["name", "source", "Umsatz.2024"],
      ["Ada", "web", "5"],
    ])
    expect(all[0]).toMatchObject({ attributes: [{ name: "Umsatz.2024", value: 5 }] })
  })

  test.each([
    ["Company", "name"],
    ["Organisation", "name"],
    ["Title", "name"],
    ["Full name", "name"],
    ["Company, Full name", "company, name"],
    ["Company, Title", "name, job_title"],
    ["Name, Organisation, Role, LinkedIn", "name, company, job_title, linkedin_url"],
    ["Business, Company", "attr:Business:text, name"],
  ])("%s are %s: a company is the name where nothing else is", (columns, targets) => {
    const header = ["source", ...columns.split(", ")]
    const { known } = leads([header, header.map(() => "x")], { unknown: "attributes" })
    const want = ["source", ...targets.split(", ")]
    expect(known).toEqual(header.map((column, i) => ({ column, target: want[i]! })))
  })

  test("that map leaves out or makes an attribute are no stand-in", () => {
    const table = [
      ["Company", "Title", "source"],
      ["Acme", "Boss", "web"],
    ]
    expect(leads(table, { map: ["Company:-"] }).leads).toEqual([{ name: "Boss", source: "web" }])
  })

  test("whose names are half characters are refused like any unknown one", () => {
    const table = [
      ["name", "source", "\ud83d"],
      ["Acme", "web", "x"],
    ]
    expect(message(table, { unknown: "reject" })).toMatch(/map=/)
  })

  test("are matched ignoring case, spaces and punctuation, and by common names", () => {
    const { leads: all } = leads([
      "Company Name;Lead Source;E-Mail;Tel.;ZIP code;Lat;LNG;Reviews;Logo-URL;Labels".split(";"),
      ["Acme", "web", "a@x.de", "123", "01234", "52.5", "-13.4", "7", "http://l", "a| b ||c"],
    ])
    expect(all).toEqual([
      {
        ...{ name: "Acme", source: "web", email: "a@x.de", phone: "123", postal_code: "01234" },
        ...{ latitude: 52.5, longitude: -13.4, review_count: 7, logo_url: "http://l", tags: ["a", "b", "c"] },
      },
    ])
  })

  test("of several that mean the same field the exact one has it, the other where that is empty; it stays an attribute", () => {
    const table = [
      ["Town", "city", "name", "source"],
      ["Bonn", "Berlin", "Ada", "web"],
      ["Ulm", "", "Bea", "web"],
    ]
    expect(leads(table).leads).toEqual([
      {
        ...{ name: "Ada", source: "web", city: "Berlin" },
        attributes: [{ name: "Town", type: "text", value: "Bonn" }],
      },
      {
        ...{ name: "Bea", source: "web", city: "Ulm" },
        attributes: [{ name: "Town", type: "text", value: "Ulm" }],
      },
    ])
  })

  test("are mapped by hand to fields, typed attributes, or nothing", () => {
    const map = ["Firm: the one:name", "Seats:attr:seats:number", "open:attr:a:b", "Junk:-"]
    const { leads: all, known } = leads(
      [
        ["Firm: the one", "seats", "Open", "Junk", "source"],
        ["Acme", "7.0", "yes", "x", "web"],
      ],
      { map },
    )
    const attributes = [
      { name: "seats", type: "number", value: 7 },
      { name: "a:b", type: "bool", value: true },
    ]
    expect(all).toEqual([{ name: "Acme", source: "web", attributes }])
    expect(known).toContainEqual({ column: "seats", target: "attr:seats:number" })
    expect(known).toContainEqual({ column: "Junk", target: "-" })
  })

  test("that the service sets, and the reason of a rejection, are passed over", () => {
    const table = [
      ["id", "name", "source", "score", "created_at", "rejected_because"],
      ["cl_1", "A", "web", "5", "1", "line 3: x"],
    ]
    expect(leads(table).leads).toEqual([{ name: "A", source: "web" }])
  })

  test("nobody knows are attributes; refused with what to do about them, or left out, for who wants that", () => {
    const table = [
      ["name", "source", "Seats", "Größe & co"],
      ["A", "web", "4", "x"],
    ]
    const said = message(table, { unknown: "refuse" })
    expect(said).toContain('"Seats", "Größe & co" are no lead fields')
    expect(said).toContain(
      "unknown=attributes or map=Seats:attr:Seats:number&map=Gr%C3%B6%C3%9Fe%20%26%20co:attr:",
    )
    expect(leads(table, { unknown: "ignore" }).leads).toEqual([{ name: "A", source: "web" }])
    expect(leads(table).known).toContainEqual({ column: "Seats", target: "attr:Seats:number" })
  })

  test("taken as attributes have the type of their values; one that does not fit stays text", () => {
    const table = [
      ["name", "source", "n", "b", "l", "o", "code", "mixed"],
      ["A", "w", "1.5", "true", "a|b", '{"k":1}', "00123", "7"],
      ["B", "w", "-2", "false", "c", '{"k":2}', "10115", "x"],
    ]
    const { leads: all } = leads(table, { unknown: "attributes" })
    const values = (all as { attributes: { name: string; value: unknown }[] }[]).map(({ attributes }) =>
      Object.fromEntries(attributes.map(({ name, value }) => [name, value])),
    )
    expect(values).toEqual([
      { n: 1.5, b: true, l: ["a", "b"], o: { k: 1 }, code: "00123", mixed: "7" },
      { n: -2, b: false, l: ["c"], o: { k: 2 }, code: "10115", mixed: "x" },
    ])
    const sample = [{ line: 2, names: ["name", "n"], values: ["A", "1"] }]
    const columns = createColumns(["name", "n"], sample, "none", {
      map: [],
      unknown: "attributes",
      source: "w",
      wording: "query",
    })
    const late = columns.leadOf({ line: 3, names: ["name", "n"], values: ["B", "many"] })
    expect(late).toMatchObject({
      lead: { attributes: [{ name: "n", type: "text", value: "many" }] },
      warnings: [{ line: 3, column: "n", value: "many", kind: "kept_as_text" }],
    })
  })

  test("of dates are dates in any usual notation; a day that is none stays text", () => {
    const [won, lost] = ["1.4.2024", "2024-05-31"].map((first) => {
      const rows = [first, "15.04.2024", "30.2.2024", ...Array(20).fill("2.4.2024")]
      const table = [["Firm", "Met"], ...rows.map((day, i) => [`Firm ${i}`, day])]
      return leads(table, { unknown: "attributes" }).leads
    })
    const met = (lead: Record<string, unknown>) => (lead.attributes as object[])[0]
    expect(met(won![0]!)).toMatchObject({ name: "Met", type: "date", value: "2024-04-01" })
    expect(met(lost![0]!)).toMatchObject({ type: "date", value: "2024-05-31" })
    expect(met(won![1]!)).toMatchObject({ type: "date", value: "2024-04-15" })
    expect(met(won![2]!)).toMatchObject({ type: "text", value: "30.2.2024" })
  })

  test("of JSON keep their types", () => {
    const names = ["name", "source", "code", "open", "hours", "geo"]
    const { leads: all } = leads([names, ["A", "w", "10115", true, ["9", "17"], { zoom: 1 }]], {
      typing: "all",
      unknown: "attributes",
    })
    const { attributes } = all[0] as { attributes: { type: string }[] }
    expect(attributes.map(({ type }) => type)).toEqual(["text", "bool", "list", "object"])
  })

  test("numbers of a workbook become text where text is wanted", () => {
    const { leads: all } = leads(
      [
        ["name", "source", "phone", "zip"],
        ["A", "w", 4930123, 1234],
      ],
      { typing: "some" },
    )
    expect(all[0]).toMatchObject({ phone: "4930123", postal_code: "1234" })
  })

  test("an apostrophe that an export put before a formula goes, any other stays", () => {
    const { leads: all } = leads([
      ["name", "source", "description"],
      ["'=SUM(A1)", "'+x", "'tis"],
    ])
    expect(all[0]).toEqual({ name: "=SUM(A1)", source: "+x", description: "'tis" })
  })

  test.each<[string, unknown[][], Options, string]>([
    ["no name", [["city"]], {}, "no column is the lead's name: say which one, such as map=city:name"],
    ["a map of nothing", [["name"]], { map: ["Firm:name"] }, 'the column "Firm", which the file has not'],
    ["a map to nothing", [["name"]], { map: ["name:nam"] }, '"nam" is no lead field. Did you mean name?'],
    ["too many columns", [Array.from({ length: 5_001 }, (_, i) => `c${i}`)], {}, "at most 5,000"],
    ["a map without form", [["name", "source"]], { map: ["name"] }, "map must be COLUMN:FIELD"],
  ])("%s is refused", (_, table, options, why) => {
    expect(message(table, options)).toContain(why)
  })
})
