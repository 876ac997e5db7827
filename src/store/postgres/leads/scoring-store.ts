// Reads and writes of a scoring run.
import { NUMBER_FIELDS, TIME_FIELDS, withActivity } from "../../../lead/lead.ts"
import type { ScoringNeeds, ScoringRow, ScoringStore, WholeLead } from "../../contract/store.ts"
import type { Db } from "../../sql/db.ts"
import { POSTGRES } from "../../sql/dialect.ts"
import { suppressedSql } from "../../sql/suppressed.ts"
import { timeZone } from "../../tables/accounts.ts"
import { completedText, parsedDocument } from "../../tables/leads/shape.ts"
import { activityOf } from "../../tables/leads/stored-lead.ts"
import { ruleReads } from "../../tables/rules.ts"
import { queueTransition, segmentReads } from "../../tables/segments.ts"
import type { Ways } from "../connection/ways.ts"
import { openWorkerConnection } from "../writes/worker-connection.ts"

const SUPPRESSED = suppressedSql(POSTGRES).replaceAll("?", "$1")

/** Leads with their notes and imports, of those that are still there. */
async function pgWholeLeads(db: Db, account: number, refs: readonly number[]): Promise<WholeLead[]> {
  type Row = {
    ref: number
    data: string
    shape: number
    done: string | null
    notes: string | null
    imports: string | null
    country: string | null
    suppressed: boolean | null
  }
  const rows = await db.all<Row>(
    `SELECT l.rid AS ref, l.data, l.shape, s.activity AS done, a.default_country AS country,
       (${SUPPRESSED}) AS suppressed,
       (SELECT json_agg(n.content ORDER BY n.rid DESC)::text FROM (
         SELECT rid, content FROM notes WHERE account_id = $1 AND lead_rid = l.rid ORDER BY rid DESC LIMIT 1000) n) AS notes,
       (SELECT json_agg(i.id)::text FROM import_leads x JOIN imports i ON i.account_id = $1 AND i.rid = x.import
         WHERE x.account_id = $1 AND x.lead = l.rid) AS imports
     FROM unnest($2::bigint[]) WITH ORDINALITY AS r (rid, n)
     JOIN leads l ON l.account_id = $1 AND l.rid = r.rid JOIN lead_scores s ON s.account_id = $1 AND s.rid = l.rid
     JOIN accounts a ON a.key = $1 ORDER BY r.n`,
    [account, refs],
  )
  return rows.map(({ ref, data, shape, done, notes, imports, country, suppressed }) => ({
    ref,
    data: parsedDocument(data, shape),
    activity: activityOf(done),
    notes: notes === null ? [] : JSON.parse(notes),
    imports: imports === null ? [] : JSON.parse(imports),
    defaultCountry: country,
    isSuppressed: suppressed === true,
  }))
}

/** Columns of `leads` that hold a field as it is; texts are folded there, so a rule on one needs the whole lead. */
const EXACT: ReadonlySet<string> = new Set([...NUMBER_FIELDS, ...TIME_FIELDS, "status"])

export function openScoringStore(ways: string | Ways): ScoringStore {
  const { db, write, close } = openWorkerConnection(ways)
  const segments = segmentReads(db)
  return {
    rules: ruleReads(db).list,
    watchedSegments: async (account) =>
      (await segments.watchRevision(account)) === 0 ? [] : segments.list(account),
    timeZone: (account) => timeZone(db, account),
    wholeLeads: (account, refs) => pgWholeLeads(db, account, refs),
    pages: (account, needs, shape) => pages(db, account, needs, shape),
    write: (account, changes, lease) =>
      write(account, async (tx) => {
        const held = await tx.get("SELECT 1 AS one FROM accounts WHERE key = $1 AND scoring_lease = $2", [
          account,
          lease,
        ])
        if (!held) throw new Error("the lease of this scoring run is another's")
        const written = await tx.all<{ rid: number }>(
          `UPDATE lead_scores s SET score = c.score, version = s.version + 1
           FROM unnest($2::bigint[], $3::bigint[], $4::float8[]) AS c (rid, version, score)
           WHERE s.account_id = $1 AND s.rid = c.rid AND s.version = c.version RETURNING s.rid`,
          [
            account,
            changes.map(({ ref }) => ref),
            changes.map(({ version }) => version),
            changes.map(({ score }) => score),
          ],
        )
        const isWritten = new Set(written.map(({ rid }) => rid))
        for (const { ref, transitions = [] } of changes) {
          if (isWritten.has(ref))
            for (const transition of transitions) queueTransition(tx, account, transition)
        }
        return written.length
      }),
    close,
  }
}

type Row = { ref: number; id: string; version: number; stored: number } & Record<string, unknown>

async function* pages(
  db: Db,
  account: number,
  { fields, attributes }: ScoringNeeds,
  { size, ids }: { size: number; ids: boolean },
): AsyncGenerator<ScoringRow[]> {
  const isNarrow = attributes.size === 0 && [...fields].every((field) => EXACT.has(field))
  const columns = isNarrow
    ? [...fields].sort().map((field) => `, l.${field}`)
    : [", l.data, l.shape, s.activity AS done"]
  const text = `SELECT s.rid AS ref, s.version, s.score AS stored${ids ? ", l.id" : ""}${columns.join("")}
    FROM leads l JOIN lead_scores s ON s.account_id = l.account_id AND s.rid = l.rid
    WHERE l.account_id = $1 AND l.rid > $2 ORDER BY l.rid LIMIT $3`
  for (let after = 0; ; ) {
    const rows = await db.all<Row>(text, [account, after, size])
    const last = rows.at(-1)
    if (!last) return
    after = last.ref
    yield rows.map((row) => scoringRow(row, isNarrow))
  }
}

function scoringRow({ ref, version, stored, data, shape, done, ...row }: Row, isNarrow: boolean): ScoringRow {
  const lead = isNarrow
    ? { ...row, attributes: null }
    : JSON.parse(completedText(data as string, shape as number))
  if (isNarrow) return Object.assign(lead, { ref, version, stored })
  return Object.assign(withActivity(lead, activityOf((done ?? null) as string | null)), {
    ref,
    version,
    stored,
  })
}
