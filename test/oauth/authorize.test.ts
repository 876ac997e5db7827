import { describe, expect, test } from "bun:test"
import { openTestApp, openTestAppForReading } from "../support/app.ts"
import { heldClock } from "../support/clock.ts"
import { answerOf, authorizeUrl, type Fields, originOf, REDIRECT, register, show, submit } from "./support.ts"

/** What keeps a page from being framed, kept, told on or sent elsewhere. */
function expectGuarded(headers: Headers): void {
  expect(headers.get("x-frame-options")).toBe("DENY")
  expect(headers.get("referrer-policy")).toBe("no-referrer")
  expect(headers.get("cache-control")).toBe("no-store")
  expect(headers.get("x-content-type-options")).toBe("nosniff")
  const policy = headers.get("content-security-policy")
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /)
  expect(policy).toEndWith("form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
}

describe("GET /authorize", () => {
  let client = ""
  let web = ""
  const service = openTestAppForReading(async (app) => {
    client = await register(originOf(app))
    web = await register(originOf(app), { redirect_uris: ["https://app.example/cb?x=1"] })
  })
  const url = (changes: Fields = {}) => authorizeUrl(originOf(service()), client, changes)

  test("shows who asks and where the answer goes; nothing on it runs or can be framed", async () => {
    const { status, headers, html } = await show(url())
    expect(status).toBe(200)
    expectGuarded(headers)
    expect(html).toContain("Test App")
    expect(html).toContain("<dd>localhost<span>an app on this computer</span></dd>")
    expect(html).not.toContain("<script")
    expect(headers.get("set-cookie")).toMatch(
      /^leaddb_consent=[\w-]{22}; Max-Age=600; Path=\/authorize; HttpOnly; SameSite=Lax$/,
    )
  })

  test("a name is text, whatever is in it", async () => {
    const client_name = `<b>"Bob"</b> & 'Co'\u202e\u200b\n x${"y".repeat(200)}`
    const id = await register(originOf(service()), { client_name })
    const { html } = await show(authorizeUrl(originOf(service()), id))
    expect(html).toContain("&lt;b&gt;&quot;Bob&quot;&lt;/b&gt; &amp; &#39;Co&#39; xyyy")
    expect(html).not.toMatch(/<b>"|[\u202e\u200b]|y{101}/)
  })

  test.each<[string, Fields]>([
    ["without a client", { client_id: undefined }],
    ["with an unknown client", { client_id: crypto.randomUUID() }],
    ["without an address", { redirect_uri: undefined }],
    ["with a longer path", { redirect_uri: `${REDIRECT}/more` }],
    ["with a path that goes on", { redirect_uri: `${REDIRECT}2` }],
    ["with another path", { redirect_uri: "http://localhost/other" }],
    ["with a query", { redirect_uri: `${REDIRECT}?a=b` }],
    ["with a fragment", { redirect_uri: `${REDIRECT}#a` }],
    ["with a user", { redirect_uri: "http://user@localhost/callback" }],
    ["with our host as the user of another", { redirect_uri: "http://localhost:80@evil.example/callback" }],
    ["with our host as the beginning of another", { redirect_uri: "http://localhost.evil.example/callback" }],
    ["with another loopback name", { redirect_uri: "http://127.0.0.1/callback" }],
    ["with https instead of http", { redirect_uri: "https://localhost/callback" }],
    ["with an impossible port", { redirect_uri: "http://localhost:99999/callback" }],
    ["with a backslash", { redirect_uri: "http://localhost\\callback" }],
    ["with dots that lead there", { redirect_uri: "http://localhost/x/../callback" }],
  ])("%s: a page that says so, and nothing leads on", async (_, changes) => {
    const { status, headers, html } = await show(url(changes))
    expect([status, headers.get("location")]).toEqual([400, null])
    expectGuarded(headers)
    expect(html).toContain("Cannot connect")
    expect(html).not.toMatch(/<a |<form|http-equiv="refresh"/)
  })

  test.each<[string, string]>([
    ["another port", "https://app.example:8443/cb?x=1"],
    ["the port that is meant anyway", "https://app.example:443/cb?x=1"],
    ["without the query", "https://app.example/cb"],
    ["another spelling of the host", "https://APP.example/cb?x=1"],
  ])("an address on the web must be exact: %s", async (_, redirect_uri) => {
    expect((await show(authorizeUrl(originOf(service()), web, { redirect_uri }))).status).toBe(400)
  })

  test.each(["http://localhost:1/callback", "http://localhost:65535/callback", REDIRECT])(
    "any port will do on this computer: %s",
    async (redirect_uri) => expect((await show(url({ redirect_uri }))).status).toBe(200),
  )

  test.each<[string, string, Fields]>([
    ["no challenge", "invalid_request", { code_challenge: undefined, code_challenge_method: undefined }],
    ["no method, which means plain", "invalid_request", { code_challenge_method: undefined }],
    ["plain", "invalid_request", { code_challenge_method: "plain" }],
    ["a challenge that is none", "invalid_request", { code_challenge: "short" }],
    ["no response_type", "invalid_request", { response_type: undefined }],
    ["a token at once", "unsupported_response_type", { response_type: "token" }],
    ["a fragment", "invalid_request", { response_mode: "fragment" }],
    ["another server", "invalid_target", { resource: "https://other.example/mcp" }],
    ["another path", "invalid_target", { resource: "/api/v1" }],
  ])("asked for %s: the client is told %s", async (_, error, changes) => {
    const origin = originOf(service())
    if (changes.resource?.startsWith("/")) changes.resource = origin + changes.resource
    const answer = answerOf(await show(url(changes)))
    expect(Object.fromEntries(answer)).toEqual({
      error,
      error_description: expect.any(String),
      state: "a state",
      iss: origin,
    })
  })

  test("a parameter that comes twice is a mistake, and one that decides where to answer stops it", async () => {
    expect(answerOf(await show(`${url()}&scope=a&scope=b`)).get("error")).toBe("invalid_request")
    expect((await show(`${url()}&redirect_uri=https://evil.example`)).status).toBe(400)
    expect((await show(`${url()}&client_id=x`)).status).toBe(400)
  })

  test("a state that is no state is not sent back", async () => {
    const answer = answerOf(await show(url({ state: "a\nb" })))
    expect([answer.get("error"), answer.get("state")]).toEqual(["invalid_request", null])
  })

  test("is no open redirector: a mistake leads to a web address only by a person's click", async () => {
    const origin = originOf(service())
    const asked = authorizeUrl(origin, web, {
      redirect_uri: "https://app.example/cb?x=1",
      response_type: "token",
    })
    const { status, headers, html } = await show(asked)
    expect([status, headers.get("location")]).toEqual([400, null])
    expectGuarded(headers)
    expect(html).not.toContain("refresh")
    const [, href = ""] = /<a href="([^"]+)"/.exec(html) ?? []
    const back = new URL(href.replaceAll("&amp;", "&"))
    expect(back.href).toStartWith("https://app.example/cb?x=1&error=unsupported_response_type&")
    expect([back.searchParams.get("state"), back.searchParams.get("iss")]).toEqual(["a state", origin])
  })

  test.each(["", "/", "/mcp", "/mcp/", "/sse"])("takes our own address as the resource: %p", async (path) => {
    expect((await show(url({ resource: originOf(service()) + path }))).status).toBe(200)
  })
})

