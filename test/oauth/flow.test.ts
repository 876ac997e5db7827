import { describe, expect } from "bun:test"
import { call } from "../mcp/support.ts"
import { openTestAccount, openTestApp, test } from "../support/app.ts"
import {
  allow,
  authorizeUrl,
  exchange,
  originOf,
  post,
  REDIRECT,
  register,
  show,
  statusAtMcp,
  submit,
} from "./support.ts"

const json = async (url: string) => (await fetch(url)).json()

describe("signing in", () => {
  test("from the 401 over discovery, registration and consent to a key that works until it is revoked", async () => {
    const service = await openTestAccount()
    const refused = await fetch(service.app.mcpUrl, { method: "POST", body: "{}" })
    expect(refused.status).toBe(401)
    const challenge = refused.headers.get("www-authenticate")!
    expect(challenge).toStartWith("Bearer ")
    const resource = await json(/resource_metadata="([^"]+)"/.exec(challenge)![1]!)
    expect(resource.resource).toBe(service.app.mcpUrl)
    const [issuer] = resource.authorization_servers
    const server = await json(`${issuer}/.well-known/oauth-authorization-server`)
    expect(server.issuer).toBe(issuer)

    const metadata = {
      client_name: "Claude Code",
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: "none",
    }
    const registration = await fetch(server.registration_endpoint, {
      method: "POST",
      body: JSON.stringify(metadata),
    })
    const { client_id } = await registration.json()
    const url = authorizeUrl(issuer, client_id, { redirect_uri: "http://localhost:51234/callback" })
    const page = await show(url)
    expect(page.html).toContain("Connect Claude Code to leaddb?")
    expect(page.html).toContain("localhost:51234")
    const sent = await submit(issuer, page, { key: service.key, role: "viewer" })
    const back = new URL(sent.headers.get("location")!)
    expect(back.origin + back.pathname).toBe("http://localhost:51234/callback")
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: "a state",
      iss: issuer,
    })

    const { status, headers, body } = await exchange(issuer, client_id, back.searchParams.get("code")!, {
      redirect_uri: "http://localhost:51234/callback",
    })
    expect({ status, body }).toEqual({
      status: 200,
      body: { access_token: expect.stringMatching(/^ldb_/), token_type: "Bearer" },
    })
    expect(headers.get("cache-control")).toBe("no-store")
    expect(await statusAtMcp(service, body.access_token)).toBe(200)

    const keys = (await service.call("GET", "/api-keys")).body
    const key = keys.find(({ name }: { name: string }) => name === "Claude Code")
    expect(key).toMatchObject({ role: "viewer", prefix: body.access_token.slice(0, 12), kind: "sign_in" })
    expect(key.issued_by).toBe(keys[0].id)
    const asClient = { ...service, key: body.access_token }
    expect((await call(asClient, "list_leads")).data.count).toBe(0)
    const refusedCall = await call(asClient, "create_lead", { name: "Ada", source: "test" })
    expect(refusedCall.error).toMatchObject({ code: "UNAUTHORIZED", status: 403 })
    expect((await service.call("DELETE", `/api-keys/${key.id}`)).status).toBe(204)
    expect(await statusAtMcp(service, body.access_token)).toBe(401)
  })

  test.each(["viewer", "editor", "owner"])("grants the role that was chosen: %s", async (role) => {
    const service = await openTestAccount()
    const origin = originOf(service)
    const client = await register(origin)
    const code = await allow(origin, authorizeUrl(origin, client), service.key, role)
    const { body } = await exchange(origin, client, code)
    expect((await service.call("GET", "/api-keys")).body[1]).toMatchObject({ name: "Test App", role })
    // Clients that signed in show what they would do before they do harm.
    const hook = { url: "http://127.0.0.1:9/hook" }
    const { data, error } = await call({ ...service, key: body.access_token }, "create_webhook", hook)
    if (role === "viewer") expect(error.code).toBe("UNAUTHORIZED")
    else expect(data.plan).toStartWith("pl_")
  })

  test("a client may name neither resource nor state, and leave out redirect_uri at the end", async () => {
    const service = await openTestAccount()
    const origin = originOf(service)
    const client = await register(origin)
    const page = await show(authorizeUrl(origin, client, { resource: undefined, state: undefined }))
    const back = new URL((await submit(origin, page, { key: service.key })).headers.get("location")!)
    expect([...back.searchParams.keys()]).toEqual(["code", "iss"])
    const code = back.searchParams.get("code")!
    const { status } = await exchange(origin, client, code, { redirect_uri: undefined, resource: undefined })
    expect(status).toBe(200)
  })

  test("what a key that ends allows ends with it", async (service) => {
    const origin = originOf(service)
    const expires_at = Math.floor(Date.now() / 1000) + 5_000
    const { key } = (await service.call("POST", "/api-keys", { name: "temporary", expires_at })).body
    const client = await register(origin)
    const { body } = await exchange(origin, client, await allow(origin, authorizeUrl(origin, client), key))
    expect(body.expires_in).toBeWithin(4_000, 5_001)
    expect((await service.call("GET", "/api-keys")).body[2]).toMatchObject({ name: "Test App", expires_at })
  })

  test("cancelling tells the client access_denied, without any key", async (service) => {
    const origin = originOf(service)
    const page = await show(authorizeUrl(origin, await register(origin)))
    const { headers } = await submit(origin, page, { decision: "deny" })
    expect(headers.get("location")).toBe(
      `${REDIRECT}?error=access_denied&state=a+state&iss=${encodeURIComponent(origin)}`,
    )
  })

  test("a browser gets a page that leads on, so that form-action holds for our own pages alone", async () => {
    const service = await openTestAccount()
    const origin = originOf(service)
    const redirect_uri = "com.example.app://callback?a='b&c"
    const client = await register(origin, { redirect_uris: [redirect_uri] })
    const page = await show(authorizeUrl(origin, client, { redirect_uri, state: `"'<&;,` }))
    const { status, html, headers } = await submit(
      origin,
      page,
      { key: service.key },
      { Accept: "text/html,*/*" },
    )
    expect(status).toBe(200)
    expect(headers.get("content-security-policy")).toContain("form-action 'self';")
    const [, next] = /<meta http-equiv="refresh" content="0;url=([^"]+)">/.exec(html)!
    const url = next!.replaceAll("&amp;", "&").replaceAll("&#39;", "'")
    expect(url).toStartWith(`${redirect_uri}&code=`)
    expect(new URL(url).searchParams.get("state")).toBe(`"'<&;,`)
    expect(html).toContain(`href="${next}"`)
  })
})

