// Works off what waits to be compared: leads are indexed first, then compared with those that share keys with them.
import {
  Candidates,
  compare,
  DECISIONS_MAX,
  KEY_MAX,
  keysOf,
  learn,
  type Prepared,
  probabilityFrom,
  probesOf,
  type Rarity,
  SHIPPED,
  score,
  termsOf,
  valuesOf,
  type Weights,
  weightsFrom,
  weightTable,
} from "../../matching/index.ts"
import type {
  Compared,
  FoundPair,
  IndexUpdate,
  MatchingStore,
  PassPlace,
} from "../../store/contract/store.ts"
import { createKnownLeads, prepared } from "./known.ts"
import { type PassIndex, readPassIndex } from "./pass-index.ts"

/** Leads that are written together: other writes wait for 5 to 10 ms. */
const INDEXED = 200
const COMPARED = 100
/** Leads of one step of a pass: most of what is found is known already and not written again. */
const PASSED = 300
/** Entries of an index that are dropped together. */
const CLEARED = 1_000
const WEIGHED = 500
/** Turns of indexing after which leads are compared although more wait to be indexed. */
const PATIENCE = 50
/** Numbers that indexes of passes may take before another one is read: 5 bytes each. */
const INDEXES_MAX = 4_000_000
/** Less probable pairs are not kept: those between this and what is shown come up when weights are learned. */
const KEPT = 0.25

export interface MatcherParts {
  store: MatchingStore
  /** Resolves to what `write` gives, once it had its turn among the writes of the main thread. */
  inTurn<T>(write: () => Promise<T>): Promise<T>
  /** Awaited every few milliseconds: yields to the event loop, and throws when the work is to end. */
  checkpoint(): Promise<void>
  /** Takes an error that keeps one lead from being compared. */
  defect(error: unknown): void
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
}

export function createMatcher(parts: MatcherParts): Matcher {
  const { store, inTurn, checkpoint, defect, indexed, now } = parts
  const known = createKnownLeads(store, defect)
  const compareAll = createComparison(parts, known)
  const indexes = createIndexes(store, checkpoint)

  /** Indexes what has changed. Returns whether more may wait than it took. */
  async function indexSome(account: number): Promise<boolean> {
    const queued = await store.queued(account, INDEXED)
    if (queued.length === 0) return false
    for (const { ref } of queued) known.forget(ref)
    const leads = await known.get(
      account,
      queued.map(({ ref }) => ref),
    )
    const updates = queued.map(({ ref, turn, before }): IndexUpdate => {
      const was = before ? prepared(before, defect) : undefined
      const is = leads.get(ref)
      return { ref, turn, ...difference(was, is), isThere: is !== undefined }
    })
    await write(account, updates)
    // While leads keep coming a few at a time, what came before is compared between them.
    return queued.length === INDEXED
  }

  async function write(account: number, updates: IndexUpdate[], pass?: PassPlace): Promise<void> {
    await inTurn(() => store.index(account, updates, pass))
    indexed(updates.length)
    for (const { dropTerms, addTerms } of updates) {
      known.moved(account, dropTerms)
      known.moved(account, addTerms)
    }
    await checkpoint()
  }

  async function compareSome(account: number): Promise<boolean> {
    const due = await store.due(account, COMPARED)
    if (due.length === 0) return false
    const results = await compareAll(account, due)
    await inTurn(() => store.compared(account, results, now()))
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
    const most = pass.kind === "index" ? INDEXED : PASSED
    const { refs, place: next } = await store.passLeads(account, pass, most)
    const place: PassPlace = { kind: pass.kind, place: next, done: refs.length, isOver: refs.length < most }
    if (pass.kind === "compare") {
      const results = await compareAll(account, refs, await indexes.of(account))
      await inTurn(() => store.compared(account, results, now(), place))
      if (place.isOver) indexes.drop(account)
      return true
    }
    const leads = await known.get(account, refs)
    const updates = refs.map((ref) => ({
      ref,
      turn: undefined,
      ...difference(undefined, leads.get(ref)),
      isThere: true,
    }))
    await write(account, updates, place)
    return true
  }

  async function workOn(account: number): Promise<boolean> {
    await learnFrom(parts, account)
    for (let turn = 0; turn < PATIENCE; turn++) if (!(await indexSome(account))) break
    return (await compareSome(account)) || (await passOn(account))
  }

  return {
    async work() {
      for (let worked = false; ; worked = true) {
        const accounts = await store.accounts()
        if (accounts.length === 0) return worked
        for (const account of accounts) {
          await workOn(account)
          await checkpoint()
        }
      }
    },
  }
}

