import type { Database } from "bun:sqlite"
import type { ScoreChange, ScoringStore, WholeLead } from "../../contract/store.ts"
import { SQLITE } from "../../sql/dialect.ts"
import { suppressedSql } from "../../sql/suppressed.ts"
import { timeZone } from "../../tables/accounts.ts"
import { parsedDocument } from "../../tables/leads/shape.ts"
import { activityOf } from "../../tables/leads/stored-lead.ts"
import { ruleReads } from "../../tables/rules.ts"
import { queueTransition, segmentReads } from "../../tables/segments.ts"
import { prepare, sqliteDb } from "../connection/database.ts"
import { documentSql } from "../connection/documents.ts"
import { openSecondWriter } from "../file/connections.ts"
import { patientBegin } from "../queue/transaction.ts"
import { leadScoring, scoreSetter } from "./scoring.ts"

/** Opens the file for a scoring run in another thread, beside the store of the same process. */
export function openScoringStore(file: string): ScoringStore {
  const db = openSecondWriter(file)
  const begin = patientBegin(db)
  const setScore = scoreSetter(db)
  const scoring = leadScoring(db)
  const statements = sqliteDb(db)
  const segments = segmentReads(statements)
  const whole = wholeLeads(db)
  const leased = prepare(db, "SELECT 1 FROM accounts WHERE key = ? AND scoring_lease = ?")

  function setAll(account: number, changes: readonly ScoreChange[], lease: string): number {
    if (!leased.get(account, lease)) throw new Error("the lease of this scoring run is another's")
    let written = 0
    for (const { ref, version, score, transitions = [] } of changes) {
      if (!setScore(account, ref, version, score)) continue
      written++
      for (const transition of transitions) queueTransition(statements, account, transition)
    }
    return written
  }

  return {
    rules: ruleReads(statements).list,
    watchedSegments: async (account) =>
      (await segments.watchRevision(account)) === 0 ? [] : segments.list(account),
    timeZone: (account) => timeZone(statements, account),
    wholeLeads: async (account, refs) => whole(account, refs),
    async *pages(account, needs, shape) {
      yield* scoring.pages(account, needs, shape)
    },
    async write(account, changes, lease) {
      await begin()
      // Without a pause: a thread that is ended in the middle would hold the file as long as the process lives.
      try {
        const written = setAll(account, changes, lease)
        db.run("COMMIT")
        return written
      } catch (error) {
        if (db.inTransaction) db.run("ROLLBACK")
        throw error
      }
    },
    close: () => db.close(),
  }
}

/** Leads with their notes and imports, of those that are still there. */
function wholeLeads(db: Database): (account: number, refs: readonly number[]) => WholeLead[] {
  const document = prepare<{ data: string; done: string | null }>(
    db,
    `SELECT ${documentSql("d")} AS data, s.activity AS done
     FROM lead_documents d CROSS JOIN lead_scores s ON s.rid = d.rid WHERE d.account_id = ? AND d.rid = ?`,
  )
  const notes = prepare<{ content: string }>(
    db,
    "SELECT content FROM notes WHERE account_id = ? AND lead_rid = ? ORDER BY rid DESC LIMIT 1000",
  )
  const imports = prepare<{ id: string }>(
    db,
    `SELECT i.id FROM leads l CROSS JOIN import_leads x ON x.lead = l.rid
       CROSS JOIN imports i ON i.rid = x.import AND i.account_id = l.account_id
     WHERE l.account_id = ? AND l.rid = ?`,
  )
  const country = prepare<{ default_country: string | null }>(
    db,
    "SELECT default_country FROM accounts WHERE key = ?",
  )
  const suppressed = prepare<{ rid: number }>(
    db,
    `SELECT l.rid FROM leads l WHERE l.account_id = ? AND l.rid = ? AND (${suppressedSql(SQLITE)})`,
  )
  return (account, refs) => {
    const defaultCountry = country.get(account)?.default_country ?? null
    return refs.flatMap((ref) => {
      const row = document.get(account, ref)
      if (!row) return []
      return {
        ref,
        data: parsedDocument(row.data),
        activity: activityOf(row.done),
        notes: notes.all(account, ref).map(({ content }) => content),
        imports: imports.all(account, ref).map(({ id }) => id),
        defaultCountry,
        isSuppressed: suppressed.get(account, ref, account, account, account) !== null,
      }
    })
  }
}
