import { Database } from "bun:sqlite"
import { dirname } from "node:path"
import { refuseUnfitting, sizeOf } from "../../disk.ts"
import type { Compaction, FileUse } from "../../file-care.ts"
import { trailConverting } from "../trail/convert.ts"
import { contentBytes, reading } from "./copy.ts"
import { migrate } from "./migrations.ts"

/** Changes that are converted in one transaction, beside a running service. */
const STEP = 200
/** How long this waits for the service's writes. */
const BUSY_MS = 10_000

/** What belongs to what, by the names of tables and their indexes. */
const GROUPS: readonly [keyof Omit<FileUse, "free">, RegExp][] = [
  ["trail", /^(trail|changes|sqlite_autoindex_trail)/],
  ["outbox", /^(events|deliveries|sqlite_autoindex_(events|deliveries))/],
  ["leads", /^(lead|notes|sqlite_autoindex_(lead|notes))/],
]

/** How many bytes of a file are whose. Reads every page's place, a second for each gigabyte. */
export function fileUse(file: string): FileUse {
  return reading(file, (db) => {
    const rows = db
      .query<{ name: string; bytes: number }, []>(
        "SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name",
      )
      .all()
    const use: FileUse = { leads: 0, trail: 0, outbox: 0, other: 0, free: 0 }
    for (const { name, bytes } of rows) {
      const [group = "other" as const] = GROUPS.find(([, names]) => names.test(name)) ?? []
      use[group] += bytes
    }
    const free = "SELECT freelist_count * page_size AS bytes FROM pragma_freelist_count, pragma_page_size"
    return { ...use, free: db.query<{ bytes: number }, []>(free).get()!.bytes }
  })
}

/**
 * Gives back the room that a file does not need, beside a running service. Whoever writes meanwhile waits: a few
 * milliseconds while changes are made short, and about a second for each 200 MB while the file is written anew.
 * Throws an Error that a person can act on when there is no room for it.
 */
export async function compactDatabase(
  file: string,
  tell: (step: Compaction) => void,
): Promise<{ before: number; after: number }> {
  const before = sizeOf(file)
  const db = new Database(file, { readwrite: true, create: false, strict: true })
  try {
    db.run(`PRAGMA busy_timeout = ${BUSY_MS}`)
    db.run("PRAGMA synchronous = FULL")
    migrate(db)
    await convertAll(db, tell)
    refuseUnfitting(contentBytes(file), dirname(file))
    tell({ step: "writing", done: 0, of: 1 })
    db.run("VACUUM")
    db.run("PRAGMA wal_checkpoint(TRUNCATE)")
    tell({ step: "writing", done: 1, of: 1 })
    return { before, after: sizeOf(file) }
  } finally {
    db.close()
  }
}

/** Makes short what older versions recorded, with half of the time for others. */
async function convertAll(db: Database, tell: (step: Compaction) => void): Promise<void> {
  const of = db.query<{ n: number }, []>("SELECT count(*) AS n FROM changes").get()!.n
  const convert = trailConverting(db)
  const step = db.transaction(() => convert(STEP))
  for (let done = 0; ; ) {
    const began = performance.now()
    const made = step.immediate()
    if (made === 0) return
    done += made
    tell({ step: "converting", done: Math.min(done, of), of })
    await Bun.sleep(performance.now() - began)
  }
}
