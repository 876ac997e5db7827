import { describe, expect } from "bun:test"
import { call } from "../mcp/support.ts"
import { type Answer, openHeldAccount, openHeldApp, type TestAccount } from "../support/app.ts"
import { everythingKept } from "../support/database.ts"
import { testWith } from "../support/test-with.ts"
import {
  allow,
  authorizeUrl,
  exchange,
  type Fields,
  originOf,
  pkce,
  post,
  REDIRECT,
  register,
  statusAtMcp,
} from "./support.ts"

const test = testWith(allowed)

/** A service with a client that was just allowed. */
async function allowedBy<App extends TestAccount>(service: App, changes: Fields = {}) {
  const origin = originOf(service)
  const client = await register(origin)
  const url = authorizeUrl(origin, client, changes)
  return { service, origin, client, url, code: await allow(origin, url, service.key) }
}

async function allowed(changes?: Fields) {
  const service = await openHeldAccount()
  return { ...(await allowedBy(service, changes)), clock: service.clock }
}

const keys = async (service: TestAccount): Promise<Answer["body"]> =>
  (await service.call("GET", "/api-keys")).body

describe("the key of a sign-in", () => {
  const DAY = 86_400_000

  async function signedIn(role: string) {
    const { service, origin, client, url, clock } = await allowed()
    const signer = (await service.call("POST", "/api-keys", { name: "signer", role })).body
    const { body } = await exchange(origin, client, await allow(origin, url, signer.key, role))
    return { service, signer, clock, token: body.access_token as string }
  }

  test("goes with the key that signed in", async () => {
    const { service, signer, token } = await signedIn("viewer")
    expect(await statusAtMcp(service, token)).toBe(200)
    await service.call("DELETE", `/api-keys/${signer.id}`)
    expect(await statusAtMcp(service, token)).toBe(401)
    expect((await keys(service)).map(({ name }: { name: string }) => name)).toEqual(["default"])
  })

  test("holds for the tool server alone, and signs nobody in", async () => {
    const { service, token } = await signedIn("editor")
    const { status, body } = await service.as(token)("GET", "/leads")
    expect([status, body.code]).toEqual([401, "unauthorized"])
    expect(body.message).toContain("tool server")
    const origin = originOf(service)
    const client = await register(origin)
    await expect(allow(origin, authorizeUrl(origin, client), token)).rejects.toThrow()
  })

  test("ends after 90 days without use", async () => {
    const { service, token, clock } = await signedIn("viewer")
    const [, , key] = await keys(service)
    expect(key).toMatchObject({ kind: "sign_in", expires_at: key.created_at + 90 * 86_400 })
    clock.advance(90 * DAY - 1_000)
    expect(await statusAtMcp(service, token)).toBe(200)
  })

  test("is over then", async () => {
    const { service, token, clock } = await signedIn("viewer")
    clock.advance(90 * DAY)
    expect(await statusAtMcp(service, token)).toBe(401)
  })
})

test("a webhook of a sign-in outlives that, and ends with the key that let it in", async () => {
  const { service, origin, client, url, clock } = await allowed()
  const expires_at = Math.floor(clock.now() / 1_000) + 200 * 86_400
  const signer = (await service.call("POST", "/api-keys", { name: "signer", expires_at })).body
  const { body } = await exchange(origin, client, await allow(origin, url, signer.key, "editor"))
  const hook = { url: "http://127.0.0.1:9/hook" }
  const make = (more: object) =>
    call({ ...service, key: body.access_token }, "create_webhook", { ...hook, ...more })
  const { plan } = (await make({})).data
  const path = `/webhooks/${(await make({ plan })).data.id}`
  const isOn = async () => (await service.call("GET", path)).body.active
  clock.advance(91 * 86_400_000)
  expect([await statusAtMcp(service, body.access_token), await isOn()]).toEqual([401, true])
  clock.advance(110 * 86_400_000)
  expect(await isOn()).toBe(false)
})

