import { describe, expect } from "bun:test"
import { issueLinkCode } from "../../src/domain/access/login-codes.ts"
import { createIds, unixSeconds } from "../../src/runtime/clock.ts"
import { appTest, heldAppTest, heldTest, type TestAccount, type TestApp, test } from "../support/app.ts"
import { openBeside } from "../support/database.ts"
import { browser } from "../support/member.ts"
import { openPlace } from "../support/service.ts"

const HOUR = 3_600_000
const SAME = { "X-API-Key": "", "Sec-Fetch-Site": "same-origin" }

/** Signs in; answers with the cookie as a browser sends it. */
async function signIn({ as }: TestAccount, body: unknown, headers = {}) {
  const answer = await as("")("POST", "/sessions", body, headers)
  const set = answer.headers.get("set-cookie") ?? ""
  return { ...answer, set, cookie: set.split(";")[0]! }
}

/** A client that is a page of the service itself. */
async function signedIn(service: TestAccount, body: unknown) {
  const { cookie } = await signIn(service, body)
  return browser(service, cookie)
}

function postJson(url: string, body: unknown) {
  const headers = { "Content-Type": "application/json" }
  return fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
}

async function linkCode({ config }: TestApp, now: number, role: "owner" | "viewer" = "owner") {
  const store = await openBeside(config.file, createIds({ now: () => now * 1000, monotonic: () => 0 }))
  const [account] = await store.read.accounts.list()
  const { code, kept } = issueLinkCode(store, { account: account!.key, role }, now)
  await kept
  await store.close()
  return code
}

describe("POST /sessions", () => {
  test("with a key gives a cookie that pages cannot read", async (service) => {
    const { status, body, set } = await signIn(service, { key: service.key })
    expect(status).toBe(201)
    expect(body).toMatchObject({ role: "owner", actor: { kind: "key", name: "default" } })
    expect(JSON.stringify(body)).not.toContain(set.split(/[=;]/)[1]!)
    expect(set).toMatch(/^leaddb-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/)
  })

  test("is for the service's own pages and for programs, as JSON alone", async (service) => {
    const own = new URL(service.app.url).origin
    const other = "http://localhost:1"
    const cases: [headers: Record<string, string>, status: number][] = [
      [{}, 201],
      [{ Origin: own }, 201],
      [{ Origin: own, "Sec-Fetch-Site": "same-origin" }, 201],
      [{ Origin: other, "Sec-Fetch-Site": "same-site" }, 403],
      [{ Origin: own, "Sec-Fetch-Site": "same-site" }, 403],
      [{ Origin: other }, 403],
      [{ "Content-Type": "text/plain" }, 400],
      [{ "Content-Type": "application/x-www-form-urlencoded" }, 400],
      [{ "Content-Type": "multipart/form-data; boundary=x" }, 400],
    ]
    for (const [headers, expected] of cases) {
      const { status, set } = await signIn(service, { key: service.key }, headers)
      expect([headers, status, set !== ""]).toEqual([headers, expected, expected === 201])
    }
  })

  test("behind HTTPS the cookie belongs to this host alone", async (service) => {
    const { set } = await signIn(service, { key: service.key }, { "X-Forwarded-Proto": "https" })
    expect(set).toMatch(
      /^__Host-leaddb=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000; Secure$/,
    )
  })

  heldAppTest("with the code of a link works once, within 10 minutes, with its role", async (service) => {
    const { clock } = service
    const code = await linkCode(service, unixSeconds(clock.now()), "viewer")
    const { status, body } = await signIn(service, { code })
    expect([status, body.role, body.actor]).toEqual([
      201,
      "viewer",
      { kind: "code", id: null, name: "machine" },
    ])
    expect((await signIn(service, { code })).status).toBe(401)
    const late = await linkCode(service, unixSeconds(clock.now()))
    clock.advance(600_000)
    expect((await signIn(service, { code: late })).status).toBe(401)
  })

  appTest("a link's code that is sent twice at once opens one session", async (service) => {
    const code = await linkCode(service, unixSeconds(Date.now()))
    const both = await Promise.all([signIn(service, { code }), signIn(service, { code })])
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 401])
  })

  test.for([
    [{}, "give one of"],
    [{ key: "x", code: "y" }, "give one of"],
    [{ name: "Ada" }, "belong together"],
    [{ key: 5 }, "key must be text"],
    [{ secret: "x" }, "secret"],
  ])("%j is refused in words", async ([body, words], service) => {
    const answer = await signIn(service, body)
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(words)])
  })

  test("wrong codes and keys are told what they are", async (service) => {
    expect((await signIn(service, { code: "AAAA-AAAA-AAAA" })).body.message).toContain("leaddb open")
    expect((await signIn(service, { key: "ldb_x" })).body.message).toContain("not a leaddb API key")
  })

  test("tries are limited by address", async (service) => {
    for (let i = 0; i < 100; i++) await signIn(service, { key: "ldb_x" })
    const { status, headers } = await signIn(service, { key: service.key })
    expect([status, Number(headers.get("retry-after")) > 0]).toEqual([429, true])
  })
})

