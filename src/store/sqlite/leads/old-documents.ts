// Rewrites the documents of older versions, so that no read has to complete them.
import type { Database } from "bun:sqlite"
import { completedBytes, SHAPE } from "../../tables/leads/shape.ts"
import { prepare } from "../connection/database.ts"
import type { WriteQueue } from "../queue/write-queue.ts"

/** Rids that are looked through at once, and documents of a write: each takes about 2 ms. */
const LOOKED_AT = 1_000
const REWRITTEN = 50

/** The setting that holds the shape which all documents have at least. */
const NAME = "documents_shape"

interface Place {
  account: number
  rid: number
}

interface Parts {
  reader: Database
  writer: Database
  queue: WriteQueue
}

/** Works in steps with as long a pause behind each, once for each new shape. `stop` waits for the step under way. */
export function rewriteOldDocuments(
  { reader, writer, queue }: Parts,
  failed: (error: unknown) => void,
): { stop(): Promise<void> } {
  const shapes = prepare<{ shape: number }>(
    reader,
    "SELECT CAST(value AS INTEGER) AS shape FROM settings WHERE name = ?",
  )
  const keep = prepare(
    writer,
    "INSERT INTO settings (name, value) VALUES (?, CAST(? AS BLOB)) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  )
  const highest = prepare<{ rid: number }>(reader, "SELECT coalesce(max(rid), 0) AS rid FROM lead_documents")
  const find = prepare<Place>(
    reader,
    `SELECT account_id AS account, rid FROM lead_documents WHERE rid > ? AND rid <= ? AND shape < ${SHAPE}`,
  )
  const read = prepare<{ document: Uint8Array; shape: number }>(
    writer,
    `SELECT CAST(data AS BLOB) AS document, shape FROM lead_documents
     WHERE account_id = ? AND rid = ? AND shape < ${SHAPE}`,
  )
  const write = prepare(
    writer,
    `UPDATE lead_documents SET data = CAST(? AS TEXT), shape = ${SHAPE} WHERE account_id = ? AND rid = ?`,
  )
  let isStopped = false

  async function rewrite(places: readonly Place[]): Promise<void> {
    for (const { account, rid } of places) {
      const old = read.get(account, rid)
      if (old) write.run(completedBytes(old.document, old.shape), account, rid)
    }
  }

  async function work(): Promise<void> {
    if ((shapes.get(NAME)?.shape ?? 0) >= SHAPE) return
    const last = highest.get()!.rid
    for (let from = 0; from < last; from += LOOKED_AT) {
      let began = performance.now()
      const old = find.all(from, from + LOOKED_AT)
      for (let i = 0; i < old.length && !isStopped; i += REWRITTEN) {
        await queue.enqueue(() => rewrite(old.slice(i, i + REWRITTEN)))
        await Bun.sleep(performance.now() - began)
        began = performance.now()
      }
      if (isStopped) return
      await Bun.sleep(performance.now() - began)
    }
    await queue.enqueue(async () => void keep.run(NAME, String(SHAPE)))
  }

  const working = work().catch(failed)
  return {
    async stop() {
      isStopped = true
      await working
    },
  }
}
