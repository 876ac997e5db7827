// Batches whose leads all have to be compared with each other.
import type { Attack, Shot } from "./attack.ts"

const SAVED = [201]
const SIZE = 1_000

export const batches: readonly Attack[] = [
  {
    name: "names",
    sends: "batches of 1,000 leads of one name and city, and of one phone with long names",
    connections: 4,
    answers: SAVED,
    prepare: async () => ({ distinct: 2, shot: (nth) => (nth % 2 === 0 ? oneName(nth) : onePhone(nth)) }),
  },
]

function oneName(nth: number): Shot {
  return batch((i) => ({ name: "Acme", city: "Berlin", source_id: `${nth}-${i}` }))
}

function onePhone(nth: number): Shot {
  return batch((i) => ({ name: `${"x".repeat(900)}${nth}-${i}`, phone: "+49 30 1234567" }))
}

function batch(of: (i: number) => object): Shot {
  const leads = Array.from({ length: SIZE }, (_, i) => ({ source: "attack", ...of(i) }))
  return { method: "POST", path: "/leads/batch", body: JSON.stringify({ leads }) }
}