describe("what the server says of itself", () => {
  test("RFC 9728, at the root and for each protected path", async (service) => {
    const origin = originOf(service)
    const known = `${origin}/.well-known/oauth-protected-resource`
    const expected = {
      authorization_servers: [origin],
      bearer_methods_supported: ["header"],
      resource_name: "leaddb",
    }
    expect(await json(known)).toEqual({ resource: `${origin}/mcp`, ...expected })
    expect(await json(`${known}/mcp`)).toEqual({ resource: `${origin}/mcp`, ...expected })
    expect(await json(`${known}/sse`)).toEqual({ resource: `${origin}/sse`, ...expected })
    const sse = await fetch(`${origin}/sse`)
    expect(sse.headers.get("www-authenticate")).toContain(`resource_metadata="${known}/sse"`)
    const wrong = await fetch(service.app.mcpUrl, {
      method: "POST",
      headers: { Authorization: "Bearer ldb_x" },
    })
    expect(wrong.headers.get("www-authenticate")).toContain(`error="invalid_token"`)
    expect(wrong.headers.get("www-authenticate")).toContain(`resource_metadata="${known}/mcp"`)
  })

  test("RFC 8414: the bare origin, S256 alone, no secrets, and who answers", async () => {
    const origin = originOf(await openTestAccount())
    expect(await json(`${origin}/.well-known/oauth-authorization-server`)).toMatchObject({
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      revocation_endpoint: `${origin}/revoke`,
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: expect.any(Boolean),
    })
  })

  test("at the public address where there is one, else at the address that was asked", async () => {
    const open = Bun.serve({ port: 0, fetch: () => new Response() })
    const mcpPort = open.port!
    await open.stop(true)
    const resource = async (host: string) => {
      const url = `http://127.0.0.1:${mcpPort}/.well-known/oauth-protected-resource`
      return (await (await fetch(url, { headers: { Host: host } })).json()).resource
    }
    const local = await openTestApp({ mcpPort })
    expect(await resource(`localhost:${mcpPort}`)).toBe(`http://localhost:${mcpPort}/mcp`)
    expect(await resource("localhost:9999")).toBe("http://localhost:9999/mcp")
    expect(await resource("evil.example")).toBeUndefined()
    await local.close()
    await openTestApp({ mcpPort, mcpPublicUrl: "https://mcp.example.com" })
    expect(await resource("mcp.example.com")).toBe("https://mcp.example.com/mcp")
    expect(await resource(`127.0.0.1:${mcpPort}`)).toBe("https://mcp.example.com/mcp")
  })

  test("to any web page; the sign-in page to none", async () => {
    const origin = originOf(await openTestAccount())
    const from = { Origin: "https://inspector.example" }
    for (const path of [
      "/.well-known/oauth-protected-resource/mcp",
      "/.well-known/oauth-authorization-server",
    ]) {
      const asked = { ...from, "Access-Control-Request-Headers": "mcp-protocol-version" }
      const before = await fetch(origin + path, { method: "OPTIONS", headers: asked })
      expect(before.status).toBe(204)
      expect(before.headers.get("access-control-allow-headers")?.toLowerCase()).toContain(
        "mcp-protocol-version",
      )
      const answer = await fetch(origin + path, { headers: from })
      expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, "*"])
    }
    for (const path of ["/register", "/token", "/revoke"]) {
      const answer = await fetch(origin + path, { method: "POST", headers: from })
      expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([
        expect.any(Number),
        "*",
      ])
      expect((await answer.json()).error).toStartWith("invalid_")
      expect((await fetch(origin + path, { method: "OPTIONS", headers: from })).status).toBe(204)
    }
    const page = await fetch(authorizeUrl(origin, await register(origin)), { headers: from })
    expect([page.status, page.headers.get("access-control-allow-origin")]).toEqual([200, null])
  })

  test("nothing when sign-in is off", async () => {
    const service = await openTestApp({ oauth: false })
    const origin = originOf(service)
    const paths = [
      "/.well-known/oauth-protected-resource",
      "/.well-known/oauth-protected-resource/mcp",
      "/.well-known/oauth-authorization-server",
      "/authorize",
    ]
    for (const path of paths) expect((await fetch(origin + path)).status).toBe(404)
    for (const path of ["/register", "/token", "/revoke", "/authorize"]) {
      expect((await fetch(origin + path, { method: "POST" })).status).toBe(404)
    }
    const refused = await fetch(service.app.mcpUrl, { method: "POST", body: "{}" })
    expect(refused.status).toBe(401)
    expect(refused.headers.get("www-authenticate")).not.toContain("resource_metadata")
    expect(await statusAtMcp(service, service.key)).toBe(200)
  })
})

