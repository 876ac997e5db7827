// Files of a few KB that keep a careless parser busy for seconds, or fill its memory.
import { createGzip } from "node:zlib"
import { relation, type WorkbookParts, workbookOf } from "../../../../test/support/workbook.ts"
import { createRandom } from "../../../seed/random.ts"
import type { Attack, Shot, Shots } from "./attack.ts"

const IMPORT = "/leads/import?source=attack"
/** Read, or refused with what is wrong with the file. */
const READ = [200, 400]
/** In the background, where three run at a time. */
const TAKEN = [202, 409]

const ROW_AT = 2_001

export const files: readonly Attack[] = [
  {
    name: "headers",
    sends: "CSV headers of one name, 8 KB and 40 KB",
    connections: 4,
    answers: READ,
    prepare: async () => taking([4_000, 20_000].map((names) => csv(`name${",a".repeat(names)}\nx\n`))),
  },
  {
    name: "late-cell",
    sends: `background imports with an email of 900 KB in row ${ROW_AT}`,
    connections: 2,
    answers: TAKEN,
    prepare: async () => taking(cells(900_000).map((cell) => csv(lateCell(cell), "&background=true"))),
  },
  {
    name: "early-cell",
    sends: "cells of 60 KB and 300 KB in the first rows",
    connections: 4,
    answers: READ,
    prepare: async () =>
      taking([60_000, 300_000].flatMap((size) => cells(size).map((cell) => csv(earlyCells(cell))))),
  },
  {
    name: "sheets",
    sends: "XLSX of many sheets and relations",
    connections: 4,
    answers: READ,
    prepare: async () => taking([workbookShot(await workbook(manySheets(700)))]),
  },
  {
    name: "formats",
    sends: "XLSX number formats of 1,000 brackets",
    connections: 4,
    answers: READ,
    prepare: async () => taking([workbookShot(await workbook(bracketFormats(1_000)))]),
  },
  {
    name: "workbooks",
    sends: "XLSX of 1.1 million texts, of 1.1 million empty rows, and of 40 MB of spaces",
    connections: 4,
    answers: READ,
    async prepare() {
      const files = await Promise.all([
        workbook({ shared: "<si><t>a</t></si>".repeat(1_100_000) }),
        workbook({ rows: '<row r="3"/>'.repeat(1_100_000) }),
        workbook({ rows: " ".repeat(40 * 1024 * 1024) }),
      ])
      return taking(files.map((file) => workbookShot(file)))
    },
  },
  {
    name: "gzip",
    sends: "gzip of 1 MB: 1,000 rows of 1 MB, and 150 that unpack to less than 200 times their size",
    connections: 4,
    answers: [...READ, ...TAKEN],
    prepare: async () => {
      const files = await Promise.all([packedRows(1_000, false), packedRows(150, true)])
      const ways = ["", "&dry_run=true", "&background=true"]
      return taking(files.flatMap((file) => ways.map((way) => csv(file, `&format=csv${way}`, ".gz"))))
    },
  },
  {
    name: "cells",
    sends: "cells that look like numbers, and 4,000 columns",
    connections: 4,
    answers: READ,
    prepare: async () => taking([csv(numberCells()), csv(manyColumns(4_000))]),
  },
]

function taking(shots: readonly Shot[]): Shots {
  return { distinct: shots.length, shot: (nth) => shots[nth % shots.length]! }
}

function csv(content: string | Uint8Array, more = "", ending = ""): Shot {
  const form = new FormData()
  form.append("file", new Blob([content as BlobPart]), `leads.csv${ending}`)
  return { method: "POST", path: IMPORT + more, body: form }
}

function workbookShot(file: Uint8Array): Shot {
  const form = new FormData()
  form.append("file", new Blob([file as BlobPart]), "leads.xlsx")
  return { method: "POST", path: IMPORT, body: form }
}

/** Texts that are nearly an email address, a phone, a number or a website. */
function cells(size: number): string[] {
  return ["a", "a@", "a.", "0 ", "(", "http://a.", ", "].map((part) => part.repeat(size / part.length))
}

function lateCell(cell: string): string {
  const rows = Array.from({ length: ROW_AT - 1 }, (_, i) => `Lead ${i},a${i}@late.example\n`)
  return `name,email\n${rows.join("")}Last,"${cell}"\n`
}

function earlyCells(cell: string): string {
  return `name,email,phone,website,rating,notes\n${`"${cell}",`.repeat(5)}"${cell}"\nx,y,z,,,\n`
}

function numberCells(): string {
  const texts = [
    "1".repeat(50) + " ".repeat(42),
    "€ ".repeat(46),
    `1${" a".repeat(45)}`,
    `${"1,".repeat(46)}x`,
  ]
  const rows = Array.from(
    { length: 1_000 },
    (_, i) => `L${i},${texts.map((text) => `"${text}"`).join(",")}\n`,
  )
  return `name,reviews,rating,price,size\n${rows.join("")}`
}

function manyColumns(count: number): string {
  const names = Array.from({ length: count }, (_, i) => `c${i}`)
  const rows = Array.from(
    { length: 40 },
    (_, row) => `x${",{}".repeat(row % 2)}${`,v ${row}`.repeat(count - 1)}\n`,
  )
  return `name,${names.join(",")}\n${rows.join("")}`
}

/** So many rows of a million characters; with `isMixed` they unpack to some 150 times their size, else to a thousand times. */
async function packedRows(rows: number, isMixed: boolean): Promise<Uint8Array> {
  const random = createRandom(1)
  const part = () => (isMixed ? `${random.between(0, 999_999)}` : "") + "y".repeat(990)
  const packing = createGzip()
  const whole = new Response(packing as unknown as BodyInit).bytes()
  packing.write("name,notes\n")
  const rowOf = () => Array.from({ length: 1_000 }, part).join("")
  const same = rowOf()
  for (let i = 0; i < rows; i++) {
    const row = isMixed ? rowOf() : same
    if (!packing.write(`x,${row}\n`)) await new Promise((resolve) => packing.once("drain", resolve))
  }
  packing.end()
  return whole
}

function manySheets(count: number): WorkbookParts {
  const each = (of: (i: number) => string) => Array.from({ length: count }, (_, i) => of(i)).join("")
  return {
    book: `${each((i) => `<sheet name="s${i}" r:id="z${i}"/>`)}<sheet name="S" r:id="a"/>`,
    relations: each((i) => relation(`y${i}`, "worksheet", "worksheets/s.xml")),
  }
}

function bracketFormats(length: number): WorkbookParts {
  const format = `<numFmt numFmtId="164" formatCode="${"[".repeat(length)}"/>`
  return { styles: format }
}

/** A small workbook with other parts. */
function workbook({ rows = "", ...parts }: WorkbookParts): Promise<Uint8Array> {
  const head = '<row r="1"><c t="str"><v>name</v></c></row><row r="2"><c t="str" s="1"><v>x</v></c></row>'
  return workbookOf({ ...parts, rows: head + rows })
}
