import type { Database } from "bun:sqlite"
import { type Fragment, fragment } from "../../../filters/fragment.ts"
import { isEmptyFilter, type LeadFilter, NO_FILTER } from "../../../filters/lead-query.ts"
import type {
  DuplicatePair,
  DuplicateReads,
  PairLink,
  PairPage,
  PairPlace,
  PairQuery,
} from "../../contract/duplicates.ts"
import type { ColumnValue } from "../../sql/schema/lead-columns.ts"
import {
  isMerged,
  mergedPairOf,
  PAIR_STATE,
  type PairRow,
  pairOf,
  TO_LEARN,
} from "../../tables/duplicates/pairs.ts"
import { withContacts } from "../../tables/leads/contact-filter.ts"
import { prepare } from "../connection/database.ts"
import { createStatementCache } from "../connection/statement-cache.ts"
import { createTails } from "../derived/tail.ts"
import { createTailWords } from "../derived/tail-words.ts"
import { contactSearch } from "../leads/contacts.ts"
import { filterSql } from "../leads/filters.ts"
import { createSlices, slicesFor } from "../queue/slices.ts"

/** Pairs that are looked at in one go. */
const STEP = 500
/** More that wait are estimated. */
const COUNTED = 10_000

const LEADS = `SELECT p.rid AS ref, p.state, p.probability, p.reasons, p.created_at, p.a, p.b,
    da.data AS aText, da.shape AS aShape, sa.score AS aScore, sa.activity AS aDone, db.data AS bText, db.shape AS bShape, sb.score AS bScore, sb.activity AS bDone`
const JOINS = `LEFT JOIN lead_documents da ON da.rid = p.a AND da.account_id = p.account_id
    LEFT JOIN lead_scores sa ON sa.rid = da.rid
    LEFT JOIN lead_documents db ON db.rid = p.b AND db.account_id = p.account_id
    LEFT JOIN lead_scores sb ON sb.rid = db.rid`

/** The follower wakes the matcher by filling the queue, so that only what is queued is looked for. */
const ANY_WAITING = `SELECT EXISTS (SELECT 1 FROM match_queue) OR EXISTS (SELECT 1 FROM match_due)
  OR EXISTS (SELECT 1 FROM duplicate_accounts WHERE pass IS NOT NULL OR ${TO_LEARN}) AS n`

/** How many leads of an account have yet to be compared: queued ones, and those that the derived tables lack. */
function waitingLeads(db: Database): (account: number) => number {
  const tailOf = createTails(db)
  const queued = prepare<{ n: number }>(
    db,
    `SELECT (SELECT count(*) FROM (SELECT 1 FROM match_queue WHERE account_id = ?1 LIMIT ${COUNTED}))
       + (SELECT count(*) FROM (SELECT 1 FROM match_due WHERE account_id = ?1 LIMIT ${COUNTED})) AS n`,
  )
  const next = prepare<{ n: number }>(
    db,
    `SELECT count(*) AS n FROM (SELECT account_id FROM leads NOT INDEXED WHERE rid > ? ORDER BY rid LIMIT ${COUNTED})
     WHERE account_id = ?`,
  )
  return (account) => {
    const { high, last, changed, isEmpty } = tailOf(account)
    const above = isEmpty ? 0 : next.get(high, account)!.n
    // Behind those that were counted may be more.
    const behind = last - high > COUNTED ? Math.max(1, above) : above
    return behind + changed.length + queued.get(account)!.n
  }
}

