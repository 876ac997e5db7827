import { describe, expect } from "bun:test"
import { createIds } from "../../src/runtime/clock.ts"
import { forgetAnswers } from "../../src/worker/upkeep.ts"
import { openHeldAccount, openHeldApp, type TestAccount } from "../support/app.ts"
import { openBeside, sqlBeside } from "../support/database.ts"
import { FULL, LEAST } from "../support/lead.ts"
import { testWith } from "../support/test-with.ts"

const keyed = (key: string) => ({ "Idempotency-Key": key })

async function counted<App extends TestAccount>(app: App) {
  const count = async () => (await app.call("GET", "/leads?limit=1000")).body.count
  return { ...app, count }
}
const open = async () => counted(await openHeldAccount())
const test = testWith(open)

describe("Idempotency-Key", () => {
  test("the same request again gets the first answer and is not done again", async () => {
    const { call, count, clock } = await open()
    const first = await call("POST", "/leads", LEAST, keyed("one"))
    expect([first.status, first.headers.get("idempotency-replayed")]).toEqual([201, null])
    clock.advance(60_000)
    const again = await call("POST", "/leads", LEAST, keyed("one"))
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, "true"])
    expect(again.body).toEqual(first.body)
    expect(await count()).toBe(1)
    expect((await call("POST", "/leads", LEAST, keyed("two"))).body.id).not.toBe(first.body.id)
    expect(await count()).toBe(2)
  })

  test("holds for every kind of write: updates, batches, notes, deletions without a body", async () => {
    const { call } = await open()
    const { id } = (await call("POST", "/leads", FULL)).body
    const requests: [string, string, unknown, number][] = [
      ["PUT", `/leads/${id}`, { city: "Ulm" }, 200],
      ["POST", `/leads/${id}/notes`, { content: "once" }, 201],
      ["POST", "/leads/batch", { leads: [LEAST, {}] }, 207],
      ["POST", "/scoring-rules", { name: "r", expression: "1", weight: 1 }, 201],
      ["POST", "/leads/score/batch", undefined, 200],
      ["POST", "/webhooks", { url: "http://127.0.0.1:9/hook", events: ["lead.created"] }, 201],
      ["POST", "/changes/revert", { since: 1, dry_run: true }, 200],
      ["DELETE", `/leads/${id}`, undefined, 204],
    ]
    for (const [i, [method, path, body, status]] of requests.entries()) {
      const first = await call(method, path, body, keyed(`key ${i}`))
      const again = await call(method, path, body, keyed(`key ${i}`))
      expect([path, first.status, again.status]).toEqual([path, status, status])
      expect(again.body).toEqual(first.body)
      expect([path, again.headers.get("idempotency-replayed")]).toEqual([path, "true"])
    }
    expect((await call("GET", "/webhooks")).body).toHaveLength(1)
    expect((await call("GET", "/scoring-rules")).body).toHaveLength(1)
    expect((await call("GET", "/leads")).body.count).toBe(1)
  })

  test("the same key with another request is refused", async ({ call, count }) => {
    const { id } = (await call("POST", "/leads", LEAST, keyed("one"))).body
    for (const [method, path, body] of [
      ["POST", "/leads", { ...LEAST, city: "Ulm" }],
      ["PUT", `/leads/${id}`, LEAST],
      ["DELETE", `/leads/${id}`, undefined],
    ] as const) {
      const { status, body: error } = await call(method, path, body, keyed("one"))
      expect([status, error.code]).toEqual([422, "idempotency_key_reused"])
    }
    expect(await count()).toBe(1)
  })

  test("of an upload that was cut off before its import began is free again, once it gives no sign of life", async () => {
    const { call, clock, config } = await openHeldApp()
    const send = (name: string) =>
      call("POST", "/leads/import?format=json", [{ ...LEAST, name }], keyed("upload"))
    expect((await send("Ada")).status).toBe(200)
    const cutOff = "UPDATE idempotent_answers SET answer = NULL, import_id = NULL"
    await sqlBeside(config.file, cutOff)
    expect((await send("Ada")).body).toMatchObject({ code: "conflict" })
    clock.advance(20_000)
    const again = await send("Bea")
    expect([again.status, again.headers.get("idempotency-replayed"), again.body.created]).toEqual([
      200,
      null,
      1,
    ])
    expect((await send("Bea")).headers.get("idempotency-replayed")).toBe("true")
  })

  test("what failed is not kept: the request is done when it is sent again", async ({ call }) => {
    const { id } = (await call("POST", "/leads", { ...LEAST, email: "a@x.y" })).body
    const { id: other } = (await call("POST", "/leads", LEAST)).body
    const change = () => call("PUT", `/leads/${other}`, { email: "a@x.y" }, keyed("one"))
    expect((await change()).status).toBe(409)
    await call("DELETE", `/leads/${id}`)
    expect((await change()).status).toBe(200)
  })

  test("of two at once one works and the other waits for its answer", async ({ call, count }) => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => call("POST", "/leads", LEAST, keyed("one"))),
    )
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers.get("idempotency-replayed") === null)).toHaveLength(1)
    expect(await count()).toBe(1)
    const csv = "name,source\nAda,web\n"
    const file = { "Content-Type": "text/csv", ...keyed("file") }
    const imports = await Promise.all(
      Array.from({ length: 3 }, () => call("POST", "/leads/import?format=csv", csv, file)),
    )
    expect(imports.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(imports.filter(({ headers }) => headers.get("idempotency-replayed") === null)).toHaveLength(1)
    expect(await count()).toBe(2)
    const changed = await call("POST", "/leads/import?format=csv", `${csv}Bob,web\n`, file)
    expect([changed.status, changed.body.code]).toEqual([422, "idempotency_key_reused"])
    expect(await count()).toBe(2)
  })

  test("is good for 24 hours, in its own account", async ({ call, count, clock, addAccount, as }) => {
    const first = (await call("POST", "/leads", LEAST, keyed("one"))).body
    const other = as((await addAccount()).key)
    expect((await other("POST", "/leads", LEAST, keyed("one"))).body.id).not.toBe(first.id)
    clock.advance(24 * 60 * 60 * 1000)
    expect((await call("POST", "/leads", LEAST, keyed("one"))).body.id).toBe(first.id)
    clock.advance(1_000)
    expect((await call("POST", "/leads", LEAST, keyed("one"))).body.id).not.toBe(first.id)
    expect(await count()).toBe(2)
  })

  test("neither the key nor the answer can be read in the file", async () => {
    const { call, config } = await openHeldApp()
    const { key } = (await call("POST", "/api-keys", { name: "k" }, keyed("a secret name"))).body
    expect((await call("POST", "/api-keys", { name: "k" }, keyed("a secret name"))).body.key).toBe(key)
    const rows = await sqlBeside(config.file, "SELECT * FROM idempotent_answers")
    expect(rows).toHaveLength(1)
    const text = JSON.stringify(rows, (_, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value,
    )
    expect(text).not.toContain(key)
    expect(text).not.toContain("a secret name")
  })

  test("kept answers count as storage until they are forgotten after 24 hours", async () => {
    const { call, config, clock } = await openHeldApp()
    const used = async () => (await call("GET", "/stats")).body.plan.storage_used
    await call("POST", "/leads", LEAST)
    const before = await used()
    for (let i = 0; i < 2; i++)
      await call("POST", "/changes/revert", { since: 1, dry_run: true }, keyed("one"))
    const [row] = await sqlBeside(
      config.file,
      "SELECT counted, length(answer) AS size FROM idempotent_answers",
    )
    expect(Number(row!.counted)).toBeGreaterThan(Number(row!.size))
    expect((await used()) - before).toBe(Number(row!.counted))
    const store = await openBeside(config.file, createIds(clock))
    clock.advance(24 * 60 * 60 * 1_000 + 2_000)
    await forgetAnswers({ store, clock })
    await store.close()
    expect(await used()).toBe(before)
    expect(await sqlBeside(config.file, "SELECT 1 FROM idempotent_answers")).toEqual([])
  })

  test("a large answer of an import is made again from its record, one of a dry run by running it again", async () => {
    const { call, config } = await openHeldApp()
    const rows = Array.from({ length: 900 }, (_, i) => `Lead ${i},${crypto.randomUUID()}\n`).join("")
    const csv = `name,rating\n${rows}`
    const send = (query: string, key: string, body = csv) =>
      call("POST", `/leads/import?map=rating:rating${query}`, body, {
        "Content-Type": "text/csv",
        ...keyed(key),
      })
    const kept = () => sqlBeside(config.file, "SELECT answer, import_id FROM idempotent_answers")
    const dry = await send("&dry_run=true", "dry")
    expect([dry.status, dry.body.warnings.length]).toEqual([200, 900])
    expect(await kept()).toEqual([])
    expect((await send("&dry_run=true", "dry")).body).toEqual(dry.body)

    const first = await send("", "one")
    expect([first.body.created, first.body.warnings.length]).toEqual([900, 900])
    expect(await kept()).toEqual([{ answer: null, import_id: first.body.id }])
    const again = await send("", "one")
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, "true"])
    expect(again.body).toEqual(first.body)
    expect((await call("POST", `/imports/${first.body.id}/undo`)).status).toBe(202)
    expect((await send("", "one")).body).toEqual(first.body)
    for (const other of [send("", "one", `${csv}Bob,1\n`), send("&source=web", "one")])
      expect((await other).body.code).toBe("idempotency_key_reused")
  })

  test("a large answer is not kept beyond the account's limit of storage, which its repeat says", async () => {
    const { as, addAccount } = await open()
    const text = () => Array.from({ length: 50 }, () => crypto.randomUUID()).join("")
    const attributes = Array.from({ length: 20 }, (_, i) => ({ name: `a${i}`, type: "text", value: text() }))
    const changedTwice = async (limits: object) => {
      const own = as((await addAccount({ limits })).key)
      const { id } = (await own("POST", "/leads", { ...LEAST, city: "Ulm", attributes })).body
      const change = () => own("PUT", `/leads/${id}`, { city: null }, keyed("shrinks"))
      const [first, again] = [await change(), await change()]
      expect(first.status).toBe(200)
      expect(again.headers.get("idempotency-replayed")).toBe("true")
      return { first, again }
    }
    const whole = await changedTwice({})
    expect(whole.again.body).toEqual(whole.first.body)
    const { again } = await changedTwice({ storage_limit: 10_000 })
    expect([again.status, again.body.code]).toEqual([409, "conflict"])
    expect(again.body.message).toContain("was done and answered with 200; its answer was not kept")
  })

  test("an account at its limit of storage keeps no more answers of pushes", async ({ as, addAccount }) => {
    const { key } = await addAccount({ limits: { storage_limit: 60_000 } })
    const own = as(key)
    const leads = Array.from({ length: 20 }, (_, i) => ({ ...LEAST, email: `l${i}@x.de` }))
    const statuses: number[] = []
    for (let i = 0; i < 80; i++)
      statuses.push((await own("POST", "/leads/batch", { leads }, keyed(`batch ${i}`))).status)
    expect(new Set(statuses.slice(0, 3))).toEqual(new Set([201]))
    const { body } = await own("POST", "/leads", { ...LEAST, email: "one@x.de" })
    expect(body.code).toBe("storage_limit_reached")
  })

  test("must be 1 to 255 characters; reading takes none", async ({ call }) => {
    for (const key of ["x".repeat(256), ""]) {
      const { status, body } = await call("POST", "/leads", LEAST, keyed(key))
      expect([status, body.message]).toEqual([400, expect.stringContaining("1 to 255")])
    }
    const first = await call("GET", "/leads", undefined, keyed("one"))
    await call("POST", "/leads", LEAST)
    expect([first.body.count, (await call("GET", "/leads", undefined, keyed("one"))).body.count]).toEqual([
      0, 1,
    ])
  })
})
