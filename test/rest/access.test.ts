import { describe, expect } from "bun:test"
import { newApiKey } from "../../src/access/api-key-text.ts"
import type { Role } from "../../src/access/rights.ts"
import type { Access } from "../../src/domain/operation.ts"
import { operations } from "../../src/domain/operations/index.ts"
import { addAccount } from "../support/account.ts"
import {
  type Answer,
  type Call,
  openTestAccount,
  openTestApp,
  openTestAppForReading,
  test,
} from "../support/app.ts"
import { errorBody, FULL, LEAST, NO_LEAD } from "../support/lead.ts"
import { pluck } from "../support/pluck.ts"
import { sendRaw } from "../support/raw.ts"

/** Every route there is, with the id of nothing in its path. */
const ROUTES = operations.flatMap(({ http, access, name }) =>
  [http ?? []].flat().map((route) => {
    const [method = "", path = ""] = route.split(" ")
    return { name, access, method, path, missing: path.replace(/:\w+/g, NO_LEAD) }
  }),
)
const MUTATING = ROUTES.filter(
  ({ method, access }) => method !== "GET" && access !== "self" && access !== "open" && access !== "read",
)

describe("without a good key", () => {
  // An address may fail so many times a minute, and there are more routes: each is asked from another one.
  const app = openTestAppForReading(async () => {}, { trustedProxies: ["127.0.0.1"] })
  let asked = 0
  const unauthorized = (message: string | RegExp) => errorBody("Unauthorized", "unauthorized", message)

  test.each(ROUTES.filter(({ access }) => access !== "open"))(
    "$method $path answers 401",
    async ({ method, missing }) => {
      const { call } = app()
      const { status, body } = await call(method, missing, method === "GET" ? undefined : {}, {
        ...{ "X-API-Key": "", "X-Forwarded-For": `198.51.100.${++asked % 256}` },
      })
      expect(status).toBe(401)
      expect(body).toEqual(unauthorized(/X-API-Key/))
    },
  )

  // Apart from the routes: an address may only fail so many times.
  const fresh = openTestAppForReading(async () => {})

  test("an unknown path answers 401 too, so that nobody can look around", async () => {
    const { call } = fresh()
    for (const path of ["/nothing", "/leads/", "/leads/x/y/z", ""]) {
      expect((await call("GET", path, undefined, { "X-API-Key": "" })).status).toBe(401)
    }
  })

  test("says what is wrong with the key and does not repeat it", async () => {
    const { call, key } = fresh()
    const changed = key.slice(0, 20) + (key[20] === "A" ? "B" : "A") + key.slice(21)
    const cases: [string, RegExp][] = [
      ["", /is required/],
      ["secret", /not a leaddb API key/],
      [key.slice(0, -1), /not a leaddb API key/],
      [`${key}x`, /not a leaddb API key/],
      [key.toLowerCase(), /not a leaddb API key/],
      [changed, /not a leaddb API key/],
      [`${key}, ${key}`, /not a leaddb API key/],
      [`Bearer ${key}`, /not a leaddb API key/],
      [newApiKey(), /Unknown API key/],
    ]
    for (const [sent, message] of cases) {
      const { status, body } = await call("GET", "/leads", undefined, { "X-API-Key": sent })
      expect([sent, status]).toEqual([sent, 401])
      expect(body).toEqual(unauthorized(message))
      if (sent) expect(JSON.stringify(body)).not.toContain(sent)
    }
  })

  test("a key counts as a bearer token, too, where X-API-Key is not sent", async () => {
    const { app: service, key } = fresh()
    const statusOf = async (headers: Record<string, string>) =>
      (await fetch(`${service.url}/leads`, { headers })).status
    expect(await statusOf({ Authorization: `Bearer ${key}` })).toBe(200)
    expect(await statusOf({ Authorization: `bearer  ${key} ` })).toBe(200)
    expect(await statusOf({ Authorization: `Basic ${key}` })).toBe(401)
    expect(await statusOf({ Authorization: `Bearer ${key}`, "X-API-Key": newApiKey() })).toBe(401)
  })

  test("a refused key is told how keys are sent", async () => {
    const { app: service } = fresh()
    const refused = await fetch(`${service.url}/leads`)
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="leaddb"'])
  })

  test("a key in another header, in the query or in a cookie does not count", async () => {
    const { call, key } = fresh()
    const none = { "X-API-Key": "" }
    expect((await call("GET", "/leads", undefined, { ...none, "X-Key": key })).status).toBe(401)
    expect((await call("GET", "/leads", undefined, { ...none, Cookie: `X-API-Key=${key}` })).status).toBe(401)
    expect((await call("GET", `/leads?api_key=${key}`, undefined, none)).status).toBe(401)
  })

  test("two X-API-Key headers are not a key", async () => {
    const { app: service, key } = fresh()
    const answer = await sendRaw(
      service.url,
      `GET /api/v1/leads HTTP/1.1\r\nX-API-Key: ${key}\r\nX-API-Key: ${key}`,
    )
    expect(answer.status).toBe(401)
  })

  test("spaces around a key are passed over", async () => {
    const { app: service, key } = fresh()
    const answer = await sendRaw(service.url, `GET /api/v1/leads HTTP/1.1\r\nx-api-key:   ${key}  `)
    expect(answer.status).toBe(200)
  })
})