describe("POST /authorize", () => {
  const clock = heldClock()
  let client = ""
  const service = openTestAppForReading(
    async (app) => {
      client = await register(originOf(app))
    },
    {},
    clock,
  )
  const open = (changes: Fields = {}) => show(authorizeUrl(originOf(service()), client, changes))
  const signedIn = () => ({ key: service().key })

  test("takes a form only from its own page, with its cookie, for the same request, for 10 minutes", async () => {
    const origin = originOf(service())
    const page = await open()
    const other = await show(authorizeUrl(origin, client, { state: "other" }), { Cookie: page.cookie })
    const [expires, body, mac = ""] = page.fields.token!.split(".")
    const refused: [string, Parameters<typeof submit>[1]][] = [
      ["no token", { ...page, fields: { ...page.fields, token: undefined } }],
      ["a forged one", { ...page, fields: { ...page.fields, token: `${expires}.${body}.${mac.slice(1)}A` } }],
      [
        "a longer life",
        { ...page, fields: { ...page.fields, token: `${Number(expires) + 1}.${body}.${mac}` } },
      ],
      ["another request's", { ...page, fields: { ...page.fields, token: other.fields.token } }],
      ["no cookie", { ...page, cookie: "" }],
      ["another browser's cookie", { ...page, cookie: (await open()).cookie }],
    ]
    for (const [what, sent] of refused) {
      const { status, headers, html } = await submit(origin, sent, signedIn())
      expect([what, status, headers.get("location")]).toEqual([what, 403, null])
      expectGuarded(headers)
      expect(html).toContain("Please decide again")
    }
    clock.advance(599_000)
    expect((await submit(origin, page, signedIn())).status).toBe(303)
    clock.advance(1_000)
    const late = await submit(origin, page, signedIn())
    expect(late.status).toBe(403)
    expect((await submit(origin, late, signedIn())).status).toBe(303)
  })

  test("two pages may be open in one browser", async () => {
    const origin = originOf(service())
    const first = await open()
    const second = await show(authorizeUrl(origin, client, { state: "other" }), { Cookie: first.cookie })
    expect(second.cookie).toBe(first.cookie)
    expect((await submit(origin, first, signedIn())).status).toBe(303)
    expect((await submit(origin, second, signedIn())).status).toBe(303)
  })

  test.each(["cross-site", "same-site", "none"])("refuses what a browser calls %s", async (site) => {
    const { status, headers } = await submit(originOf(service()), await open(), signedIn(), {
      "Sec-Fetch-Site": site,
      Origin: "null",
    })
    expect([status, headers.get("location")]).toEqual([403, null])
  })

  test("checks the request again", async () => {
    const origin = originOf(service())
    const page = await open()
    const changed = (fields: Fields) =>
      submit(origin, { ...page, fields: { ...page.fields, ...fields } }, signedIn())
    const elsewhere = await changed({ redirect_uri: "https://evil.example/" })
    expect([elsewhere.status, elsewhere.headers.get("location")]).toEqual([400, null])
    expect(answerOf(await changed({ code_challenge_method: "plain" })).get("error")).toBe("invalid_request")
  })

  test.each<[string, Fields, number, string]>([
    ["nothing", { key: "" }, 400, "Enter an API key or a one-time code"],
    ["something else", { key: "hunter2" }, 400, "neither an API key nor a one-time code"],
    ["a mistyped key", { key: "ldb_x" }, 403, "This is not a leaddb API key"],
    ["an unknown key", { key: "ldb_OYfJvKtLyhVJ6SzqOhqGxIc7fNQQ1K000000" }, 403, "not a leaddb API key"],
    ["an unknown code", { key: "AAAA-BBBB-CCCC" }, 403, "wrong, used or older than 10 minutes"],
  ])(
    "signing in with %s: said next to the field, and never shown again",
    async (_, fields, expected, message) => {
      const { status, headers, html } = await submit(originOf(service()), await open(), fields)
      expect(status).toBe(expected)
      expectGuarded(headers)
      expect(html).toMatch(
        new RegExp(
          `aria-invalid="true" aria-describedby="key-problem key-hint">\\s*<p [^>]*>[^<]*${message}`,
        ),
      )
      if (fields.key) expect(html).not.toContain(fields.key)
    },
  )

  test("a role must be chosen, and is kept when something else is wrong", async () => {
    const origin = originOf(service())
    const unchosen = await submit(origin, await open(), { ...signedIn(), role: "admin" })
    expect([unchosen.status, unchosen.html.includes("Choose one.")]).toEqual([400, true])
    const { html } = await submit(origin, await open(), { key: "x", role: "owner" })
    expect(html).toMatch(/value="owner" checked/)
  })
})

describe("the role that is granted", () => {
  test.each([
    ["viewer", "viewer", true],
    ["viewer", "editor", false],
    ["viewer", "owner", false],
    ["editor", "editor", true],
    ["editor", "owner", false],
    ["owner", "owner", true],
  ])("a key that is %s grants %s: %p", async (own, role, isAllowed) => {
    const service = await openTestApp()
    const origin = originOf(service)
    const { key } = (await service.call("POST", "/api-keys", { name: "signer", role: own })).body
    const page = await show(authorizeUrl(origin, await register(origin)))
    const { status, html } = await submit(origin, page, { key, role })
    expect(status).toBe(isAllowed ? 303 : 403)
    if (!isAllowed) expect(html).toContain(`You signed in as ${own}: choose no more than that`)
  })
})
