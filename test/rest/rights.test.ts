// What somebody made never may do more than they may now, and does not outlive them.
import { describe, expect, setDefaultTimeout } from "bun:test"
import { issueKey } from "../../src/domain/access/api-keys.ts"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import { call } from "../mcp/support.ts"
import { openTestAccount, openTestApp, type TestAccount, test } from "../support/app.ts"
import { heldClock } from "../support/clock.ts"
import { openBeside } from "../support/database.ts"
import { openHook } from "../support/hook.ts"
import { addMember, browser, cookieOf, join } from "../support/member.ts"
import { pluck } from "../support/pluck.ts"
import { until } from "../support/until.ts"

// Each member costs two slow hashes of a password.
setDefaultTimeout(60_000)

const LEAD = { name: "Acme", source: "web", email: "info@acme.example" }

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Ask = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: any }>

/** One of each thing, made by somebody. */
async function makeThings(ask: Ask) {
  const { body: segment } = await ask("POST", "/segments", { name: `All ${crypto.randomUUID()}` })
  const { body: key } = await ask("POST", "/api-keys", { name: "made" })
  const { body: link } = await ask("POST", "/links", { segment: segment.id, fields: ["name", "email"] })
  const { body: webhook } = await ask("POST", "/webhooks", { url: "http://127.0.0.1:9/hook" })
  const { body: invited } = await ask("POST", "/members", { name: `Guest ${crypto.randomUUID()}` })
  return { key, link, webhook, invited }
}

const roleOf = async (service: TestAccount, key: string) =>
  (await service.as(key)("GET", "/sessions/current")).body.role
const linkStatus = async (url: string) => (await fetch(url)).status
const ids = (all: { id: string }[]) => all.map(({ id }) => id)

describe("a member with a lower role", () => {
  test("cannot get the old one back by a key, nor by a key that this made", async (service) => {
    const { id, ask } = await addMember(service, "Ada")
    const { body: first } = await ask("POST", "/api-keys", { name: "first" })
    const { body: second } = await service.as(first.key)("POST", "/api-keys", { name: "second" })
    const { body: third } = await service.as(second.key)("POST", "/api-keys", { name: "third" })
    const opened = await service.as("")("POST", "/sessions", { key: third.key })
    const session = browser(service, cookieOf(opened))
    expect((await session("GET", "/sessions/current")).body.role).toBe("owner")
    for (const role of ["editor", "viewer"]) {
      const { body } = await service.call("PUT", `/members/${id}`, { role })
      expect(ids(body.revoked.api_keys)).toEqual([first.id, second.id, third.id])
      for (const { key } of [first, second, third]) {
        expect(await roleOf(service, key)).toBe(role)
        expect((await service.as(key)("PUT", `/members/${id}`, { role: "owner" })).status).toBe(403)
      }
      expect((await session("GET", "/sessions/current")).body.role).toBe(role)
      expect((await session("PUT", `/members/${id}`, { role: "owner" })).status).toBe(403)
    }
    const listed = (await service.call("GET", "/api-keys")).body
    expect(pluck(listed, "role")).toEqual(["owner", "viewer", "viewer", "viewer"])
    const back = await service.call("PUT", `/members/${id}`, { role: "owner" })
    expect(back.body.revoked).toBeUndefined()
    expect(await roleOf(service, third.key)).toBe("owner")
  })

  test("is answered with what ends and what can do less; only what the new role allows goes on", async () => {
    const service = await openTestAccount()
    await service.call("POST", "/leads", LEAD)
    const { id, ask } = await addMember(service, "Ada")
    const made = await makeThings(ask)
    const { body: editor } = await ask("POST", "/api-keys", { name: "editor's", role: "editor" })
    const { body: lowered } = await service.call("PUT", `/members/${id}`, { role: "editor" })
    expect(lowered).toMatchObject({ id, role: "editor" })
    expect(ids(lowered.revoked.api_keys)).toEqual([made.key.id])
    expect(ids(lowered.revoked.invitations)).toEqual([made.invited.id])
    expect([lowered.revoked.links, lowered.revoked.sessions.length]).toEqual([[], 1])
    expect(lowered.webhooks).toEqual([{ id: made.webhook.id, url: made.webhook.url, active: true }])
    expect((await join(service, made.invited.invite)).status).toBe(401)
    expect(await linkStatus(made.link.url)).toBe(200)
    const { body: viewer } = await service.call("PUT", `/members/${id}`, { role: "viewer" })
    expect(ids(viewer.revoked.api_keys).toSorted()).toEqual([made.key.id, editor.id].toSorted())
    expect(ids(viewer.revoked.links)).toEqual([made.link.id])
    expect(await linkStatus(made.link.url)).toBe(404)
    expect((await service.call("GET", "/links")).body).toEqual([])
  })
})

