// The store for keys bound to a segment. Operations that reach leads through it keep to the segment by themselves.

import type { Condition, LeadFilter } from "../../filters/lead-query.ts"
import { type FigureFound, type GroupKey, type LeadGroup, together } from "../../lead/group-query.ts"
import { STATUSES } from "../../lead/lead.ts"
import type {
  Candidates,
  ChangeReads,
  LeadReads,
  LeadRow,
  LeadStats,
  LeadWrites,
  Reads,
  Store,
  Transaction,
} from "../../store/contract/store.ts"
import { compareCodePoints } from "../../text/text.ts"
import { type Bound, both, type Membership, membershipOf, outOfBounds } from "./membership.ts"

/** A store whose leads are those of the segment alone. */
export function boundStore(store: Store, bound: Bound): Store {
  return {
    ...store,
    ...boundStoreReads(store, bound),
    write: (account, work, pushed) => store.write(account, (tx) => work(boundTransaction(tx, bound)), pushed),
  }
}

/** The reads of such a store. */
export function boundStoreReads(
  { read, readThrough }: Pick<Store, "read" | "readThrough">,
  bound: Bound,
): Pick<Store, "read" | "readThrough"> {
  return { read: boundReads(read, bound), readThrough: boundReads(readThrough, bound) }
}

function boundReads(reads: Reads, bound: Bound): Reads {
  return { ...reads, ...boundParts(reads, membershipOf(reads, bound)) }
}

type Parts = Pick<Reads, "leads" | "notes" | "activities" | "changes" | "duplicates">

/** Reads of leads, bounded to a segment. */
function boundParts(reads: Parts, segment: Membership): Parts {
  const leads = boundLeadReads(reads.leads, segment)
  const refuse = async (): Promise<never> => {
    throw outOfBounds("duplicates are")
  }
  return {
    leads,
    notes: {
      find: boundFind(reads.notes, leads),
      list: (account, lead) => reads.notes.list(account, lead),
    },
    activities: {
      find: boundFind(reads.activities, leads),
      list: (account, lead, page) => reads.activities.list(account, lead, page),
      counts: async () => {
        throw outOfBounds("counts of activities are")
      },
    },
    changes: boundChanges(reads.changes, leads),
    duplicates: {
      ...reads.duplicates,
      ...{ page: refuse, pair: refuse, links: refuse, decisions: refuse, merge: refuse, aliases: refuse },
      mergesInto: async () => [],
      mergesWith: async () => ({ merges: [], next: undefined }),
    },
  }
}

function boundTransaction(tx: Transaction, bound: Bound): Transaction {
  const segment = membershipOf(tx, bound)
  const { leads, notes, activities, changes } = boundParts(tx, segment)
  return {
    ...tx,
    leads: { ...leads, ...boundLeadWrites(tx.leads, tx.leads, segment) },
    notes: {
      ...notes,
      ...boundWrites(tx.notes, tx.leads, segment),
      async update(account, note) {
        await tx.notes.update(account, note)
        await segment.require(await tx.leads.find(account, note.lead_id))
      },
    },
    activities: { ...activities, ...boundWrites(tx.activities, tx.leads, segment) },
    changes: { ...tx.changes, ...changes },
  }
}

/** Things that belong to a lead: they are among its words, or say when it was touched last. */
interface OfLeads<Thing> extends Finds<Thing> {
  insert(account: number, lead: LeadRow, thing: Thing): Promise<void>
  remove(account: number, id: string): Promise<void>
}
interface Finds<Thing> {
  find(account: number, id: string): Promise<Thing | undefined>
}

function boundFind<Thing extends { lead_id: string }>(
  reads: Finds<Thing>,
  leads: Pick<LeadReads, "find">,
): Finds<Thing>["find"] {
  return async (account, id) => {
    const thing = await reads.find(account, id)
    return thing && (await leads.find(account, thing.lead_id)) ? thing : undefined
  }
}

function boundWrites<Thing extends { lead_id: string }>(
  things: OfLeads<Thing>,
  leads: Pick<LeadReads, "find" | "findByRef">,
  segment: Membership,
): Pick<OfLeads<Thing>, "insert" | "remove"> {
  return {
    async insert(account, lead, thing) {
      await things.insert(account, lead, thing)
      await segment.require(await leads.findByRef(account, lead.ref))
    },
    async remove(account, id) {
      const thing = await things.find(account, id)
      await things.remove(account, id)
      if (thing) await segment.require(await leads.find(account, thing.lead_id))
    },
  }
}

