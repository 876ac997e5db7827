import { afterEach, describe, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { openParts } from "../../src/app.ts"
import { issueKey } from "../../src/domain/access/api-keys.ts"
import type { FetchDocument } from "../../src/runtime/document.ts"
import { createLog } from "../../src/runtime/log.ts"
import { readConfig } from "../../src/surfaces/cli/config.ts"
import { listen } from "../../src/surfaces/http/listen.ts"
import { mcpApp } from "../../src/surfaces/mcp/mcp.ts"
import { createSignIn } from "../../src/surfaces/oauth/oauth.ts"
import { createObserver } from "../../src/surfaces/ops/observer.ts"
import { fetchDocument } from "../../src/worker/net/fetch-document.ts"
import { heldClock } from "../support/clock.ts"
import { temporaryFolder } from "../support/folder.ts"
import { authority, foreign, trusted } from "../worker/fixtures/certificates.ts"
import { allow, authorizeUrl, exchange, show } from "./support.ts"

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const log = createLog("off", () => {})
const HOST = "hooks.example.test"

/** A listener whose clients' documents come from `fetch`, with an owner key. */
async function open(fetch: FetchDocument) {
  const clock = heldClock()
  const data = temporaryFolder()
  const { store, services, auth, rateLimit, close } = await openParts(readConfig({ data }, {}), log, clock)
  const signIn = createSignIn({ services, auth, log, fetchDocument: fetch })
  const mcp = mcpApp({
    services,
    operations: [],
    auth,
    rateLimit,
    log,
    guard: { host: "127.0.0.1", allowedHosts: [], corsOrigins: [] },
    signIn,
  })
  const watch = createObserver(log, clock).watch("mcp")
  const { origin, stop } = listen({ host: "127.0.0.1", port: 0, option: "mcp-port", log, watch }, mcp.fetch)
  closing.push(async () => {
    await stop()
    await close()
    rmSync(data, { recursive: true })
  })
  const key = await store.writeAcross(async (tx) => {
    const account = await tx.accounts.insert({ id: "acc_1", name: "a", plan: "enterprise", created_at: 0 })
    return (await issueKey(tx, account, { name: "k", role: "owner", expires_at: null }, clock.seconds())).key
  })
  return { origin, clock, key, store }
}

/** A host of documents on this machine, and what fetches from it. */
function host(
  answer: (url: string) => Response | Promise<Response>,
  { identity = trusted, timeoutMs = 60_000 } = {},
) {
  const asked: Record<string, string>[] = []
  const server: Bun.Server<undefined> = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: identity,
    fetch(request) {
      asked.push(Object.fromEntries(request.headers))
      return answer(`https://${HOST}:${server.port}${new URL(request.url).pathname}`)
    },
  })
  closing.push(() => server.stop(true))
  const lookup = async () => [{ address: "127.0.0.1" }]
  const policy = { allowPrivate: true, allowCidrs: [], ownPorts: [] }
  const url = `https://${HOST}:${server.port}/client.json`
  const fetch: FetchDocument = (one) => fetchDocument(one, { policy, lookup, ca: authority, timeoutMs })
  return { asked, url, fetch }
}

const REDIRECTS = ["http://localhost/callback", "http://127.0.0.1/callback"]
const documentOf = (client_id: string, more: object = {}) => ({
  client_id,
  client_name: "Claude Code",
  redirect_uris: REDIRECTS,
  token_endpoint_auth_method: "none",
  ...more,
})

