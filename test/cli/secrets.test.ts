import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { createHmac } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createSeal } from "../../src/store/shared/sealing.ts"
import type { Call } from "../support/app.ts"
import { openHook } from "../support/hook.ts"
import { openPlace, type Place, type Running, type Served } from "../support/service.ts"
import { until } from "../support/until.ts"

const KEY = { LEADDB_SECRET_KEY: "the first key of this file" }
const NEXT = { LEADDB_SECRET_KEY: "the second key of this file" }
const SECRET = "whisper-to-the-receiver"

/** Every byte of the database and of its log. */
function bytesOf(place: Place): string {
  const file = join(place.folder, "data/leads.db")
  return [file, `${file}-wal`]
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, "latin1"))
    .join("")
}

/** The body of a success. */
async function told({ call }: Served, ...asked: Parameters<Call>) {
  const { status, body } = await call(...asked)
  expect(status).toBeLessThan(300)
  return body
}

/** Signs a delivery as before, whatever became of the file. */
async function signs(service: Served, id: string, hook: ReturnType<typeof openHook>) {
  const arrived = hook.hits.length
  await told(service, "POST", `/webhooks/${id}/test`)
  await until("a delivery arrived", () => hook.hits.length > arrived)
  const { headers, text } = hook.hits.at(-1)!
  expect(headers.get("x-service-signature")).toBe(createHmac("sha256", SECRET).update(text).digest("hex"))
}

