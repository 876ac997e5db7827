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
/** Leads whose candidates are read together. */
const TOGETHER = 8

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
  /** All of the account. */
  leads: number
  /** Undefined where counts are read before each comparison. */
  rarity: Rarity | undefined
}

export function createComparison(
  { store, checkpoint, onError, compared }: ComparisonParts,
  known: KnownLeads,
): CompareAll {
  /** Those of the candidates that may come to what is kept. */
  function open(
    { account, bound }: Terms,
    entryReads: KeptEntries,
    rarity: Rarity,
    entries: MatchEntries,
    candidates: readonly number[],
  ): number[] {
    known.readRows(entryReads, account, candidates)
    bound.from(entries.row, rarity)
    return candidates.filter((ref) => {
      const row = known.rowOf(ref)
      return row !== undefined && bound.mayReach(row, KEPT_BITS)
    })
  }

  /** What each of some leads is compared with; those that cannot be compared are missing. */
  async function othersOf(terms: Terms, refs: readonly number[]): Promise<Map<number, Set<number>>> {
    const { account, index, rarity } = terms
    const ownLeads = store.kept ? undefined : await known.get(account, refs)
    // Of other leads' keys an index does not tell those that one lead has alone.
    const isIndexed = ({ isOwn }: Probe) => index !== undefined && (isOwn || index.hasAllKeys)
    const leads = refs.flatMap((ref) => {
      const entries = store.kept?.entries(account, ref)
      const lead = ownLeads?.get(ref)
      const probes = entries?.probes ?? (lead && probesOf(lead))
      return probes ? { ref, entries, probes } : []
    })
    const asked = new Set(
      leads.flatMap(({ probes }) => probes.filter((probe) => !isIndexed(probe)).map(({ key }) => key)),
    )
    const members = asked.size > 0 ? await store.members(account, [...asked], KEY_MAX + 1) : undefined
    return new Map(
      leads.map(({ ref, entries, probes }) => {
        const candidates = new Candidates<number>(ref)
        for (const probe of probes) {
          const having = isIndexed(probe) ? index?.members(probe.key) : members?.get(probe.key)
          candidates.add(probe, having ?? [])
        }
        const all = [...new Set([...candidates.best(), ...(terms.partners.get(ref) ?? [])])]
        const promising =
          store.kept && entries && rarity ? open(terms, store.kept, rarity, entries, all) : all
        return [ref, new Set([...promising, terms.twins.get(ref) ?? []].flat())]
      }),
    )
  }

  async function compareSome(terms: Terms, refs: readonly number[]): Promise<Compared[]> {
    const { account, weights } = terms
    const others = await othersOf(terms, refs)
    const involved = [...others].flatMap(([ref, all]) => (all.size > 0 ? [ref, ...all] : []))
    const leads = await known.get(account, [...new Set(involved)])
    const rarity =
      terms.rarity ?? (await known.rarityOf(account, terms.leads, [...leads.values()].flatMap(termsOf)))
    return refs.map((ref) => {
      const all = others.get(ref)
      if (!all) return { ref, found: [], lost: [] }
      const lead = leads.get(ref)
      const twin = terms.twins.get(ref)
      const pairs = [...all].flatMap((other): FoundPair | [] => {
        const against = leads.get(other)
        const pair = lead && against && pairOf([lead, against], rarity, weights, other === twin ? 0 : KEPT)
        return pair ? { other, ...pair } : []
      })
      const listed = new Set(pairs.map(({ other }) => other))
      return {
        ref,
        found: pairs,
        lost: (terms.partners.get(ref) ?? []).filter((other) => !listed.has(other)),
      }
    })
  }

  function pairOf([a, b]: [Prepared, Prepared], rarity: Rarity, weights: Weights, least: number) {
    try {
      if (score(a, b, rarity, weights) < least) return undefined
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
    const terms = { account, partners, twins, weights, bound: boundOfPairs(weights), index, leads, rarity }
    const results: Compared[] = []
    let since = performance.now()
    for (let at = 0; at < refs.length; at += TOGETHER) {
      results.push(...(await compareSome(terms, refs.slice(at, at + TOGETHER))))
      if (performance.now() - since < SLICE_MS) continue
      await checkpoint()
      since = performance.now()
    }
    compared(results.length)
    return results
  }
}