describe("a member who is removed", () => {
  const gone = async (query = "") => {
    const service = await openTestAccount()
    await service.call("POST", "/leads", LEAD)
    const { id, ask } = await addMember(service, "Ada")
    const made = await makeThings(ask)
    const byKey = await makeThings(service.as(made.key.key))
    const { status, body } = await service.call("DELETE", `/members/${id}${query}`)
    expect(status).toBe(200)
    return { service, made, byKey, body }
  }
  const webhooksOf = async (service: TestAccount) =>
    pluck((await service.call("GET", "/webhooks")).body, "active")

  test("leaves webhooks alone, which the answer lists", async () => {
    const { service, made, byKey, body } = await gone()
    expect(ids(body.revoked.api_keys)).toEqual([made.key.id, byKey.key.id])
    expect(body.revoked_keys).toEqual(body.revoked.api_keys)
    expect(ids(body.revoked.invitations).toSorted()).toEqual([made.invited.id, byKey.invited.id].toSorted())
    expect(ids(body.revoked.links)).toEqual([made.link.id, byKey.link.id])
    expect(body.revoked.sessions).toHaveLength(1)
    expect(ids(body.webhooks)).toEqual([made.webhook.id, byKey.webhook.id])
    for (const { key, link, invited } of [made, byKey]) {
      expect((await service.as(key.key)("GET", "/leads")).status).toBe(401)
      expect(await linkStatus(link.url)).toBe(404)
      expect((await join(service, invited.invite)).status).toBe(401)
    }
    expect(await webhooksOf(service)).toEqual([true, true])
    const log = (await service.call("GET", "/admin-log")).body.entries
    const revoked = log.filter(({ action }: { action: string }) => action === "link.revoked")
    expect(pluck(revoked, "target_id").toSorted()).toEqual([made.link.id, byKey.link.id].toSorted())
  })

  test("links=keep&webhooks=stop does it otherwise", async () => {
    const { service, made, byKey, body } = await gone("?links=keep&webhooks=stop")
    expect(body.revoked.links).toEqual([])
    expect(pluck(body.webhooks, "active")).toEqual([false, false])
    for (const { link } of [made, byKey]) expect(await linkStatus(link.url)).toBe(200)
    expect(await webhooksOf(service)).toEqual([false, false])
    const [first] = (await service.call("GET", "/webhooks")).body
    expect(first.disabled_reason).toBe("The member who made it was removed")
  })

  test.each(["links=maybe", "webhooks=off", "keep_keys=2"])("%s is refused", async (query) => {
    const service = await openTestAccount()
    const { id } = await addMember(service, "Ada")
    expect((await service.call("DELETE", `/members/${id}?${query}`)).status).toBe(400)
    expect((await service.call("GET", "/members")).body).toHaveLength(1)
  })

  test("what stays is bound to the member who kept it", async (service) => {
    await service.call("POST", "/leads", LEAD)
    const { id, ask } = await addMember(service, "Ada")
    const { id: heir, ask: heirAsks } = await addMember(service, "Grace")
    const made = await makeThings(ask)
    const { status } = await heirAsks("DELETE", `/members/${id}?keep_keys=true&links=keep`)
    expect([status, await roleOf(service, made.key.key), await linkStatus(made.link.url)]).toEqual([
      200,
      "owner",
      200,
    ])
    const { body } = await service.call("PUT", `/members/${heir}`, { role: "viewer" })
    expect(ids(body.revoked.api_keys)).toEqual([made.key.id])
    expect([await roleOf(service, made.key.key), await linkStatus(made.link.url)]).toEqual(["viewer", 404])
    expect((await join(service, made.invited.invite)).status).toBe(401)
  })

  test("cannot be removed by a key of their own, which would be left without anybody", async (service) => {
    const { id, ask } = await addMember(service, "Ada")
    const { body: made } = await ask("POST", "/api-keys", { name: "own" })
    expect((await service.as(made.key)("DELETE", `/members/${id}`)).status).toBe(409)
    expect((await ask("DELETE", `/members/${id}`)).status).toBe(200)
    expect((await service.as(made.key)("GET", "/leads")).status).toBe(401)
  })
})

