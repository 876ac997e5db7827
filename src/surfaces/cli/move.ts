import { resolve } from "node:path"
import * as v from "valibot"
import { badRequest } from "../../runtime/errors.ts"
import type { MoveStep } from "../../store/move/move.ts"
import { cancelMove, type Moved, moveStore } from "../../store/open.ts"
import { grouped } from "../../text/text.ts"
import { columns, command, type Io, statusLine } from "./command.ts"
import { flag, OPTIONS, option, PostgresUrl } from "./config.ts"
import { ADMIN, existingPlace } from "./database.ts"

const DATABASE = OPTIONS.database.env
const REDRAW_MS = 200

export const moveCommand = command({
  name: "move",
  about: "Move all data to a PostgreSQL database, or back to a file",
  options: {
    to: option(
      "PLACE",
      `postgres://... to move a file there, or the path of a new file to move ${DATABASE} to`,
      v.optional(v.pipe(v.string(), v.nonEmpty("must not be empty"))),
      { env: "LEADDB_MOVE_TO" },
    ),
    online: flag("let services on the file write while it is copied, all but the last seconds"),
    cancel: flag("take a database into use again that was moved, without what was written since"),
    databaseDirect: OPTIONS.databaseDirect,
    ...ADMIN,
  },
  examples: [
    "LEADDB_MOVE_TO=postgres://leaddb:PASSWORD@db.example.com/leaddb leaddb move",
    "LEADDB_MOVE_TO=postgres://leaddb:PASSWORD@db.example.com/leaddb leaddb move --online",
    `${DATABASE}=postgres://leaddb:PASSWORD@db.example.com/leaddb leaddb move --to ./data/leads.db`,
  ],
  async run({ to, data, database, databaseDirect, online, cancel, json: isForPrograms }, _, io) {
    if (cancel) {
      const { movedTo, wasFollowed } = await cancelMove(existingPlace({ data, database, databaseDirect }))
      return {
        json: { moved_to: movedTo ?? null, was_followed: wasFollowed },
        text: cancelledText(movedTo, wasFollowed),
      }
    }
    if (to === undefined) throw badRequest("--to PLACE is required: see leaddb move --help")
    if (online && database !== undefined)
      throw badRequest(
        `--online is for a file: instances on ${DATABASE} read while it is moved, and cannot write`,
      )
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
    const shown = progress(io, isForPrograms)
    const place = existingPlace({ data, database, databaseDirect })
    try {
      const wish = { to: isDatabase ? to : resolve(to), isOnline: online }
      const { held, ...moved } = await moveStore(place, wish, shown.tell)
      const seconds = inSeconds(performance.now() - began)
      const paused = held === undefined ? {} : { seconds_without_writes: inSeconds(held) }
      return {
        json: { move: { ...moved, seconds, ...paused } },
        text: movedText({ held, ...moved }, seconds, isDatabase),
      }
    } finally {
      shown.clear()
    }
  },
})

const inSeconds = (milliseconds: number) => Math.ceil(milliseconds / 100) / 10

function cancelledText(movedTo: string | undefined, wasFollowed: boolean): string {
  if (movedTo !== undefined)
    return `It is in use again. What was written in ${movedTo} since the move is not in it.\n`
  return wasFollowed
    ? "The file is as it was before the move.\n"
    : "There was nothing to cancel: it was not moved.\n"
}

function movedText({ from, to, tables, held }: Moved, seconds: number, isDatabase: boolean): string {
  const rows = tables.flatMap(({ table, rows, sum }) => (rows > 0 ? [[table, grouped(rows), sum]] : []))
  const all = tables.reduce((sum, { rows }) => sum + rows, 0)
  const next = isDatabase
    ? `Start leaddb with ${DATABASE} set to it.`
    : `Start leaddb without ${DATABASE}, on the folder of this file.`
  const left =
    held === undefined
      ? `${next} What was moved is still there as it was: remove it once you are content.`
      : `Nobody could write for ${inSeconds(held)} s. Services on ${from} go on reading, and answer writes with 503: ` +
        `replace them now. ${next}`
  return (
    columns([["Table", "Rows", "Sum of both"], ...rows]) +
    `\nMoved ${grouped(all)} rows from ${from} to ${to} in ${seconds} s: every row was compared.\n${left}\n`
  )
}

const STEPS = {
  copying: "Copying",
  checking: "Comparing",
  indexing: "Making indexes",
  following: "Following changes",
} as const

/** A line that is drawn anew on a terminal; elsewhere one for each table. */
function progress(io: Io, isQuiet: boolean) {
  const { draw, clear } = statusLine(io, REDRAW_MS)
  let last = ""
  function tell(step: MoveStep): void {
    if (isQuiet) return
    const line = `${STEPS[step.step]}${"table" in step ? ` ${step.table}` : ""}`
    const of = step.step === "following" ? "" : ` of ${grouped(step.of)}`
    draw(() => `${line}: ${grouped(step.done)}${of}`)
    if (!io.isTerminal.err && line !== last) io.err(`${line}\n`)
    last = line
  }
  return { tell, clear }
}