/** The trail of single leads that are in the segment now. */
function boundChanges(reads: ChangeReads, leads: Pick<LeadReads, "find">): ChangeReads {
  const has = async (account: number, leadId: string | undefined) => {
    if (leadId === undefined) throw outOfBounds("the audit trail of the account is")
    return (await leads.find(account, leadId)) !== undefined
  }
  const nothing = (after: number | undefined) => ({ changes: [], position: after ?? 0, more: false })
  const refuse = async (): Promise<never> => {
    throw outOfBounds("what was deleted is")
  }
  const { readAhead } = reads
  return {
    list: async (account, leadId, limit) =>
      (await has(account, leadId)) ? reads.list(account, leadId, limit) : [],
    page: async (account, query) =>
      (await has(account, query.filter.lead_id)) ? reads.page(account, query) : nothing(query.after),
    records: async (account, query) =>
      (await has(account, query.filter.lead_id)) ? reads.records(account, query) : nothing(query.after),
    diffs: async (account, query) =>
      (await has(account, query.filter.lead_id)) ? reads.diffs(account, query) : nothing(query.after),
    since: async (account, leadId, position) =>
      (await has(account, leadId)) ? reads.since(account, leadId, position) : [],
    ...(readAhead && { readAhead: (account, wanted) => readAhead(account, wanted) }),
    leftBy: refuse,
    pushedOf: async (account, leadId, position) =>
      (await has(account, leadId)) ? reads.pushedOf(account, leadId, position) : undefined,
    bounds: (account) => reads.bounds(account),
    epoch: () => reads.epoch(),
  }
}

// Leads for keys bound to a segment: each list gets the segment's conditions, each single lead is checked against them.

// Counts over the leads of a segment, in the shapes that the store has for those of an account.
type Counted = Pick<LeadReads, "count" | "groups" | "writtenValues">

const DAY = 86_400
const HOT = 70
const WARM = 40
const SOURCES_MAX = 1_000
const SCORE = { kind: "sum", of: { on: "number", field: "score" } } as const

/** The most frequent values of a text field, as the oldest lead spells them. */
async function commonestOf(
  reads: Counted,
  account: number,
  filter: LeadFilter,
  field: "category" | "city" | "source",
  limit: number,
): Promise<{ value: string; count: number }[]> {
  const keys: GroupKey[] = [{ on: "text", field }]
  const groups = await reads.groups(account, filter, keys, [])
  const top = groups
    .filter(({ values }) => values[0] !== null)
    .sort((a, b) => b.count - a.count || compareCodePoints(String(a.values[0]), String(b.values[0])))
    .slice(0, limit)
  return Promise.all(
    top.map(async (group) => {
      const [value] = await reads.writtenValues(account, keys, group)
      return { value: String(value), count: group.count }
    }),
  )
}

/** The counts of a segment's leads. */
async function statsOf(reads: Counted, account: number, filter: LeadFilter, now: number): Promise<LeadStats> {
  const count = (...all: Condition[]) => reads.count(account, both(filter, { all, any: [] }))
  const atLeast = (field: "score" | "created_at", least: number) =>
    count({ on: "number", not: false, field, operator: "gte", values: [least] })
  const filled = (field: "email" | "phone") =>
    count({ on: "text", not: true, field, operator: "is_empty", values: [] })
  const statuses = await reads.groups(account, filter, [{ on: "text", field: "status" }], [SCORE])
  const total = statuses.reduce((sum, group) => sum + group.count, 0)
  const sources = await commonestOf(reads, account, filter, "source", SOURCES_MAX)
  const hot = await atLeast("score", HOT)
  const warm = (await atLeast("score", WARM)) - hot
  return {
    total,
    by_status: byStatus(statuses),
    by_source: Object.fromEntries(sources.map(({ value, count }) => [value, count])),
    score: { ...scoresOf(statuses), hot, warm, cold: Math.max(0, total - hot - warm) },
    with_email: await filled("email"),
    with_phone: await filled("phone"),
    created_last_7_days: await atLeast("created_at", now - 7 * DAY),
    created_last_30_days: await atLeast("created_at", now - 30 * DAY),
  }
}

function byStatus(groups: readonly LeadGroup[]): LeadStats["by_status"] {
  const of = (status: string) => groups.find(({ values }) => values[0] === status)?.count ?? 0
  return Object.fromEntries(STATUSES.map((status) => [status, of(status)])) as LeadStats["by_status"]
}

