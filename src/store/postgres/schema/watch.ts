// Sees whether a newer leaddb has changed the database so that this one may not go on writing.
import { AppError } from "../../../core/errors.ts"
import type { Db } from "../../sql/db.ts"
import { PG_MIGRATIONS } from "./migrations.ts"

const LOOK_MS = 500
const NEEDED = "SELECT max(version)::int AS version, max(least)::int AS least FROM schema_versions"

interface SchemaFit {
  /** Throws `unavailable` once the database is of a leaddb that this one cannot work beside. */
  check(): void
  stop(): void
}

/** Looks twice a second in a process that goes on for long. */
export function watchSchema(db: Db, isLasting: boolean, known = PG_MIGRATIONS.length): SchemaFit {
  let unfit: AppError | undefined
  let isLooking = false

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      const row = await db.get<{ version: number; least: number }>(NEEDED)
      unfit = row && row.least > known ? refusal(row.version, known) : undefined
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
      if (unfit) throw unfit
    },
    stop: () => clearInterval(looking),
  }
}

function refusal(version: number, known: number): AppError {
  const message =
    `The database was brought to schema ${version} by a newer leaddb, and this one knows ${known}: nothing was saved. ` +
    "Another instance takes writes; bring this one up to date"
  return new AppError("unavailable", message, { headers: { "Retry-After": "5" } })
}
