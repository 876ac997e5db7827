// Workbooks by the XML of their parts, as other programs write them and as attackers do.
import { zip } from "../../src/formats/zip/write-zip.ts"

/** A ZIP of texts, by their paths. */
export async function zipped(files: Record<string, string>) {
  const parts = Object.entries(files).map(([path, text]) => ({ path, chunks: [Buffer.from(text)] }))
  return Buffer.concat(await Array.fromAsync(zip(parts)))
}

export const relation = (id: string, type: string, target: string) =>
  `<Relationship Target="${target}" Type="http://x/${type}" Id="${id}"/>`

/** What stands in the parts of a workbook. */
export interface WorkbookParts {
  /** The sheets that it names. */
  book?: string
  /** Relations besides those of its parts. */
  relations?: string
  /** Of the sheet "S". */
  rows?: string
  /** Texts that cells name by their number. */
  shared?: string
  styles?: string
}

export function workbookOf(parts: WorkbookParts) {
  const { book = '<sheet name="S" r:id="a"/>', relations = "", rows = "", shared = "", styles = "" } = parts
  const own =
    relation("a", "worksheet", "worksheets/s.xml") +
    relation("b", "sharedStrings", "shared.xml") +
    relation("c", "styles", "styles.xml")
  return zipped({
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": relation("r1", "officeDocument", "/xl/workbook.xml"),
    "xl/workbook.xml": `<workbook>${book}</workbook>`,
    "xl/_rels/workbook.xml.rels": own + relations,
    "xl/worksheets/s.xml": `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    "xl/shared.xml": `<sst>${shared}</sst>`,
    "xl/styles.xml": `<styleSheet>${styles}</styleSheet>`,
  })
}
