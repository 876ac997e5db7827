// The three export formats, read again by parsers that did not write them, against the list.
import { parse } from "csv-parse/sync"
import { readXlsx } from "hucre"
import type { Target } from "../seed/push.ts"

type Lead = Record<string, unknown>
type Differ = (what: string) => void

/** Compares every row of every export with the leads of the list, in its order. */
export async function compareExports(target: Target, leads: Lead[], differ: Differ): Promise<string[]> {
  const taken: string[] = []
  async function fetched(format: string): Promise<Uint8Array> {
    const start = performance.now()
    const response = await fetch(`${target.url}/leads/export?format=${format}`, {
      headers: { "x-api-key": target.key },
    })
    const bytes = await response.bytes()
    taken.push(
      `${format}: ${bytes.length.toLocaleString("en-US")} bytes in ${Math.round(performance.now() - start)} ms`,
    )
    return bytes
  }
  const json: Lead[] = JSON.parse(new TextDecoder().decode(await fetched("json")))
  if (!Bun.deepEquals(json, leads)) differ("the JSON export is not the list")
  const [header = [], ...rows] = parse(Buffer.from(await fetched("csv"))) as string[][]
  compareRows(
    "CSV",
    header,
    rows.map((row) => row.map(withoutGuard)),
    leads,
    differ,
  )
  const sheet = (await readXlsx(await fetched("xlsx"))).sheets[0]!
  const [titles = [], ...cells] = sheet.rows
  const texts = cells.map((row) => titles.map((_, i) => (row[i] == null ? "" : String(row[i]))))
  compareRows("XLSX", titles.map(String), texts, leads, differ)
  return taken
}

/** CSV marks what a spreadsheet would take for a formula with a quote. */
function withoutGuard(cell: string): string {
  return cell.replace(/^'(?=[=+\-@\t\r])/, "")
}

function compareRows(
  format: string,
  columns: string[],
  rows: string[][],
  leads: Lead[],
  differ: Differ,
): void {
  if (rows.length !== leads.length) differ(`${format}: ${rows.length} rows for ${leads.length} leads`)
  for (const [i, lead] of leads.entries()) {
    const expected = columns.map((column) => cell(lead, column))
    if (!Bun.deepEquals(rows[i], expected)) differ(`${format} row ${i + 1}: ${rows[i]}, not ${expected}`)
  }
}

function cell(lead: Lead, column: string): string {
  const attributes = lead.attributes as { name: string; value: unknown }[]
  const value = column in lead ? lead[column] : attributes.find((one) => one.name === column)?.value
  if (value === null || value === undefined) return ""
  if (Array.isArray(value)) return value.join("|")
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}
