// The rows of a database as lines, in the shape that both engines know.
import type { ReservedSQL } from "bun"
import type { MergeData } from "../../contract/duplicates.ts"
import { copyOut } from "../../postgres/connection/copy.ts"
import { pushIn, pushText } from "../../postgres/trail/pushed.ts"
import { completedText, PACKED, packedText, SHAPE } from "../../tables/leads/shape.ts"
import type { Key } from "../ends.ts"
import { decodeCell, encodeCell, type MovedCell } from "../lines.ts"
import { MOVED_SETTINGS, type MovedTable } from "../tables.ts"
import { LEAD_NUMBERS, NO_SHIFTS, type Shifts } from "./shifts.ts"

/** A value in the text of a statement. */
function copyText(cell: MovedCell): string {
  if (cell === null) return "NULL"
  if (typeof cell === "string") return `'${cell.replaceAll("'", "''")}'`
  if (typeof cell === "object") return `'\\x${Buffer.from(cell).toString("hex")}'::bytea`
  return String(cell)
}

export const quotedName = (name: string) => `"${name}"`
/** The names of the settings that move, for `IN`. */
export const SETTING_NAMES = MOVED_SETTINGS.map((name) => `'${name}'`).join(", ")

/** The lines of rows with these keys, of those that are there. */
export async function linesByKey(
  sql: ReservedSQL,
  table: MovedTable,
  keys: readonly Key[],
): Promise<string[]> {
  const fix = fixing(table)
  const [from, on] = keysSql(table, keys)
  const read = table.columns.map(({ name }) => `t.${quotedName(name)}`).join(", ")
  const rows = `SELECT ${read} FROM ${table.name} t JOIN ${from} ON ${on}`
  const found: string[] = []
  for await (const lines of copyOut(sql, `COPY (${rows}) TO STDOUT`))
    for (const line of lines) found.push(fix ? fix(line) : line)
  return found
}

const TYPES = { int: "bigint", float: "float8", text: "text", bytes: "bytea", bool: "boolean" } as const

/** `k`, a table of keys, and the condition that joins it to the rows of `t`. */
export function keysSql(table: MovedTable, keys: readonly Key[]): [from: string, on: string] {
  const kinds = table.key.map((name) => table.columns.find((column) => column.name === name)!.kind)
  const rows = keys.map(
    (key) => `(${key.map((cell, i) => `${copyText(cell)}::${TYPES[kinds[i]!]}`).join(", ")})`,
  )
  const names = table.key.map((_, i) => `k${i}`)
  const same = table.key.map((name, i) => `t.${quotedName(name)} = k.k${i}`)
  return [`(VALUES ${rows.join(", ")}) AS k (${names.join(", ")})`, same.join(" AND ")]
}

/** The lines of a table; of a source, with the numbers of its leads moved up, and in the order in which a target keeps them. */
export async function* postgresLines(
  sql: ReservedSQL,
  table: MovedTable,
  shifts?: Shifts,
): AsyncGenerator<string[]> {
  const fix = fixing(table, shifts)
  const order = shifts ? ` ORDER BY ${table.key.map(quotedName).join(", ")}` : ""
  for await (const lines of copyOut(sql, `COPY (${rowsSql(table, shifts)}${order}) TO STDOUT`))
    yield fix ? lines.map(fix) : lines
}

function rowsSql({ name, columns }: MovedTable, shifts: Shifts = NO_SHIFTS): string {
  const where = name === "settings" ? `WHERE t.name IN (${SETTING_NAMES})` : ""
  const moved = shifts.size > 0 ? (LEAD_NUMBERS[name] ?? []) : []
  const read = columns.map(({ name: column }) =>
    moved.includes(column)
      ? `t.${quotedName(column)} + coalesce(s.shift, 0) AS ${quotedName(column)}`
      : `t.${quotedName(column)}`,
  )
  const values = [...shifts].map(([account, shift]) => `(${account}::bigint, ${shift}::bigint)`)
  const join =
    moved.length > 0
      ? `LEFT JOIN (VALUES ${values.join(", ")}) AS s (account, shift) ON s.account = t.account_id`
      : ""
  return `SELECT ${read.join(", ")} FROM ${name} t ${join} ${where}`
}