/** The indexes of accounts whose leads are being compared in a pass. */
function createIndexes(store: MatchingStore, checkpoint: () => Promise<void>) {
  const indexes = new Map<number, PassIndex>()

  /** Undefined while other accounts' indexes take the room: leads are then compared without one, which takes longer. */
  async function of(account: number): Promise<PassIndex | undefined> {
    const kept = indexes.get(account)
    if (kept) return kept
    let taken = 0
    for (const { size } of indexes.values()) taken += size
    if (taken > INDEXES_MAX) return undefined
    const index = await readPassIndex(store, account, checkpoint)
    indexes.set(account, index)
    return index
  }

  return { of, drop: (account: number) => void indexes.delete(account) }
}

/** Compares leads with those that share their keys. */
function createComparison(
  { store, checkpoint, defect, compared }: MatcherParts,
  known: ReturnType<typeof createKnownLeads>,
) {
  async function compareOne(
    account: number,
    ref: number,
    lead: Prepared,
    weights: Weights,
    index: PassIndex | undefined,
  ): Promise<Compared> {
    const candidates = new Candidates<number>(ref)
    const probes = probesOf(lead)
    // Of other leads' keys an index does not tell those that one lead has alone.
    const asked = index ? probes.filter(({ isOwn }) => !isOwn) : probes
    const members = await store.members(
      account,
      asked.map(({ key }) => key),
      KEY_MAX + 1,
    )
    if (index) for (const probe of probes) if (probe.isOwn) candidates.add(probe, index.members(probe.key))
    for (const [i, probe] of asked.entries()) candidates.add(probe, members[i]!)
    const twin = await store.twin(account, ref)
    const partners = await store.partners(account, ref)
    const others = new Set([...candidates.best(), ...partners, ...(twin === undefined ? [] : [twin])])
    const leads = await known.get(account, [...others])
    const rarity = index?.rarity ?? (await known.rarity(account, [lead, ...leads.values()]))
    const found: FoundPair[] = []
    for (const [other, against] of leads) {
      const pair = pairOf([lead, against], rarity, weights, other === twin ? 0 : KEPT)
      if (pair) found.push({ other, ...pair })
    }
    const kept = new Set(found.map(({ other }) => other))
    return { ref, found, lost: partners.filter((other) => !kept.has(other)) }
  }

  function pairOf([a, b]: [Prepared, Prepared], rarity: Rarity, weights: Weights, least: number) {
    try {
      if (score(a, b, rarity, weights, least) < least) return undefined
      return compare(a, b, rarity, weights)
    } catch (error) {
      defect(error)
      return undefined
    }
  }

  return async function compareAll(
    account: number,
    refs: readonly number[],
    index?: PassIndex,
  ): Promise<Compared[]> {
    const table = await store.weights(account)
    const weights = table ? weightsFrom(table) : SHIPPED
    const leads = await known.get(account, refs)
    const results: Compared[] = []
    let since = performance.now()
    for (const ref of refs) {
      const lead = leads.get(ref)
      results.push(lead ? await compareOne(account, ref, lead, weights, index) : { ref, found: [], lost: [] })
      if (performance.now() - since < 4) continue
      await checkpoint()
      since = performance.now()
    }
    compared(results.length)
    return results
  }
}

/** Learns weights from an account's decisions and computes all probabilities with them: wholly, or not at all. */
async function learnFrom({ store, inTurn, checkpoint }: MatcherParts, account: number): Promise<void> {
  const all = await store.toLearn(account, DECISIONS_MAX)
  if (!all) return
  const weights = learn(all.decisions)
  await inTurn(() => store.setWeights(account, weights === SHIPPED ? null : weightTable(weights)))
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

/** The keys and terms that an index must remove and add when a lead changes. */
function difference(was: Prepared | undefined, is: Prepared | undefined) {
  const keys = changed(was ? keysOf(was) : [], is ? keysOf(is) : [])
  const terms = changed(was ? termsOf(was) : [], is ? termsOf(is) : [])
  return { dropKeys: keys.dropped, addKeys: keys.added, dropTerms: terms.dropped, addTerms: terms.added }
}

function changed(was: readonly number[], is: readonly number[]) {
  const [before, after] = [new Set(was), new Set(is)]
  return {
    dropped: was.filter((one) => !after.has(one)),
    added: is.filter((one) => !before.has(one)),
  }
}
