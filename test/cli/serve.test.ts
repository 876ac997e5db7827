import { Database } from "bun:sqlite"
import { describe, expect } from "bun:test"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { openPlace } from "../support/service.ts"
import { testWith } from "../support/test-with.ts"
import { until } from "../support/until.ts"

const test = testWith(openPlace)

describe("leaddb serve", () => {
  test("the very first run prints a key once, the addresses, a curl and an MCP entry that work as they are", async () => {
    await using place = openPlace()
    const service = await place.serve()
    const out = service.out()
    expect(out).toContain(`REST API  ${service.url}\n`)
    expect(out).toContain(`MCP       ${service.mcpUrl}\n`)
    expect(out).toContain("shown only once")
    const entry = JSON.parse(out.slice(out.indexOf("\n{") + 1))
    const headers = { Authorization: `Bearer ${service.key}` }
    expect(entry).toEqual({ mcpServers: { leaddb: { type: "http", url: service.mcpUrl, headers } } })
    const curl = out.slice(out.indexOf("curl "), out.indexOf("\n\nConnect"))
    const pasted = await Bun.$`sh -c ${curl}`.quiet()
    expect(pasted.json()).toMatchObject({ id: expect.stringMatching(/^cl_/), name: "Ada Lovelace" })
    expect((await service.stop()).err).toBe("")

    const again = await place.serve()
    expect(again.out()).toContain(`REST API  ${again.url}\n`)
    expect(again.out()).not.toMatch(/ldb_|curl|mcpServers/)
    expect((await again.call("GET", "/leads")).status).toBe(200)
    await again.stop()
  })

  test("with LEADDB_LOG=json every line is JSON, and the key is among them", async (place) => {
    const service = await place.serve([], { LEADDB_LOG: "json" })
    const { code, out } = await service.stop()
    const lines = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(code).toBe(0)
    for (const line of lines)
      expect(line).toMatchObject({ level: expect.any(String), msg: expect.any(String) })
    const started = { msg: "started", url: service.url, mcp_url: service.mcpUrl, api_key: service.key }
    expect(lines).toContainEqual(expect.objectContaining(started))
    const later = await place.serve(["--log", "json"])
    expect((await later.stop()).out).not.toContain("api_key")
  })

  test("LEADDB_BOOTSTRAP=0 makes no account", async (place) => {
    const service = await place.serve([], { LEADDB_BOOTSTRAP: "0" })
    expect(service.key).toBe("")
    expect((await place.run(["accounts", "list", "--json"])).json).toEqual({ accounts: [] })
    const none = await place.run(["keys", "create", "--name", "N"])
    expect(none).toMatchObject({
      code: 1,
      err: expect.stringContaining("no account yet: make one with leaddb accounts create"),
    })
  })

  test("warns of a variable that means nothing", async (place) => {
    const service = await place.serve([], { LEADDB_PROT: "1" })
    const { code, err } = await service.stop()
    expect({ code, err }).toEqual({
      code: 0,
      err: "leaddb: warning: LEADDB_PROT is not a setting and is ignored; did you mean LEADDB_PORT?\n",
    })
  })

  test("leaves alone what another service of the folder reads, and removes what killed ones have left", async () => {
    await using place = openPlace()
    const data = { LEADDB_DATA: place.folder }
    const uploads = () => readdirSync(join(place.folder, "uploads"))
    const first = await place.serve([], data)
    const goOn = Promise.withResolvers<void>()
    const upload = (rest: Promise<void>) => {
      const file = new ReadableStream({
        async start(controller) {
          controller.enqueue("name\nAda\n")
          await rest
          controller.enqueue("Bea\n")
          controller.close()
        },
      })
      return first.call("POST", "/leads/import", file, { "Content-Type": "text/csv" })
    }
    const sent = upload(goOn.promise)
    await until("the file is read", () => uploads().length > 0)
    const read = uploads()
    const second = await place.serve([], data)
    expect(uploads()).toEqual(read)
    goOn.resolve()
    expect((await sent).body).toMatchObject({ created: 2 })

    const cut = upload(new Promise(() => {})).catch(() => "cut")
    await until("another file is read", () => uploads().length > 0)
    for (const one of [first, second]) await one.kill()
    expect(await cut).toBe("cut")
    expect(uploads()).not.toEqual([])
    await place.serve([], data)
    expect(uploads()).toEqual([])
  })

  test.each(["SIGINT", "SIGTERM"] as const)(
    "%s ends it with 0, also when it comes twice at once",
    async (name) => {
      await using place = openPlace()
      const service = await place.serve()
      service.signal(name)
      service.signal(name)
      expect((await service.ended).code).toBe(0)
    },
  )

  test("a second signal ends it at once, whatever is still under way", async (place) => {
    const service = await place.serve()
    const { hostname, port } = new URL(service.url)
    const head = `POST /api/v1/leads HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key}\r\nContent-Length: 1000\r\n\r\n{`
    const socket = await Bun.connect({ hostname, port: Number(port), socket: { data() {} } })
    socket.write(head)
    // Answered after what the socket sent was read.
    await fetch(service.url)
    const presses = setInterval(() => service.signal("SIGINT"), 50)
    const { code } = await service.ended
    clearInterval(presses)
    expect(code).toBe(130)
  })

  test.for([
    ["--port", "--mcp-port", "LEADDB_PORT"],
    ["--mcp-port", "--port", "LEADDB_MCP_PORT"],
  ])(
    "when the port of %s is in use, it says so, and the first key is still to come",
    async ([flag, other, env], place) => {
      using taken = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } })
      const { code, out, err } = await place.run([other, "0", flag, String(taken.port)])
      expect({ code, out }).toEqual({ code: 1, out: "" })
      expect(err).toBe(
        `leaddb: port ${taken.port} on 127.0.0.1 is already in use: stop what uses it, or choose another with ${flag} or ${env}\n`,
      )
      expect((await place.serve()).key).toStartWith("ldb_")
    },
  )

  test.for<[string, (file: string) => unknown, string]>([
    [
      "a folder that cannot be made",
      (file) => Bun.write(join(file, "../../data"), ""),
      "choose another with --data or LEADDB_DATA",
    ],
    ["a file that is no database", (file) => Bun.write(file, "x".repeat(5000)), "file is not a database"],
    [
      "another program's database",
      (file) => seed(file, "CREATE TABLE t (a)"),
      "SQLite database of another program",
    ],
    [
      "a newer database",
      (file) => seed(file, "PRAGMA application_id = 0x4c454144", "PRAGMA user_version = 99"),
      "of a newer leaddb",
    ],
  ])("%s: one line that says so, and the file stays as it was", async ([_, prepare, message], place) => {
    const file = join(place.folder, "data/leads.db")
    await prepare(file)
    const before = await contents(file)
    const { code, out, err } = await place.run(["--port", "0", "--mcp-port", "0"])
    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(err).toContain(join(place.folder, "data"))
    expect(err).toContain(message)
    expect(err.trimEnd().split("\n").length).toBe(1)
    expect(await contents(file)).toEqual(before)
  })
})

async function contents(file: string): Promise<Uint8Array | undefined> {
  return (await Bun.file(file).exists()) ? Bun.file(file).bytes() : undefined
}

async function seed(file: string, ...sql: string[]): Promise<void> {
  await Bun.write(join(file, "../x"), "")
  const db = new Database(file)
  for (const one of sql) db.run(one)
  db.close()
}
