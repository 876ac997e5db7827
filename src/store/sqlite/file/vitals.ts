import type { Database } from "bun:sqlite"
import { dirname } from "node:path"
import { type StoreVitals, writeVitals } from "../../../runtime/vitals.ts"
import { freeBytes, sizeOf } from "../../shared/disk.ts"
import { prepare } from "../connection/database.ts"
import type { WriteQueue } from "../queue/write-queue.ts"

/** How the file and what is written to it does. Files are looked at by name only: opening one drops SQLite's locks. */
export function storeVitals(
  file: string,
  writer: Database,
  reader: Database,
  queue: WriteQueue,
): StoreVitals {
  const anything = prepare(reader, "SELECT name FROM settings LIMIT 1")
  // A new value each time: SQLite writes nothing when a row is set to what it is.
  const mark = prepare(
    writer,
    "INSERT INTO settings (name, value) VALUES ('probe', randomblob(8)) ON CONFLICT DO UPDATE SET value = excluded.value",
  )
  return {
    async read() {
      if (!anything.get()) throw new Error("it does not answer")
    },
    writes: writeVitals(queue.stats, () => queue.enqueue(async () => void mark.run())),
    files() {
      return { database: sizeOf(file), wal: sizeOf(`${file}-wal`), free: freeBytes(dirname(file)) }
    },
  }
}