describe("POST /token", () => {
  test("a code that is used again takes the key with it", async ({ service, origin, client, code }) => {
    const { body } = await exchange(origin, client, code)
    expect(await statusAtMcp(service, body.access_token)).toBe(200)
    expect(await exchange(origin, client, code)).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    })
    expect(await statusAtMcp(service, body.access_token)).toBe(401)
    expect(await keys(service)).toHaveLength(1)
    expect(await exchange(origin, client, code)).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    })
  })

  test("also days later; but whoever has the code alone can take nothing away", async () => {
    const { service, origin, client, code, clock } = await allowed()
    const { body } = await exchange(origin, client, code)
    clock.advance(86_400_000)
    const guessed = await exchange(origin, client, code, { code_verifier: "w".repeat(43) })
    expect(guessed).toMatchObject({ status: 400, body: { error: "invalid_grant" } })
    expect(await statusAtMcp(service, body.access_token)).toBe(200)
    await exchange(origin, client, code)
    expect(await statusAtMcp(service, body.access_token)).toBe(401)
  })

  test("two at once: one key at most, and none in the end", async ({ service, origin, client, code }) => {
    const both = await Promise.all([exchange(origin, client, code), exchange(origin, client, code)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await keys(service)).toHaveLength(1)
  })

  test("a code is good for 60 seconds", async ({ origin, client, url, service, code, clock }) => {
    clock.advance(59_000)
    expect((await exchange(origin, client, code)).status).toBe(200)
    const late = await allow(origin, url, service.key)
    clock.advance(60_000)
    expect(await exchange(origin, client, late)).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    })
  })

  test.each<[string, string, Fields]>([
    ["a wrong verifier", "invalid_grant", { code_verifier: "w".repeat(43) }],
    ["the challenge as the verifier", "invalid_grant", { code_verifier: pkce().challenge }],
    ["no verifier", "invalid_request", { code_verifier: undefined }],
    ["no code", "invalid_request", { code: undefined }],
    ["another code", "invalid_grant", { code: "x".repeat(43) }],
    ["another port", "invalid_grant", { redirect_uri: "http://localhost:1/callback" }],
    ["another address", "invalid_grant", { redirect_uri: "http://127.0.0.1/callback" }],
    ["another server", "invalid_target", { resource: "https://other.example/mcp" }],
    ["another resource of ours", "invalid_target", { resource: "SSE" }],
    ["no grant type", "invalid_request", { grant_type: undefined }],
    ["a refresh token", "unsupported_grant_type", { grant_type: "refresh_token" }],
    ["a password", "unsupported_grant_type", { grant_type: "password" }],
  ])("with %s: %s, and the code is still good", async (_, error, changes) => {
    const { origin, client, code } = await allowed()
    const sent = changes.resource === "SSE" ? { resource: `${origin}/sse` } : changes
    const { status, headers, body } = await exchange(origin, client, code, sent)
    expect({ status, body }).toEqual({ status: 400, body: { error, error_description: expect.any(String) } })
    expect(headers.get("cache-control")).toBe("no-store")
    expect((await exchange(origin, client, code)).status).toBe(200)
  })

  test("with another client's code: invalid_grant", async ({ origin, client, code }) => {
    const other = await register(origin)
    expect(await exchange(origin, other, code)).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    })
    expect((await exchange(origin, client, code)).status).toBe(200)
  })

  test.each([undefined, "nobody"])(
    "as the client %p: 401 invalid_client, so that it registers again",
    async (id) => {
      const { origin, client, code } = await allowed()
      const answer = await exchange(origin, client, code, { client_id: id })
      expect(answer).toMatchObject({ status: 401, body: { error: "invalid_client" } })
    },
  )

  test("takes a form alone, each parameter once", async ({ origin, client, code }) => {
    const refused = { status: 400, body: { error: "invalid_request" } }
    const asJson = { "Content-Type": "application/json" }
    expect(await post(`${origin}/token`, JSON.stringify({ code }), asJson)).toMatchObject(refused)
    const twice = `grant_type=authorization_code&client_id=${client}&code=${code}&code=${code}`
    expect(await post(`${origin}/token`, twice)).toMatchObject(refused)
    expect(await post(`${origin}/token`, `code=${"x".repeat(40_000)}`)).toMatchObject(refused)
    expect((await fetch(`${origin}/token?code=${code}`)).status).toBe(404)
  })

  test("grants nothing when the key that allowed it was revoked meanwhile", async () => {
    const { service, origin, client, url } = await allowed()
    const { id, key } = (await service.call("POST", "/api-keys", { name: "signer" })).body
    const code = await allow(origin, url, key)
    await service.call("DELETE", `/api-keys/${id}`)
    expect(await exchange(origin, client, code)).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    })
    expect(await keys(service)).toHaveLength(1)
  })
})

test("neither codes nor keys are in the database's files", async () => {
  const { service, origin, client, code } = await allowedBy(await openHeldApp())
  const before = await everythingKept(service.config.data)
  expect([client, REDIRECT, code].map((text) => before.includes(text))).toEqual([true, true, false])
  const { body } = await exchange(origin, client, code)
  const after = await everythingKept(service.config.data)
  const token: string = body.access_token
  expect([token.slice(0, 12), token].map((text) => after.includes(text))).toEqual([true, false])
})
