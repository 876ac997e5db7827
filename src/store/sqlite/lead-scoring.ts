import type { Database } from "bun:sqlite"
import { NUMBER_FIELDS, TIME_FIELDS } from "../../core/lead.ts"
import type { ScoreInput } from "../../expression/index.ts"
import type { LeadReads, ScoringRow } from "../store.ts"
import { prepare } from "./database.ts"
import type { ColumnValue } from "./lead-columns.ts"
import { createStatementCache } from "./statement-cache.ts"

/** Columns of `leads` that hold a field as it is; texts are folded there, so a rule on one needs the document. */
const EXACT: ReadonlySet<string> = new Set([...NUMBER_FIELDS, ...TIME_FIELDS, "status"])

type Page = Parameters<LeadReads["scoringPage"]>
type AttributeRow = { rid: number; type: string; number: number | null }
type Attributes = Map<number, { name: string; value: number | boolean }[]>

/**
 * Leads for scoring, read as narrowly as the rules allow: numbers out of the columns and the attributes' index, the
 * documents only where a rule asks for texts, lists or objects.
 */
export function leadScoring(db: Database): Pick<LeadReads, "scoringPage"> {
  const prepared = createStatementCache(db)
  const attribute = prepare<AttributeRow>(
    db,
    `SELECT rid, type, number FROM lead_attributes
     WHERE account_id = ? AND name = ? AND rid BETWEEN ? AND ? AND item = 0`,
  )
  const document = prepare<{ data: string }>(
    db,
    "SELECT data FROM lead_documents WHERE account_id = ? AND rid = ?",
  )

  function narrowPage(...[account, { fields, attributes }, after, limit]: Page): ScoringRow[] {
    const columns = [...fields].sort()
    const picked = columns.map((column) => `, l.${column}`).join("")
    const sql = `SELECT s.rid, l.id, s.version, s.score${picked}
      FROM leads l INDEXED BY leads_id CROSS JOIN lead_scores s ON s.rid = l.rid
      WHERE l.account_id = ? AND l.id > ? ORDER BY l.id LIMIT ?`
    const found = prepared<unknown>(sql).values(account, after, limit) as ColumnValue[][]
    if (found.length === 0) return []
    const numbers = attributesOf(account, attributes, Number(found[0]![0]), Number(found.at(-1)![0]))
    return found.map(([ref, id, version, score, ...values]) => {
      const lead: Record<string, unknown> = {}
      for (let i = 0; i < columns.length; i++) lead[columns[i]!] = values[i]
      lead.attributes = numbers.get(ref as number)
      return {
        ref: ref as number,
        id: id as string,
        version: version as number,
        score: score as number,
        lead,
      }
    })
  }

  /** Values of attributes by lead; a lead with one that is not a number or bool has its document read. */
  function attributesOf(account: number, names: ReadonlySet<string>, low: number, high: number): Attributes {
    const found: Attributes = new Map()
    for (const name of names) {
      for (const { rid, type, number } of attribute.all(account, name, low, high)) {
        const isPlain = type === "number" || type === "bool"
        const value = isPlain ? (number ?? 0) : exactValue(account, rid, name)
        const list = found.get(rid)
        if (list) list.push({ name, value })
        else found.set(rid, [{ name, value }])
      }
    }
    return found
  }

  function exactValue(account: number, ref: number, name: string) {
    const lead = JSON.parse(document.get(account, ref)?.data ?? "{}")
    return lead.attributes?.find((one: { name: string }) => one.name === name)?.value
  }

  const wide = prepare<Omit<ScoringRow, "lead"> & { data: string }>(
    db,
    `SELECT s.rid AS ref, l.id, s.version, s.score, d.data
     FROM leads l INDEXED BY leads_id CROSS JOIN lead_scores s ON s.rid = l.rid
     CROSS JOIN lead_documents d ON d.rid = l.rid
     WHERE l.account_id = ? AND l.id > ? ORDER BY l.id LIMIT ?`,
  )
  function widePage(...[account, , after, limit]: Page): ScoringRow[] {
    return wide.all(account, after, limit).map(({ data, ...row }) => {
      const lead: ScoreInput = JSON.parse(data)
      return { ...row, lead }
    })
  }

  return {
    async scoringPage(...page) {
      const isNarrow = [...page[1].fields].every((field) => EXACT.has(field))
      return isNarrow ? narrowPage(...page) : widePage(...page)
    },
  }
}