describe("POST /revoke", () => {
  test("revokes the client's own key; one that is gone is no error", async (service) => {
    const origin = originOf(service)
    const client_id = await register(origin)
    const code = await allow(origin, authorizeUrl(origin, client_id), service.key)
    const token = (await exchange(origin, client_id, code)).body.access_token
    const other = await register(origin)
    const revoke = (fields: Record<string, string>) => post(`${origin}/revoke`, fields)
    expect(await revoke({ token, client_id: other })).toMatchObject({
      status: 401,
      body: { error: "invalid_client" },
    })
    expect(await statusAtMcp(service, token)).toBe(200)
    expect((await revoke({ token, client_id, token_type_hint: "access_token" })).status).toBe(200)
    expect(await statusAtMcp(service, token)).toBe(401)
    expect((await revoke({ token, client_id })).status).toBe(200)
    expect(await revoke({ client_id })).toMatchObject({ status: 400, body: { error: "invalid_request" } })
  })

  test("does not touch keys that no sign-in issued", async (service) => {
    const client_id = await register(originOf(service))
    const answer = await post(`${originOf(service)}/revoke`, { token: service.key, client_id })
    expect(answer).toMatchObject({ status: 400, body: { error: "unsupported_token_type" } })
    expect((await service.call("GET", "/leads")).status).toBe(200)
  })
})
