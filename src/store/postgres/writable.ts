// Sees whether a database may be written: not while it is being moved, nor once it has been, nor when a newer leaddb has
// changed it so that this one does not fit any more.
import { AppError } from "../../runtime/errors.ts"
import { MovedAway } from "../shared/moved-away.ts"
import type { Db } from "../sql/db.ts"
import { PG_SCHEMA } from "./schema/migrations.ts"
import { IS_MOVING, MOVED_TO, placeIn } from "./writes/moves.ts"

const LOOK_MS = 500
const STATE = `SELECT max(version)::int AS version, max(least)::int AS least, ${MOVED_TO}, ${IS_MOVING}
  FROM schema_versions`

interface State {
  version: number
  least: number
  moved_to: Uint8Array | null
  is_moving: boolean
}

interface Writable {
  /** Throws `unavailable` while nothing may be written. */
  check(): void
  /** Throws `unavailable` where nothing will be written any more; a move under way is no reason. */
  checkLasting(): void
  stop(): void
}

/** Looks twice a second in a process that goes on for long. `onMoved` is called when a move begins, and when it has ended. */
export function watchWritable(
  db: Db,
  { isLasting, onMoved }: { isLasting: boolean; onMoved?: ((why: MovedAway) => void) | undefined },
): Writable {
  let refusal: AppError | undefined
  let isMoving = false
  let isLooking = false

  function judge(state: State): void {
    const before = refusal
    isMoving = false
    refusal = undefined
    if (state.least > PG_SCHEMA) refusal = tooNew(state.version)
    else if (state.moved_to || state.is_moving) {
      isMoving = !state.moved_to
      const why = new MovedAway(placeIn(state))
      refusal = why
      if (!(before instanceof MovedAway) || before.message !== why.message) onMoved?.(why)
    }
  }

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      judge((await db.get<State>(STATE))!)
    } catch {
      // The database is away: requests find out by themselves.
    } finally {
      isLooking = false
    }
  }

  const looking = isLasting ? setInterval(look, LOOK_MS) : undefined
  looking?.unref()
  return {
    check() {
      if (refusal) throw refusal
    },
    checkLasting() {
      if (refusal && !isMoving) throw refusal
    },
    stop: () => clearInterval(looking),
  }
}

function tooNew(version: number): AppError {
  const message =
    `The database was brought to schema ${version} by a newer leaddb, and this one knows ${PG_SCHEMA}: ` +
    "nothing was saved. Another instance takes writes; bring this one up to date"
  return new AppError("unavailable", message, { headers: { "Retry-After": "5" } })
}
