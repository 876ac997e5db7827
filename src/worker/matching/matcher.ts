// Works off what waits to be compared: leads are indexed first, then compared with those that share keys with them.
import {
  DECISIONS_MAX,
  keysOf,
  lessonOf,
  type Prepared,
  probabilityFrom,
  probesOf,
  rowOf,
  SHIPPED,
  termsOf,
  valuesOf,
  weightsFrom,
  weightTable,
} from "../../matching/matcher/index.ts"
import type { IndexUpdate, MatchEntries, MatchingStore, PassPlace } from "../../store/contract/store.ts"
import { type AccountIndex, type EntriesChange, readAccountIndex } from "./account-index.ts"
import { createComparison } from "./comparison.ts"
import { createKnownLeads, prepared } from "./known.ts"

/** Leads that are written together: other writes wait for 5 to 10 ms. */
const INDEXED = 200
/** Leads that are written together where no other write waits for them. */
const INDEXED_BESIDE = 1_000
const COMPARED = 100
/** Leads of one step of a pass: most of what is found is known already and not written again. */
const PASSED = 300
/** Leads to compare, and their share of all, from which an index of all leads is read: those compared without one count. */
const MANY = 1_000
const MANY_SHARE = 0.05
/** Entries of an index that are dropped together. */
const CLEARED = 1_000
const WEIGHED = 500
/** Turns of indexing after which leads are compared although more wait to be indexed. */
const PATIENCE = 50
/** Keys and terms that indexes may have before another one is read: some 16 bytes each. */
const INDEXES_MAX = 1_500_000

interface MatcherParts {
  store: MatchingStore
  /** Resolves to what `write` gives, once it had its turn among the writes of the main thread. */
  inTurn<T>(write: () => Promise<T>): Promise<T>
  /** Awaited every few milliseconds: yields to the event loop, and throws when the work is to end. */
  checkpoint(): Promise<void>
  /** Takes an error that keeps one lead from being compared. */
  onError(error: unknown): void
  /** Leads were made ready to be indexed. */
  indexed(leads: number): void
  /** Leads were compared, and what came of it is to be written next. */
  compared(leads: number): void
  /** Unix seconds. */
  now(): number
}

export interface Matcher {
  /** Resolves when nothing waits that no other process works on: to whether there was anything. */
  work(): Promise<boolean>
  /** Gives back memory that work soon to come would use. */
  rest(): void
}

export function createMatcher(parts: MatcherParts): Matcher {
  const { store, inTurn, checkpoint, onError, indexed, now } = parts
  const known = createKnownLeads(store, onError)
  const compareAll = createComparison(parts, known)
  const indexes = createIndexes(store, checkpoint)
  const most = store.kept ? INDEXED_BESIDE : INDEXED
  /** Runs a write, in turn with those of the main thread where it has to wait for them. */
  const turnUnless = <T>(isBeside: boolean, write: () => Promise<T>) => (isBeside ? write() : inTurn(write))

  /** Indexes what has changed. Returns whether more may wait than it took. */
  async function indexSome(account: number): Promise<boolean> {
    const queued = await store.queued(account, most)
    if (queued.length === 0) return false
    const index = indexes.kept(account)
    if (!store.kept || !index?.hasAllKeys) indexes.drop(account)
    for (const { ref } of queued) known.forget(ref)
    const leads = await known.get(
      account,
      queued.map(({ ref }) => ref),
    )
    const updates = queued.map(({ ref, turn, before }): IndexUpdate => {
      const was = before ? prepared(before, onError) : undefined
      const is = leads.get(ref)
      const entries = is && store.kept ? entriesOf(is) : undefined
      const isThere = is !== undefined
      return { ref, turn, ...difference(was, store.kept ? undefined : is), entries, isThere }
    })
    const before = index && entriesBefore(account, updates)
    await write(account, updates)
    if (before) index.change(before)
    // While leads keep coming a few at a time, what came before is compared between them.
    return queued.length === most
  }

  function entriesBefore(account: number, updates: readonly IndexUpdate[]): EntriesChange[] {
    return updates.map(({ ref, entries: after }) => ({
      ref,
      before: store.kept?.entries(account, ref),
      after,
    }))
  }

  async function write(account: number, updates: IndexUpdate[], pass?: PassPlace): Promise<void> {
    await turnUnless(store.kept !== undefined, () => store.index(account, updates, pass))
    indexed(updates.length)
    for (const { dropTerms, addTerms, entries } of updates) {
      known.moved(account, dropTerms)
      known.moved(account, entries?.terms ?? addTerms)
    }
    await checkpoint()
  }

  async function compareSome(account: number): Promise<boolean> {
    const [due, index] = await indexes.nextDue(account)
    if (due.length === 0) return false
    const results = await compareAll(account, due, index)
    const isBeside = store.kept?.areQuiet(results) ?? false
    await turnUnless(isBeside, () => store.compared(account, results, now()))
    return true
  }

  /** One step of a pass over all leads. */
  async function passOn(account: number): Promise<boolean> {
    const pass = await store.pass(account)
    if (!pass) {
      await inTurn(() => store.passIfGrown(account))
      return false
    }
    if (pass.kind === "clear") {
      await inTurn(() => store.clear(account, CLEARED))
      return true
    }
    const step = pass.kind === "index" ? INDEXED : PASSED
    const { refs, place: next } = await store.passLeads(account, pass, step)
    const place: PassPlace = { kind: pass.kind, place: next, done: refs.length, isOver: refs.length < step }
    if (pass.kind === "compare") {
      const results = await compareAll(account, refs, await indexes.of(account))
      await inTurn(() => store.compared(account, results, now(), place))
      if (place.isOver && !store.kept) indexes.drop(account)
      return true
    }
    const leads = await known.get(account, refs)
    const unqueued = { turn: undefined, entries: undefined, isThere: true }
    const updates = refs.map((ref) => ({ ref, ...unqueued, ...difference(undefined, leads.get(ref)) }))
    await write(account, updates, place)
    return true
  }

  async function workOn(account: number): Promise<boolean> {
    await learnFrom(parts, account)
    for (let turn = 0; turn < PATIENCE; turn++) if (!(await indexSome(account))) break
    if (await compareSome(account)) return true
    if (!store.kept && !(await store.pass(account))) indexes.drop(account)
    return passOn(account)
  }

  return {
    async work() {
      for (let worked = false; ; worked = true) {
        const accounts = await store.accounts()
        indexes.dropOlder()
        if (accounts.length === 0) return worked
        for (const account of accounts) {
          await workOn(account)
          await checkpoint()
        }
      }
    },
    rest() {
      indexes.clear()
      known.clear()
      store.kept?.shrink()
    },
  }
}

