// Pages and links of pairs, which lists of leads make.
import { joined, type Sql, sql, wrapped } from "../../../filters/fragment.ts"
import { isEmptyFilter, type LeadFilter } from "../../../filters/lead-query.ts"
import type {
  DuplicatePair,
  DuplicateReads,
  PairLink,
  PairPage,
  PairPlace,
  PairQuery,
  Pass,
} from "../../contract/duplicates.ts"
import type { Db } from "../../sql/db.ts"
import { limitOf, spaced, statement } from "../../sql/statement.ts"
import { isMerged, mergedPairOf, PAIR_STATE, type PairRow, pairOf } from "./pairs.ts"

/** Pairs that are looked at in one go. */
const STEP = 500

/** What an engine has for reading pairs. */
interface PairParts {
  /** Its statements are put together at run time. */
  db: Db
  /** Where documents of leads are. */
  documents: "leads" | "lead_documents"
  /** A filter as it stands for the leads that are there at the moment. */
  resolve(account: number, filter: LeadFilter): Promise<LeadFilter>
  /** The filter as a condition on a lead `l` with its score `s`. */
  filterSql(account: number, filter: LeadFilter): Sql
  /** Leads that have yet to be compared, those of a pass left out. */
  waiting(account: number): Promise<number>
  /** The only kind of pass that there is. */
  pass?: Pass
  /** Awaited between steps, each of which looks at 500 pairs; without it a step looks for 500 that match. */
  steps?: () => { yieldIfDue(): Promise<void> }
}

const ORDER = "ORDER BY p.probability DESC, p.rid DESC"
const ANY = sql("1 = 1")
const [A, B] = ["a", "b"].map(
  (
    side,
  ) => `d${side}.data AS "${side}Text", d${side}.shape AS "${side}Shape", s${side}.activity AS "${side}Done",
    s${side}.score AS "${side}Score"`,
)
const LEADS = `SELECT p.rid AS ref, p.state, p.probability, p.reasons, p.created_at, p.a, p.b, ${A}, ${B}`
const MERGE_DATA = `SELECT m.data FROM duplicate_pairs p JOIN merges m ON m.rid = p.merge_rid AND m.account_id = p.account_id
  WHERE p.account_id = $1 AND p.rid = $2`
const REF = "SELECT rid FROM leads WHERE account_id = $1 AND id = $2"
const PASS =
  "SELECT pass AS kind, pass_left AS left FROM duplicate_accounts WHERE account_id = $1 AND pass IS NOT NULL"

type LinkQuery = Pick<PairQuery, "least" | "lead" | "filter" | "isUnasked">