function scoresOf(groups: readonly LeadGroup[]): Pick<LeadStats["score"], "average" | "min" | "max"> {
  const figures = groups.flatMap((group) => group.found[0] ?? [])
  if (figures.length === 0) return { average: null, min: null, max: null }
  const all: FigureFound = figures.reduce(together)
  if (!("sum" in all)) throw new Error("the figure of a score is no sum")
  return { average: all.n > 0 ? all.sum / all.n : null, min: all.min, max: all.max }
}

/** Candidates of the same phone that are checked: the oldest. */
const PHONES_MAX = 20

/** Every read is listed here, so that a new one has to say how it is bounded. */
function boundLeadReads(reads: LeadReads, segment: Membership): LeadReads {
  const within = async (filter: LeadFilter) => both(filter, await segment.filter())
  const ifVisible = async (row: LeadRow | undefined) => (row && (await segment.has(row)) ? row : undefined)
  const find = async (account: number, id: string) => ifVisible(await reads.find(account, id))
  const findByRef = async (account: number, ref: number) => ifVisible(await reads.findByRef(account, ref))
  const { readAhead, plainLines } = reads

  async function visible(account: number, candidates: Candidates): Promise<Candidates> {
    const [email, source_id] = [await ifVisible(candidates.email), await ifVisible(candidates.source_id)]
    const phone: Candidates["phone"] = []
    for (const one of candidates.phone.slice(0, PHONES_MAX))
      if (await findByRef(account, one.ref)) phone.push(one)
    const named = candidates.nameAndCity && (await find(account, candidates.nameAndCity.id))
    return {
      ...{ email, source_id, phone, nameAndCity: named && candidates.nameAndCity },
      aliases: {
        email: candidates.aliases.email && email !== undefined,
        source_id: candidates.aliases.source_id && source_id !== undefined,
      },
    }
  }

  return {
    find,
    findByRef,
    ...(readAhead && { readAhead: (account, ids) => readAhead(account, ids) }),
    async findDuplicates(account, pushed) {
      const all: Candidates[] = []
      for (const candidates of await reads.findDuplicates(account, pushed))
        all.push(await visible(account, candidates))
      return all
    },
    list: async (account, query) => reads.list(account, { ...query, filter: await within(query.filter) }),
    readsAPage: () => false,
    readsLittle: () => false,
    async *walk(account, query) {
      yield* reads.walk(account, { ...query, filter: await within(query.filter) })
    },
    ...(plainLines && { plainLines }),
    ids: async (account, filter) => reads.ids(account, await within(filter)),
    count: async (account, filter) => reads.count(account, await within(filter)),
    groups: async (account, filter, keys, figures) =>
      reads.groups(account, await within(filter), keys, figures),
    writtenValues: (account, keys, group) => reads.writtenValues(account, keys, group),
    // What follows would tell of words and attributes of other leads: typing errors are not forgiven, and no attribute
    // is said to be unknown.
    unindexed: async () => 0,
    hasWords: async () => true,
    wordsLike: async () => [],
    hasAttribute: async () => true,
    attributeNames: async (account, filter) => reads.attributeNames(account, await within(filter)),
    async attributeCatalogue() {
      throw outOfBounds("the list of all attributes is")
    },
    stats: async (account, now) => statsOf(reads, account, await segment.filter(), now),
    commonest: async (account, field, limit) =>
      commonestOf(reads, account, await segment.filter(), field, limit),
  }
}

/** Leads are in the segment before a write, as they were found, and after it. */
function boundLeadWrites(
  writes: LeadWrites,
  reads: Pick<LeadReads, "findByRef">,
  segment: Membership,
): LeadWrites {
  const checked = async (row: LeadRow) => {
    await segment.require(row)
    return row
  }
  return {
    prefetchDuplicates: (account, all) => writes.prefetchDuplicates(account, all),
    insert: async (account, lead, score, keys) => checked(await writes.insert(account, lead, score, keys)),
    replace: async (account, row, before, after, score) =>
      checked(await writes.replace(account, row, before, after, score)),
    remove: (account, row, lead) => writes.remove(account, row, lead),
    contactOf: (account, row) => writes.contactOf(account, row),
    setContacted: async (account, row, at) => checked(await writes.setContacted(account, row, at)),
    async setScore(account, ref, version, score) {
      const isSet = await writes.setScore(account, ref, version, score)
      await segment.require(await reads.findByRef(account, ref))
      return isSet
    },
  }
}
