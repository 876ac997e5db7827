// Leads for keys bound to a segment: each list gets the segment's conditions, each single lead is checked against them.
import type { LeadFilter } from "../../core/lead-query.ts"
import type { Candidates, LeadReads, LeadRow, LeadWrites } from "../../store/contract/store.ts"
import { both, type Membership, outOfBounds } from "./membership.ts"
import { commonestOf, statsOf } from "./stats.ts"

/** Candidates of the same phone that are checked: the oldest. */
const PHONES_MAX = 20

/** Every read is listed here, so that a new one has to say how it is bounded. */
export function boundLeadReads(reads: LeadReads, segment: Membership): LeadReads {
  const within = async (filter: LeadFilter) => both(filter, await segment.filter())
  const kept = async (row: LeadRow | undefined) => (row && (await segment.has(row)) ? row : undefined)
  const find = async (account: number, id: string) => kept(await reads.find(account, id))
  const findByRef = async (account: number, ref: number) => kept(await reads.findByRef(account, ref))
  const { readAhead, plainLines } = reads

  async function visible(account: number, found: Candidates): Promise<Candidates> {
    const [email, source_id] = [await kept(found.email), await kept(found.source_id)]
    const phone: Candidates["phone"] = []
    for (const one of found.phone.slice(0, PHONES_MAX)) if (await findByRef(account, one.ref)) phone.push(one)
    const named = found.nameAndCity && (await find(account, found.nameAndCity.id))
    return {
      ...{ email, source_id, phone, nameAndCity: named && found.nameAndCity },
      aliases: {
        email: found.aliases.email && email !== undefined,
        source_id: found.aliases.source_id && source_id !== undefined,
      },
    }
  }

  return {
    find,
    findByRef,
    ...(readAhead && { readAhead: (account, ids) => readAhead(account, ids) }),
    async findDuplicates(account, pushed) {
      const all: Candidates[] = []
      for (const found of await reads.findDuplicates(account, pushed)) all.push(await visible(account, found))
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
export function boundLeadWrites(
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
