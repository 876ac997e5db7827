import { describe, expect, test } from "bun:test"
import { writeXlsx } from "hucre"
import { zipped } from "../support/workbook.ts"
import { readFile } from "./reading.ts"

async function read(content: Uint8Array | string, fileName?: string, options?: { sheet?: string }) {
  const { rows, format, table } = await readFile(content, fileName, options)
  return { leads: rows.map((one) => ("lead" in one ? one.lead : one)), format, table }
}

describe("a workbook", () => {
  const book = async (...sheets: [name: string, ...rows: unknown[][]][]) =>
    Buffer.from(
      await writeXlsx({ sheets: sheets.map(([name, ...rows]) => ({ name, rows: rows as string[][] })) }),
    )

  test("is read at the sheet whose columns look like leads, below its title", async () => {
    const columns = ["Firma", "E-Mail", "PLZ", "Umsatz", "Bewertung"]
    const bytes = await book(
      ["Cover", ["Our leads"], ["Status", "draft"]],
      ["Figures", ["Month", "Sum"], ["May", 3]],
      ["Contacts", ["Leads of May"], [], columns, ["Acme", "a@x.de", 1067, 4.5, 4]],
    )
    const { leads, table } = await read(bytes, "book.xlsx")
    expect(table.sheet).toBe("Contacts")
    expect(leads).toEqual([
      {
        ...{ name: "Acme", email: "a@x.de", postal_code: "1067", rating: 4, source: "import" },
        attributes: [{ name: "Umsatz", type: "number", value: 4.5 }],
      },
    ])
    expect((await read(bytes, undefined, { sheet: "contacts" })).leads).toHaveLength(1)
  })

  test("names the sheets with the same columns, and reads them with sheet=all", async () => {
    const bytes = await book(
      ["Notes", ["by Ada"]],
      ["May", ["Firma", "E-Mail"], ["A", "a@x.de"]],
      ["June", ["E-Mail", "Firma"], ["b@x.de", "B"]],
      [
        "July",
        ["Firma", "E-Mail", "", "Ort"],
        ["C", "c@x.de", "vip", "Ulm"],
        ["D", null, null, null, "more"],
      ],
    )
    const one = await read(bytes, "book.xlsx")
    expect(one.leads).toMatchObject([
      { footnote: { message: expect.stringMatching(/sheet=all .* the same columns: "May", "June"$/) } },
      { name: "C", email: "c@x.de" },
      { name: "D" },
    ])
    const all = await read(bytes, "book.xlsx", { sheet: "all" })
    expect(all.table.sheet).toBe("May, June, July")
    expect(all.leads).toMatchObject([
      { footnote: { message: 'without a table of leads, and left out: "Notes"' } },
      { name: "A", email: "a@x.de" },
      { name: "B", email: "b@x.de" },
      { name: "C", email: "c@x.de", city: "Ulm", attributes: [{ value: "vip" }] },
      { name: "D", attributes: [{ value: "more" }] },
    ])
  })

  test("has a sheet called all, which is that one", async () => {
    const bytes = await book(["May", ["Firma"], ["A"]], ["All", ["Firma"], ["B"]])
    expect((await read(bytes, "book.xlsx", { sheet: "all" })).leads).toContainEqual(
      expect.objectContaining({ name: "B" }),
    )
  })
})

