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
