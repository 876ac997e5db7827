// Lists of leads: a page is planned (plan.ts), then read step by step by the executor of each step's method.
import type { Database } from "bun:sqlite"
import type { Condition, LeadFilter, LeadSort } from "../../../../filters/lead-query.ts"
import type { LeadPage, LeadQuery, LeadReads } from "../../../contract/store.ts"
import { withFilters } from "../../../tables/leads/contact-filter.ts"
import { ListedLead } from "../../../tables/leads/stored-lead.ts"
import { createSlices, createStatementCache, prepare, type SlicesOf } from "../../connection/database.ts"
import { LISTED_DOCUMENT } from "../../connection/documents.ts"
import { leadCount } from "../../derived/counts.ts"
import { createTailWords } from "../../derived/tail.ts"
import { isHeavy } from "../filters.ts"
import { createPlainLines } from "../plain-lines.ts"
import { createDriverChoice, type DriverChoice } from "./choice.ts"
import { tagByTag } from "./drivers.ts"
import { createIndexedGroups, createValueCounts, leadGroups } from "./groups.ts"
import { createEachPart, createParts, filteredLeads } from "./parts.ts"
import {
  createDriverExecutor,
  createPages,
  createPlanning,
  createScan,
  createScanExecutor,
  createWalkExecutor,
  type Executor,
  isAlongIndex,
  type ListPlace,
  type PageRun,
  type Pages,
  type Plan,
  type ReadMethod,
  type ScanPlaces,
  scanPlanOf,
} from "./plan.ts"
import { createRelevance } from "./relevance.ts"
import { hasOrder, type ListPosition } from "./stretches.ts"

/** Leads of a walk that are read at a time: more take longer than other requests should wait. */
const CHUNK = 500
/** Places of a walk that are found at a time where no index has the order: a few megabytes. */
const SCANNED = 20_000
/** Characters of an attribute's text that a position carries: cursors travel in addresses. */
const CARRIED = 300

/** Lists of leads. Whatever no index answers is read in slices, so that other requests are answered meanwhile. */
export function leadLists(
  db: Database,
  slicesOf: SlicesOf = createSlices,
  scanned = SCANNED,
  ranking: Parameters<typeof createRelevance>[3] = {},
): Pick<
  LeadReads,
  "list" | "walk" | "plainLines" | "count" | "ids" | "attributeNames" | "groups" | "writtenValues"
> {
  const prepared = createStatementCache(db)
  const choose = createDriverChoice(db, prepared, slicesOf)
  const parts = createParts(db, slicesOf)
  const pages = createPages(prepared)
  const scan = createScan(prepared, parts)
  const driver = createDriverExecutor(prepared, slicesOf, pages)
  const walk = createWalkExecutor(prepared, slicesOf, pages, driver)
  const executors = { driver, walk, scan: createScanExecutor(scan, pages) }
  const eachPart = createEachPart(prepared, choose, parts, slicesOf)
  const tail = createTailWords(db, slicesOf)
  const relevant = createRelevance(db, prepared, slicesOf, ranking)

  async function listByRelevance(account: number, { filter, after, limit }: LeadQuery): Promise<LeadPage> {
    const { refs, next } = await relevant(account, tagByTag(filter), after, limit)
    const rows = prepared<ListedLead>(RELEVANT).as(ListedLead).all(JSON.stringify(refs))
    return { rows, next }
  }
  const listInOrder = createList(choose, executors, createPositions(db))
  const list = (account: number, query: LeadQuery) =>
    query.sort.key.on === "relevance" ? listByRelevance(account, query) : listInOrder(account, query)
  const values = createValueCounts(db, prepared, slicesOf)
  const indexed = createIndexedGroups(db, prepared, slicesOf)
  return {
    plainLines: createPlainLines,
    // They also find what the derived tables have yet to follow.
    ...withFilters(
      {
        list,
        walk: createWholeList({ choose, list, scan, pages }, scanned),
        ...filteredLeads(db, prepared, eachPart),
        ...leadGroups(db, prepared, eachPart, values, indexed, slicesOf),
      },
      tail.resolve,
    ),
  }
}

/** The leads of a list of rids, in its order. */
const RELEVANT = `SELECT d.rid AS ref, ${LISTED_DOCUMENT}, s.activity AS done, s.score
  FROM json_each(?) q CROSS JOIN lead_documents d ON d.rid = q.value CROSS JOIN lead_scores s ON s.rid = d.rid
  ORDER BY q.key`