/** Rewrites a line as the other engine writes it; undefined where nothing differs. */
function fixing(table: MovedTable, shifts: Shifts = NO_SHIFTS): ((line: string) => string) | undefined {
  const floats = table.columns.flatMap(({ kind }, i) => (kind === "float" ? [i] : []))
  const at = (name: string) => table.columns.findIndex((column) => column.name === name)
  const [pushed, action] = table.name === "trail" ? [at("pushed"), at("action")] : [-1, -1]
  const account = at("account_id")
  const place = table.name === "duplicate_accounts" && shifts.size > 0 ? at("pass_place") : -1
  const merged = table.name === "merges" && shifts.size > 0 ? at("data") : -1
  const [document, shape] = table.name === "leads" ? [at("data"), at("shape")] : [-1, -1]
  if (floats.length === 0 && pushed < 0 && place < 0 && merged < 0 && document < 0) return undefined
  return (line) => {
    const cells = line.split("\t")
    for (const i of floats) {
      const text = cells[i]!
      // Numbers of many digits are written otherwise than JavaScript writes them.
      if (text.length > 14 || text.includes("e")) cells[i] = encodeCell(decodeCell(text, "float"), "float")
    }
    if (pushed >= 0 && cells[pushed] !== "\\N") cells[pushed] = pushedCell(cells[pushed]!, cells[action]!)
    if (place >= 0 && cells[place] !== "\\N")
      cells[place] = placeCell(cells[place]!, shifts.get(Number(cells[account])) ?? 0)
    if (merged >= 0) cells[merged] = mergedCell(cells[merged]!, shifts.get(Number(cells[account])) ?? 0)
    if (document >= 0 && cells[shape] === String(PACKED)) {
      cells[document] = rewritten(cells[document]!, (text) => completedText(text, PACKED))
      cells[shape] = String(SHAPE)
    }
    return cells.join("\t")
  }
}

const rewritten = (cell: string, work: (text: string) => string): string =>
  encodeCell(work(decodeCell(cell, "text") as string), "text")

/** Lines as this engine keeps their rows. */
export function packedLines({ name, columns }: MovedTable, lines: readonly string[]): readonly string[] {
  const [data, shape, pushed] = ["data", "shape", "pushed"].map((own) =>
    columns.findIndex((column) => column.name === own),
  ) as [number, number, number]
  const pack = (cells: string[]) => {
    if (name === "trail" && cells[pushed] !== "\\N")
      cells[pushed] = rewritten(cells[pushed]!, (text) => pushText(JSON.parse(text)))
    if (name !== "leads" || cells[shape] !== String(SHAPE)) return
    const packed = packedText(decodeCell(cells[data]!, "text") as string)
    if (packed === undefined) return
    cells[data] = encodeCell(packed, "text")
    cells[shape] = String(PACKED)
  }
  if (name !== "leads" && name !== "trail") return lines
  return lines.map((line) => {
    const cells = line.split("\t")
    pack(cells)
    return cells.join("\t")
  })
}

/** In one order, whichever way it is kept. */
function pushedCell(text: string, action: string): string {
  if (action !== "merged") return "\\N"
  const { same, rest } = pushIn(decodeCell(text, "text") as string)
  return encodeCell(JSON.stringify({ same: same.toSorted(), rest }), "text")
}

/** Moves the number of the lead that a pass has reached; in passes by city it comes after the city. */
function placeCell(text: string, shift: number): string {
  const place: unknown = JSON.parse(decodeCell(text, "text") as string)
  const moved = Array.isArray(place)
    ? place.map((part, i) =>
        i === place.length - 1 && typeof part === "number" && part > 0 ? part + shift : part,
      )
    : typeof place === "number" && place > 0
      ? place + shift
      : place
  return encodeCell(JSON.stringify(moved), "text")
}

/** Moves the numbers of the leads that a merge removed. */
function mergedCell(text: string, shift: number): string {
  const { losers, ...data }: MergeData = JSON.parse(decodeCell(text, "text") as string)
  const moved = losers.map((loser) => ({ ...loser, ref: loser.ref + shift }))
  return encodeCell(JSON.stringify({ ...data, losers: moved }), "text")
}
