// Spreadsheet programs run a CSV cell that starts like a formula. The starts are those of OWASP's "CSV Injection",
// with the full-width forms that some programs read as the ASCII ones.
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/

// A signed number or a phone number, perhaps with an extension. Harmless even where it is evaluated: to name a
// function, cell, program or file takes a letter, "!", "|" or ":" that is not allowed here.
const NUMBER_OR_PHONE =
  /^[+-][\d().,/\p{Zs}\p{Pd}\p{Sc}]*(?:(?<=\d\p{Zs}?)(?:x|ext\.?)\p{Zs}?\d+|(?<=\d)e[+-]?\d+|%)?$/iu

/**
 * A text that no spreadsheet program takes for a formula when it stands in a CSV cell: what starts like one gets
 * an apostrophe before it. Phone numbers (`+49 30 1234`) and negative numbers (`-5`) stay as they are.
 */
export function withoutFormula(text: string): string {
  return FORMULA_START.test(text) && !NUMBER_OR_PHONE.test(text) ? `'${text}` : text
}

/** An apostrophe that readers would take for the mark of a formula or of a text of digits. */
const QUOTED = /^'+[+\d=\-@\t\r\n＝＋－＠]/

/** The cell of a text, which imports read back: as `withoutFormula`, and an own apostrophe gets another one before it. */
export function cellOfText(text: string): string {
  return QUOTED.test(text) ? `'${text}` : withoutFormula(text)
}
