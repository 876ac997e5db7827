// The store for keys bound to a segment. Operations that reach leads through it keep to the segment by themselves.
import type {
  ChangeReads,
  LeadReads,
  LeadRow,
  Reads,
  Store,
  Transaction,
} from "../../store/contract/store.ts"
import { type Bound, type Membership, membershipOf, outOfBounds } from "./membership.ts"
import { boundLeadReads, boundLeadWrites } from "./segment-leads.ts"

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
