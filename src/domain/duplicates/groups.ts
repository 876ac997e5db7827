// Groups of likely duplicates.
import type { LeadFilter } from "../../filters/lead-query.ts"
import { type Group, groupSteps } from "../../matching/matcher/index.ts"
import type { PairLink, PairPlace } from "../../store/contract/store.ts"
import type { Context } from "../operation.ts"
import { type LeadSummary, pairId, rounded, shortLead } from "./output.ts"

/** The most probable pairs that groups are built from. */
const LINKS_MAX = 20_000

interface LinkQuery {
  least: number
  lead?: string | undefined
  filter: LeadFilter
  /** Only pairs that no person is to decide on. */
  isUnasked?: boolean
}

/** A group with its pairs, most probable first. */
export interface LinkedGroup extends Group<number> {
  links: PairLink[]
}

/** Builds groups of the open pairs, most probable first; `mean` is a group's minimum mean probability. */
export async function linkedGroups(ctx: Context, query: LinkQuery, mean = 0.5): Promise<LinkedGroup[]> {
  const links = await ctx.store.read.duplicates.links(ctx.caller.account.key, query, LINKS_MAX)
  const all: LinkedGroup[] = []
  const yieldIfDue = ctx.eventLoop.yieldEvery()
  for (const together of connected(links)) {
    const steps = groupSteps<number>(together, mean)
    let step = steps.next()
    for (; !step.done; step = steps.next()) await yieldIfDue()
    all.push(...withLinks(step.value, together))
    await yieldIfDue()
  }
  return all.sort((x, y) => y.probability - x.probability || y.links[0]!.ref - x.links[0]!.ref)
}

function withLinks(groups: readonly Group<number>[], links: readonly PairLink[]): LinkedGroup[] {
  const groupOf = new Map<number, LinkedGroup>()
  const linked = groups.map((group): LinkedGroup => ({ ...group, links: [] }))
  for (const group of linked) for (const member of group.members) groupOf.set(member, group)
  for (const link of links) {
    const group = groupOf.get(link.a)
    if (group && group === groupOf.get(link.b)) group.links.push(link)
  }
  return linked
}

/** Splits links into connected components. */
function connected(links: readonly PairLink[]): PairLink[][] {
  const parent = new Map<number, number>()
  const rootOf = (one: number): number => {
    let root = one
    for (let up = parent.get(root); up !== undefined && up !== root; up = parent.get(root)) root = up
    for (let at = one; at !== root; ) {
      const up = parent.get(at) ?? root
      parent.set(at, root)
      at = up
    }
    return root
  }
  for (const { a, b } of links) parent.set(rootOf(a), rootOf(b))
  return [...Map.groupBy(links, ({ a }) => rootOf(a)).values()]
}

export async function groupPage(
  ctx: Context,
  { after, limit, ...query }: LinkQuery & { after: PairPlace | undefined; limit: number },
) {
  const all = await linkedGroups(ctx, query)
  const placeOf = (group: LinkedGroup): PairPlace => ({
    probability: group.probability,
    ref: group.links[0]!.ref,
  })
  const isBehind = (group: LinkedGroup) => {
    if (!after) return true
    const { probability, ref } = placeOf(group)
    return probability < after.probability || (probability === after.probability && ref < after.ref)
  }
  const behind = all.filter(isBehind)
  const page: { probability: number; leads: LeadSummary[]; pairs: string[] }[] = []
  for (const { members, probability, links } of behind.slice(0, limit)) {
    const leads: LeadSummary[] = []
    for (const ref of members) {
      const row = await ctx.store.read.leads.findByRef(ctx.caller.account.key, ref)
      if (row) leads.push(shortLead(row))
    }
    leads.sort((x, y) => x.created_at - y.created_at || (x.id < y.id ? -1 : 1))
    const pairs = links.map(({ ref }) => pairId(ref))
    if (leads.length > 1) page.push({ probability: rounded(probability), leads, pairs })
  }
  const next = behind.length > limit ? placeOf(behind[limit - 1]!) : undefined
  return { groups: page, next }
}
