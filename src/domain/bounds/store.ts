// The store for keys bound to a segment. Operations that reach leads through it keep to the segment by themselves.
import type {
  ChangeReads,
  LeadReads,
  LoggedReads,
  LoggedWrites,
  NoteReads,
  NoteWrites,
  Reads,
  Store,
  Transaction,
} from "../../store/contract/store.ts"
import { boundLeadReads, boundLeadWrites } from "./leads.ts"
import { type Bound, type Membership, membershipOf, outOfBounds } from "./membership.ts"

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
    notes: boundNotes(reads.notes, leads),
    activities: boundActivities(reads.activities, leads),
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
    notes: { ...notes, ...boundNoteWrites(tx, segment) },
    activities: { ...activities, ...boundActivityWrites(tx, segment) },
    changes: { ...tx.changes, ...changes },
  }
}

function boundNotes(reads: NoteReads, leads: Pick<LeadReads, "find">): NoteReads {
  return {
    async find(account, id) {
      const note = await reads.find(account, id)
      return note && (await leads.find(account, note.lead_id)) ? note : undefined
    },
    list: (account, lead) => reads.list(account, lead),
  }
}

/** Notes are among the words of a lead, and say when it was last touched. */
function boundNoteWrites(
  { notes, leads }: Pick<Transaction, "notes" | "leads">,
  segment: Membership,
): NoteWrites {
  return {
    async insert(account, lead, note) {
      await notes.insert(account, lead, note)
      await segment.require(await leads.findByRef(account, lead.ref))
    },
    async update(account, note) {
      await notes.update(account, note)
      await segment.require(await leads.find(account, note.lead_id))
    },
    async remove(account, id) {
      const note = await notes.find(account, id)
      await notes.remove(account, id)
      if (note) await segment.require(await leads.find(account, note.lead_id))
    },
  }
}

function boundActivities(reads: LoggedReads, leads: Pick<LeadReads, "find">): LoggedReads {
  return {
    ...reads,
    async find(account, id) {
      const activity = await reads.find(account, id)
      return activity && (await leads.find(account, activity.lead_id)) ? activity : undefined
    },
    counts: async () => {
      throw outOfBounds("counts of activities are")
    },
  }
}

/** Activities say when a lead was contacted last. */
function boundActivityWrites(
  { activities, leads }: Pick<Transaction, "activities" | "leads">,
  segment: Membership,
): LoggedWrites {
  return {
    async insert(account, lead, activity) {
      await activities.insert(account, lead, activity)
      await segment.require(await leads.findByRef(account, lead.ref))
    },
    async remove(account, id) {
      const activity = await activities.find(account, id)
      await activities.remove(account, id)
      if (activity) await segment.require(await leads.find(account, activity.lead_id))
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