describe("a file of another kind is named, with how to save it", () => {
  const OLE = Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), Buffer.alloc(600)])
  const ole = (part: string) => Buffer.concat([OLE, Buffer.from(part, "utf16le")])
  const XML = '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook/>'
  const utf16 = Buffer.from("\ufeffName\tE-Mail\nA\ta@x.de\n", "utf16le")
  test.each<[string, string, Buffer | string, RegExp]>([
    ["an old workbook", "kunden.xls", ole("Workbook"), /old Excel workbook \(\.xls\).*save it as \.xlsx/],
    ["BIFF without a container", "alt.xls", Buffer.from([9, 4, 6, 0, 0, 0]), /old Excel workbook/],
    ["a workbook with a password", "geheim.xlsx", ole("EncryptedPackage"), /password/],
    ["a text document", "liste.doc", ole("WordDocument"), /text document/],
    [
      "a web page",
      "export.xls",
      "<html><table><tr><td>Name</td></tr></table>",
      /web page.*save it as \.xlsx/,
    ],
    ["a table called .csv", "export.csv", "\n<table><tr><td>Name", /web page/],
    ["an XML spreadsheet", "export.xls", XML, /XML spreadsheet of Excel 2003/],
    ["a binary workbook", "kunden.xlsb", "x", /binary Excel workbook \(\.xlsb\)/],
    ["an OpenDocument", "kunden.ods", "x", /OpenDocument spreadsheet \(\.ods\)/],
    ["Numbers", "Kunden.numbers", "x", /Apple Numbers.*Export To/],
    ["LDIF", "adressen.ldif", "x", /LDIF.*vCard/],
    ["LDIF of any name", "adressen.txt", "version: 1\n\ndn: cn=Ada\ncn: Ada\n", /LDIF/],
    ["jCard", "ada.json", '["vcard", [["version", {}, "text", "4.0"]]]', /jCard.*\.vcf/],
    ["jCards", "ada", '[["vcard", [["version", {}, "text", "4.0"]]]]', /jCard/],
    ["Parquet", "places", "PAR1....", /Parquet/],
    ["SQLite", "data", "SQLite format 3\0", /database/],
  ])("%s", async (_, name, content, says) => {
    await expect(read(content, name)).rejects.toThrow(says)
  })

  test.each<[string, Record<string, string>, RegExp]>([
    ["a binary workbook", { "[Content_Types].xml": "", "xl/workbook.bin": "" }, /\.xlsb/],
    ["an OpenDocument", { mimetype: "application/vnd.oasis", "content.xml": "" }, /\.ods/],
    ["Numbers", { "Index/Document.iwa": "", "Index/Tables/DataList.iwa": "" }, /Apple Numbers/],
    ["workbooks", { "a/May.xlsx": "", "June.xlsx": "" }, /ZIP file of workbooks, "a\/May.xlsx", "June.xlsx"/],
  ])("%s in a ZIP", async (_, parts, says) => {
    await expect(read(await zipped(parts), "x.zip")).rejects.toThrow(says)
  })

  test.each([
    ["a copied table", "export.xls", "Name\tE-Mail\nA\ta@x.de\n"],
    ["the same in UTF-16, as many programs write it", "export.xls", utf16],
  ])("%s called .xls is read", async (_, name, content) => {
    expect((await read(content, name)).leads).toMatchObject([{ name: "A", email: "a@x.de" }])
  })
})

describe("a ZIP file", () => {
  test("of several tables is read one after the other, each with its own columns", async () => {
    const bytes = await zipped({
      "__MACOSX/._a.csv": "junk",
      "subscribed.csv": "Email Address,First Name,Last Name\na@x.de,Ada,L\n",
      "cleaned.csv": "Email Address,Reason\nb@x.de,bounced\n",
      "readme.txt": "nothing",
    })
    const { leads, format } = await read(bytes, "audience.zip")
    expect(format).toBe("csv")
    expect(leads).toMatchObject([
      { name: "Ada L", email: "a@x.de" },
      { name: "b@x.de", attributes: [{ name: "Reason", value: "bounced" }] },
    ])
  })

  test("of vCards is read card by card", async () => {
    const card = (name: string) => `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\nEND:VCARD\n`
    const bytes = await zipped({ "a/Ada.vcf": card("Ada"), "a/Bob.vcf": card("Bob") })
    expect((await read(bytes, "contacts.zip")).leads).toMatchObject([{ name: "Ada" }, { name: "Bob" }])
  })

  test("of LinkedIn gives its connections alone", async () => {
    const bytes = await zipped({
      "Profile.csv": "First Name,Last Name\nMe,Myself\n",
      "messages.csv": "CONVERSATION ID,FROM,TO\n1,Ada,Me\n",
      "Connections.csv":
        'Notes:\n"When exporting your data"\n\nFirst Name,Last Name,URL,Email Address,Company,Position,Connected On\nAda,L,https://www.linkedin.com/in/ada,,Acme,CTO,01 Mar 2024\n',
    })
    expect((await read(bytes, "x.zip")).leads).toMatchObject([
      { footnote: { message: expect.stringContaining("only Connections.csv") } },
      { name: "Ada L", company: "Acme" },
    ])
  })

  test("with a JSON file in it is read as that", async () => {
    const bytes = await zipped({ "out/leads.json": '{"results":[{"name":"A"}]}' })
    expect((await read(bytes, "x.zip")).leads).toEqual([{ name: "A", source: "import" }])
  })
})

describe("what nobody says the format of", () => {
  const LEAD = '{"Name":"A","E-Mail":"a@x.de"}'
  test.each<[string, string, string]>([
    ["a copied table", "Name\tE-Mail\nA\ta@x.de\n", "csv"],
    ["JSON", `[${LEAD}]`, "json"],
    ["an object around JSON", `{"meta":{"n":1},"total":[1],"kunden":[${LEAD}]}`, "json"],
    ["lines of JSON", `${LEAD}\n{"Name":"B"}\n`, "ndjson"],
  ])("%s is seen to be it", async (_, text, format) => {
    const read_ = await read(text)
    expect(read_.format).toBe(format as "csv")
    expect(read_.leads[0]).toMatchObject({ name: "A", email: "a@x.de" })
  })

  test("lines of JSON in a file called JSON are read as lines", async () => {
    expect((await read('{"name":"A"}\n{"name":"B"}', "x.json")).format).toBe("ndjson")
    const long = JSON.stringify({ name: "A", images: [{ name: "x".repeat(600_000) }] })
    expect((await read(`${long}\n{"name":"B"}`, "x.json")).format).toBe("ndjson")
  })
})

