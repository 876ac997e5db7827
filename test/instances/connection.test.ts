// What a service makes of its connection to the database: how often it waits for it, and what it says when it goes.
import { describe, expect, test } from "bun:test"
import { type Detour, openDetourTo } from "../support/detour.ts"
import { openInstances } from "../support/instances.ts"
import { hasPostgres, startPostgres } from "../support/postgres.ts"

await startPostgres()

const numbers = (n: number) => Array.from({ length: n }, (_, i) => i)
const lead = (i: number) => ({
  ...{
    name: `n${i}`,
    source: "web",
    email: `p${i}@x.example`,
    phone: `+43 1 ${5_000_000 + i}`,
    city: "Wien",
  },
  tags: ["a", "b"],
  attributes: [{ name: "size", type: "number", value: i }],
})

async function throughDetour() {
  let detour!: Detour
  const instances = await openInstances(1, {}, async (database) => {
    const opened = await openDetourTo(database)
    detour = opened.detour
    return opened.database
  })
  const [one] = instances.all
  return {
    ...{ instances, detour, one: one! },
    async [Symbol.asyncDispose]() {
      await instances[Symbol.asyncDispose]()
      await detour[Symbol.asyncDispose]()
    },
  }
}

describe.skipIf(!hasPostgres)("round trips", () => {
  test.each([
    ["a create", 1],
    ["a batch of forty", 40],
  ])("of %s are three", async (_, count) => {
    await using opened = await throughDetour()
    const { one, detour } = opened
    await one.call("POST", "/webhooks", { url: "http://127.0.0.1:9/", events: ["lead.updated"] })
    const push = async (from: number) => {
      const leads = numbers(count).map((i) => lead(from + i))
      const reply =
        count === 1
          ? await one.call("POST", "/leads", leads[0])
          : await one.call("POST", "/leads/batch", { leads })
      expect(reply.status).toBe(201)
    }
    // A connection prepares each of its statements once.
    for (const i of numbers(20)) await push(i * count)
    // So long that what is sent without waiting arrives before the first answer.
    detour.delay(20)
    const turns: number[] = []
    for (const i of numbers(5)) {
      const from = 10_000 + i * count
      detour.mark()
      await push(from)
      const written = detour.ways.filter(({ sent }) => sent.includes(`p${from}@x.example`))
      expect(written).toHaveLength(1)
      turns.push(written[0]!.turns)
    }
    // Something else may have had the same connection meanwhile.
    expect(Math.min(...turns)).toBe(3)
  })
})