describe("LEADDB_SECRET_KEY", () => {
  test("keeps webhook secrets out of a new file, and the service does not start without it or with another", async () => {
    await using place = openPlace()
    await using hook = openHook()
    const first = await place.serve([], KEY)
    const { id } = await told(first, "POST", "/webhooks", { url: hook.url, secret: SECRET })
    await signs(first, id, hook)
    await first.stop()
    expect(bytesOf(place)).not.toContain(SECRET)

    const missing = await place.run(["serve", "--port", "0", "--mcp-port", "0"])
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining("set LEADDB_SECRET_KEY")])
    const wrong = await place.run(["serve", "--port", "0", "--mcp-port", "0"], NEXT)
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("LEADDB_SECRET_KEY is not the key")])
    for (const { out, err } of [missing, wrong]) expect([out, err.split("\n").length]).toEqual(["", 2])

    const states = await Promise.all([{}, KEY, NEXT].map((env) => place.run(["check", "--json"], env)))
    expect(states.map(({ code, json }) => [code, json.secrets, json.findings[0]?.code])).toEqual([
      [0, "no key", "secret_key_missing"],
      [0, "encrypted", undefined],
      [0, "wrong key", "secret_key_wrong"],
    ])
    // What needs no secret goes on without the key: whoever lost it can still revoke.
    expect((await place.run(["keys", "list", "--json"])).code).toBe(0)
    const again = await place.serve([], KEY)
    await signs(again, id, hook)
  }, 120_000)

  test("is turned on, changed and turned off by commands, and what was signed is signed the same", async () => {
    await using place = openPlace()
    await using hook = openHook()
    const first = await place.serve()
    const { id } = await told(first, "POST", "/webhooks", { url: hook.url, secret: "older" })
    await told(first, "PUT", `/webhooks/${id}`, { secret: SECRET })
    expect((await place.run(["secrets", "encrypt"], KEY)).err).toContain("is in use: stop the leaddb")
    await first.stop()
    expect(bytesOf(place)).toContain(SECRET)

    const on = await place.run(["secrets", "encrypt", "--json"], KEY)
    expect(on.json.secrets).toMatchObject({ state: "encrypted", webhooks: 1 })
    expect(bytesOf(place)).not.toContain(SECRET)
    expect((await place.run(["secrets", "encrypt"], KEY)).out).toContain("already")
    expect((await place.run(["secrets", "encrypt"], NEXT)).err).toContain("leaddb secrets rotate")
    const encrypted = await place.serve([], KEY)
    await signs(encrypted, id, hook)
    await encrypted.stop()

    const both = { ...KEY, LEADDB_SECRET_KEY_NEW: NEXT.LEADDB_SECRET_KEY }
    const wrong = { ...both, LEADDB_SECRET_KEY: "some other key that it is not" }
    expect((await place.run(["secrets", "rotate"], wrong)).err).toContain("is not the key")
    expect((await place.run(["secrets", "rotate"], both)).out).toContain("encrypted with the new key")
    expect((await place.run(["serve", "--port", "0", "--mcp-port", "0"], KEY)).code).toBe(1)
    const rotated = await place.serve([], NEXT)
    await signs(rotated, id, hook)
    await rotated.stop()

    expect((await place.run(["secrets", "decrypt"], KEY)).err).toContain("is not the key")
    expect((await place.run(["secrets", "decrypt"], NEXT)).out).toContain("in clear again")
    const off = await place.serve()
    await signs(off, id, hook)
    const { entries } = (await place.run(["log", "--json"])).json
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(["secrets.encrypted", "secrets.rotated", "secrets.decrypted"]),
    )
  }, 120_000)

  test("encrypts the captcha's secret of a form, too, and another key opens it the same", async () => {
    const asked: (string | null)[] = []
    using provider = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        asked.push(new URLSearchParams(await request.text()).get("secret"))
        return Response.json({ success: true })
      },
    })
    await using place = openPlace()
    const first = await place.serve([], KEY)
    const verify_url = `http://127.0.0.1:${provider.port}/`
    const captcha = { provider: "turnstile", site_key: "site", secret: SECRET, verify_url }
    const { id } = await told(first, "POST", "/forms", { name: "Contact", captcha })
    const post = ({ url }: Running) =>
      fetch(`${new URL(url).origin}/f/${id}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ email: "a@example.com", "cf-turnstile-response": "answer" }),
      })
    await post(first)
    await first.stop()
    expect(bytesOf(place)).not.toContain(SECRET)
    const rotated = await place.run(["secrets", "rotate", "--json"], {
      ...KEY,
      LEADDB_SECRET_KEY_NEW: NEXT.LEADDB_SECRET_KEY,
    })
    expect(rotated.code).toBe(0)
    const second = await place.serve([], NEXT)
    await post(second)
    await second.stop()
    expect(asked).toEqual([SECRET, SECRET])
  })

  test("set for a file that is in clear, it encrypts at the next start", async () => {
    await using place = openPlace()
    await using hook = openHook()
    const first = await place.serve()
    const { id } = await told(first, "POST", "/webhooks", { url: hook.url, secret: SECRET })
    await first.stop()
    const { json } = await place.run(["check", "--json"], KEY)
    expect([json.secrets, json.findings[0]?.code]).toEqual(["clear", "secrets_in_clear"])
    const second = await place.serve([], KEY)
    await signs(second, id, hook)
    await second.stop()
    expect(bytesOf(place)).not.toContain(SECRET)
  }, 120_000)

  test("lost, it takes the secrets with it: webhooks that signed are off, the service runs", async () => {
    await using place = openPlace()
    const first = await place.serve([], KEY)
    const url = "https://hooks.example/in"
    const signed = await told(first, "POST", "/webhooks", { url, secret: SECRET, active: true })
    const bare = await told(first, "POST", "/webhooks", { url })
    await first.stop()
    expect((await place.run(["secrets", "decrypt", "--lost"])).code).toBe(0)
    const second = await place.serve()
    expect(await told(second, "GET", `/webhooks/${signed.id}`)).toMatchObject({
      active: false,
      has_secret: false,
      disabled_reason: expect.stringContaining("lost"),
    })
    expect(await told(second, "GET", `/webhooks/${bare.id}`)).toMatchObject({ active: true })
  }, 120_000)

  test("is needed after a restore, which says so", async () => {
    await using place = openPlace()
    await (await place.serve([], KEY)).stop()
    await place.run(["backup", "b.db"])
    const restore = (env: Record<string, string>) => place.run(["restore", "b.db"], env)
    expect((await restore({})).out).toContain("leaddb needs LEADDB_SECRET_KEY as it was")
    expect((await restore(NEXT)).out).toContain("another LEADDB_SECRET_KEY")
    expect((await restore(KEY)).out).not.toContain("LEADDB_SECRET_KEY")
  }, 120_000)

  test("too short, it is refused without being shown", async () => {
    await using place = openPlace()
    const { code, err } = await place.run(["check"], { LEADDB_SECRET_KEY: "short" })
    expect([code, err]).toEqual([2, expect.stringContaining("LEADDB_SECRET_KEY must be at least 16")])
    expect(err).not.toContain('"short"')
  }, 120_000)
})

test("a secret moved to another webhook does not open, and neither does one that was changed", () => {
  const seal = createSeal("a key of this test", Buffer.alloc(16))
  const closed = seal.close(Buffer.from(SECRET), "webhooks/1/a")
  expect(Buffer.from(seal.open(closed, "webhooks/1/a")!).toString()).toBe(SECRET)
  expect(seal.open(closed, "webhooks/2/a")).toBeUndefined()
  for (const at of closed.keys()) {
    const changed = Uint8Array.from(closed)
    changed[at]! ^= 1
    expect(seal.open(changed, "webhooks/1/a")).toBeUndefined()
  }
  expect(seal.open(new Uint8Array(5), "webhooks/1/a")).toBeUndefined()
})

test("no row of an encrypted file holds what opens it", async () => {
  await using place = openPlace()
  await (await place.serve([], KEY)).stop()
  using db = new Database(join(place.folder, "data/leads.db"), { readonly: true })
  const settings = db.query<{ name: string; value: Uint8Array }, []>("SELECT name, value FROM settings").all()
  const secret = settings.find(({ name }) => name === "secret")!.value
  // 32 bytes with nonce and tag.
  expect(secret.length).toBe(60)
  expect(bytesOf(place)).not.toContain(KEY.LEADDB_SECRET_KEY)
})
