import { describe, expect, test } from "bun:test"
import { runCli } from "../../src/surfaces/cli/cli.ts"
import { openTestAccountForReading } from "../support/app.ts"
import { ioOf } from "./io.ts"

async function health(args: readonly string[], env: Record<string, string> = {}) {
  const { io, said } = ioOf(env)
  return { code: await runCli(["health", ...args], io), ...said() }
}

/** What answers like a service in this state, on a free port. */
function stub(answer: () => Response) {
  return Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer })
}

describe("leaddb health", () => {
  const service = openTestAccountForReading(async () => {})
  const port = () => new URL(service().app.url).port

  test("answers 0 while the service is ready", async () => {
    const { code, out, err } = await health(["--port", port()])
    expect({ code, out, err }).toEqual({
      code: 0,
      out: `http://127.0.0.1:${port()}/readyz: ready\n`,
      err: "",
    })
  })

  test("finds the service by the settings that it was started with", async () => {
    const { code, out } = await health(["--json"], { LEADDB_HOST: "0.0.0.0", LEADDB_PORT: port() })
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual({ url: `http://127.0.0.1:${port()}/readyz`, ok: true, reasons: [] })
  })

  test("asks the service itself, whatever proxy the environment names", async () => {
    const before = process.env.HTTP_PROXY
    process.env.HTTP_PROXY = "http://127.0.0.1:1"
    try {
      expect((await health(["--port", port()])).code).toBe(0)
    } finally {
      if (before === undefined) delete process.env.HTTP_PROXY
      else process.env.HTTP_PROXY = before
    }
  })
})

describe("leaddb health answers 1", () => {
  test("with the reasons of a service that is not ready", async () => {
    await using server = stub(() =>
      Response.json({ status: "not_ready", reasons: ["the last write failed: disk full"] }, { status: 503 }),
    )
    const { code, out, err } = await health(["--port", String(server.port)])
    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(err).toContain("/readyz: the last write failed: disk full")
  })

  test("when something else answers", async () => {
    await using server = stub(() => new Response("<h1>It works</h1>"))
    const { code, err } = await health(["--port", String(server.port)])
    expect(code).toBe(1)
    expect(err).toContain("what answers there is not leaddb (status 200)")
  })

  test("when nothing listens", async () => {
    const server = stub(() => new Response())
    const { port } = server
    await server.stop(true)
    const { code, out } = await health(["--port", String(port), "--json"])
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({ ok: false, reasons: ["nothing listens there"] })
  })
})

test("leaddb health cannot ask any free port", async () => {
  const { code, err } = await health(["--port", "0"])
  expect(code).toBe(2)
  expect(err).toContain("--port must be the one that the service listens on")
})
