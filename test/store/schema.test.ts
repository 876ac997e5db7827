// The schema is declared once: tables and columns that the migrations of both engines make are held against it both ways,
// so that nothing new is left behind by a move.
import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { SQL } from "bun"
import { SEARCHED } from "../../src/store/contract/store.ts"
import { type ColumnKind, MOVED } from "../../src/store/move/tables.ts"
import { HELD, type Held, heldColumns } from "../../src/store/sql/schema/columns.ts"
import { migrate } from "../../src/store/sqlite/file/migrations.ts"
import { hasPostgres, newDatabase, startPostgres } from "../support/postgres.ts"
import { ENGINES, type EngineSchema } from "./engines.ts"

await startPostgres()

interface Column {
  table: string
  name: string
  kind: ColumnKind
  isRequired: boolean
  isKey: boolean
}

const line = ({ table, name, kind, isRequired }: Omit<Column, "isKey">) =>
  `${table}.${name} ${kind}${isRequired ? " not null" : ""}`

/** The columns that an engine's tables must have, as lines, besides those that are its own. */
function declared({ missing, whole, without }: EngineSchema, engine: string): string[] {
  const listed = (lists: Readonly<Record<string, readonly string[]>>, table: string) => lists[table] ?? []
  return MOVED.filter(({ name }) => !without.some((one) => one === name)).flatMap(
    ({ name: table, columns }) =>
      columns
        .filter(({ name }) => !listed(missing, table).includes(name))
        .map(({ name, kind, isRequired }) => {
          const isWhole = listed(whole, table).includes(name) || (engine === "sqlite" && kind === "bool")
          return line({ table, name, kind: isWhole ? "int" : kind, isRequired })
        }),
  )
}

/** Columns that are declared tables' own, as lines; fails where an engine's own list names what is not there. */
function moved({ own, added }: EngineSchema, columns: readonly Column[]): string[] {
  const tables = new Set(columns.map(({ table }) => table))
  expect(Object.keys(own).filter((table) => !tables.has(table))).toEqual([])
  const besides = Object.entries(added).flatMap(([table, names]) => names.map((name) => `${table}.${name}`))
  const all = new Set(columns.map(({ table, name }) => `${table}.${name}`))
  expect(besides.filter((one) => !all.has(one))).toEqual([])
  return columns
    .filter(({ table, name }) => !(table in own) && !besides.includes(`${table}.${name}`))
    .map(line)
}

/** Tables whose rows the declared key does not tell apart, as far as the engine's own key says so. */
function looseKeys({ added }: EngineSchema, columns: readonly Column[]): string[] {
  return MOVED.filter(({ name: table, key }) => {
    const own = columns.filter((one) => one.table === table && one.isKey).map(({ name }) => name)
    const isOwnNumber = own.some((name) =>
      (added as Record<string, readonly string[]>)[table]?.includes(name),
    )
    // Numbers of rows differ from account to account, too.
    return !isOwnNumber && own.some((name) => name !== "account_id" && !key.includes(name))
  }).map(({ name }) => name)
}

/** Columns of texts and bytes that do not say what of a person they may hold. */
function silent({ own, addedHold }: EngineSchema, columns: readonly Column[]): string[] {
  const said = new Set([
    ...heldColumns.map(([table, column]) => `${table}.${column}`),
    ...Object.keys(addedHold),
  ])
  return columns
    .filter(({ kind, table }) => (kind === "text" || kind === "bytes") && !(table in own))
    .map(({ table, name }) => `${table}.${name}`)
    .filter((one) => !said.has(one))
}

const VIRTUAL_PARTS = /^(sqlite_.*|lead_(locations|words|texts)_(node|parent|rowid|config|data|docsize|idx))$/
const SQLITE_KINDS: Readonly<Record<string, ColumnKind>> = {
  INTEGER: "int",
  REAL: "float",
  TEXT: "text",
  BLOB: "bytes",
}
const POSTGRES_KINDS: Readonly<Record<string, ColumnKind>> = {
  bigint: "int",
  integer: "int",
  "double precision": "float",
  text: "text",
  bytea: "bytes",
  boolean: "bool",
}

describe("the declared schema", () => {
  test("says of each column of texts and bytes what of a person it may hold", () => {
    const texts = MOVED.flatMap(({ name: table, columns }) =>
      columns.filter(({ kind }) => kind === "text" || kind === "bytes").map(({ name }) => `${table}.${name}`),
    )
    expect(heldColumns.map(([table, column]) => `${table}.${column}`).toSorted()).toEqual(texts.toSorted())
  })

  test("has a column for each thing that one may hold", () => {
    expect([...new Set(heldColumns.map(([, , held]) => held))].toSorted()).toEqual(
      (Object.keys(HELD) as Held[]).toSorted(),
    )
  })

  test("names the columns that an erasure searches", () => {
    const searched = Object.entries(SEARCHED).flatMap(([table, { columns }]) =>
      columns.map((name) => `${table}.${name}`),
    )
    const declared = heldColumns.filter(([, , held]) => held === "searched")
    expect(searched.toSorted()).toEqual(declared.map(([table, column]) => `${table}.${column}`).toSorted())
  })

  test("is what the migrations of a file make", () => {
    const db = new Database(":memory:")
    migrate(db)
    const columns = db
      .query<{ table: string; name: string; type: string; required: number; key: number }, []>(
        `SELECT m.name AS "table", c.name AS name, c.type AS type, c."notnull" AS required, c.pk AS key
         FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'`,
      )
      .all()
      .filter(({ table }) => !VIRTUAL_PARTS.test(table))
      .map(({ table, name, type, required, key }) => ({
        ...{ table, name, kind: SQLITE_KINDS[type] ?? (type as ColumnKind) },
        ...{ isRequired: required === 1 || key > 0, isKey: key > 0 },
      }))
    const { sqlite } = ENGINES
    expect(moved(sqlite, columns).toSorted()).toEqual(declared(sqlite, "sqlite").toSorted())
    expect(looseKeys(sqlite, columns)).toEqual([])
    expect(silent(sqlite, columns)).toEqual([])
  })

  test.skipIf(!hasPostgres)("is what the migrations of PostgreSQL make", async () => {
    const sql = new SQL(await newDatabase(), { max: 1 })
    const rows = await sql<{ table: string; name: string; type: string; required: boolean; key: boolean }[]>`
      SELECT t.relname AS "table", c.attname AS name, format_type(c.atttypid, c.atttypmod) AS type,
        c.attnotnull AS required, coalesce(c.attnum = ANY (i.indkey), false) AS key
      FROM pg_class t JOIN pg_attribute c ON c.attrelid = t.oid AND c.attnum > 0 AND NOT c.attisdropped
        LEFT JOIN pg_index i ON i.indrelid = t.oid AND i.indisprimary
      WHERE t.relkind = 'r' AND t.relnamespace = 'public'::regnamespace`
    await sql.close()
    const columns = rows.map(({ table, name, type, required, key }) => ({
      ...{ table, name, kind: POSTGRES_KINDS[type] ?? (type as ColumnKind) },
      ...{ isRequired: required, isKey: key },
    }))
    const { postgres } = ENGINES
    expect(moved(postgres, columns).toSorted()).toEqual(declared(postgres, "postgres").toSorted())
    expect(looseKeys(postgres, columns)).toEqual([])
    expect(silent(postgres, columns)).toEqual([])
  })
})