describe("roles", () => {
  const RIGHTS: Record<Access, Role[]> = {
    read: ["owner", "editor", "viewer"],
    write: ["owner", "editor"],
    owner: ["owner"],
    self: ["owner", "editor", "viewer"],
    open: ["owner", "editor", "viewer"],
  }
  const MESSAGES: Partial<Record<Access, string>> = {
    write: "viewer role cannot modify data",
    owner: "only the workspace owner can perform this action",
    read: "",
  }
  const app = openTestAppForReading(async () => {})

  describe.each(["owner", "editor", "viewer"] as const)("%s", (role) => {
    test.each(ROUTES)("$method $path", async ({ method, missing, access }) => {
      // A body that is wrong everywhere: rights are looked at first, and nothing is changed.
      const { status, body } = await app().call(method, missing, method === "GET" ? undefined : { bad: 1 }, {
        "X-Member-Role": role,
      })
      if (RIGHTS[access].includes(role)) expect(status).not.toBe(403)
      else {
        expect(status).toBe(403)
        expect(body).toEqual(errorBody("Forbidden", "forbidden", MESSAGES[access] ?? ""))
      }
    })
  })

  test("a viewer reads and changes nothing", async ({ call }) => {
    const { message, ...lead } = (await call("POST", "/leads", FULL)).body
    const as = { "X-Member-Role": "viewer" }
    expect((await call("GET", `/leads/${lead.id}`, undefined, as)).body).toEqual(lead)
    expect((await call("GET", "/leads", undefined, as)).body.count).toBe(1)
    expect((await call("GET", `/leads/${lead.id}/changes`, undefined, as)).status).toBe(200)
    for (const { method, path } of MUTATING) {
      const { status } = await call(method, path.replace(/:\w+/, lead.id), LEAST, as)
      expect([method, path, status]).toEqual([method, path, 403])
    }
    expect((await call("GET", `/leads/${lead.id}`)).body).toEqual(lead)
    expect((await call("GET", "/leads")).body.count).toBe(1)
  })

  test("a missing or unrecognised role is owner, any case and spaces do not matter", async () => {
    const { call } = app()
    const status = async (role: string) =>
      (await call("GET", "/api-keys", undefined, { "X-Member-Role": role })).status
    for (const role of ["", "admin", "own er", "viewers", "null", "0"])
      expect([role, await status(role)]).toEqual([role, 200])
    for (const role of ["VIEWER", " viewer ", "Editor"])
      expect([role, await status(role)]).toEqual([role, 403])
  })

  test("several roles in X-Member-Role are refused", async () => {
    const { app: service, call, key } = app()
    const head = `GET /api/v1/leads HTTP/1.1\r\nX-API-Key: ${key}`
    const repeated = await sendRaw(service.url, `${head}\r\nX-Member-Role: viewer\r\nX-Member-Role: owner`)
    expect(repeated.status).toBe(400)
    expect(JSON.parse(repeated.body)).toEqual(errorBody("Bad Request", "bad_request", /X-Member-Role/))
    for (const roles of ["viewer, owner", "owner,owner", "viewer,"]) {
      expect((await call("GET", "/leads", undefined, { "X-Member-Role": roles })).status).toBe(400)
    }
  })

  describe("the lower of the key's role and X-Member-Role counts", () => {
    const cases: [key: Role, member: string | undefined, Role][] = [
      ["owner", undefined, "owner"],
      ["owner", "editor", "editor"],
      ["owner", "viewer", "viewer"],
      ["editor", undefined, "editor"],
      ["editor", "owner", "editor"],
      ["editor", "nonsense", "editor"],
      ["editor", "viewer", "viewer"],
      ["viewer", undefined, "viewer"],
      ["viewer", "owner", "viewer"],
      ["viewer", "editor", "viewer"],
    ]
    test.each(cases)("key %s, header %s: %s", async (keyRole, member, effective) => {
      const { call, as } = await openTestAccount()
      const { key } = (await call("POST", "/api-keys", { name: "k", role: keyRole })).body
      const headers = member === undefined ? undefined : { "X-Member-Role": member }
      expect(await effectiveRole(as(key), headers)).toBe(effective)
    })
  })
})