describe("a key with an end", () => {
  const HOUR = 3_600
  const open = async () => {
    const clock = heldClock()
    const service = await openTestApp({}, clock)
    await service.call("POST", "/leads", LEAD)
    const end = clock.seconds() + HOUR
    const { body } = await service.call("POST", "/api-keys", { name: "for an hour", expires_at: end })
    return { clock, service, end, ask: service.as(body.key), key: body.key, id: body.id }
  }

  test("makes nothing that lives longer", async () => {
    const { clock, service, end, ask } = await open()
    const made = await makeThings(ask)
    const { body: second } = await service.as(made.key.key)("POST", "/api-keys", { name: "of it" })
    for (const { expires_at } of [made.key, made.link, made.webhook, second]) expect(expires_at).toBe(end)
    expect(made.invited.invite_expires_at).toBe(end)
    clock.advance((HOUR + 1) * 1_000)
    for (const { key } of [made.key, second])
      expect((await service.as(key)("GET", "/leads")).status).toBe(401)
    expect(await linkStatus(made.link.url)).toBe(404)
    expect((await join(service, made.invited.invite)).status).toBe(401)
  })

  test("opens no file with the address of an export that it asked for", async () => {
    const { clock, service, ask, key } = await open()
    const { data } = await call({ app: service.app, key }, "list_leads", { format: "csv" })
    expect((await fetch(data.url)).status).toBe(200)
    clock.advance((HOUR - 600) * 1_000)
    const later = (await call({ app: service.app, key }, "list_leads", { format: "csv" })).data
    clock.advance(601 * 1_000)
    expect((await fetch(later.url)).status).toBe(404)
    expect((await ask("GET", "/leads")).status).toBe(401)
  })

  test("is told so when it asks for a later end", async () => {
    const { service, end, ask } = await open()
    const { body: segment } = await ask("POST", "/segments", { name: "All" })
    for (const [path, body] of [
      ["/api-keys", { name: "later" }],
      ["/links", { segment: segment.id, fields: ["name"] }],
    ] as const) {
      const { status, body: told } = await ask("POST", path, { ...body, expires_at: end + 1 })
      expect([status, told.message]).toEqual([400, expect.stringContaining(`${end}`)])
      expect((await ask("POST", path, { ...body, expires_at: end - 1 })).body.expires_at).toBe(end - 1)
    }
    expect((await service.call("GET", "/api-keys")).body).toHaveLength(3)
  })

  /** A webhook of a key whose end has come, by the clock of the service and of the sender. */
  const openEnded = async (url: string) => {
    const service = await openTestApp()
    const { id } = (await service.call("POST", "/webhooks", { url })).body
    const store = await openBeside(service.config.file, createIds(systemClock))
    const [account] = await store.read.accounts.list()
    await store.write(account!.key, async (tx) => {
      const { id: made_by } = await issueKey(
        tx,
        account!.key,
        { name: "ended", role: "owner", expires_at: 2 },
        1,
      )
      await tx.webhooks.update(account!.key, {
        ...(await tx.webhooks.find(account!.key, id))!,
        made_by,
      })
    })
    await store.close()
    return { service, path: `/webhooks/${id}` }
  }

  test("sends no events once its end has come, and shows so before there is any", async () => {
    await using hook = openHook(() => 200)
    const { service, path } = await openEnded(hook.url)
    const off = { active: false, disabled_reason: "The API key that made it has ended" }
    expect((await service.call("GET", path)).body).toMatchObject(off)
    expect((await service.call("GET", "/webhooks")).body).toMatchObject([off])
    await service.call("POST", "/leads", LEAD)
    await until("the webhook turned off", async () => {
      const { deliveries } = (await service.call("GET", `${path}/deliveries`)).body
      return deliveries[0]?.next_attempt_at === null
    })
    expect(hook.hits).toEqual([])
  })

  test("leaves its webhooks to whoever turns them on again", async () => {
    await using hook = openHook(() => 200)
    const { service, path } = await openEnded(hook.url)
    const on = (await service.call("PUT", path, { active: true })).body
    expect([on.active, on.expires_at, on.disabled_reason]).toEqual([true, undefined, undefined])
    await service.call("POST", "/leads", LEAD)
    await until("an event", () => hook.hits.length > 0)
  })

  test("makes a webhook end with it that it gives another address", async () => {
    const { service, ask, end } = await open()
    const { body: made } = await service.call("POST", "/webhooks", { url: "http://127.0.0.1:9/hook" })
    const path = `/webhooks/${made.id}`
    expect((await ask("PUT", path, { events: ["lead.created"] })).body.expires_at).toBeUndefined()
    expect((await ask("PUT", path, { url: "http://127.0.0.1:9/own" })).body.expires_at).toBe(end)
  })

  test("that is revoked takes its links and webhooks with it", async () => {
    const { service, ask, id } = await open()
    const made = await makeThings(ask)
    expect(await linkStatus(made.link.url)).toBe(200)
    expect((await service.call("DELETE", `/api-keys/${id}`)).status).toBe(204)
    expect(await linkStatus(made.link.url)).toBe(404)
    expect((await service.call("GET", "/webhooks")).body).toMatchObject([{ active: false }])
  })

  test("that is replaced by one that it made leaves its links and webhooks to that", async () => {
    const { service, ask, id } = await open()
    const made = await makeThings(ask)
    expect((await service.as(made.key.key)("DELETE", `/api-keys/${id}`)).status).toBe(204)
    expect(await linkStatus(made.link.url)).toBe(200)
    expect((await service.call("GET", "/webhooks")).body).toMatchObject([{ active: true }])
  })
})

test("a replacement key of a member stays bound to them", async (service) => {
  const { id, ask } = await addMember(service, "Ada")
  const { body: old } = await ask("POST", "/api-keys", { name: "old" })
  const { body: fresh } = await service.as(old.key)("POST", "/api-keys", { name: "fresh" })
  expect((await service.as(fresh.key)("DELETE", `/api-keys/${old.id}`)).status).toBe(204)
  await service.call("PUT", `/members/${id}`, { role: "viewer" })
  expect(await roleOf(service, fresh.key)).toBe("viewer")
})
