import { describe, expect, test } from "bun:test"
import { writeXlsx } from "hucre"
import { Upload } from "../../src/core/upload.ts"
import { createColumns } from "../../src/domain/imports/columns.ts"
import { isKnownName } from "../../src/domain/imports/names.ts"
import { openFile } from "../../src/formats/open.ts"
import type { ImportRow } from "../../src/formats/rows.ts"
import { zip } from "../../src/formats/zip/write.ts"

async function read(content: Uint8Array | string, fileName?: string, options: { sheet?: string } = {}) {
  async function* bytes() {
    yield Buffer.from(content)
  }
  const { table, format, close } = await openFile(new Upload(bytes(), undefined, fileName), {
    knows: isKnownName,
    ...options,
  })
  const rows: ImportRow[] = []
  for (let next = await table.rows.next(); !next.done; next = await table.rows.next())
    rows.push(...next.value)
  await close()
  const columns = createColumns(table.names, rows, table.typing, { map: [], wording: "query" })
  const leads = rows.map((row) => {
    const one = columns.leadOf(row)
    return "lead" in one ? one.lead : one
  })
  return { leads, format, table }
}
const zipped = async (files: Record<string, string>) => {
  const parts = Object.entries(files).map(([path, text]) => ({ path, chunks: [Buffer.from(text)] }))
  return Buffer.concat(await Array.fromAsync(zip(parts)))
}

describe("a workbook", () => {
  test("is read at the sheet whose columns look like leads, below its title", async () => {
    const bytes = Buffer.from(
      await writeXlsx({
        sheets: [
          { name: "Cover", rows: [["Our leads"], ["Status", "draft"]] },
          {
            name: "Figures",
            rows: [
              ["Month", "Sum"],
              ["May", 3],
            ],
          },
          {
            name: "Contacts",
            rows: [
              ["Leads of May"],
              [],
              ["Firma", "E-Mail", "PLZ", "Umsatz", "Bewertung"],
              ["Acme", "a@x.de", 1067, 4.5, 4],
            ],
          },
        ],
      }),
    )
    const { leads, table } = await read(bytes, "book.xlsx")
    expect(table.sheet).toEqual({ name: "Contacts", all: ["Cover", "Figures", "Contacts"] })
    expect(leads).toEqual([
      {
        ...{ name: "Acme", email: "a@x.de", postal_code: "1067", rating: 4, source: "import" },
        attributes: [{ name: "Umsatz", type: "number", value: 4.5 }],
      },
    ])
    expect((await read(bytes, undefined, { sheet: "contacts" })).leads).toHaveLength(1)
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

  test("with a JSON file in it is read as that", async () => {
    const bytes = await zipped({ "out/leads.json": '{"results":[{"name":"A"}]}' })
    expect((await read(bytes, "x.zip")).leads).toEqual([{ name: "A", source: "import" }])
  })
})

describe("what nobody says the format of", () => {
  test.each<[string, string, string]>([
    ["a copied table", "Name\tE-Mail\nA\ta@x.de\n", "csv"],
    ["JSON", '[{"Name":"A","E-Mail":"a@x.de"}]', "json"],
    [
      "an object around JSON",
      '{"meta":{"n":1},"total":[1],"kunden":[{"Name":"A","E-Mail":"a@x.de"}]}',
      "json",
    ],
    ["lines of JSON", '{"Name":"A","E-Mail":"a@x.de"}\n{"Name":"B"}\n', "ndjson"],
  ])("%s is seen to be it", async (_, text, format) => {
    const read_ = await read(text)
    expect(read_.format).toBe(format as "csv")
    expect(read_.leads[0]).toMatchObject({ name: "A", email: "a@x.de" })
  })

  test("lines of JSON in a file called JSON are read as lines", async () => {
    expect((await read('{"name":"A"}\n{"name":"B"}', "x.json")).format).toBe("ndjson")
  })
})