async function effectiveRole(call: Call, headers?: Record<string, string>): Promise<Role> {
  if ((await call("GET", "/api-keys", undefined, headers)).status === 200) return "owner"
  return (await call("POST", "/leads", LEAST, headers)).status === 201 ? "editor" : "viewer"
}

describe("who acted", () => {
  test("X-Actor-Id is written to the trail of creation, update, merge and deletion", async ({ call }) => {
    const { id } = (await call("POST", "/leads", FULL, { "X-Actor-Id": "user_1" })).body
    await call("PUT", `/leads/${id}`, { city: "Ulm" }, { "X-Actor-Id": " user_2 " })
    await call("POST", "/leads", FULL, { "X-Actor-Id": "user_3", "X-Member-Role": "editor" })
    await call("DELETE", `/leads/${id}`, undefined, { "X-Actor-Id": "user_4" })
    const { changes } = (await call("GET", `/leads/${id}/changes`)).body
    expect(pluck(changes, "actor_id")).toEqual(["user_4", "user_3", "user_2", "user_1"])
    expect(new Set(pluck(changes, "user_id")).size).toBe(1)
  })

  test("without it, the key's id is", async ({ call, as }) => {
    const made = (await call("POST", "/api-keys", { name: "k" })).body
    const { id } = (await as(made.key)("POST", "/leads", LEAST, { "X-Actor-Id": " " })).body
    expect((await call("GET", `/leads/${id}/changes`)).body.changes[0].actor_id).toBe(made.id)
  })

  test.each([
    ["an editor's key", { role: "editor" }],
    ["a viewer's key", { role: "viewer" }],
    ["a bound key", { role: "owner", segment: true }],
  ])(
    "without a proxy's secret %s names nobody else",
    async (_, { role, segment = false }: { role: string; segment?: boolean }) => {
      const { call, as } = await openTestAccount()
      const ours = (await call("POST", "/segments", { name: "All" })).body
      const body = { name: "k", role, ...(segment && { segment: ours.id }) }
      const made = (await call("POST", "/api-keys", body)).body
      const header = { "X-Actor-Id": "the CEO" }
      const { status, body: lead } = await as(made.key)("POST", "/leads", LEAST, header)
      if (role === "viewer") return expect(status).toBe(403)
      const [change] = (await call("GET", `/changes?lead_id=${lead.id}`)).body.changes
      expect([change.actor_id, change.key_id, change.actor_from]).toEqual([made.id, made.id, undefined])
    },
  )

  test("the feed says that a header named the actor, and with whose key", async ({ call }) => {
    const [{ id: key }] = (await call("GET", "/api-keys")).body
    const { id } = (await call("POST", "/leads", LEAST, { "X-Actor-Id": "user_1" })).body
    for (const view of ["diff", "full"]) {
      const [change] = (await call("GET", `/changes?lead_id=${id}&view=${view}`)).body.changes
      expect([change.actor_id, change.key_id, change.actor_from]).toEqual(["user_1", key, "header"])
    }
  })

  test("one of more than 200 characters is refused", async ({ call }) => {
    expect((await call("POST", "/leads", LEAST, { "X-Actor-Id": "x".repeat(200) })).status).toBe(201)
    const { status, body } = await call("POST", "/leads", LEAST, { "X-Actor-Id": "x".repeat(201) })
    expect(status).toBe(400)
    expect(body.message).toContain("X-Actor-Id")
  })
})