/** Reads one page: plans it, then runs its steps until the page is full. */
function createList(
  choose: DriverChoice,
  executors: Record<ReadMethod, Executor>,
  { read, written }: Positions,
): LeadReads["list"] {
  const planOf = createPlanning(choose)
  return async function list(account, { filter, sort, limit, after: cursor }) {
    const after = cursor === undefined ? undefined : read(account, sort, cursor)
    const plan = await planOf(account, { filter, sort, limit })
    let many: ReturnType<DriverChoice["many"]> | undefined
    const hits = () => {
      many ??= choose.many(account, plan.asked)
      return many
    }
    const run: PageRun = { plan, most: limit + 1, hits }
    const byRef = new Map<number, ListedLead>()
    let last: ListPosition | undefined
    for (let step = after?.[0] ?? 0; step < plan.steps.length && byRef.size <= limit; step++) {
      const execute = executors[plan.steps[step]!.method]
      for await (const rows of execute(run, step, after?.[0] === step ? after : undefined)) {
        for (const row of rows) {
          // While slices are read, a lead can move to where it is met again.
          if (byRef.size > limit || byRef.has(row.ref)) continue
          if (byRef.size < limit) last = [step, row.k, row.ref]
          byRef.set(row.ref, row)
        }
        if (byRef.size > limit) break
      }
    }
    const rows = [...byRef.values()]
    if (rows.length <= limit) return { rows, next: undefined }
    return { rows: rows.slice(0, limit), next: last && written(sort, last) }
  }
}

/** Reads all matching leads in order, some at a time. */
function createWholeList(
  {
    choose,
    list,
    scan,
    pages,
  }: { choose: DriverChoice; list: LeadReads["list"]; scan: ScanPlaces; pages: Pages },
  scanned: number,
) {
  async function* byPages(account: number, query: Pick<LeadQuery, "filter" | "sort">) {
    let after: string | undefined
    do {
      const page = await list(account, { ...query, after, limit: CHUNK })
      yield page.rows
      after = page.next
    } while (after)
  }

  async function* byScans(plan: Plan) {
    for (const step of plan.steps.keys()) {
      let places: ListPlace[] = []
      do {
        const last = places.at(-1)
        const after: ListPosition | undefined = last && [step, last.k, last.ref]
        places = await scan(plan, step, after, scanned)
        const refs = places.map(({ ref }) => ref)
        for (let at = 0; at < refs.length; at += CHUNK) yield pages.of(plan, step, refs.slice(at, at + CHUNK))
      } while (places.length === scanned)
    }
  }

  return async function* walk(account: number, query: Pick<LeadQuery, "filter" | "sort">) {
    const asked = tagByTag(query.filter)
    const isPaged = hasOrder(query.sort) || (!isHeavy(asked) && (await choose.few(account, asked, CHUNK)))
    yield* isPaged ? byPages(account, query) : byScans(scanPlanOf(account, query))
  }
}

/** Positions as texts, for cursors. */
interface Positions {
  read(account: number, sort: LeadSort, text: string): ListPosition
  written(sort: LeadSort, position: ListPosition): string
}

/** A position carries the beginning of a long attribute; the rest is read from its lead, where it still has the value. */
function createPositions(db: Database): Positions {
  const attributeText = prepare<{ text: string | null }>(
    db,
    "SELECT text FROM lead_attributes WHERE account_id = ? AND name = ? AND rid = ? AND item = 0",
  )
  return {
    read(account, { key }, text) {
      const position: ListPosition = JSON.parse(text)
      const [step, value, ref] = position
      if (key.on !== "attribute" || typeof value !== "string" || value.length < CARRIED) return position
      const now = attributeText.get(account, key.name, ref)?.text
      return now?.startsWith(value) ? [step, now, ref] : position
    },
    written({ key }, position) {
      const [step, value, ref] = position
      const isLong = key.on === "attribute" && typeof value === "string"
      return JSON.stringify(isLong ? [step, value.slice(0, CARRIED), ref] : position)
    },
  }
}

/** Leads of an account that take about as long to read as a page. */
const SMALL = 200
/** Conditions that are tested on each of them. */
const CONDITIONS = 4
/** Conditions that cost little for any lead. */
const CHEAP = new Set<Condition["on"]>([
  "text",
  "number",
  "tags",
  "location",
  "ids",
  "import",
  "phone",
  "digits",
  "source_id",
])
/** Fields whose values at most one lead of an account has. */
const UNIQUE = new Set<string>(["email", "source_id"])

/** Which questions read about a page of the database: they are answered where they are asked, the others on reader threads. */
export function readsAtOnce(db: Database): Pick<LeadReads, "readsAPage" | "readsLittle"> {
  const leadsIn = leadCount(db)

  function readsLittle(account: number, filter: LeadFilter): boolean {
    const conditions = [...filter.all, ...filter.any]
    const isCheap = conditions.length <= CONDITIONS && conditions.every(({ on }) => CHEAP.has(on))
    return isCheap && !isHeavy(filter) && leadsIn(account) <= SMALL
  }

  return {
    readsLittle,
    readsAPage(account, filter, sort) {
      if (sort.key.on === "attribute" || sort.key.on === "relevance") return false
      return isAlongIndex(filter, sort) || isOfOneLead(filter) || readsLittle(account, filter)
    },
  }
}

function isOfOneLead({ all, any }: LeadFilter): boolean {
  const [one] = all
  if (all.length !== 1 || any.length > 0 || one === undefined || one.not) return false
  if (one.on !== "text") return one.on === "source_id"
  return one.operator === "eq" && UNIQUE.has(one.field)
}