describe("a session", () => {
  test("does what its key may", async (service) => {
    const { key } = (await service.call("POST", "/api-keys", { name: "v", role: "viewer" })).body
    const viewer = await signedIn(service, { key })
    expect((await viewer("GET", "/leads")).status).toBe(200)
    expect((await viewer("POST", "/leads", { name: "a", source: "b" })).status).toBe(403)
    const owner = await signedIn(service, { key: service.key })
    const { body } = await owner("POST", "/leads", { name: "a", source: "b" })
    const { changes } = (await owner("GET", `/leads/${body.id}/changes`)).body
    expect(changes[0].actor_id).toStartWith("key_")
  })

  test("counts only for the service's own pages", async (service) => {
    const { cookie } = await signIn(service, { key: service.key })
    const origin = new URL(service.app.url).origin
    const ask = (headers: Record<string, string>, method = "GET") =>
      fetch(`${service.app.url}/leads`, {
        method,
        headers: { Cookie: cookie, ...headers },
        body: method === "POST" ? "{}" : null,
      }).then(({ status }) => status)
    const json = { "Content-Type": "application/json" }
    const cases: [Record<string, string>, string, number][] = [
      [{ "Sec-Fetch-Site": "same-origin" }, "GET", 200],
      [{ "Sec-Fetch-Site": "same-site" }, "GET", 401],
      [{ "Sec-Fetch-Site": "cross-site" }, "GET", 401],
      [{ "Sec-Fetch-Site": "none" }, "GET", 401],
      [{}, "GET", 401],
      [{ Origin: origin }, "GET", 200],
      [{ Origin: "http://localhost:1" }, "GET", 401],
      [{ Origin: origin, "Sec-Fetch-Site": "same-site" }, "GET", 401],
      [{ Referer: `${origin}/app` }, "GET", 200],
      [{ Referer: "http://localhost:1/app" }, "GET", 401],
      [{ Referer: `${origin}/app`, ...json }, "POST", 401],
      [{ Origin: origin, ...json }, "POST", 400],
      [{ "Sec-Fetch-Site": "same-origin", ...json }, "POST", 400],
    ]
    for (const [headers, method, status] of cases) {
      expect([headers, await ask(headers, method)]).toEqual([headers, status])
    }
  })

  test("writes JSON alone", async (service) => {
    const ask = await signedIn(service, { key: service.key })
    const text = '{"name":"a","source":"b"}'
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
    ]) {
      const { status, body } = await ask("POST", "/leads", text, { "Content-Type": type })
      expect([type, status, body.message]).toEqual([type, 400, expect.stringContaining("must be JSON")])
    }
    expect((await ask("POST", "/leads", JSON.parse(text))).status).toBe(201)
  })

  test("ends when it is told to, and so do others that an owner ends", async (service) => {
    const one = await signedIn(service, { key: service.key })
    const two = await signedIn(service, { key: service.key })
    const listed = (await one("GET", "/sessions")).body
    expect(listed.map(({ current }: { current: boolean }) => current)).toEqual([false, true])
    expect((await one("DELETE", `/sessions/${listed[0].id}`)).status).toBe(204)
    expect((await two("GET", "/leads")).status).toBe(401)
    const out = await one("DELETE", "/sessions/current")
    expect([out.status, out.headers.get("set-cookie")]).toEqual([204, expect.stringContaining("Max-Age=0")])
    expect((await one("GET", "/leads")).status).toBe(401)
  })

  test("ends with its key at once", async (service) => {
    const { id, key } = (await service.call("POST", "/api-keys", { name: "k" })).body
    const ask = await signedIn(service, { key })
    expect((await ask("GET", "/leads")).status).toBe(200)
    await service.call("DELETE", `/api-keys/${id}`)
    expect((await ask("GET", "/leads")).status).toBe(401)
  })

  heldTest("ends after 12 hours without use, and after 30 days", async (service) => {
    const { clock } = service
    const ask = await signedIn(service, { key: service.key })
    clock.advance(11 * HOUR)
    expect((await ask("GET", "/leads")).status).toBe(200)
    clock.advance(11 * HOUR)
    expect((await ask("GET", "/leads")).status).toBe(200)
    clock.advance(12 * HOUR)
    expect((await ask("GET", "/leads")).status).toBe(401)
    const used = await signedIn(service, { key: service.key })
    for (let hours = 0; hours < 30 * 24 - 10; hours += 10) {
      expect((await used("GET", "/sessions/current")).status).toBe(200)
      clock.advance(10 * HOUR)
    }
    clock.advance(10 * HOUR)
    expect((await used("GET", "/sessions/current")).status).toBe(401)
  })

  test("does not use up the plan's requests", async (service) => {
    const { key } = await service.addAccount({ plan: "free" })
    const ask = await signedIn(service, { key })
    const { headers } = await ask("GET", "/leads")
    expect(headers.get("x-ratelimit-limit")).toBe("6000")
    const own = await service.as(key)("GET", "/leads")
    expect(own.headers.get("x-ratelimit-remaining")).toBe("99")
  })

  test("of another account is not to be found", async (service) => {
    const { key } = await service.addAccount()
    await signIn(service, { key })
    const mine = await signedIn(service, { key: service.key })
    const foreign = (await service.as(key)("GET", "/sessions")).body[0].id
    expect((await mine("DELETE", `/sessions/${foreign}`)).status).toBe(404)
    expect((await mine("GET", "/sessions")).body).toHaveLength(1)
  })

  appTest("is not in the database's files as its token", async (service) => {
    const { cookie } = await signIn(service, { key: service.key })
    const token = cookie.split("=")[1]!
    const files = new Bun.Glob("*").scanSync(service.config.data)
    for (const file of files) {
      expect(await Bun.file(`${service.config.data}/${file}`).text()).not.toContain(token)
    }
  })

  test("a key in the request goes before the cookie", async (service) => {
    const { cookie } = await signIn(service, { key: service.key })
    const { status } = await service.as("ldb_wrong")("GET", "/leads", undefined, {
      ...SAME,
      "X-API-Key": "ldb_wrong",
      Cookie: cookie,
    })
    expect(status).toBe(401)
  })
})

describe("leaddb open", () => {
  test("prints a link that signs in at the running service", async () => {
    await using place = openPlace()
    const service = await place.serve()
    const { json, code: status } = await place.run(["open", "--port", "1234", "--json"])
    expect([status, json.url]).toEqual([0, `http://leaddb.localhost:1234/app#${json.code}`])
    const answer = await postJson(`${service.url}/sessions`, { code: json.code })
    expect(answer.status).toBe(201)
    const { out } = await place.run(["open", "--public-url", "https://leads.example.com"])
    expect(out).toMatch(/^https:\/\/leads\.example\.com\/app#[0-9A-HJKMNP-TV-Z]{32}\n$/)
  })

  test("a start prints one, too", async () => {
    await using place = openPlace()
    const service = await place.serve()
    const code = service.out().match(/leaddb\.localhost:\d+\/app#(\w+)/)![1]!
    const answer = await postJson(`${service.url}/sessions`, { code })
    expect(answer.status).toBe(201)
  })
})
