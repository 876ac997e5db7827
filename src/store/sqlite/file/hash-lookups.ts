import type { Database } from "bun:sqlite"
import type { HashLookup, HashLookups } from "../../sql/hash-lookups.ts"
import { changeWatch, prepare } from "./database.ts"

/** Finds rows by their hashes. A lookup costs 6 us, to see whether there was a write since the last one 1. */
export function hashLookups(db: Database): HashLookups {
  return {
    by<Row, Found>({ select, from, hash: column, isKept }: HashLookup, as: (row: Row) => Found) {
      const statement = prepare<Row, [Uint8Array]>(db, `SELECT ${select} FROM ${from} WHERE ${column} = ?`)

      function find(hash: Uint8Array): Found | undefined {
        const row = statement.get(hash)
        return row === null ? undefined : as(row)
      }

      if (!isKept) return async (hash) => find(hash)
      const changed = changeWatch(db)
      const kept = new Map<string, Found>()
      return async (hash) => {
        if (changed()) kept.clear()
        const name = hash.toBase64()
        const known = kept.get(name)
        if (known !== undefined) return known
        const found = find(hash)
        if (found !== undefined) kept.set(name, found)
        return found
      }
    },
  }
}
