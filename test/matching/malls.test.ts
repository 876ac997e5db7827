import { describe, expect, test } from "bun:test"
import { Index } from "../../scripts/matching/match-all.ts"
import { createRandom, type Random } from "../../scripts/seed/random.ts"
import { type MatchableLead, score } from "../../src/matching/matcher/index.ts"
import data from "./malls.json"

type Mall = (typeof data.malls)[number]

const SYLLABLES = "ra gri na schu su jor keu lm dor ba to lin mek pol ven har ost fel win bru kas".split(" ")
const CHARACTERS = [..."福瑞华盛祥泰顺兴隆永昌宏达丰源鑫佳乐康宁世纪东方天地香园庭阁楼轩"]

const isOfCharacters = ({ mall }: Mall) => mall.charCodeAt(0) > 0x3000
const formsOf = (mall: Mall) => data.branches[isOfCharacters(mall) ? "characters" : "words"]
const called = (form: string, firm: string, { mall }: Mall) =>
  form.replace("{firm}", firm).replace("{mall}", mall)

/** Tenants with names of their own, most of them with a trade or the mall's name as well. */
function tenantsOf(mall: Mall): MatchableLead[] {
  const random: Random = createRandom(7)
  const brands = new Set<string>()
  while (brands.size < 400) {
    const parts = Array.from({ length: 4 }, () => random.pick(isOfCharacters(mall) ? CHARACTERS : SYLLABLES))
    brands.add(parts.join(""))
  }
  return [...brands].map((brand, i) => {
    const trade = random.chance(0.5) ? `${isOfCharacters(mall) ? "" : " "}${random.pick(mall.trades)}` : ""
    const form = random.chance(0.7) ? random.pick(formsOf(mall)) : "{firm}"
    const phone = random.chance(0.5) ? { phone: `${555_100_000 + i * 7_919}` } : {}
    return { ...mall.place, ...phone, name: called(form, brand + trade, mall) }
  })
}

describe.each(data.malls.map((mall) => [mall.mall, mall] as const))("among the tenants of %s", (_, mall) => {
  const tenants = tenantsOf(mall)
  const { address: _address, ...unplaced } = mall.place

  test("a firm and its branch are one, however many there are", () => {
    for (const form of formsOf(mall)) {
      const alone = new Map<string, number>()
      for (const count of data.tenants) {
        const index = new Index()
        for (const tenant of tenants.slice(0, count)) index.add(tenant)
        for (const [i, firm] of mall.firms.entries()) {
          const a = index.add({ ...mall.place, name: firm })
          const b = index.add({ ...(i % 2 === 0 ? mall.place : unplaced), name: called(form, firm, mall) })
          const isCompared = index.candidates(a).includes(b) || index.candidates(b).includes(a)
          const found = isCompared ? score(index.prepared[a]!, index.prepared[b]!, index.counts) : 0
          if (count === 0) alone.set(firm, found)
          const off = Math.abs(found - alone.get(firm)!)
          expect([form, firm, count, found >= 0.5, off <= 0.05]).toEqual([form, firm, count, true, true])
        }
      }
    }
  })

  test("no two tenants are one", () => {
    for (const count of data.tenants) {
      const index = new Index()
      for (const tenant of tenants.slice(0, count)) index.add(tenant)
      const wrong = [...index.pairs()].filter(
        ([a, b]) => score(index.prepared[a]!, index.prepared[b]!, index.counts) >= 0.5,
      )
      expect(wrong.map(([a, b]) => `${tenants[a]!.name} | ${tenants[b]!.name}`)).toEqual([])
    }
  })
})
