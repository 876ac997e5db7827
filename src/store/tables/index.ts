// The nouns whose SQL both engines share: a table more is a file here, a line in each function and two migrations.
import type { Db, WriteDb } from "../sql/db.ts"
import { memberReads, memberWrites } from "./members.ts"

/** Makes the reads of the shared nouns, each when it is asked for first. */
export function tableReads(db: Db) {
  return {
    members: () => memberReads(db),
  }
}

/** Makes their reads and writes inside a transaction. */
export function tableWrites(db: WriteDb) {
  return {
    members: () => ({ ...memberReads(db), ...memberWrites(db) }),
  }
}