describe("with a proxy secret", () => {
  const secret = "s3cret of the proxy"
  const open = () => openTestApp({ proxySecret: secret })
  const actorOf = async (call: Call, id: string) =>
    (await call("GET", `/leads/${id}/changes`)).body.changes[0].actor_id

  test("role and actor count on requests that carry it", async () => {
    const { call } = await open()
    const proxied = (role: string) => ({
      "X-Proxy-Secret": secret,
      "X-Member-Role": role,
      "X-Actor-Id": "user_1",
    })
    for (const role of ["owner", "editor", "viewer"] as const)
      expect(await effectiveRole(call, proxied(role))).toBe(role)
    await call("POST", "/api-keys", { name: "k" }, proxied("owner"))
    const [entry] = (await call("GET", "/admin-log")).body.entries
    expect(entry).toMatchObject({ actor_id: "user_1", details: { actor_from: "proxy" } })
    const { id } = (await call("POST", "/leads", LEAST, proxied("editor"))).body
    expect(await actorOf(call, id)).toBe("user_1")
  })

  test("the feed says that it named the actor, and finds that by the key", async () => {
    const { call } = await open()
    const [{ id: keyId }] = (await call("GET", "/api-keys")).body
    const headers = { "X-Proxy-Secret": secret, "X-Member-Role": "editor" }
    const { id } = (await call("POST", "/leads", LEAST, { ...headers, "X-Actor-Id": "user_1" })).body
    await call("PUT", `/leads/${id}`, { city: "Ulm" }, headers)
    for (const view of ["diff", "full"]) {
      const { changes } = (await call("GET", `/changes?key_id=${keyId}&view=${view}`)).body
      const told = changes.map((one: Record<string, unknown>) => [one.actor_id, one.key_id, one.actor_from])
      expect(told).toEqual([
        [keyId, keyId, undefined],
        ["user_1", keyId, "proxy"],
      ])
    }
    const reverted = await call("POST", "/changes/revert", { key_id: keyId, lead_id: id, since: 1 })
    expect(reverted.body).toMatchObject({ reverted: 1, skipped: [] })
    expect((await call("GET", "/changes?key_id=key_other")).body.changes).toEqual([])
  })

  test("without it they count for nothing", async () => {
    const { call } = await open()
    const [{ id: keyId }] = (await call("GET", "/api-keys")).body
    const headers = { "X-Member-Role": "viewer", "X-Actor-Id": "user_1" }
    const { status, body } = await call("POST", "/leads", LEAST, headers)
    expect(status).toBe(201)
    expect(await actorOf(call, body.id)).toBe(keyId)
    expect((await call("GET", "/leads", undefined, { "X-Member-Role": "a, b" })).status).toBe(200)
  })

  test.each(["", `${secret}x`, "wrong", `${secret}, ${secret}`])(
    "%p in its place is refused",
    async (sent) => {
      const { call } = await open()
      for (const role of [undefined, "viewer", "owner"]) {
        const headers = { "X-Proxy-Secret": sent, ...(role !== undefined && { "X-Member-Role": role }) }
        for (const method of ["GET", "POST"]) {
          const { status, body } = await call(
            method,
            "/leads",
            method === "POST" ? LEAST : undefined,
            headers,
          )
          expect([status, body.code]).toEqual([403, "forbidden"])
          expect(body.message).toContain("X-Proxy-Secret")
        }
      }
      expect((await call("GET", "/leads")).body.count).toBe(0)
    },
  )

  test("two such headers are refused, though each is right", async () => {
    const { app: service, key } = await open()
    const head = `GET /api/v1/leads HTTP/1.1\r\nX-API-Key: ${key}\r\nX-Proxy-Secret: ${secret}\r\nX-Proxy-Secret: ${secret}`
    expect((await sendRaw(service.url, head)).status).toBe(403)
  })

  test("a request that carries it must name exactly one valid role", async () => {
    const { call } = await open()
    for (const role of [undefined, "", "admin", "viewer, owner"]) {
      const headers = { "X-Proxy-Secret": secret, ...(role !== undefined && { "X-Member-Role": role }) }
      const { status, body } = await call("GET", "/leads", undefined, headers)
      expect([role, status]).toEqual([role, 400])
      expect(body.message).toContain("X-Member-Role")
    }
  })

  test("a key without the proxy acts with its own role, and with it never above that", async () => {
    const { call, as } = await open()
    const { key } = (await call("POST", "/api-keys", { name: "v", role: "viewer" })).body
    expect(await effectiveRole(as(key))).toBe("viewer")
    expect(await effectiveRole(as(key), { "X-Proxy-Secret": secret, "X-Member-Role": "owner" })).toBe(
      "viewer",
    )
  })
})

