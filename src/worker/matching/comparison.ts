// Compares leads with those that share their keys: by their rows first, by their documents where those leave it open.
import {
  type BoundOfPairs,
  boundOfPairs,
  Candidates,
  compare,
  KEY_MAX,
  keptWeights,
  type Prepared,
  type Probe,
  probesOf,
  type Rarity,
  score,
  termsOf,
  type Weights,
} from "../../matching/matcher/index.ts"
import type {
  Compared,
  FoundPair,
  KeptEntries,
  MatchEntries,
  MatchingStore,
} from "../../store/contract/store.ts"
import type { AccountIndex } from "./account-index.ts"
import type { KnownLeads } from "./known.ts"

/** Less probable pairs are not kept: those between this and what is shown come up when weights are learned. */
const KEPT = 0.25
const KEPT_BITS = Math.log2(KEPT / (1 - KEPT))
/** Milliseconds after which others may have the thread. */
const SLICE_MS = 4

interface ComparisonParts {
  store: MatchingStore
  checkpoint(): Promise<void>
  onError(error: unknown): void
  compared(leads: number): void
}

type CompareAll = (account: number, refs: readonly number[], index?: AccountIndex) => Promise<Compared[]>

/** Inputs of a comparison of an account's leads. */
interface Terms {
  account: number
  /** Other leads of leads' pairs, and leads of the same name and city. */
  partners: ReadonlyMap<number, readonly number[]>
  twins: ReadonlyMap<number, number>
  weights: Weights
  bound: BoundOfPairs
  index: AccountIndex | undefined
  /** Undefined where counts are read before each comparison. */
  rarity: Rarity | undefined
}

export function createComparison(
  { store, checkpoint, onError, compared }: ComparisonParts,
  known: KnownLeads,
): CompareAll {
  async function candidatesOf(
    { account, index }: Terms,
    ref: number,
    probes: readonly Probe[],
  ): Promise<number[]> {
    const candidates = new Candidates<number>(ref)
    // Of other leads' keys an index does not tell those that one lead has alone.
    const isIndexed = ({ isOwn }: Probe) => index !== undefined && (isOwn || index.hasAllKeys)
    const asked = probes.filter((probe) => !isIndexed(probe))
    if (index)
      for (const probe of probes) if (isIndexed(probe)) candidates.add(probe, index.members(probe.key))
    if (asked.length > 0) {
      const keys = asked.map(({ key }) => key)
      const members = await store.members(account, keys, KEY_MAX + 1)
      for (const [i, probe] of asked.entries()) candidates.add(probe, members[i]!)
    }
    return candidates.best()
  }

  /** Those of the candidates that may come to what is kept. */
  function open(
    { account, bound }: Terms,
    kept: KeptEntries,
    rarity: Rarity,
    entries: MatchEntries,
    candidates: readonly number[],
  ): number[] {
    known.readRows(kept, account, candidates)
    const { rows } = known
    bound.from(entries.row, rarity)
    return candidates.filter((ref) => {
      const place = rows.placeOf(ref)
      return place !== undefined && bound.mayReach(rows.pieceOf(place), rows.beginOf(place), KEPT_BITS)
    })
  }

  async function compareOne(terms: Terms, ref: number): Promise<Compared> {
    const { account, weights } = terms
    const partners = terms.partners.get(ref) ?? []
    const entries = store.kept?.entries(account, ref)
    if (store.kept && !entries) return { ref, found: [], lost: [] }
    const own = entries ? undefined : (await known.get(account, [ref])).get(ref)
    const probes = entries?.probes ?? (own && probesOf(own))
    if (!probes) return { ref, found: [], lost: [] }
    const candidates = await candidatesOf(terms, ref, probes)
    const twin = terms.twins.get(ref)
    const promising =
      store.kept && entries && terms.rarity
        ? open(terms, store.kept, terms.rarity, entries, [...new Set([...candidates, ...partners])])
        : [...candidates, ...partners]
    const others = new Set([...promising, ...(twin === undefined ? [] : [twin])])
    const leads = others.size > 0 ? await known.get(account, [ref, ...others]) : new Map<number, Prepared>()
    const lead = leads.get(ref)
    leads.delete(ref)
    const found: FoundPair[] = []
    if (lead) {
      const rarity =
        terms.rarity ?? (await known.rarityOf(account, [lead, ...leads.values()].flatMap(termsOf)))
      for (const [other, against] of leads) {
        const pair = pairOf([lead, against], rarity, weights, other === twin ? 0 : KEPT)
        if (pair) found.push({ other, ...pair })
      }
    }
    const listed = new Set(found.map(({ other }) => other))
    return { ref, found, lost: partners.filter((other) => !listed.has(other)) }
  }

  function pairOf([a, b]: [Prepared, Prepared], rarity: Rarity, weights: Weights, least: number) {
    try {
      if (score(a, b, rarity, weights, least) < least) return undefined
      return compare(a, b, rarity, weights)
    } catch (error) {
      onError(error)
      return undefined
    }
  }

  return async function compareAll(account, refs, index) {
    const table = await store.weights(account)
    const weights = keptWeights(table)
    const leads = await store.leadCount(account)
    if (index) index.rarity.leads = leads
    const rarity = index?.rarity ?? (store.kept && known.keptRarity(store.kept, account, leads))
    const [partners, twins] = [await store.partners(account, refs), await store.twins(account, refs)]
    const terms: Terms = { account, partners, twins, weights, bound: boundOfPairs(weights), index, rarity }
    if (!store.kept) await known.get(account, refs)
    const results: Compared[] = []
    let since = performance.now()
    for (const ref of refs) {
      results.push(await compareOne(terms, ref))
      if (performance.now() - since < SLICE_MS) continue
      await checkpoint()
      since = performance.now()
    }
    compared(results.length)
    return results
  }
}
