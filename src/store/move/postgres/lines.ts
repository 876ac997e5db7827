// The rows of a database as lines, in the shape that both engines know.
import type { ReservedSQL } from "bun"
import type { MergeData } from "../../contract/duplicates.ts"
import { copyOut } from "../../postgres/connection/copy.ts"
import { sendQuery } from "../../postgres/connection/query.ts"
import { pushIn, pushText } from "../../postgres/trail/write.ts"
import { completedText, PACKED, packedText, SHAPE } from "../../tables/leads/shape.ts"
import type { Key } from "../ends.ts"
import { decodeRow, encodeRow, type MovedCell, type MovedRow } from "../lines.ts"
import { MOVED_SETTINGS, type MovedTable } from "../tables.ts"

// Numbers of leads are their account's here; where one file holds all accounts they must differ. Each account's are moved up
// behind those of the accounts before it, unless they differ as they are.

/** Which columns hold numbers of leads. */
const LEAD_NUMBERS: Readonly<Record<string, readonly string[]>> = {
  leads: ["rid"],
  lead_scores: ["rid"],
  lead_tags: ["rid"],
  lead_attributes: ["rid"],
  lead_contacts: ["rid"],
  lead_aliases: ["rid"],
  notes: ["lead_rid"],
  activities: ["lead_rid"],
  duplicate_pairs: ["a", "b"],
  duplicate_accounts: ["pass_to"],
  import_leads: ["lead"],
}

/** By how much the numbers of each account are moved up; empty where all stay. */
export type Shifts = ReadonlyMap<number, number>

const NO_SHIFTS: Shifts = new Map()

export async function shiftsOf(sql: ReservedSQL): Promise<Shifts> {
  const rows = await sendQuery(
    sql,
    `SELECT a.key, a.lead_head AS head, (SELECT min(rid) FROM leads l WHERE l.account_id = a.key) AS low
     FROM accounts a ORDER BY a.key`,
  )
  const ranges = (rows as unknown as { key: number; head: number; low: number | null }[]).flatMap(
    ({ key, head, low }) => (low === null ? [] : [{ key, low, head }]),
  )
  const sorted = ranges.toSorted((a, b) => a.low - b.low)
  if (sorted.every(({ low }, i) => i === 0 || low > sorted[i - 1]!.head)) return NO_SHIFTS
  let [free, shifts] = [0, new Map<number, number>()]
  for (const { key, low, head } of ranges) {
    shifts.set(key, free + 1 - low)
    free += head - low + 1
  }
  return shifts
}

export const quotedName = (name: string) => `"${name}"`
/** The names of the settings that move, for `IN`. */
export const SETTING_NAMES = MOVED_SETTINGS.map((name) => `'${name}'`).join(", ")

const TYPES = { int: "bigint", float: "float8", text: "text", bytes: "bytea", bool: "boolean" } as const

/** `k`, a table of keys, and the condition that joins it to the rows of `t`. */
export function keysSql(table: MovedTable, keys: readonly Key[]): [from: string, on: string] {
  const types = table.key.map((name) => TYPES[table.columns.find((column) => column.name === name)!.kind])
  const quoted = (cell: MovedCell) =>
    typeof cell === "object" && cell
      ? `\\x${Buffer.from(cell).toString("hex")}`
      : String(cell).replaceAll("'", "''")
  const rows = keys.map((key) => `(${key.map((cell, i) => `'${quoted(cell)}'::${types[i]}`).join(", ")})`)
  const names = table.key.map((_, i) => `k${i}`)
  const same = table.key.map((name, i) => `t.${quotedName(name)} = k.k${i}`)
  return [`(VALUES ${rows.join(", ")}) AS k (${names.join(", ")})`, same.join(" AND ")]
}

/** The lines of rows with these keys, of those that are there. */
export async function linesByKey(
  sql: ReservedSQL,
  table: MovedTable,
  keys: readonly Key[],
): Promise<string[]> {
  const [from, on] = keysSql(table, keys)
  return (await Array.fromAsync(linesOf(sql, table, `JOIN ${from} ON ${on}`))).flat()
}