/** Indexes of accounts whose leads are being compared. */
function createIndexes(store: MatchingStore, checkpoint: () => Promise<void>) {
  const indexes = new Map<number, AccountIndex>()
  /** Leads of accounts that were compared without an index. */
  const compared = new Map<number, number>()
  let age = store.kept?.age()

  function clear(): void {
    indexes.clear()
    compared.clear()
  }

  /** Undefined while other accounts' indexes take the room: leads are then compared without one, which takes longer. */
  async function of(account: number): Promise<AccountIndex | undefined> {
    const accountIndex = indexes.get(account)
    if (accountIndex) return accountIndex
    let taken = 0
    for (const index of indexes.values()) taken += index.size()
    if (taken > INDEXES_MAX) return undefined
    const index = await readAccountIndex(store, account, checkpoint)
    indexes.set(account, index)
    compared.delete(account)
    return index
  }

  /** The next leads to compare, with an index of all leads where reading it takes less than looking them up. */
  async function nextDue(account: number): Promise<[due: number[], index: AccountIndex | undefined]> {
    const index = indexes.get(account)
    if (index) return [await store.due(account, PASSED), index]
    const many = Math.max(MANY, MANY_SHARE * (await store.leadCount(account)))
    const due = await store.due(account, Math.ceil(many))
    const before = compared.get(account) ?? 0
    if (store.kept && before + due.length >= many) return [due.slice(0, PASSED), await of(account)]
    const some = due.slice(0, COMPARED)
    compared.set(account, before + some.length)
    return [some, undefined]
  }

  return {
    of,
    nextDue,
    clear,
    kept: (account: number) => indexes.get(account),
    drop: (account: number) => void indexes.delete(account),
    /** Drops those that another process may have made out of date. */
    dropOlder() {
      const now = store.kept?.age()
      if (now !== age) clear()
      age = now
    },
  }
}

/** Learns weights from an account's decisions and computes all probabilities with them: wholly, or not at all. */
async function learnFrom({ store, inTurn, checkpoint }: MatcherParts, account: number): Promise<void> {
  const all = await store.toLearn(account, DECISIONS_MAX)
  if (!all) return
  const { weights, loss } = lessonOf(all.decisions)
  const table = weights === SHIPPED ? null : weightTable(weights)
  await inTurn(() => store.setWeights(account, table, loss))
  const rounded = weights === SHIPPED ? SHIPPED : weightsFrom(weightTable(weights))
  for (let after = 0; ; ) {
    const pairs = await store.evidence(account, after, WEIGHED)
    const weighed = pairs.map(({ ref, evidence }) => ({
      ref,
      probability: probabilityFrom(valuesOf(evidence), rounded),
    }))
    if (weighed.length > 0) await inTurn(() => store.weigh(account, weighed))
    await checkpoint()
    if (pairs.length < WEIGHED) break
    after = pairs.at(-1)!.ref
  }
  await inTurn(() => store.learned(account, all.decided))
}

/** Features of a lead, kept so that it is compared without its document. */
function entriesOf(lead: Prepared): MatchEntries {
  return { row: rowOf(lead), probes: probesOf(lead), terms: termsOf(lead) }
}

/** The keys of a lead as it is, and the terms that an index must remove and add when it changes. */
function difference(was: Prepared | undefined, is: Prepared | undefined) {
  const terms = changed(was ? termsOf(was) : [], is ? termsOf(is) : [])
  return { keys: is ? keysOf(is) : [], dropTerms: terms.dropped, addTerms: terms.added }
}

function changed(was: readonly number[], is: readonly number[]) {
  const [before, after] = [new Set(was), new Set(is)]
  return {
    dropped: was.filter((one) => !after.has(one)),
    added: is.filter((one) => !before.has(one)),
  }
}
