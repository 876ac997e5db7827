import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { writeXlsx } from "hucre"
import { linkedBy } from "../../src/domain/imports/detect/header.ts"
import { readXlsx } from "../../src/formats/xlsx/read-xlsx.ts"
import { rawText } from "../../src/formats/xlsx/xml.ts"
import { openZip } from "../../src/formats/zip/read-zip.ts"
import { rowsOf } from "../imports/reading.ts"
import { relation, zipped } from "../support/workbook.ts"

async function read(bytes: Uint8Array, sheet?: string) {
  const file = await openZip(new Blob([bytes as Uint8Array<ArrayBuffer>]))
  const table = await readXlsx(file, { sheet, knows: () => false, linked: linkedBy })
  return { names: table.names, rows: await rowsOf(table) }
}
const valuesOf = async (bytes: Uint8Array) =>
  (await read(bytes)).rows.map(({ line, values }) => [line, values])
const message = (bytes: Uint8Array) =>
  read(bytes).then(
    () => "no error",
    (error: Error) => error.message,
  )

/** A workbook whose sheet has this XML, as programs other than ours write it. */
function workbook(sheet: string, more: Record<string, string> = {}): Promise<Uint8Array> {
  return zipped({
    "_rels/.rels": relation("r1", "officeDocument", "/xl/workbook.xml"),
    "xl/workbook.xml": '<x:workbook><x:workbookPr date1904="1"/><x:sheet name="S" r:id="a"/></x:workbook>',
    "xl/_rels/workbook.xml.rels":
      relation("a", "worksheet", "worksheets/s.xml") +
      relation("b", "sharedStrings", "../xl/shared.xml") +
      relation("c", "styles", "styles.xml"),
    "xl/worksheets/s.xml": sheet,
    ...more,
  })
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
      [5, ["_x0041_", -2, null, "2026-11-21T13:45:00"]],
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
      [10, ["aA&", "1904-04-10T12:00:00"]],
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

describe("number formats", () => {
  const escaped = (text: string) =>
    text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")
  const shown = async (code: string, number: number) => {
    const bytes = await workbook(
      `<worksheet><sheetData><row><c t="inlineStr"><is><t>n</t></is></c></row><row><c s="1"><v>${number}</v></c></row></sheetData></worksheet>`,
      {
        "xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="${escaped(code)}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs></styleSheet>`,
      },
    )
    return (await read(bytes)).rows[0]?.values[0]
  }

  test.each([
    ["+0", 49301234567, "+49301234567"],
    ['0#" "##" "##', 151123456, "15112 34 56"],
    ["00000-0000", 123456789, "12345-6789"],
    ['"K-"00000', 42, "K-00042"],
    ["h:mm", 0.375, "9:00"],
    ["[h]:mm", 1.75, "42:00"],
    ["0.0%", 0.125, "12.5%"],
    ["00000", 1067, "01067"],
    ["(000) 000-0000", 5551234567, "(555) 123-4567"],
    ["[<=9999999]###-####;(###) ###-####", 5551234567, "(555) 123-4567"],
    ["[$+49] 0", 30123, "+49 30123"],
    ["\\+49\\ 000\\ 0000", 1234567, "+49 123 4567"],
    ['00"."00"."00', 123456, "12.34.56"],
    ['0"a"', 12, "12a"],
  ])("%s shows what the number does not say", async (code, number, text) => {
    expect(await shown(code, number)).toBe(text)
  })

  test.each([
    ["General", 1234.5],
    ["#,##0", 1234.56],
    ['#,##0.00 "€"', -12.5],
    ["[$-407]#,##0.00", 1234.5],
    ['_-* #,##0.00 "€"_-;-* #,##0.00 "€"_-', 1234.5],
    ["$#,##0_);[Red]($#,##0)", -4],
    ["#,##0.00 [$CHF-807]", 3],
    ['0.00" kg"', 5.25],
    ["0.00E+00", 12345],
    ["# ?/?", 1.5],
    ["@", 12],
    [";;;", 5],
    ["00000", 1.5],
    ["0".repeat(300), 5],
    ['"', 5],
    ["[", 5],
  ])("%s is an amount: its number", async (code, number) => {
    expect(await shown(code, number)).toBe(number)
  })

  test("those that Excel has by number", async () => {
    const ids = [9, 10, 20, 46, 2, 4, 44, 49]
    const cells = (cell: (id: number, i: number) => string) => `<row>${ids.map(cell).join("")}</row>`
    const bytes = await workbook(
      `<worksheet><sheetData>${cells((id) => `<c t="inlineStr"><is><t>c${id}</t></is></c>`)}${cells((_, i) => `<c s="${i}"><v>0.5</v></c>`)}</sheetData></worksheet>`,
      {
        "xl/styles.xml": `<styleSheet><cellXfs>${ids.map((id) => `<xf numFmtId="${id}"/>`).join("")}</cellXfs></styleSheet>`,
      },
    )
    const { rows } = await read(bytes)
    expect(rows[0]?.values).toEqual(["50%", "50.00%", "12:00", "12:00:00", 0.5, 0.5, 0.5, 0.5])
  })
})

describe("cells", () => {
  const text = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
  const sheet = (head: string[], rows: string[], behind = "") =>
    `<worksheet><sheetData><row r="1">${head.map(text).join("")}</row>${rows.map((row, i) => `<row r="${i + 2}">${row}</row>`).join("")}</sheetData>${behind}</worksheet>`

  test("a link counts where its column is for it and the text is none", async () => {
    const mail = "mailto:a%2Bb@acme.example?subject=Hi"
    const targets = ["https://acme.example/", mail, "https://www.linkedin.com/in/ada"]
    const behind = `<hyperlinks>${["B2", "C2", "D2", "A2", "B3", "C3"].map((cell, i) => `<hyperlink ref="${cell}" r:id="r${i % 3}"/>`).join("")}</hyperlinks>`
    const bytes = await workbook(
      sheet(
        ["Company", "Website", "E-Mail", "LinkedIn"],
        [
          ["Acme", "Visit us", "Write", "Profile"].map(text).join(""),
          ["Other", "other.example", "me@other.example"].map(text).join(""),
        ],
        behind,
      ),
      {
        "xl/worksheets/_rels/s.xml.rels": targets
          .map(
            (target, i) =>
              `<Relationship Id="r${i}" Type="http://x/hyperlink" Target="${target}" TargetMode="External"/>`,
          )
          .join(""),
      },
    )
    expect(await valuesOf(bytes)).toEqual([
      [2, ["Acme", targets[0], "a+b@acme.example", targets[2]]],
      [3, ["Other", "other.example", "me@other.example"]],
    ])
  })

  test("a mapping says what a column is for", () => {
    const map = ["Kontakt:email", "Profil:linkedin_url", "Website:-", "E-Mail:attr:mail"]
    expect(["Kontakt", "profil", "Website", "E-Mail", "Homepage"].map((name) => linkedBy(name, map))).toEqual(
      [...["email", "linkedin_url", undefined, undefined, "website"]] as never[],
    )
  })

  test("HYPERLINK() is a link, kept or not", async () => {
    const link = (target: string, kept: string) =>
      `<c t="str"><f>HYPERLINK("${target}","Go")</f>${kept}</c>`
        .replaceAll('("', "(&quot;")
        .replaceAll('")', "&quot;)")
        .replaceAll('","', "&quot;,&quot;")
    const bytes = await workbook(
      sheet(
        ["Company", "Website", "E-Mail"],
        [
          text("A") + link("https://a.example", "<v>Go</v>") + link("mailto:a@a.example", ""),
          link("https://a.example", "<v/>"),
        ],
      ),
    )
    expect(await valuesOf(bytes)).toEqual([
      [2, ["A", "https://a.example", "a@a.example"]],
      [3, ["Go"]],
    ])
  })

  test("a formula without its result is told, an empty result is empty", async () => {
    const bytes = await workbook(
      sheet(
        ["Company", "City", "Seats"],
        [
          `${text("A")}<c><f>VLOOKUP(A2,X!A:B,2)</f><v/></c><c><f>1&lt;2</f></c>`,
          `${text("B")}<c t="str"><f>IF(1,"","")</f><v></v></c><c><f>1+1</f><v>2</v></c>`,
        ],
      ),
    )
    const { rows } = await read(bytes)
    const told = rows.map(({ values, remarks }) => [values, remarks?.map(({ at, value }) => at + value)])
    const formulas = ["1=VLOOKUP(A2,X!A:B,2)", "2=1<2"]
    expect(told).toEqual([[["A"], formulas], [["B", null, 2]]].map(([values, of]) => [values, of]))
    expect(rows[0]?.remarks?.[0]?.problem).toContain("open it in Excel or LibreOffice and save it")
  })

  test("an empty shared text is empty, CDATA is text, comments are none", async () => {
    const bytes = await workbook(
      sheet(
        ["Company", "City"],
        [
          '<c t="s"><v/></c><!-- <c><v>9</v></c> --><c t="s"><v>1</v></c>',
          '<c t="inlineStr"><is><t><![CDATA[A & <B></t>]]></t></is></c>',
        ],
      ),
      { "xl/shared.xml": "<sst><si><t>first</t></si><si><t><![CDATA[R&D <x>]]></t></si></sst>" },
    )
    expect(await valuesOf(bytes)).toEqual([
      [2, [null, "R&D <x>"]],
      [3, ["A & <B></t>"]],
    ])
  })

  test("CDATA is text wherever a piece of the file ends", async () => {
    const xml = "<t><![CDATA[a]]b & <c>]]></t><!-- x -- y --><u>1 <!2</u><![CDATA[]]><"
    for (let size = 1; size < 12; size++) {
      const pieces = async function* () {
        for (let at = 0; at < xml.length; at += size) yield Buffer.from(xml.slice(at, at + size))
      }
      expect((await Array.fromAsync(rawText(pieces()))).join("")).toBe(
        "<t>a]]b &amp; &lt;c&gt;</t><u>1 <!2</u><",
      )
    }
  })
})

// In step with the square of its size it would take hours.
test("a sheet made to waste time is read in step with its size", async () => {
  for (const waste of ["<c>", "<c><v>", "<c t='s' ", "<is><rPh>"]) {
    const sheet = `<worksheet><sheetData><row>${waste.repeat(400_000)}</row></sheetData></worksheet>`
    expect(await message(await workbook(sheet))).toContain("the sheet is empty")
  }
})
