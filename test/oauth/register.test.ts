import { describe, expect, test } from "bun:test"
import { openHeldApp, openTestApp, openTestAppForReading } from "../support/app.ts"
import { heldClock } from "../support/clock.ts"
import {
  allow,
  authorizeUrl,
  exchange,
  originOf,
  postRegistration,
  REDIRECT,
  register,
  show,
} from "./support.ts"

const DAY = 86_400_000

describe("POST /register", () => {
  const service = openTestAppForReading(async () => {})
  const send = async (metadata: unknown) => {
    const response = await postRegistration(originOf(service()), metadata)
    return { status: response.status, headers: response.headers, body: await response.json() }
  }

  test("answers with what is kept, without a secret and without nulls", async () => {
    const { status, headers, body } = await send({
      client_name: "Claude",
      redirect_uris: ["https://claude.ai/api/mcp/auth_callback"],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_post",
      scope: "claudeai",
      logo_uri: null,
      contacts: null,
    })
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        client_id: expect.any(String),
        client_id_issued_at: expect.any(Number),
        client_name: "Claude",
        redirect_uris: ["https://claude.ai/api/mcp/auth_callback"],
        grant_types: ["authorization_code"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
      },
    })
    expect(headers.get("cache-control")).toBe("no-store")
  })

  test("keeps the addresses that are allowed; one is enough", async () => {
    const redirect_uris = [
      "http://app.example/cb",
      "cursor://x/cb",
      "http://127.0.0.1:33418/",
      "com.example.app:/cb",
      "javascript:alert(1)",
    ]
    expect((await send({ redirect_uris })).body).toMatchObject({
      client_name: "MCP client",
      redirect_uris: ["http://127.0.0.1:33418/", "com.example.app:/cb"],
    })
  })

  test.each<[string, unknown]>([
    ["invalid_redirect_uri", { redirect_uris: ["http://app.example/cb"] }],
    ["invalid_redirect_uri", { redirect_uris: [] }],
    ["invalid_client_metadata", {}],
    ["invalid_client_metadata", { redirect_uris: REDIRECT }],
    ["invalid_client_metadata", { redirect_uris: Array(51).fill(REDIRECT) }],
    ["invalid_client_metadata", { redirect_uris: [REDIRECT], grant_types: ["client_credentials"] }],
    ["invalid_client_metadata", { redirect_uris: [REDIRECT], response_types: ["token"] }],
    ["invalid_client_metadata", { redirect_uris: [REDIRECT], client_name: 7 }],
    ["invalid_client_metadata", "no JSON"],
    ["invalid_client_metadata", "null"],
    ["invalid_request", { redirect_uris: [REDIRECT], client_name: "x".repeat(20_000) }],
  ])("%s: %j", async (error, metadata) => {
    const { status, body } = await send(metadata)
    expect({ status, body }).toEqual({ status: 400, body: { error, error_description: expect.any(String) } })
  })
})

describe("registrations", () => {
  test("are limited to 20 an hour from one address", async () => {
    const clock = heldClock()
    const origin = originOf(await openTestApp({}, clock))
    for (let i = 0; i < 20; i++) await register(origin)
    const refused = await postRegistration(origin, { redirect_uris: [REDIRECT] })
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3600"])
    expect((await refused.json()).error).toBe("too_many_requests")
    clock.advance(3_600_000)
    await register(origin)
  })

  test("end after a day when nobody signs in with them", async () => {
    const clock = heldClock()
    const origin = originOf(await openTestApp({}, clock))
    const url = authorizeUrl(origin, await register(origin))
    clock.advance(DAY - 1_000)
    expect((await show(url)).status).toBe(200)
    clock.advance(1_000)
    const { status, html } = await show(url)
    expect(status).toBe(400)
    expect(html).toContain("Remove the connection in the app and add it anew")
  })

  test("end 90 days after somebody last signed in with them, and then the client is sent to register", async () => {
    const { key, clock, ...service } = await openHeldApp()
    const origin = originOf({ key, ...service })
    const client = await register(origin)
    const url = authorizeUrl(origin, client)
    await allow(origin, url, key)
    clock.advance(60 * DAY)
    await allow(origin, url, key)
    clock.advance(90 * DAY - 1_000)
    expect((await show(url)).status).toBe(200)
    clock.advance(1_000)
    expect((await show(url)).status).toBe(400)
    expect(await exchange(origin, client, "x")).toMatchObject({
      status: 401,
      body: { error: "invalid_client" },
    })
  })
})