describe("a client that comes with a document", () => {
  test("signs in without registering, on any port, and is named with the host that vouches for it", async () => {
    const { asked, url, fetch } = host((id) => Response.json(documentOf(id)))
    const { origin, key, store } = await open(fetch)
    const redirect_uri = "http://localhost:58135/callback"
    const asking = authorizeUrl(origin, url, { redirect_uri })
    const { html } = await show(asking)
    expect(html).toContain(`<dd>Claude Code<span>as ${new URL(url).host} says</span></dd>`)
    const code = await allow(origin, asking, key)
    const { status, body } = await exchange(origin, url, code, { redirect_uri })
    expect(status).toBe(200)
    expect(
      (await store.read.apiKeys.findByHash(Bun.SHA256.hash(body.access_token) as Uint8Array))?.key.name,
    ).toBe("Claude Code")
    expect(asked).toMatchObject([{ host: new URL(url).host, accept: "application/json" }])
    expect((await show(authorizeUrl(origin, url, { redirect_uri: "http://localhost/other" }))).status).toBe(
      400,
    )
  })

  test.each<[string, (url: string) => Response | Promise<Response>, string]>([
    ["is not there", () => new Response("", { status: 404 }), "its host answered 404"],
    ["is elsewhere", () => Response.redirect("https://evil.example/"), "its host answered 302"],
    [
      "is a web page",
      () => new Response("<html>", { headers: { "Content-Type": "text/html" } }),
      "it is not JSON",
    ],
    [
      "is broken",
      () => new Response("{", { headers: { "Content-Type": "application/json" } }),
      "client_id is not its own",
    ],
    ["is another client's", (url) => Response.json(documentOf(`${url}2`)), "client_id is not its own"],
    ["has no addresses", (url) => Response.json(documentOf(url, { redirect_uris: [] })), "redirect_uris"],
    ["holds a secret", (url) => Response.json(documentOf(url, { client_secret: "x" })), "holds a secret"],
    [
      "relies on a secret",
      (url) => Response.json(documentOf(url, { token_endpoint_auth_method: "client_secret_post" })),
      "relies on a secret",
    ],
    [
      "is too large",
      (url) => Response.json(documentOf(url, { x: "x".repeat(5_000) })),
      "could not be fetched",
    ],
  ])("is turned away when it %s", async (_, answer, problem) => {
    const { url, fetch } = host(answer)
    const { origin } = await open(fetch)
    const { status, html, headers } = await show(authorizeUrl(origin, url))
    expect([status, headers.get("location")]).toEqual([400, null])
    expect(html).toContain(problem)
  })

  test("is turned away when it takes too long", async () => {
    const { url, fetch } = host(() => new Promise<Response>(() => {}), { timeoutMs: 100 })
    const { origin } = await open(fetch)
    expect((await show(authorizeUrl(origin, url))).html).toContain("could not be fetched")
  })

  test("is fetched once for many visits, again after a while, and not at all for too many strangers", async () => {
    const { asked, url, fetch } = host((id) =>
      Response.json(documentOf(id), { headers: { "Cache-Control": "max-age=120" } }),
    )
    const { origin, clock } = await open(fetch)
    await Promise.all([show(authorizeUrl(origin, url)), show(authorizeUrl(origin, url))])
    clock.advance(119_000)
    await show(authorizeUrl(origin, url))
    expect(asked.length).toBe(1)
    clock.advance(1_000)
    await show(authorizeUrl(origin, url))
    expect(asked.length).toBe(2)
    for (let i = 2; i < 30; i++) expect((await show(authorizeUrl(origin, `${url}${i}`))).status).toBe(200)
    expect((await show(authorizeUrl(origin, `${url}31`))).html).toContain("wait a little")
    expect(asked.length).toBe(30)
  })

  test.each([
    "https://client.example/",
    "https://client.example",
    "http://client.example/c.json",
    "https://user@client.example/c.json",
    "https://client.example/c.json#x",
    "https://client.example/a/../c.json",
    "https://CLIENT.example/c.json",
  ])("must have a proper address: %s is none, and nothing is fetched", async (id) => {
    const { origin } = await open(() => Promise.reject(new Error("fetched")))
    expect((await show(authorizeUrl(origin, id))).html).toContain("not registered here")
  })
})

describe("fetching a document", () => {
  test.each([
    ["http://client.example/c", "not an https URL"],
    ["https://localhost/c", "address 127.0.0.1 is loopback and not allowed"],
    ["https://10.0.0.1/c", "private and not allowed"],
    ["https://[::1]/c", "loopback and not allowed"],
    ["https://169.254.169.254/latest", "never allowed"],
    ["https://user@client.example/c", "user name"],
  ])("%s: %s", async (url, reason) => {
    expect(await fetchDocument(url)).toMatchObject({ ok: false, reason: expect.stringContaining(reason) })
  })

  test("a name that leads to a private address is refused, whatever else it leads to", async () => {
    const lookup = async () => [{ address: "93.184.216.34" }, { address: "192.168.1.1" }]
    expect(await fetchDocument("https://client.example/c", { lookup })).toMatchObject({ ok: false })
  })

  test("the certificate must be for the name", async () => {
    const { fetch, url } = host(() => new Response(), { identity: foreign })
    expect(await fetch(url)).toEqual({ ok: false, reason: "TLS certificate is for another host" })
  })
})

describe("documents are invited", () => {
  const SAMPLE = "https://claude.ai/oauth/claude-code-client-metadata"
  const invited = async (origin: string) => {
    const server = await (await fetch(`${origin}/.well-known/oauth-authorization-server`)).json()
    return server.client_id_metadata_document_supported
  }

  test("only while they can be had", async () => {
    let works = false
    let asked = 0
    const { origin, clock } = await open(async (url) => {
      asked++
      expect(url).toBe(SAMPLE)
      if (!works) return { ok: false, reason: "host not found" }
      const text = JSON.stringify(documentOf(SAMPLE))
      return { ok: true, status: 200, contentType: "application/json", cacheControl: "", text }
    })
    expect([await invited(origin), await invited(origin), asked]).toEqual([false, false, 1])
    works = true
    clock.advance(60_000)
    expect([await invited(origin), await invited(origin), asked]).toEqual([true, true, 2])
    works = false
    clock.advance(600_000)
    expect(await invited(origin)).toBe(false)
  })

  test("not yet, while it takes long to find out", async () => {
    const { promise, resolve } = Promise.withResolvers<{ ok: false; reason: string }>()
    const { origin } = await open(() => promise)
    expect(await invited(origin)).toBe(false)
    resolve({ ok: false, reason: "too late" })
  })
})
