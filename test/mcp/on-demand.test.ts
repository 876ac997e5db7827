import { describe, expect, test } from "bun:test"
import { type McpApp, mcpOnDemand } from "../../src/surfaces/mcp/entry.ts"
import type { RestBindings } from "../../src/surfaces/ops/observer.ts"

const bindings = {} as RestBindings
const ask = (app: McpApp, body: string) =>
  app.fetch(new Request("http://leads/mcp", { method: "POST", body }), bindings)

/** A tool server that answers with what it was sent, and what happened to it. */
function counted() {
  const seen = { loads: 0, closes: 0 }
  const app = mcpOnDemand(async () => {
    seen.loads++
    await new Promise(setImmediate)
    return {
      fetch: async (request) => new Response(await request.text()),
      close: async () => void seen.closes++,
    }
  })
  return { app, seen }
}

describe("the tool server on demand", () => {
  test("is loaded once, by the first requests, and answers each of them", async () => {
    const { app, seen } = counted()
    expect(seen.loads).toBe(0)
    const answers = await Promise.all(["a", "b", "c"].map((body) => ask(app, body)))
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(["a", "b", "c"])
    expect(await (await ask(app, "d")).text()).toBe("d")
    expect(seen.loads).toBe(1)
  })

  test("is closed when it was loaded, also while it still loads", async () => {
    const { app, seen } = counted()
    await app.close()
    expect(seen).toEqual({ loads: 0, closes: 0 })
    const answer = ask(app, "a")
    await app.close()
    expect(seen).toEqual({ loads: 1, closes: 1 })
    expect(await (await answer).text()).toBe("a")
  })
})