describe("below a table", () => {
  const table = "Name,Email,City,Revenue,Seats\nAda,a@x.de,Ulm,10,2\n"
  const last = async (row: string) => (await read(`${table}${row}\n`, "a.csv")).leads[1]

  test.each([
    ...["Total,,,10,2", 'Grand Total:,,,"1,234.50",', ",,Summe,10,2", "Gesamt,,,10,", "© 2026 Acme,,,,"],
    ...["Generated by Acme CRM on 2026-11-21,,,,", "Generated by Acme CRM", "Exported on 2026-11-21,,,,"],
  ])("%s is a note or a sum, told of and no lead", async (row) => {
    expect(await last(row)).toMatchObject({ footnote: { line: 3, kind: "row_shape" } })
  })

  test.each([
    ["Total,,Paris,,", "Total"],
    ["Total,info@total.fr,,10,2", "Total"],
    ["Total Fitness,,,,", "Total Fitness"],
    ["Report Service GmbH,,,,", "Report Service GmbH"],
    ["Stand 24,,,,", "Stand 24"],
    ["Summer Sports,,,10,2", "Summer Sports"],
  ])("%s is a lead", async (row, name) => {
    expect(await last(row)).toMatchObject({ name })
  })
})

describe("a table in sections", () => {
  const told = (leads: object[]) =>
    leads.map((one) =>
      "name" in one ? one.name : (one as { footnote: { line: number; message: string } }).footnote.message,
    )

  test("as monday.com writes it: titles and repeated headers are no leads", async () => {
    const rows = [
      ["Sales board"],
      [],
      ["Hot"],
      ["Name", "Person", "Status", "Email"],
      ["Acme", "Ada", "New", "a@acme.example"],
      [],
      ["Cold"],
      ["Name", "Person", "Status", "Email"],
      ["Beta", "Bob", "New", "b@beta.example"],
    ]
    const want = [
      "Acme",
      '"Cold" is the title of a group, no lead',
      "the names of the columns stand there once more: no lead",
      "Beta",
    ]
    const csv = rows.map((row) => row.join(",")).join("\n")
    expect(told((await read(csv, "board.csv")).leads)).toEqual(want)
    const book = Buffer.from(await writeXlsx({ sheets: [{ name: "S", rows }] }))
    expect(told((await read(book, "board.xlsx")).leads)).toEqual(want)
  })

  test("as monday.com writes subitems: no leads, and told", async () => {
    const text = [
      "Name,Subitems,Status,Email",
      'Acme,"Call, Visit",New,a@acme.example',
      "Subitems,Name,Owner,Status",
      ",Call,Ada,Done",
      ",Visit,Ada,Open",
      "Beta,,New,b@beta.example",
    ].join("\n")
    expect(told((await read(text, "board.csv")).leads)).toEqual([
      "Acme",
      "the names of subitems stand there: no lead",
      '"Call" is a subitem, no lead',
      '"Visit" is a subitem, no lead',
      "Beta",
    ])
  })

  const table = "Name,Email,City\nAda,a@x.de,Ulm\nBob,b@x.de,Ulm\n"
  const NOTE = expect.stringContaining("below the table is no row")
  test.each([
    [
      "a note behind a free row",
      "\nAll prices net\n",
      ['"All prices net" below the table is no row: left out'],
    ],
    ["a sentence", "This list is for internal use only.,,\n", [NOTE]],
    ["a footnote with a sign", "* as of June,,\n", [NOTE]],
    ["a source", "Quelle: Handelsregister,,\n", [NOTE]],
    ["a name alone", "Acme,,\n", ["Acme"]],
    ["a name that ends with a dot", "Best of all Acme Inc.,,\n", ["Best of all Acme Inc."]],
    ["a long name", "Verein der Freunde der Schule,,\n", ["Verein der Freunde der Schule"]],
    ["names alone in groups", "Cy,,\nDee,d@x.de,\n\nEve,,\n", ["Cy", "Dee", "Eve"]],
    ["a name alone amid others", "\nAcme,,\nCarl,c@x.de,\n", ["Acme", "Carl"]],
  ])("%s under a table", async (_, below, want) => {
    expect(told((await read(table + below, "a.csv")).leads)).toEqual(["Ada", "Bob", ...want])
  })
})

test("names in two rows: groups above, the columns' own below", async () => {
  const text = "Name,Contact,,Place,\nName,Email,Phone,City,Country\nAda,a@x.de,+49 30 12345,Ulm,DE\n"
  expect((await read(text, "a.csv")).leads).toMatchObject([
    { name: "Ada", email: "a@x.de", phone: "+49 30 12345", city: "Ulm", country: "DE" },
  ])
})
