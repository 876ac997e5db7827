import type { Database } from "bun:sqlite"
import type { HashLookup, HashLookups } from "../../sql/hash-lookups.ts"
import { prepare } from "./database.ts"
import type { ReadTurn } from "./read-turn.ts"

/** Finds rows by their hashes. Nearly every request begins with such a lookup, and so does the snapshot of its reads. */
export function hashLookups(db: Database, turn?: ReadTurn): HashLookups {
  return {
    by<Row, Found>({ select, from, hash: column, isKept }: HashLookup, as: (row: Row) => Found) {
      const statement = prepare<Row, [Uint8Array]>(db, `SELECT ${select} FROM ${from} WHERE ${column} = ?`)

      function find(hash: Uint8Array): Found | undefined {
        const row = statement.get(hash)
        return row === null ? undefined : as(row)
      }

      if (!isKept || !turn) return find
      let generation = 0
      const byHash = new Map<string, Found>()
      return (hash) => {
        const now = turn.enter()
        if (now !== generation) byHash.clear()
        generation = now
        const name = hash.toBase64()
        const cached = byHash.get(name)
        if (cached !== undefined) return cached
        const value = find(hash)
        if (value !== undefined) byHash.set(name, value)
        return value
      }
    },
  }
}
