// Finding one thing by its key, which nearly every request does twice: those that ask at the same moment share a statement.
import type { Db } from "../../sql/db.ts"
import type { HashLookup, HashLookups } from "../../sql/hash-lookups.ts"

/** Keys that one statement asks for at most. */
const MOST = 64

/** Asks for several keys at once. A row says by `n` the place of its key, from 1 on: `WITH ORDINALITY` counts them. */
type LookupQuery<Key, Row extends Placed> = (db: Db, keys: readonly Key[]) => Promise<readonly Row[]>
interface Placed {
  n: number
}

export interface Lookups {
  /** Finds one row by its key, or undefined. Rejects with the error of the statement. */
  by<Key, Row extends Placed>(asked: LookupQuery<Key, Row>): (key: Key) => Promise<Row | undefined>
}

/** On a connection of its own, as in a transaction: each asks for itself, at once. */
export function lookupsAlone(db: Db): Lookups {
  return { by: (asked) => async (key) => (await asked(db, [key]))[0] }
}

interface Waiting<Key, Row> {
  key: Key
  resolve(row: Row | undefined): void
  reject(error: unknown): void
}

/**
 * Batches the lookups of one turn of the event loop into a statement, which is sent behind the last of them: each sees
 * all that was committed before it asked. One at a time saves nothing; 16 at a time cost the database a third for each.
 */
export function lookupsTogether(db: Db): Lookups {
  return {
    by<Key, Row extends Placed>(asked: LookupQuery<Key, Row>) {
      let waiting: Waiting<Key, Row>[] = []

      async function answer(group: readonly Waiting<Key, Row>[]): Promise<void> {
        const keys = group.map(({ key }) => key)
        try {
          const rows: Row[] = []
          for (const row of await asked(db, keys)) rows[row.n - 1] = row
          for (const [i, { resolve }] of group.entries()) resolve(rows[i])
        } catch (error) {
          for (const { reject } of group) reject(error)
        }
      }

      function answerAll(): void {
        const all = waiting
        waiting = []
        for (let at = 0; at < all.length; at += MOST) void answer(all.slice(at, at + MOST))
      }

      return (key: Key) =>
        new Promise<Row | undefined>((resolve, reject) => {
          if (waiting.length === 0) setImmediate(answerAll)
          waiting.push({ key, resolve, reject })
        })
    },
  }
}

/** Finds rows by their hashes. */
export function hashLookups(lookups: Lookups): HashLookups {
  return {
    by<Row, Found>({ select, from, hash: column }: HashLookup, as: (row: Row) => Found) {
      const text = `SELECT u.n, ${select} FROM unnest($1::bytea[]) WITH ORDINALITY AS u (hash, n)
        JOIN (${from}) ON ${column} = u.hash`
      const find = lookups.by((db, hashes: readonly Uint8Array[]) => db.all<Row & Placed>(text, [hashes]))
      return async (hash) => {
        const row = await find(hash)
        return row && as(row)
      }
    },
  }
}