/** The lines of a table; of a source, with the numbers of its leads moved up, and in the order in which a target keeps them. */
export function postgresLines(
  sql: ReservedSQL,
  table: MovedTable,
  shifts?: Shifts,
): AsyncGenerator<string[]> {
  const where = table.name === "settings" ? `WHERE t.name IN (${SETTING_NAMES})` : ""
  const order = shifts ? `ORDER BY ${table.key.map((name) => `t.${quotedName(name)}`).join(", ")}` : ""
  return linesOf(sql, table, `${where} ${order}`, shifts)
}

async function* linesOf(
  sql: ReservedSQL,
  table: MovedTable,
  which: string,
  shifts: Shifts = NO_SHIFTS,
): AsyncGenerator<string[]> {
  const { name, columns } = table
  const moved = shifts.size > 0 ? (LEAD_NUMBERS[name] ?? []) : []
  const read = columns.map(({ name: column }) => {
    // A pass that tells its place by a lead's number begins anew.
    if (moved.length > 0 && column === "pass_place") return "NULL"
    return `t.${quotedName(column)}${moved.includes(column) ? " + coalesce(s.shift, 0)" : ""}`
  })
  const values = [...shifts].map(([account, shift]) => `(${account}::bigint, ${shift}::bigint)`)
  const join =
    moved.length > 0
      ? `LEFT JOIN (VALUES ${values.join(", ")}) AS s (account, shift) ON s.account = t.account_id`
      : ""
  // Floats of many digits are written otherwise than JavaScript writes them.
  const hasFloats = columns.some(({ kind }) => kind === "float")
  const { read: change = hasFloats ? asItIs : undefined } = OTHERWISE[name] ?? {}
  for await (const lines of copyOut(
    sql,
    `COPY (SELECT ${read.join(", ")} FROM ${name} t ${join} ${which}) TO STDOUT`,
  ))
    yield change ? rewritten(table, lines, (row) => change(row, shifts)) : lines
}

/** Lines as this engine keeps their rows. */
export function keptLines(table: MovedTable, lines: readonly string[]): readonly string[] {
  const change = OTHERWISE[table.name]?.keep
  return change ? rewritten(table, lines, change) : lines
}

function rewritten(table: MovedTable, lines: readonly string[], change: (row: never) => MovedRow): string[] {
  return lines.map((line) => encodeRow(table, change(decodeRow(table, line) as never)))
}

const asItIs = (row: MovedRow): MovedRow => row

interface Otherwise<Row> {
  read(row: Row, shifts: Shifts): MovedRow
  keep?(row: Row): MovedRow
}

const leads: Otherwise<MovedRow & { data: string }> = {
  read: (row) =>
    row.shape === PACKED ? { ...row, data: completedText(row.data, PACKED), shape: SHAPE } : row,
  keep(row) {
    const data = row.shape === SHAPE ? packedText(row.data) : undefined
    return data === undefined ? row : { ...row, data, shape: PACKED }
  },
}

const trail: Otherwise<MovedRow & { pushed: string | null }> = {
  read({ pushed, ...row }) {
    if (pushed === null || row.action !== "merged") return { ...row, pushed: null }
    const { same, rest } = pushIn(pushed)
    // In one order, whichever way it is kept.
    return { ...row, pushed: JSON.stringify({ same: same.toSorted(), rest }) }
  },
  keep: ({ pushed, ...row }) => ({ ...row, pushed: pushed && pushText(JSON.parse(pushed)) }),
}

const merges: Otherwise<MovedRow & { account_id: number; data: string }> = {
  // The numbers of the leads that it removed.
  read(row, shifts) {
    const shift = shifts.get(row.account_id)
    if (shift === undefined) return row
    const { losers, ...merge }: MergeData = JSON.parse(row.data)
    const moved = losers.map((loser) => ({ ...loser, ref: loser.ref + shift }))
    return { ...row, data: JSON.stringify({ ...merge, losers: moved }) }
  },
}

/** Tables whose rows this engine keeps otherwise than lines have them. */
const OTHERWISE: Readonly<Record<string, Otherwise<never>>> = { leads, trail, merges }
