import { describe, expect, onTestFinished, test } from "bun:test"
import { newPassingOn, passOn, received } from "../../src/surfaces/http/passing-on.ts"

/** A socket that answers with what it received. */
function openSocket() {
  const passingOn = newPassingOn()
  const server = Bun.serve({
    unix: passingOn.socket,
    async fetch(request) {
      const from = received(request, passingOn)
      if (from === undefined) return new Response(null, { status: 403 })
      const headers = [...request.headers].filter(([name]) => name !== "transfer-encoding")
      const { method, url } = request
      return Response.json({ ...from, method, url, headers, body: await request.text() })
    },
  })
  onTestFinished(() => server.stop(true))
  return passingOn
}

describe("requests that are passed on", () => {
  test.each<[string, string, RequestInit]>([
    ["without any header", "http://a.example/x?y=%20", {}],
    [
      "with headers",
      "http://a.example/x",
      { headers: { "user-agent": "one", "accept-encoding": "br", cookie: "a=b" } },
    ],
    [
      "with a short body",
      "http://a.example/x",
      { method: "POST", body: "short", headers: { "content-length": "5" } },
    ],
    ["with a long body", "http://a.example/x", { method: "PUT", body: "long ".repeat(40_000) }],
  ])("arrive as they came %s", async (_, url, init) => {
    const request = new Request(url, init)
    const expected = [...request.headers].toSorted()
    const answer = await passOn(openSocket(), request, "192.0.2.7", () => undefined)
    const { address, headers, ...more } = await answer.json()
    expect(address).toBe("192.0.2.7")
    expect(headers.toSorted()).toEqual(expected)
    expect(more).toEqual({ method: init.method ?? "GET", url, body: init.body ?? "" })
  })

  test("are refused without the secret", async () => {
    const { socket } = openSocket()
    const answer = await passOn(
      { socket, secret: "guessed" },
      new Request("http://a.example/"),
      "::1",
      () => undefined,
    )
    expect(answer.status).toBe(403)
  })

  test("get 503 where nothing answers", async () => {
    const answer = await passOn(newPassingOn(), new Request("http://a.example/"), "::1", () => undefined)
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"])
  })
})