export function pairReads(parts: PairParts): Pick<DuplicateReads, "status" | "page" | "pair" | "links"> {
  const { db, documents, resolve, filterSql, waiting, steps } = parts
  const ofSide = (side: string) =>
    `LEFT JOIN ${documents} d${side} ON d${side}.account_id = p.account_id AND d${side}.rid = p.${side}`
  const scoreOf = (side: string) =>
    `LEFT JOIN lead_scores s${side} ON s${side}.account_id = p.account_id AND s${side}.rid = d${side}.rid`
  const rest = `${scoreOf("a")} ${ofSide("b")} ${scoreOf("b")}`
  const one = `${LEADS} FROM duplicate_pairs p ${ofSide("a")} ${rest} WHERE p.account_id = $1 AND p.rid = $2`

  /** Whether one of a pair's leads matches. */
  function matchSql(account: number, filter: LeadFilter): Sql {
    if (isEmptyFilter(filter)) return ANY
    const leads = "leads l JOIN lead_scores s ON s.account_id = l.account_id AND s.rid = l.rid"
    const both = `EXISTS (SELECT 1 FROM ${leads} WHERE l.account_id = p.account_id AND l.rid IN (p.a, p.b) AND `
    return wrapped(both, filterSql(account, filter), ")")
  }

  /** The next pairs as `p`, and what has yet to be tested of each. */
  function next(account: number, query: Omit<PairQuery, "limit">, lead: number | undefined, most: number) {
    const { state, least, after, filter, isUnasked } = query
    const match = matchSql(account, filter)
    const tests = [
      sql("p.account_id = ? AND p.state = ? AND p.probability >= ?", account, PAIR_STATE[state], least),
      ...(isUnasked ? [sql("p.asked = 0")] : []),
      ...(after ? [sql("(p.probability, p.rid) < (?, ?)", after.probability, after.ref)] : []),
      ...(lead === undefined ? [] : [sql("(p.a = ? OR p.b = ?)", lead, lead)]),
      ...(steps ? [] : [match]),
    ]
    const step = steps ? STEP : limitOf(Math.min(STEP, most))
    const from = spaced(
      "(SELECT * FROM duplicate_pairs p WHERE",
      joined(tests, " AND "),
      `${ORDER} LIMIT ${step}) p`,
    )
    return { step, from, test: steps ? match : ANY }
  }

  /** Undefined for no lead, -1 for one that is not there. */
  async function refOf(account: number, id: string | undefined): Promise<number | undefined> {
    return id === undefined ? undefined : ((await db.get<{ rid: number }>(REF, [account, id]))?.rid ?? -1)
  }

  /** Both leads of a pair; of a merged one as they were then. Undefined when one is gone. */
  async function duplicatePair(account: number, row: PairRow): Promise<DuplicatePair | undefined> {
    if (!isMerged(row)) return pairOf(row)
    const merge = await db.get<{ data: string }>(MERGE_DATA, [account, row.ref])
    return merge && mergedPairOf(row, JSON.parse(merge.data))
  }

  async function links(account: number, asked: LinkQuery, most: number): Promise<PairLink[]> {
    const filter = await resolve(account, asked.filter)
    const lead = await refOf(account, asked.lead)
    const slices = steps?.()
    const collected: PairLink[] = []
    let after: PairPlace | undefined
    for (;;) {
      const { step, from, test } = next(account, { ...asked, filter, after, state: "open" }, lead, most)
      const text = spaced(
        "SELECT p.rid AS ref, p.a, p.b, p.probability,",
        wrapped("(", test, ")"),
        "AS matches FROM",
        from,
        sql(ORDER),
      )
      const rows = await db.all<PairLink & { matches: boolean | number }>(...statement(text))
      for (const { matches, ...link } of rows) if (matches && collected.length < most) collected.push(link)
      after = rows.at(-1)
      if (rows.length < step || collected.length >= most) return collected
      await slices?.yieldIfDue()
    }
  }

  async function page(account: number, asked: PairQuery): Promise<PairPage> {
    const query = { ...asked, filter: await resolve(account, asked.filter) }
    const lead = await refOf(account, asked.lead)
    const slices = steps?.()
    const pairs: DuplicatePair[] = []
    let after = asked.after
    for (;;) {
      const { step, from, test } = next(account, { ...query, after }, lead, asked.limit + 1)
      // Pairs that the filter passes over come without their leads.
      const text = spaced(`${LEADS} FROM`, from, `${ofSide("a")} AND`, test, `${rest} ${ORDER}`)
      const rows = await db.all<PairRow>(...statement(text))
      for (const row of rows) {
        const isOut = row.aText === null && (!isMerged(row) || test !== ANY)
        const pair = isOut ? undefined : await duplicatePair(account, row)
        if (pair && pairs.length === asked.limit) return { pairs, next: after }
        if (pair) pairs.push(pair)
        after = { probability: row.probability, ref: row.ref }
      }
      if (rows.length < step) return { pairs, next: undefined }
      await slices?.yieldIfDue()
    }
  }

  return {
    async status(account, bounds) {
      // First the leads that wait, so that none is missed which is taken up meanwhile.
      const leads = await waiting(account)
      const pass = await db.get<{ kind: Pass; left: number }>(PASS, [account])
      const between = bounds.map((_, i) =>
        i + 1 < bounds.length
          ? `probability >= $${i + 2} AND probability < $${i + 3}`
          : `probability >= $${i + 2}`,
      )
      const counts = between.map((range, i) => `count(*) FILTER (WHERE ${range}) AS n${i}`)
      const text = `SELECT ${counts.join(", ")} FROM duplicate_pairs WHERE account_id = $1 AND state = 0 AND probability >= $2`
      const row =
        bounds.length > 0 ? await db.get<Record<string, number>>(text, [account, ...bounds]) : undefined
      const byProbability = bounds.map((from, i) => ({ from, pairs: row?.[`n${i}`] ?? 0 }))
      return {
        waiting: leads + (pass?.left ?? 0),
        open: byProbability.reduce((sum, { pairs }) => sum + pairs, 0),
        byProbability,
        pass: pass && { ...pass, kind: parts.pass ?? pass.kind },
      }
    },
    page,
    async pair(account, ref) {
      const row = await db.get<PairRow>(one, [account, ref])
      return row && duplicatePair(account, row)
    },
    links,
  }
}
