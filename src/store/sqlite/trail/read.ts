import type { Database } from "bun:sqlite"
import type { ChangeReads } from "../../contract/changes.ts"
import { trailReads } from "../../tables/trail/trail-pages.ts"
import type { PendingWrites } from "../queue/pending-writes.ts"
import { trailRows } from "./rows.ts"

/** Reads of the trail on one connection; on the one that writes, `pending` is what they may have to see. */
export function changeReads(db: Database, secret: Uint8Array, pending?: PendingWrites): ChangeReads {
  return trailReads(secret, (ids) => trailRows(db, ids, pending)).reads
}
