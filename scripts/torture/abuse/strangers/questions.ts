// Reads of a viewer's key that look at every lead of the account.
import type { Attack, Attacker, Shot } from "./attack.ts"
import { need } from "./attack.ts"

/** Leads that the questions are about, and how many are sent at a time. */
const LEADS = 5_001
const BATCH = 1_000
/** Answered, too many groups, too much at once. */
const ASKED = [200, 400]

const WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omikron pi".split(" ")

export const questions: readonly Attack[] = [
  {
    name: "aggregates",
    sends: "a viewer's aggregate by tags and two attributes over 5,001 leads, 30 at once",
    connections: 30,
    answers: ASKED,
    async prepare(attacker) {
      await fill(attacker)
      return {
        distinct: 1,
        shot: () => asked(attacker, "/leads/aggregate?group_by=tags,attr:a,attr:b"),
      }
    },
  },
  {
    name: "filters",
    sends: "50 attribute filters, 100 heavy segments, 50 contains, searches of 16 words, 20 at once",
    connections: 20,
    answers: ASKED,
    async prepare(attacker) {
      await fill(attacker)
      for (let i = 0; i < 100; i++) {
        const filter = Array.from({ length: 10 }, (_, j) => `and.contains.attr:a.${i}x${j}`)
        await need(attacker, "POST", "/segments", { name: `s${i}`, filter })
      }
      const contains = query(50, (i) => `and.contains.description.${"aaab".repeat(20)}${i}`)
      const paths = [
        `/leads?limit=1000&${query(50, (i) => `or.contains.attr:a.${i}zz`)}`,
        "/segments",
        `/leads?limit=1000&sort_by=address&${contains}`,
        `/leads?limit=100&q=${WORDS.join("%20")}`,
      ]
      return { distinct: paths.length, shot: (nth) => asked(attacker, paths[nth % paths.length]!) }
    },
  },
]

const query = (count: number, of: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => `filter=${encodeURIComponent(of(i))}`).join("&")

export function asked({ viewer }: Attacker, path: string): Shot {
  return { method: "GET", path, key: viewer }
}

const filled = new WeakSet<Attacker>()

/** Fills the account once. */
export async function fill(attacker: Attacker): Promise<void> {
  if (filled.has(attacker)) return
  filled.add(attacker)
  for (let from = 0; from < LEADS; from += BATCH) {
    const leads = Array.from({ length: Math.min(BATCH, LEADS - from) }, (_, i) => leadOf(from + i))
    await need(attacker, "POST", "/leads/batch", { leads })
  }
}

function leadOf(nth: number): object {
  const text = (name: string, value: string) => ({ name, type: "text", value })
  return {
    name: `Lead ${nth} ${WORDS[nth % WORDS.length]}`,
    source: "attack",
    tags: Array.from({ length: 10 }, (_, i) => `t${(nth * 7 + i * 13) % 500}`),
    description: `${WORDS.join(" ")} ${"aaab".repeat(50)}`,
    attributes: [text("a", `a${nth}`), text("b", `b${nth % 977}`)],
  }
}