/** Pages and links of pairs, which lists of leads make. */
export function pairReads(
  db: Database,
): Pick<DuplicateReads, "isAnyWaiting" | "status" | "page" | "pair" | "links"> {
  const prepared = createStatementCache(db)
  const words = createTailWords(db, slicesFor)
  const contacts = contactSearch(db)
  const resolve = async (account: number, filter: LeadFilter) =>
    words.resolve(account, await withContacts(contacts.areThere, account, filter))
  const anyWaiting = prepare<{ n: number }, []>(db, ANY_WAITING)
  const one = prepare<PairRow>(
    db,
    `${LEADS} FROM duplicate_pairs p ${JOINS} WHERE p.account_id = ? AND p.rid = ?`,
  )
  const mergeData = prepare<{ data: string }>(
    db,
    `SELECT m.data FROM duplicate_pairs p JOIN merges m ON m.rid = p.merge_rid AND m.account_id = p.account_id
     WHERE p.account_id = ? AND p.rid = ?`,
  )
  const refOf = prepare<{ rid: number }>(db, "SELECT rid FROM leads WHERE account_id = ? AND id = ?")

  /** Both leads of a pair; of a merged one as they were then. Undefined when one is gone, or no match. */
  function duplicatePair(account: number, row: PairRow, filter: LeadFilter): DuplicatePair | undefined {
    if (!isMerged(row)) return pairOf(row)
    if (!isEmptyFilter(filter) && row.aText === null) return undefined
    const kept = mergeData.get(account, row.ref)
    if (!kept) return undefined
    return mergedPairOf(row, JSON.parse(kept.data))
  }

  /** Pairs in order; those whose leads the filter passes over, or that are gone, come without them. */
  function step(account: number, query: PairQuery, lead: number | undefined, after?: PairRow): PairRow[] {
    const from = pairsSql(account, query, lead, after)
    const matches = matchSql(account, query.filter)
    const joined = JOINS.replace("da.rid = p.a", `da.rid = p.a AND ${matches.sql}`)
    return prepared<PairRow>(
      `${LEADS} FROM (${from.sql}) p ${joined} ORDER BY p.probability DESC, p.rid DESC`,
    ).all(...from.params, ...matches.params)
  }

  async function links(
    account: number,
    { lead: id, ...asked }: Pick<PairQuery, "least" | "lead" | "filter" | "isUnasked">,
    most: number,
  ): Promise<PairLink[]> {
    const query = { ...asked, filter: await resolve(account, asked.filter) }
    const lead = id === undefined ? undefined : refOf.get(account, id)?.rid
    if (id !== undefined && lead === undefined) return []
    const slices = createSlices()
    const matches = matchSql(account, query.filter)
    const found: PairLink[] = []
    let last: (PairLink & { matches: number }) | undefined
    for (;;) {
      const from = pairsSql(account, { ...query, state: "open", limit: 0 }, lead, last)
      const rows = prepared<PairLink & { matches: number }>(
        `SELECT p.rid AS ref, p.a, p.b, p.probability, ${matches.sql} AS matches FROM (${from.sql}) p
         ORDER BY p.probability DESC, p.rid DESC`,
      ).all(...matches.params, ...from.params)
      for (const { matches: isMatch, ...link } of rows) if (isMatch && found.length < most) found.push(link)
      last = rows.at(-1)
      if (rows.length < STEP || found.length >= most) return found
      await slices.yieldIfDue()
    }
  }

  async function page(account: number, asked: PairQuery): Promise<PairPage> {
    const query = { ...asked, filter: await resolve(account, asked.filter) }
    const lead = query.lead === undefined ? undefined : refOf.get(account, query.lead)?.rid
    if (query.lead !== undefined && lead === undefined) return { pairs: [], next: undefined }
    const slices = createSlices()
    const pairs: DuplicatePair[] = []
    let last: PairRow | undefined
    for (;;) {
      const rows = step(account, query, lead, last)
      for (const row of rows) {
        const pair = duplicatePair(account, row, query.filter)
        if (pair && pairs.length === query.limit) return { pairs, next: placeOf(last!) }
        if (pair) pairs.push(pair)
        last = row
      }
      if (rows.length < STEP) return { pairs, next: undefined }
      await slices.yieldIfDue()
    }
  }

  return {
    isAnyWaiting: async () => anyWaiting.get()!.n === 1,
    status: pairStatus(db),
    page,
    async pair(account, ref) {
      const row = one.get(account, ref)
      return row ? duplicatePair(account, row, NO_FILTER) : undefined
    },
    links,
  }
}

function pairStatus(db: Database): DuplicateReads["status"] {
  const waitingOf = waitingLeads(db)
  const passOf = prepare<{ left: number }>(
    db,
    "SELECT pass_left AS left FROM duplicate_accounts WHERE account_id = ? AND pass IS NOT NULL",
  )
  const between = prepare<{ n: number }>(
    db,
    `SELECT count(*) AS n FROM duplicate_pairs
     WHERE account_id = ? AND state = 0 AND probability >= ? AND probability < ?`,
  )
  return async (account, bounds) => {
    // First the leads that wait, so that none is missed which is taken up meanwhile.
    const waiting = waitingOf(account)
    const pass = passOf.get(account)
    const byProbability = bounds.map((from, i) => ({
      from,
      pairs: between.get(account, from, bounds[i + 1] ?? 2)!.n,
    }))
    const left = pass?.left ?? 0
    return {
      waiting: waiting + left,
      open: byProbability.reduce((sum, { pairs }) => sum + pairs, 0),
      byProbability,
      pass: pass ? { kind: "compare", left } : undefined,
    }
  }
}

/** Whether one of a pair's leads matches. */
function matchSql(account: number, filter: LeadFilter): Fragment {
  if (isEmptyFilter(filter)) return fragment("1")
  const { sql, params } = filterSql(account, filter, "l.rid")
  const both = "l.rid IN (p.a, p.b) AND l.account_id = p.account_id"
  return fragment(`EXISTS (SELECT 1 FROM leads l WHERE ${both} AND ${sql})`, ...params)
}

function pairsSql(account: number, query: PairQuery, lead: number | undefined, after?: PairPlace): Fragment {
  const place = after ? placeOf(after) : query.after
  const params: ColumnValue[] = [account, PAIR_STATE[query.state], query.least]
  const parts = ["account_id = ?", "state = ?", "probability >= ?"]
  if (place) {
    parts.push("(probability < ? OR (probability = ? AND rid < ?))")
    params.push(place.probability, place.probability, place.ref)
  }
  if (query.isUnasked) parts.push("asked = 0")
  if (lead !== undefined) {
    parts.push("? IN (a, b)")
    params.push(lead)
  }
  const where = parts.join(" AND ")
  return fragment(
    `SELECT * FROM duplicate_pairs WHERE ${where} ORDER BY probability DESC, rid DESC LIMIT ${STEP}`,
    ...params,
  )
}

const placeOf = ({ probability, ref }: PairPlace): PairPlace => ({ probability, ref })
