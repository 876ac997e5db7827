// The small parts of a workbook with one sheet, as ECMA-376 Part 1 wants them.

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const CONTENT = "application/vnd.openxmlformats-officedocument.spreadsheetml"

export const SHEET_PATH = "xl/worksheets/sheet1.xml"
/** The style of header cells: the second of `cellXfs`. */
export const BOLD = 1
/** The style of dates, and what it shows. */
export const DATE = 2
export const DATE_FORMAT = "yyyy-mm-dd hh:mm:ss"

/** Path and text of every part except the sheet itself, which has this name: no character that XML escapes. */
export const workbookParts = (sheetName: string): Record<string, string> => ({
  "[Content_Types].xml":
    `${DECLARATION}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/>` +
    `<Override PartName="/${SHEET_PATH}" ContentType="${CONTENT}.worksheet+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/></Types>`,
  "_rels/.rels":
    `${DECLARATION}<Relationships xmlns="${RELATIONS}">` +
    `<Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/workbook.xml":
    `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><bookViews><workbookView/></bookViews>` +
    `<sheets><sheet name="${sheetName}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels":
    `${DECLARATION}<Relationships xmlns="${RELATIONS}">` +
    `<Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>` +
    `<Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  "xl/styles.xml":
    `${DECLARATION}<styleSheet xmlns="${MAIN}">` +
    `<numFmts count="1"><numFmt numFmtId="164" formatCode="${DATE_FORMAT}"/></numFmts>` +
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
    '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>' +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
})

/** The sheet's XML before its first row: the header frozen, the columns as wide as given (in characters). */
export function sheetStart(widths: readonly number[]): string {
  const columns = widths.map(
    (width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`,
  )
  return (
    `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView tabSelected="1" workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${columns.join("")}</cols><sheetData>`
  )
}

export const SHEET_END = "</sheetData></worksheet>"

// Texts as both XLSX writers write them, so that they give the same cells.

/** Excel's limit of characters in a cell, counted in UTF-16 units. */
const CELL_MAX = 32_767

// Characters that XML 1.0 cannot hold, and those that write-excel-file removes (C1 controls, non-characters, U+FFFD).
const UNWRITABLE = /(?![\t\n])[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\ufffd]/gu
// Excel reads _x0041_ in a text as the character with that code; _x005F_ is how it writes a plain "_" before one.
const LOOKS_ESCAPED = /_(?=x[0-9a-f]{4}_)/gi
// Text that needs work: something to clean, to escape in XML, or white space to preserve.
const SPECIAL = /[&<>\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\ufffd]|_x|^\s|\s$/u

/** True for a text that can stand between XML tags unchanged and is the same after `sheetText`. */
export function isPlain(text: string): boolean {
  return text.length <= CELL_MAX && !SPECIAL.test(text)
}

/**
 * A text as it is written into a cell (XML's own escaping apart): line breaks are LF, characters that XML cannot hold are left out, and past Excel's
 * 32,767 characters it is cut and ends in "…".
 */
export function sheetText(text: string): string {
  if (isPlain(text)) return text
  const clean = text.replace(/\r\n?/g, "\n").replace(UNWRITABLE, "")
  const cut =
    clean.length <= CELL_MAX ? clean : `${clean.slice(0, CELL_MAX - 1).replace(/[\ud800-\udbff]$/, "")}…`
  return cut.replace(LOOKS_ESCAPED, "_x005F_")
}
