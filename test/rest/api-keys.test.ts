import { describe, expect } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { appTest, heldTest, openTestApp, test } from "../support/app.ts"
import { inAnotherProcess } from "../support/child.ts"
import { heldClock } from "../support/clock.ts"
import { sqlBeside } from "../support/database.ts"
import { temporaryFolder } from "../support/folder.ts"
import { errorBody, LEAST } from "../support/lead.ts"

const LAST = errorBody("Conflict", "conflict", /last owner key/)

describe("POST /api-keys", () => {
  heldTest("answers 201 with the record and, this once, the key", async ({ call, clock, as }) => {
    const { status, body } = await call("POST", "/api-keys", {
      name: " CRM ",
      role: "editor",
      expires_at: null,
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f-]{36}$/),
      name: "CRM",
      prefix: body.key.slice(0, 12),
      role: "editor",
      kind: "key",
      issued_by: (await call("GET", "/api-keys")).body[0].id,
      created_at: clock.seconds(),
      last_used_at: null,
      expires_at: null,
      key: expect.stringMatching(/^ldb_[0-9A-Za-z]{38}$/),
    })
    expect((await as(body.key)("GET", "/leads")).status).toBe(200)
  })

  test("makes an owner key unless told, each another", async ({ call }) => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => call("POST", "/api-keys", { name: "k" })))
    expect(keys.every(({ body }) => body.role === "owner")).toBe(true)
    expect(new Set(keys.map(({ body }) => body.key)).size).toBe(20)
  })

  appTest("keeps of the key only its SHA-256", async ({ call, config }) => {
    const { key } = (await call("POST", "/api-keys", { name: "k" })).body
    const rows = await sqlBeside(config.file, "SELECT * FROM api_keys")
    const texts = rows.map((row) =>
      Object.values(row).map((one) =>
        one instanceof Uint8Array ? Buffer.from(one).toString("hex") : String(one),
      ),
    )
    expect(texts.join(" ")).not.toContain(key.slice(12))
    expect(texts.join(" ")).toContain(new Bun.CryptoHasher("sha256").update(key).digest("hex"))
  })

  const bad: [object, RegExp][] = [
    [{}, /^name is required$/],
    [{ name: " " }, /^name is required$/],
    [{ name: 5 }, /^name must be text$/],
    [{ name: "x".repeat(1_001) }, /^name must be at most/],
    [{ name: "k", role: "admin" }, /^role must be one of viewer, editor, owner$/],
    [{ name: "k", role: null }, /^role must be one of/],
    [{ name: "k", expires_at: 1 }, /^expires_at must be in the future/],
    [
      { name: "k", expires_at: 4_102_444_800_000 },
      /^expires_at is in milliseconds or finer: give Unix seconds, such as 4102444800$/,
    ],
    [
      { name: "k", expires_at: 20_991_231 },
      /^expires_at is a date without hyphens: write 2099-12-31, or Unix seconds$/,
    ],
    [{ name: "k", expires_at: 2 ** 53 }, /^expires_at is in milliseconds or finer/],
    [{ name: "k", expires_at: -5 }, /^expires_at must be a time/],
    [{ name: "k", expires_at: 1.5 }, /^expires_at must be a time/],
    [{ name: "k", key: "ldb_x" }, /^key is not known here/],
  ]
  test.for(bad)("refuses %j", async ([input, message], { call }) => {
    const { status, body } = await call("POST", "/api-keys", input)
    expect(status).toBe(400)
    expect(body).toMatchObject(errorBody("Bad Request", "bad_request", message))
    expect((await call("GET", "/api-keys")).body).toHaveLength(1)
  })
})