describe("another account's things", () => {
  /** All that a client can see of an answer but the time and its own rate limit. */
  function seen({ status, body, headers }: Answer) {
    const rest = [...headers].filter(
      ([name]) => name !== "date" && name !== "x-request-id" && !name.startsWith("x-ratelimit-"),
    )
    return { status, body, headers: Object.fromEntries(rest) }
  }

  async function openTwo() {
    const { call, config, as } = await openTestApp()
    const other = as((await addAccount(config.file)).key)
    const attributes = [{ name: "size", type: "number", value: 1 }]
    const lead = (await call("POST", "/leads", { ...FULL, attributes })).body
    const note = (await call("POST", `/leads/${lead.id}/notes`, { content: "x" })).body
    const activity = (await call("POST", `/leads/${lead.id}/activities`, { kind: "call" })).body
    const template = (await call("POST", "/templates", { name: "t", subject: "s", body: "b" })).body
    const rule = (await call("POST", "/scoring-rules", { name: "r", expression: "1" })).body
    const key = (await call("POST", "/api-keys", { name: "k" })).body
    const hook = (await call("POST", "/webhooks", { url: "http://127.0.0.1:9/hook" })).body
    const entry = (await call("POST", "/suppressions", { value: "other.example" })).body
    const segment = (await call("POST", "/segments", { name: "s" })).body
    const form = (await call("POST", "/forms", { name: "f" })).body
    const csv = { "Content-Type": "text/csv" }
    const imported = (await call("POST", "/leads/import?source=w", "name\nAda\n", csv)).body
    const all = [lead, note, activity, template, rule, key, hook, entry, segment, form, imported]
    return { call, other, lead, ids: [...all, ...lead.attributes].map(({ id }): string => id) }
  }

  const BODIES: Record<string, unknown> = {
    "PUT /leads/:id": { city: "x" },
    "PATCH /leads/:id": { email: FULL.email },
    "POST /leads/:lead_id/notes": { content: "y" },
    "PUT /notes/:id": { content: "y" },
    "PUT /templates/:id": { name: "t" },
    "POST /leads/:lead_id/activities": { kind: "call" },
    "POST /leads/:lead_id/attributes": { name: "n", type: "bool", value: true },
    "PUT /leads/:lead_id/attributes/:id": { value: 5 },
    "PUT /scoring-rules/:id": { name: "y" },
    "POST /webhooks/:id/deliveries/retry": { since: 0 },
    "PUT /members/:id": { role: "viewer" },
    "PATCH /duplicates/:id": { state: "dismissed" },
    "POST /leads/:id/email-status": { status: "bounced" },
    "POST /leads/:id/enrichments": { source: "s", fields: { city: "x" } },
    "PUT /retention-rules/:id": { name: "r" },
    "PATCH /retention-rules/:id": { name: "r" },
    "PUT /segments/:id": { name: "s" },
    "PATCH /segments/:id": { name: "s" },
    "POST /attributes/:attribute/merge": { into: "n" },
    "POST /leads/:id/company": { company_id: null },
  }

  test("cannot be told from missing ones, in status, body or headers", async () => {
    const { call, other, ids } = await openTwo()
    const before = seen(await call("GET", "/leads"))
    for (const { method, path } of ROUTES.filter(({ path }) => path.includes(":"))) {
      // A lead is put at keys of one's own, whatever others have: there is nothing to be missing.
      if (path.startsWith("/leads/by/")) continue
      // A ticket is signed, and no id of anything.
      if (path === "/exports/:ticket") continue
      // A mapping, and an attribute's definition, is put under any name.
      if (["PUT /import-mappings/:name", "PUT /attributes/:attribute"].includes(`${method} ${path}`)) continue
      const body = BODIES[`${method} ${path}`]
      for (const id of ids) {
        const of = (one: string) =>
          path.replace(/:\w+/g, one) + (path.endsWith("/render") ? `?lead_id=${one}` : "")
        const foreign = seen(await other(method, of(id), body))
        const missing = seen(await other(method, of(id.slice(0, -12) + "0".repeat(12)), body))
        expect([method, path, foreign]).toEqual([method, path, missing])
        expect([method, path, foreign.status]).toEqual([method, path, 404])
      }
    }
    expect(seen(await call("GET", "/leads"))).toEqual(before)
  })

  test("are in no list and in no count", async () => {
    const { other, lead } = await openTwo()
    expect((await other("GET", "/leads")).body.leads).toEqual([])
    for (const filter of [
      "eq.city.berlin",
      "contains.tags.vip",
      "eq.attr:size.1",
      "within_radius.location.0,0,20016",
    ]) {
      for (const sort of ["name", "score", "attr:size", "id"]) {
        expect((await other("GET", `/leads?filter=and.${filter}&sort_by=${sort}`)).body.count).toBe(0)
      }
    }
    expect((await other("GET", "/scoring-rules")).body).toEqual([])
    expect((await other("GET", "/webhooks")).body).toEqual([])
    expect((await other("GET", "/api-keys")).body).toHaveLength(1)
    expect((await other("GET", "/stats")).body.total_leads).toBe(0)
    expect((await other("GET", "/stats/cities")).body).toEqual([])
    expect((await other("GET", "/imports")).body.imports).toEqual([])
    for (const [method, more] of [["PUT", { data: { city: "Ulm" } }] as const, ["DELETE", {}] as const]) {
      const { body } = await other(method, "/leads/batch", { ids: [lead.id, NO_LEAD], ...more })
      const [foreign, missing] = body.results
      expect([foreign.success, foreign.message]).toEqual([false, missing.message])
    }
  })

  test("a body that names another account's lead changes only one's own", async () => {
    const { call, other, lead } = await openTwo()
    const made = await other("POST", "/leads", { ...FULL, id: lead.id })
    expect(made.status).toBe(201)
    expect(made.body.id).not.toBe(lead.id)
    await other("PUT", `/leads/${made.body.id}`, { id: lead.id, city: "Mine" })
    expect((await call("GET", `/leads/${lead.id}`)).body.city).toBe("Berlin")
  })
})
