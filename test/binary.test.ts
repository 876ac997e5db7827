import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "../scripts/build/executable.ts"
import { openPlace } from "./support/service.ts"

const folder = mkdtempSync(join(tmpdir(), "leaddb-binary-"))
let executable = ""
beforeAll(async () => {
  executable = process.env.LEADDB_TEST_PROGRAM ?? (await build({ outfile: join(folder, "leaddb") }))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe("the executable", () => {
  test("runs alone from an empty folder, and again", async () => {
    await using place = openPlace([executable])
    const service = await place.serve()
    expect(readdirSync(place.folder)).toEqual(["data"])
    const { call } = service
    expect((await call("POST", "/leads", { name: "Ada", source: "test", rating: 4 })).status).toBe(201)
    const rule = { name: "Rated", expression: "rating * 10" }
    expect((await call("POST", "/scoring-rules", rule)).status).toBe(201)
    expect((await call("POST", "/leads/score/batch")).body).toEqual({ count: 1, changed: 1 })

    for (const [path, inside] of [
      ["/app", "/app/"],
      ["/docs", "<h1>A database of business leads</h1>"],
      ["/api/v1/openapi.json", '"openapi":"3.1.0"'],
      ["/readyz", '"ready"'],
    ] as const) {
      expect(await (await fetch(new URL(path, service.url))).text()).toContain(inside)
    }

    const asked = await fetch(service.mcpUrl, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${service.key}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    })
    expect(await asked.text()).toContain('"name":"create_lead"')
    for (const [format, beginning] of [
      ["xlsx", "PK"],
      ["csv", "id,"],
    ] as const) {
      const { body } = await call("GET", `/leads/export?format=${format}`)
      expect(body).toStartWith(beginning)
    }

    expect((await place.run(["backup", "copy.db"])).code).toBe(0)
    expect(await place.run(["check"])).toMatchObject({ code: 0, err: "" })
    expect((await service.stop()).err).toBe("")

    const again = await place.serve()
    expect(again.key).toBe("")
    const { leads } = (await again.call("GET", "/leads")).body
    expect(leads).toMatchObject([{ name: "Ada", score: 40 }])
    await again.stop()
  })

  test("has at hand what it unpacks when it is first asked for", async () => {
    await using place = openPlace([executable])
    const service = await place.serve([], {
      LEADDB_OIDC_ISSUER: "http://127.0.0.1:9",
      LEADDB_OIDC_CLIENT_ID: "leaddb",
    })
    const headers = { "X-API-Key": service.key }
    const lead = { name: "Ada", source: "test", phone: "030 1234567", country: "Germany" }
    const created = await service.call("POST", "/leads", { ...lead, email: "ada@mailinator.com" })
    expect(created.body).toMatchObject({ email_status: "disposable" })
    const found = await service.call("GET", "/leads?filter=and.same.phone.%2B49301234567")
    expect(found.body).toMatchObject({ count: 1 })
    const table = await fetch(`${service.url}/leads/export?format=xlsx`, { headers })
    const workbook = await table.bytes()
    expect((await service.call("GET", "/leads?q=030%201234567")).body).toMatchObject({ count: 1 })
    for (const [file, counts] of [
      [new File(["name,city\nGrace,Ulm\n"], "leads.csv"), { created: 1, merged: 0 }],
      [new File([workbook], "leads.xlsx"), { created: 0, merged: 1 }],
    ] as const) {
      const form = new FormData()
      form.set("file", file)
      const sent = { method: "POST", headers, body: form }
      const imported = await fetch(`${service.url}/leads/import?source=list`, sent)
      expect(await imported.json()).toMatchObject(counts)
    }
    const signIn = await fetch(new URL("/oidc/sign-in", service.url), { redirect: "manual" })
    expect([signIn.status, await signIn.text()]).toEqual([
      503,
      expect.stringContaining("The sign-in provider did not answer"),
    ])
  })

  test("takes its settings from flags and the environment alone", async () => {
    await using place = openPlace([executable])
    await Bun.write(join(place.folder, ".env"), "LEADDB_LOG=loud\n")
    await Bun.write(join(place.folder, "bunfig.toml"), 'preload = ["./evil.ts"]\n')
    const service = await place.serve()
    expect(service.key).toStartWith("ldb_")
  })
})
