// Compares leads that are not stored with those of an account, as the matcher compares stored ones.
import {
  type BoundOfPairs,
  boundOfPairs,
  Candidates,
  compare,
  KEY_MAX,
  keptWeights,
  type Prepared,
  prepare,
  probesOf,
  type Rarity,
  type Reason,
  rowOf,
  score,
  termsOf,
  termsOfRow,
  type Weights,
} from "../../../matching/matcher/index.ts"
import type { MatchedLead, MatchReads } from "../../../store/contract/store.ts"
import type { ReadContext } from "../../operation.ts"

/** Pairs below are none that a person would look at. */
const LIKELY = 0.5
/** A stored lead takes 2 to 4 KB: those of a request, so that a common one is prepared once. */
const KNOWN_MAX = 6_000
/** No stored lead has it. */
const NOT_STORED = -1

interface Likely {
  lead_id: string
  probability: number
  reasons: Reason[]
}

interface Stored {
  id: string
  lead: Prepared
}

export interface Comparer {
  /** The most probable stored lead for each of these; undefined where none is likely. */
  compareAll(leads: readonly MatchedLead[]): Promise<(Likely | undefined)[]>
  /** The probability that a lead is this stored one, with the reasons. */
  compareWith(lead: MatchedLead, stored: MatchedLead): Promise<Pick<Likely, "probability" | "reasons">>
}

/** A comparer of one request: with the account's learned weights, and its counts of terms. */
export async function createComparer(ctx: ReadContext): Promise<Comparer> {
  const account = ctx.caller.account.key
  const { duplicates, accounts, matching } = ctx.store.read
  const { learning, weights: table } = await duplicates.settings(account)
  const weights = keptWeights(learning ? table : null)
  const bound = boundOfPairs(weights)
  const rarityOf = termRarity(matching, account, await accounts.countLeads(account))
  const storedOf = storedLeads(matching, account)
  const yieldIfDue = ctx.eventLoop.yieldEvery()

  async function compareAll(leads: readonly MatchedLead[]): Promise<(Likely | undefined)[]> {
    const preparedLeads: Prepared[] = []
    for (const lead of leads) {
      preparedLeads.push(prepare(lead))
      await yieldIfDue()
    }
    const candidates = await candidatesOf(matching, account, preparedLeads)
    const open = await promising(candidates, preparedLeads)
    const stored = await storedOf([...new Set(open.flat())], yieldIfDue)
    const results: (Likely | undefined)[] = []
    for (const [i, lead] of preparedLeads.entries()) {
      const others = open[i]!.flatMap((ref) => stored.get(ref) ?? [])
      results.push(await best(lead, others))
      await yieldIfDue()
    }
    return results
  }

  /** The candidates whose rows do not rule out a likely match. */
  async function promising(
    candidates: readonly number[][],
    preparedLeads: readonly Prepared[],
  ): Promise<number[][]> {
    if (!matching.rows) return [...candidates]
    const rows = await matching.rows(account, [...new Set(candidates.flat())])
    const terms = [...rows.values()].flatMap((row) => termsOfRow(row))
    const ownRows = preparedLeads.map(rowOf)
    const rarity = await rarityOf([...terms, ...ownRows.flatMap((row) => termsOfRow(row))])
    const open: number[][] = []
    for (const [i, row] of ownRows.entries()) {
      open.push(withinBound(bound, row, rarity, candidates[i]!, rows))
      await yieldIfDue()
    }
    return open
  }

  async function best(lead: Prepared, others: readonly Stored[]): Promise<Likely | undefined> {
    if (others.length === 0) return undefined
    const rarity = await rarityOf([lead, ...others.map((one) => one.lead)].flatMap(termsOf))
    let likeliest: Stored | undefined
    let most = LIKELY
    for (const other of others) {
      const probability = score(lead, other.lead, rarity, weights)
      if (probability < most || (likeliest && probability === most)) continue
      most = probability
      likeliest = other
    }
    return likeliest && { lead_id: likeliest.id, ...told(lead, likeliest.lead, rarity, weights) }
  }

  async function compareWith(lead: MatchedLead, stored: MatchedLead) {
    const [a, b] = [prepare(lead), prepare(stored)]
    return told(a, b, await rarityOf([a, b].flatMap(termsOf)), weights)
  }

  return { compareAll, compareWith }
}

function told(a: Prepared, b: Prepared, rarity: Rarity, weights: Weights) {
  const { probability, reasons } = compare(a, b, rarity, weights)
  return { probability, reasons }
}

function withinBound(
  bound: BoundOfPairs,
  row: Int32Array,
  rarity: Rarity,
  candidates: readonly number[],
  rows: ReadonlyMap<number, Int32Array>,
): number[] {
  bound.from(row, rarity)
  // Log-odds of 0 are a probability of one half.
  return candidates.filter((ref) => {
    const other = rows.get(ref)
    return other !== undefined && bound.mayReach(other, 0)
  })
}

/** The stored leads that share telling keys with each lead, the most promising ones. */
async function candidatesOf(
  matching: MatchReads,
  account: number,
  leads: readonly Prepared[],
): Promise<number[][]> {
  const probes = leads.map(probesOf)
  const keys = [...new Set(probes.flat().map(({ key }) => key))]
  const members = await matching.members(account, keys, KEY_MAX + 1)
  return probes.map((ownProbes) => {
    const candidates = new Candidates<number>(NOT_STORED)
    for (const probe of ownProbes) candidates.add(probe, members.get(probe.key) ?? [])
    return candidates.best()
  })
}

/** How common terms are, each looked up once. */
function termRarity(matching: MatchReads, account: number, leads: number) {
  const counts = new Map<number, number>()
  return async (terms: readonly number[]): Promise<Rarity> => {
    const missing = [...new Set(terms.filter((term) => !counts.has(term)))]
    if (missing.length > 0) {
      const leadCounts = await matching.counts(account, missing)
      for (const term of missing) counts.set(term, leadCounts.get(term) ?? 0)
    }
    return { leads, count: (term) => counts.get(term) ?? 0 }
  }
}

/** Stored leads, each prepared once. */
function storedLeads(matching: MatchReads, account: number) {
  const cache = new Map<number, Stored>()
  return async (
    refs: readonly number[],
    yieldIfDue: () => Promise<void> | undefined,
  ): Promise<ReadonlyMap<number, Stored>> => {
    if (cache.size > KNOWN_MAX) cache.clear()
    const missing = refs.filter((ref) => !cache.has(ref))
    if (missing.length > 0)
      for (const { ref, id, lead } of await matching.leads(account, missing)) {
        cache.set(ref, { id, lead: prepare(lead) })
        await yieldIfDue()
      }
    return cache
  }
}
