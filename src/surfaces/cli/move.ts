import { resolve } from "node:path"
import * as v from "valibot"
import { OPTIONS, PostgresUrl } from "../../config.ts"
import { badRequest } from "../../core/errors.ts"
import { grouped } from "../../core/text.ts"
import type { MovedRows, MoveStep } from "../../store/move/move.ts"
import { moveStore } from "../../store/open.ts"
import { columns, json } from "./columns.ts"
import { command, type Io } from "./command.ts"
import { ADMIN, existingPlace } from "./database.ts"

const DATABASE = OPTIONS.database.env
const REDRAW_MS = 200

export const moveCommand = command({
  name: "move",
  about: "Move all data to a PostgreSQL database, or back to a file; stop leaddb first",
  options: {
    to: {
      value: "PLACE",
      env: "LEADDB_MOVE_TO",
      about: `postgres://... to move a file there, or the path of a new file to move ${DATABASE} to`,
      schema: v.pipe(v.string(), v.nonEmpty("must not be empty")),
    },
    databaseDirect: OPTIONS.databaseDirect,
    ...ADMIN,
  },
  examples: [
    "LEADDB_MOVE_TO=postgres://leaddb:PASSWORD@db.example.com/leaddb leaddb move",
    `${DATABASE}=postgres://leaddb:PASSWORD@db.example.com/leaddb leaddb move --to ./data/leads.db`,
  ],
  async run(io, { to, data, database, databaseDirect, json: asJson }) {
    const isDatabase = /^postgres(ql)?:/.test(to)
    if (isDatabase && !v.is(PostgresUrl, to))
      throw badRequest("--to must be an address such as postgres://leaddb:PASSWORD@db.example.com/leaddb")
    if (isDatabase && database !== undefined)
      throw badRequest(
        `--to and ${DATABASE} both name a PostgreSQL database: pg_dump and pg_restore carry one to the other`,
      )
    if (!isDatabase && database === undefined)
      throw badRequest(
        `--to must be postgres://... since ${DATABASE} is not set; leaddb backup copies a file to another`,
      )
    const began = performance.now()
    const shown = progress(io, asJson)
    const place = existingPlace({ data, database, databaseDirect })
    try {
      const { from, to: there, tables } = await moveStore(place, isDatabase ? to : resolve(to), shown.tell)
      shown.clear()
      const seconds = Math.round((performance.now() - began) / 100) / 10
      if (asJson) io.out(json({ move: { from, to: there, seconds, tables } }))
      else io.out(told(from, there, seconds, tables, isDatabase))
      return 0
    } finally {
      shown.clear()
    }
  },
})

function told(
  from: string,
  to: string,
  seconds: number,
  tables: readonly MovedRows[],
  isDatabase: boolean,
): string {
  const rows = tables.flatMap(({ table, rows, sum }) => (rows > 0 ? [[table, grouped(rows), sum]] : []))
  const all = tables.reduce((sum, { rows }) => sum + rows, 0)
  const next = isDatabase
    ? `Start leaddb with ${DATABASE} set to it.`
    : `Start leaddb without ${DATABASE}, on the folder of this file.`
  return (
    columns([["Table", "Rows", "Sum of both"], ...rows]) +
    `\nMoved ${grouped(all)} rows from ${from} to ${to} in ${seconds} s: every row was compared.\n` +
    `${next} What was moved is still there as it was: remove it once you are content.\n`
  )
}

const STEPS = { copying: "Copying", checking: "Comparing", indexing: "Making indexes" } as const

/** A line that is drawn anew on a terminal; elsewhere one for each table. */
function progress(io: Io, isQuiet: boolean): { tell(step: MoveStep): void; clear(): void } {
  let [last, drawn] = ["", 0]
  return {
    tell(step) {
      if (isQuiet) return
      const what = step.step === "indexing" ? "" : ` ${step.table}`
      const now = performance.now()
      if (!io.isTerminal.err) {
        const line = `${STEPS[step.step]}${what}\n`
        if (line !== last) io.err(line)
        last = line
      } else if (now - drawn > REDRAW_MS) {
        drawn = now
        io.err(`\r${STEPS[step.step]}${what}: ${grouped(step.done)} of ${grouped(step.of)}\u001b[K`)
      }
    },
    clear() {
      if (drawn > 0) io.err("\r\u001b[K")
      drawn = 0
    },
  }
}
