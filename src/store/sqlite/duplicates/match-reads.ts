// Looks up in the derived file and the leads what a lead that is not stored is compared with.
import type { Database } from "bun:sqlite"
import { checkpoint } from "../../../runtime/event-loop.ts"
import type { MatchedLead, MatchReads } from "../../contract/store.ts"
import { prepare } from "../connection/database.ts"
import { rowIn } from "../derived/entries.ts"
import { attachAgain } from "../derived/file.ts"
import { keyRowsWhere } from "../derived/matching-index.ts"

type Statements = ReturnType<typeof prepared>

export function matchReads(db: Database): MatchReads {
  let cached: Statements | undefined
  /** The derived file may have been made again meanwhile. */
  const statements = () => {
    attachAgain(db)
    cached ??= prepared(db)
    return cached
  }
  return {
    async members(account, keys, most) {
      const { membersOf } = statements()
      const byKey = new Map<number, number[]>()
      for (const key of keys) {
        byKey.set(
          key,
          membersOf.all(account, key, most).map(({ rid }) => rid),
        )
        checkpoint()
      }
      return byKey
    },
    async counts(account, terms) {
      const { countOf } = statements()
      const counts = together(db, terms, (term) => {
        const row = countOf.get(account, term)
        return row ? [[term, row.leads] as const] : []
      })
      return new Map(counts)
    },
    async rows(account, refs) {
      const { entriesOf } = statements()
      const entries = together(db, refs, (ref) => {
        const row = entriesOf.get(account, ref)
        return row ? [[ref, rowIn(row.data)] as const] : []
      })
      return new Map(entries)
    },
    leads: storedLeads(db),
  }
}

/** Looks up all in one transaction: one each would lock the files each time. */
const together = <K, T>(db: Database, keys: readonly K[], look: (key: K) => readonly T[]): T[] =>
  db.transaction(() => keys.flatMap(look)).deferred()

/** Leads as they were written: what a document of an older leaddb lacks, comparing does without. */
export function storedLeads(db: Database): MatchReads["leads"] {
  const document = prepare<{ text: string }>(
    db,
    "SELECT data AS text FROM lead_documents WHERE account_id = ? AND rid = ?",
  )
  return async (account, refs) =>
    together(db, refs, (ref) => {
      const row = document.get(account, ref)
      if (!row) return []
      const lead = JSON.parse(row.text) as MatchedLead & { id: string }
      return [{ ref, id: lead.id, lead }]
    })
}

function prepared(db: Database) {
  return {
    membersOf: prepare<{ rid: number }>(db, `${keyRowsWhere("key = ?2")} LIMIT ?3`),
    countOf: prepare<{ leads: number }>(
      db,
      "SELECT leads FROM match_terms WHERE account_id = ? AND term = ?",
    ),
    entriesOf: prepare<{ data: Uint8Array }>(
      db,
      "SELECT data FROM match_entries WHERE account_id = ? AND rid = ?",
    ),
  }
}
