// Signing in with a provider of OpenID Connect, with a real one on loopback.
import { describe, expect } from "bun:test"
import { readConfig } from "../../src/surfaces/cli/config.ts"
import { addAccount } from "../support/account.ts"
import { openTestApp } from "../support/app.ts"
import {
  Jar,
  openWithProvider,
  signInWith,
  throughProvider,
  type WithProvider,
} from "../support/oidc-provider.ts"
import { testWith } from "../support/test-with.ts"

const test = testWith(() => openWithProvider({ ada: ADA }))

const ADA = { name: "Ada Lovelace", email: "ada@example.com", email_verified: true, role: "editor" }

async function sessionOf({ origin }: WithProvider, jar: Jar) {
  const headers = { "Sec-Fetch-Site": "same-origin" }
  const response = await jar.send(`${origin}/api/v1/sessions/current`, { headers })
  return { status: response.status, body: await response.json() }
}

async function problemOf(response: Response): Promise<string> {
  return /role="alert">([^<]*)</.exec(await response.text())?.[1]?.replaceAll("&#39;", "'") ?? ""
}

describe("a sign-in with the provider", () => {
  test("is asked for with PKCE, state and nonce, and for this service alone", async ({ origin, issuer }) => {
    const response = await fetch(`${origin}/oidc/sign-in`, { redirect: "manual" })
    const asked = new URL(response.headers.get("location")!)
    expect([response.status, asked.origin]).toEqual([303, issuer])
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      client_id: "leaddb",
      redirect_uri: `${origin}/oidc/callback`,
      response_type: "code",
      scope: "openid email profile",
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    const cookie = response.headers.get("set-cookie")!
    expect(cookie).toMatch(/^leaddb-oidc=[\w-]+\.[\w-]+; Path=\/oidc; HttpOnly; SameSite=Lax; Max-Age=600$/)
  })

  test("makes a member of a person whose claim names a role, and signs them in", async (service) => {
    const { response, jar } = await signInWith(service, "ada", new Jar(), "?to=/app/leads")
    expect([response.status, response.headers.get("location")]).toEqual([303, "/app/leads#oidc"])
    expect(jar.cookies(service.origin)).toEqual([expect.stringMatching(/^leaddb-\d+$/)])
    const { body } = await sessionOf(service, jar)
    expect([body.role, body.actor.kind, body.actor.name]).toEqual(["editor", "member", "Ada Lovelace"])
    const members = (await service.call("GET", "/members")).body
    expect(members).toMatchObject([
      { name: "Ada Lovelace", role: "editor", has_provider: true, has_password: false },
    ])
    const { entries } = (await service.call("GET", "/admin-log")).body
    expect(entries.slice(0, 2)).toMatchObject([
      { action: "session.opened", details: { with: "oidc", role: "editor" } },
      { action: "member.joined", details: { name: "Ada Lovelace", with: "oidc" } },
    ])
  })

  test("finds the same member again, with the role that the claim names by then", async () => {
    const service = await openWithProvider({ ada: { ...ADA } })
    const first = await signInWith(service, "ada")
    Object.assign(service.people.ada!, { role: "viewer", name: "Ada King", email: "king@example.com" })
    const second = await signInWith(service, "ada")
    const members = (await service.call("GET", "/members")).body
    expect(members).toMatchObject([{ name: "Ada Lovelace", role: "viewer" }])
    for (const { jar } of [first, second]) expect((await sessionOf(service, jar)).body.role).toBe("viewer")
  })

  test("finds who was invited under their verified email, and keeps their role where no claim names one", async () => {
    const service = await openWithProvider({ ada: { email: "Ada@Example.com", email_verified: true } })
    const { id } = (await service.call("POST", "/members", { name: "ada@example.com", role: "editor" })).body
    const { jar } = await signInWith(service, "ada")
    const { body } = await sessionOf(service, jar)
    expect([body.role, body.actor.id]).toEqual(["editor", id])
    expect((await service.call("GET", "/members")).body[0]).toMatchObject({ invite_expires_at: null })
  })

  test("leaves the passkeys and passwords of a member as they are", async () => {
    const service = await openWithProvider({ ada: { email: "ada@example.com", email_verified: true } })
    const { invite } = (await service.call("POST", "/members", { name: "ada@example.com" })).body
    const password = "a long sentence is best"
    await service.call("POST", "/members/join", { invite, password }, { "X-API-Key": "" })
    await signInWith(service, "ada")
    const again = await service.call(
      "POST",
      "/sessions",
      { name: "ada@example.com", password },
      { "X-API-Key": "" },
    )
    expect(again.status).toBe(201)
  })

  const ROLES: [claim: unknown, role: string | undefined][] = [
    ["owner", "owner"],
    ["Viewer", "viewer"],
    [["staff", "viewer", "editor"], "editor"],
    ["admin", undefined],
    [["staff"], undefined],
    [undefined, undefined],
    [{ owner: true }, undefined],
  ]
  test.each(ROLES)("with the claim %j gives the role %p", async (role, expected) => {
    const service = await openWithProvider({ ada: { ...ADA, role } })
    const { response, jar } = await signInWith(service, "ada")
    expect(response.status).toBe(expected === undefined ? 403 : 303)
    expect((await service.call("GET", "/members")).body).toHaveLength(expected === undefined ? 0 : 1)
    if (expected !== undefined) expect((await sessionOf(service, jar)).body.role).toBe(expected)
    else expect(jar.cookies(service.origin)).toEqual([])
  })

  test("takes the role from the claim that the settings name", async () => {
    const service = await openWithProvider(
      { ada: { ...ADA, role: "owner", groups: ["viewer"] } },
      { oidcRoleClaim: "groups" },
    )
    const { jar } = await signInWith(service, "ada")
    expect((await sessionOf(service, jar)).body.role).toBe("viewer")
  })

  test("takes no email for a person's that the provider has not verified", async () => {
    const service = await openWithProvider({ eve: { email: "ada@example.com", email_verified: false } })
    await service.call("POST", "/members", { name: "ada@example.com", role: "owner" })
    const { response } = await signInWith(service, "eve")
    expect([response.status, await problemOf(response)]).toEqual([
      403,
      expect.stringContaining("no member here"),
    ])
  })

  test("makes nobody a member of one of several accounts without an invitation", async (service) => {
    await addAccount(service.config.file)
    const { response } = await signInWith(service, "ada")
    expect([response.status, await problemOf(response)]).toEqual([403, expect.stringContaining("invitation")])
  })

  test("gives a namesake another name", async () => {
    const service = await openWithProvider({ ada: ADA, other: { ...ADA, email: "other@example.com" } })
    await signInWith(service, "ada")
    await signInWith(service, "other")
    const members = (await service.call("GET", "/members")).body
    expect(members.map(({ name }: { name: string }) => name)).toEqual(["Ada Lovelace", "other@example.com"])
  })
})