describe("GET /api-keys", () => {
  test("lists the account's keys, the oldest first, without the keys", async ({ call, addAccount }) => {
    await addAccount()
    const { key, ...record } = (await call("POST", "/api-keys", { name: "CRM", role: "viewer" })).body
    const { status, body } = await call("GET", "/api-keys")
    expect(status).toBe(200)
    expect(body).toEqual([expect.objectContaining({ name: "default", role: "owner" }), record])
    for (const listed of body) expect(Object.keys(listed).toSorted()).toEqual(Object.keys(record).toSorted())
  })

  test("tells when a key was last used, across restarts", async () => {
    const folder = temporaryFolder()
    try {
      const clock = heldClock()
      const first = await openTestApp({ file: join(folder, "leads.db") }, clock)
      const { key, id } = (await first.call("POST", "/api-keys", { name: "k" })).body
      await first.as(key)("GET", "/leads")
      clock.advance(5_000)
      await first.as(key)("GET", "/leads")
      const used = clock.seconds()
      await first.close()
      clock.advance(60_000)
      const again = await openTestApp({ file: join(folder, "leads.db") }, clock)
      const { body } = await again.as(key)("GET", "/api-keys")
      expect(body.find((record: { id: string }) => record.id === id).last_used_at).toBe(used)
      await again.close()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

heldTest("expires_at a key is good until that second and no longer", async ({ call, clock, as }) => {
  const made = await call("POST", "/api-keys", { name: "k", expires_at: clock.seconds() + 60 })
  expect(made.body.expires_at).toBe(clock.seconds() + 60)
  clock.advance(59_999)
  expect((await as(made.body.key)("GET", "/leads")).status).toBe(200)
  clock.advance(1)
  const { status, body } = await as(made.body.key)("GET", "/leads")
  expect(status).toBe(401)
  expect(body).toEqual(errorBody("Unauthorized", "unauthorized", /expired/))
  expect((await call("GET", "/leads")).status).toBe(200)
})

describe("DELETE /api-keys/{id}", () => {
  test("answers 204, and from then on the key is not known", async ({ call, as }) => {
    const { id, key } = (await call("POST", "/api-keys", { name: "k" })).body
    expect((await as(key)("GET", "/leads")).status).toBe(200)
    const { status, body } = await call("DELETE", `/api-keys/${id}`)
    expect([status, body]).toEqual([204, undefined])
    const refused = await as(key)("GET", "/leads")
    expect(refused.status).toBe(401)
    expect(refused.body.message).toContain("revoked")
    expect((await call("DELETE", `/api-keys/${id}`)).status).toBe(404)
    expect((await call("GET", "/api-keys")).body).toHaveLength(1)
  })

  test("no request that begins after the 204 gets in, however busy it is", async ({ call, as }) => {
    const { id, key } = (await call("POST", "/api-keys", { name: "k" })).body
    let gone = false
    const late: number[] = []
    const knock = async () => {
      // Fewer failures than an address may have in a minute.
      for (let i = 0; i < 24; i++) {
        const began = gone
        const { status } = await as(key)("POST", "/leads", { ...LEAST, phone: `${i}` })
        if (began) late.push(status)
      }
    }
    const knocking = Array.from({ length: 4 }, knock)
    await call("DELETE", `/api-keys/${id}`)
    gone = true
    await Promise.all(knocking)
    expect(late.length).toBeGreaterThan(0)
    expect(new Set(late)).toEqual(new Set([401]))
  })

  heldTest("the last owner key cannot be revoked, whatever other keys there are", async ({ call, clock }) => {
    const [{ id }] = (await call("GET", "/api-keys")).body
    const refused = await call("DELETE", `/api-keys/${id}`)
    expect(refused.status).toBe(409)
    expect(refused.body).toEqual(LAST)

    await call("POST", "/api-keys", { name: "e", role: "editor" })
    await call("POST", "/api-keys", { name: "expiring", expires_at: clock.seconds() + 60 })
    clock.advance(60_000)
    expect((await call("DELETE", `/api-keys/${id}`)).body).toEqual(LAST)
    expect((await call("GET", "/leads")).status).toBe(200)
  })

  heldTest("with another owner key it can, and an expired one always", async ({ call, clock, as }) => {
    const [{ id: first }] = (await call("GET", "/api-keys")).body
    const expired = (await call("POST", "/api-keys", { name: "old", expires_at: clock.seconds() + 60 })).body
    clock.advance(60_000)
    expect((await call("DELETE", `/api-keys/${expired.id}`)).status).toBe(204)
    const second = (await call("POST", "/api-keys", { name: "new" })).body
    expect((await as(second.key)("DELETE", `/api-keys/${first}`)).status).toBe(204)
    expect((await call("GET", "/leads")).status).toBe(401)
    expect((await as(second.key)("DELETE", `/api-keys/${second.id}`)).body).toEqual(LAST)
  })

  test("two owner keys that revoke each other at once leave one", async ({ call, as }) => {
    const [{ id: first }] = (await call("GET", "/api-keys")).body
    const second = (await call("POST", "/api-keys", { name: "new" })).body
    const answers = await Promise.all([
      call("DELETE", `/api-keys/${second.id}`),
      as(second.key)("DELETE", `/api-keys/${first}`),
    ])
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    const left = await Promise.all([call("GET", "/leads"), as(second.key)("GET", "/leads")])
    expect(left.map(({ status }) => status).toSorted()).toEqual([200, 401])
  })
})

describe("another process on the same file", () => {
  appTest("a key that it revokes is not known from then on", async ({ call, config, as }) => {
    const { id, key } = (await call("POST", "/api-keys", { name: "k" })).body
    expect((await as(key)("GET", "/leads")).status).toBe(200)
    await inAnotherProcess(
      config.file,
      `await store.writeAcross(async (tx) => {
        for (const { key } of await tx.accounts.list()) await tx.apiKeys.remove(key, input)
      })`,
      id,
    )
    expect((await as(key)("GET", "/leads")).status).toBe(401)
    expect((await call("GET", "/leads")).status).toBe(200)
  })

  test("a lead that it writes gets an id between those made before and after", async () => {
    const { call, config } = await openTestApp()
    const first = (await call("POST", "/leads", { name: "one", source: "s" })).body.id
    await inAnotherProcess(
      config.file,
      `const [account] = await store.read.accounts.list()
      await store.writeAcross(async (tx) => {
        const found = await tx.leads.find(account.key, input)
        await tx.leads.insert(account.key, { ...found.data(), id: tx.newId("cl_"), name: "two" }, 0)
      })`,
      first,
    )
    await call("POST", "/leads", { name: "three", source: "s" })
    const { leads } = (await call("GET", "/leads?sort_by=id")).body
    expect(leads.map(({ name }: { name: string }) => name)).toEqual(["one", "two", "three"])
  })
})
