// Writes, tools and downloads that make much work of few bytes.
import { type Attack, type Attacker, need, type Shot } from "./attack.ts"
import { asked, fill } from "./questions.ts"

const SAVED = [201]
const SIZE = 1_000
/** Event streams that are held beside the messages. */
const STREAMS = 100

export const work: readonly Attack[] = [
  {
    name: "names",
    sends: "batches of 1,000 leads of one name and city, and of one phone with long names",
    connections: 4,
    answers: SAVED,
    prepare: async () => ({ distinct: 2, shot: (nth) => (nth % 2 === 0 ? oneName(nth) : onePhone(nth)) }),
  },
  {
    name: "rules",
    sends:
      "quadratic scoring rules with leads of 80 KB, one lead of 90 KB changed over and over, and its changes",
    connections: 8,
    storedMax: 3,
    // Refused: one rule too many.
    answers: [200, 201, 400],
    async prepare(attacker) {
      const large = { source: "attack", description: "y".repeat(90_000) }
      const { id } = await need(attacker, "POST", "/leads", { name: "large", ...large })
      const shots: readonly ((nth: number) => Shot)[] = [
        (nth) => sent("POST", "/scoring-rules", { name: `r${nth}`, expression: QUADRATIC }),
        (nth) => sent("POST", "/leads", { name: `s${nth}`, ...large, description: "aaaa".repeat(20_000) }),
        (nth) => sent("PUT", `/leads/${id}`, { description: `${nth}${large.description}` }),
        () => ({ method: "GET", path: `/leads/${id}/changes?limit=100` }),
      ]
      return { distinct: shots.length, shot: (nth) => shots[nth % shots.length]!(nth) }
    },
  },
  {
    name: "tools",
    sends: `tools with 20 filters of 4 KB and a name of 1 MB, 500 messages at once, beside ${STREAMS} event streams`,
    connections: 8,
    answers: [200, 400, 413],
    async prepare(attacker) {
      holdStreams(attacker)
      const filter = Array.from({ length: 20 }, () => `and.contains.description.${"aaab".repeat(1_000)}`)
      const shots = [
        called({ name: "list_leads", arguments: { filter } }),
        called({ name: "x".repeat(1_000_000), arguments: {} }),
        message(Array.from({ length: 500 }, (_, id) => ({ jsonrpc: "2.0", id, method: "tools/list" }))),
      ]
      return { distinct: shots.length, shot: (nth) => shots[nth % shots.length]! }
    },
  },
  {
    name: "downloads",
    sends: "XLSX of 5,001 leads, and pages that no index helps with",
    connections: 8,
    answers: [200],
    async prepare(attacker) {
      await fill(attacker)
      const paths = [
        "/leads/export?format=xlsx",
        "/leads?filter=and.contains.description.zzz&sort_by=address&limit=1000",
      ]
      return { distinct: paths.length, shot: (nth) => asked(attacker, paths[nth % paths.length]!) }
    },
  },
]

const QUADRATIC = `contains(description, "${"aaab".repeat(50)}")`

const sent = (method: string, path: string, body: object): Shot => ({
  ...{ method, path, body: JSON.stringify(body) },
})

const message = (body: unknown): Shot => ({
  ...{ method: "POST", path: "", isTool: true, body: JSON.stringify(body) },
})

const called = (params: object) => message({ jsonrpc: "2.0", id: 1, method: "tools/call", params })

function oneName(nth: number): Shot {
  return batch((i) => ({ name: "Acme", city: "Berlin", source_id: `${nth}-${i}` }))
}

function onePhone(nth: number): Shot {
  return batch((i) => ({ name: `${"x".repeat(900)}${nth}-${i}`, phone: "+49 30 1234567" }))
}

function batch(of: (i: number) => object): Shot {
  const leads = Array.from({ length: SIZE }, (_, i) => ({ source: "attack", ...of(i) }))
  return sent("POST", "/leads/batch", { leads })
}

/** They end with the service. */
function holdStreams({ service, owner }: Attacker): void {
  const headers = { Authorization: `Bearer ${owner}`, Accept: "text/event-stream" }
  for (let i = 0; i < STREAMS; i++) {
    const open = fetch(service.mcpUrl().replace(/\/mcp$/, "/sse"), { headers })
    open.then((response) => response.text()).catch(() => {})
  }
}