describe("a way back from the provider", () => {
  test("counts once, and in the browser alone that began it", async (service) => {
    const { back, jar } = await signInWith(service, "ada")
    for (const other of [jar, new Jar()]) {
      const response = await other.send(back)
      expect([response.status, await problemOf(response)]).toEqual([
        401,
        expect.stringContaining("begun in another"),
      ])
    }
    const begun = new Jar()
    await begun.send(`${service.origin}/oidc/sign-in`)
    const stolen = await begun.send(back)
    expect([stolen.status, begun.cookies(service.origin)]).toEqual([401, []])
  })

  test("with a changed state, a changed code or a refusal signs nobody in", async (service) => {
    const changes: ((url: URL) => void)[] = [
      ({ searchParams }) => searchParams.set("state", "x"),
      ({ searchParams }) => searchParams.set("code", "x"),
      ({ searchParams }) => searchParams.set("iss", "https://other.example"),
      ({ searchParams }) => {
        searchParams.delete("code")
        searchParams.set("error", "access_denied")
      },
    ]
    for (const change of changes) {
      const jar = new Jar()
      const url = new URL(await throughProvider(jar, service, "ada"))
      change(url)
      const response = await jar.send(url.href)
      expect([url.search, response.status]).toEqual([url.search, 401])
      expect(jar.cookies(service.origin)).toEqual([])
    }
    expect((await service.call("GET", "/members")).body).toEqual([])
  })

  test("with a changed cookie signs nobody in", async (service) => {
    const back = await throughProvider(new Jar(), service, "ada")
    for (const cookie of ["leaddb-oidc=x.y", "leaddb-oidc=", "leaddb-oidc=e30.e30", "leaddb-oidc=."]) {
      const response = await fetch(back, { redirect: "manual", headers: { Cookie: cookie } })
      expect([cookie, response.status]).toEqual([cookie, 401])
    }
  })

  test.each(["//evil.example", "https://evil.example", "/docs", "/app/../x//y", "/app\\evil", "/app#x"])(
    "leads to no other place than the dashboard: %p",
    async (to) => {
      const service = await openWithProvider({ ada: ADA })
      const { response } = await signInWith(service, "ada", new Jar(), `?to=${encodeURIComponent(to)}`)
      expect(response.headers.get("location")).toStartWith("/app")
      expect(new URL(response.headers.get("location")!, service.origin).origin).toBe(service.origin)
    },
  )
})

describe("the service", () => {
  test("says so when the provider cannot be reached, and asks it again the next time", async (service) => {
    service.closeProvider()
    for (let tries = 0; tries < 2; tries++) {
      const response = await fetch(`${service.origin}/oidc/sign-in`, { redirect: "manual" })
      expect([response.status, await problemOf(response)]).toEqual([
        503,
        expect.stringContaining("did not answer"),
      ])
    }
  })

  test("names the provider on the page of the dashboard, and without one has no such routes", async () => {
    const { origin, issuer } = await openWithProvider({})
    expect(await (await fetch(`${origin}/app`)).text()).toContain(`data-provider="${new URL(issuer).host}"`)
    const plain = new URL((await openTestApp()).app.url).origin
    expect(await (await fetch(`${plain}/app`)).text()).not.toContain("data-provider")
    expect((await fetch(`${plain}/oidc/sign-in`, { redirect: "manual" })).status).toBe(404)
  })

  const SETTINGS: [settings: Record<string, string>, message: string][] = [
    [{ LEADDB_OIDC_ISSUER: "https://login.example.com" }, "belong together"],
    [{ LEADDB_OIDC_CLIENT_ID: "x" }, "belong together"],
    [
      { LEADDB_OIDC_ISSUER: "http://login.example.com", LEADDB_OIDC_CLIENT_ID: "x" },
      "must be an https address",
    ],
    [{ LEADDB_OIDC_ISSUER: "login", LEADDB_OIDC_CLIENT_ID: "x" }, "must be an https address"],
  ]
  test.each(SETTINGS)("refuses settings that cannot be: %j", (settings, message) => {
    expect(() => readConfig({}, settings)).toThrow(message)
  })

  test.each([
    "https://login.example.com/realms/a",
    "http://127.0.0.1:9000",
    "http://[::1]:9000",
    "http://localhost",
  ])("takes %s for an issuer", (issuer) => {
    const config = readConfig({}, { LEADDB_OIDC_ISSUER: issuer, LEADDB_OIDC_CLIENT_ID: "x" })
    expect([config.oidcIssuer, config.oidcRoleClaim]).toEqual([issuer, "role"])
  })
})
