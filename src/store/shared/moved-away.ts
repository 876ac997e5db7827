import { AppError } from "../../runtime/errors.ts"
import type { Finding } from "./file-care.ts"

/** Refuses a write where the data lives in another database, or is on its way there. */
export class MovedAway extends AppError {
  /** For the log of the service: what has happened, and what is to be done. */
  readonly story: string
  /** The log has the story once, and not what each part of the service cannot write for that reason. */
  readonly isTold = true

  /** `place` is where the data is; undefined while a move is under way. */
  constructor(place: string | undefined) {
    super("unavailable", place === undefined ? ON_ITS_WAY : ELSEWHERE, { headers: { "Retry-After": "5" } })
    this.story =
      place === undefined
        ? "the data is being moved to another database: reads are answered, and nothing is written until the move has ended"
        : `the data has been moved to ${place}: reads are answered, and nothing is written here any more; ${onward(place)}`
  }
}

const ON_ITS_WAY =
  "The data is being moved to another database: reads are answered, and nothing was saved. Try again in a moment"
const ELSEWHERE =
  "The data has been moved to another database, and nothing was saved: try again once the service has been started on it"

/** How a service is started where the data is now. */
function onward(place: string): string {
  return place.startsWith("postgres://")
    ? "start leaddb with LEADDB_DATABASE set to it"
    : "start leaddb without LEADDB_DATABASE on the folder of that file"
}

/** The finding of a check. */
export function movedFinding(place: string): Finding {
  return {
    ...{ code: "moved_away", severity: "warning", check: "schema" },
    message: `the data has been moved to ${place}: nothing is written here any more`,
    advice: `${onward(place)[0]!.toUpperCase()}${onward(place).slice(1)}; leaddb move --cancel takes this database into use again`,
  }
}

/** Why a service does not start on a database whose data has been moved. */
export function notHere(place: string): string {
  return (
    `has been moved to ${place}: ${onward(place)}, or take this database into use again ` +
    "by leaddb move --cancel, without what has been written there"
  )
}

/** Why a move does not begin: an earlier one has carried the data to `place`. */
export function alreadyMoved(from: string, place: string): Error {
  return new Error(`${from} has been moved to ${place} already; leaddb move --cancel takes it into use again`)
}
