import { expect } from "bun:test"
import { type Call, openTestAccount, test } from "../support/app.ts"

const entriesOf = async (call: Call, query = "") => (await call("GET", `/admin-log${query}`)).body.entries

test("the log has keys and webhooks with the real key that did it, beside the member", async () => {
  const { call, as } = await openTestAccount()
  const [first] = (await call("GET", "/api-keys")).body
  const member = { "X-Actor-Id": "user_7" }
  const made = (await call("POST", "/api-keys", { name: "CRM", role: "editor" }, member)).body
  const hook = (
    await as(made.key)("POST", "/webhooks", { url: "http://127.0.0.1:9/h?token=hush", secret: "s" })
  ).body
  await call("PUT", `/webhooks/${hook.id}`, { active: false })
  await call("DELETE", `/webhooks/${hook.id}`)
  await call("DELETE", `/api-keys/${made.id}`)
  const entries = await entriesOf(call)
  const told = entries.map((one: Record<string, unknown>) => [
    one.action,
    one.key_id,
    one.actor_id,
    one.target_id,
  ])
  expect(told).toEqual([
    ["key.revoked", first.id, null, made.id],
    ["webhook.deleted", first.id, null, hook.id],
    ["webhook.updated", first.id, null, hook.id],
    ["webhook.created", made.id, null, hook.id],
    ["key.created", first.id, "user_7", made.id],
    ["key.created", null, null, first.id],
  ])
  const named = entries.filter(({ details }: { details: object }) => "actor_from" in details)
  expect(named).toMatchObject([{ actor_id: "user_7", details: { actor_from: "header" } }])
  expect(JSON.stringify(entries)).not.toContain("hush")
})

test("it goes on with a cursor, and is for owners", async ({ call, as }) => {
  for (const name of ["a", "b", "c"]) await call("POST", "/api-keys", { name })
  const { body } = await call("GET", "/admin-log?limit=3")
  expect([body.count, body.has_more]).toEqual([3, true])
  const rest = (await call("GET", `/admin-log?limit=3&cursor=${body.next_cursor}`)).body
  expect([rest.count, rest.has_more, rest.next_cursor]).toEqual([1, false, null])
  const editor = (await call("POST", "/api-keys", { name: "e", role: "editor" })).body
  expect((await as(editor.key)("GET", "/admin-log")).status).toBe(403)
})

test("revoking a key revokes what it issued, and what that issued", async ({ call, as }) => {
  const thief = (await call("POST", "/api-keys", { name: "stolen" })).body
  const second = (await as(thief.key)("POST", "/api-keys", { name: "second" })).body
  const third = (await as(second.key)("POST", "/api-keys", { name: "third", role: "viewer" })).body
  const issuers = (await call("GET", "/api-keys")).body.map((key: { issued_by: string }) => key.issued_by)
  expect(issuers.slice(2)).toEqual([thief.id, second.id])
  expect((await call("DELETE", `/api-keys/${thief.id}`)).status).toBe(204)
  for (const { key } of [thief, second, third]) expect((await as(key)("GET", "/leads")).status).toBe(401)
  expect((await call("GET", "/leads")).status).toBe(200)
})

test("a key that replaces the one it came from goes on", async ({ call, as }) => {
  const [first] = (await call("GET", "/api-keys")).body
  const next = (await call("POST", "/api-keys", { name: "next" })).body
  expect((await as(next.key)("DELETE", `/api-keys/${first.id}`)).status).toBe(204)
  const [only] = (await as(next.key)("GET", "/api-keys")).body
  expect([only.id, only.issued_by]).toEqual([next.id, null])
  expect((await as(next.key)("DELETE", `/api-keys/${next.id}`)).status).toBe(409)
})

test("the log has who was invited, came in and signed in, and how", async ({ call, as }) => {
  const own = { "X-API-Key": "", "Sec-Fetch-Site": "same-origin" }
  // Signing in looks for a name in all accounts, and other tests of the service have an Ada.
  const name = `Ada ${crypto.randomUUID()}`
  const { id, invite } = (await call("POST", "/members", { name })).body
  await as("")("POST", "/members/join", { invite, password: "correct horse battery" }, own)
  await call("PUT", `/members/${id}`, { role: "viewer" })
  const signIn = { name, password: "correct horse battery" }
  const { id: session } = (await as("")("POST", "/sessions", signIn, own)).body
  await call("DELETE", `/sessions/${session}`)
  await call("DELETE", `/members/${id}`)
  const entries = await entriesOf(call)
  const told = entries.map(({ action, actor_id, details }: Record<string, Record<string, unknown>>) => [
    action,
    actor_id,
    details?.with ?? details?.role ?? null,
  ])
  expect(told.slice(0, -1)).toEqual([
    ["member.removed", null, "viewer"],
    ["session.ended", null, null],
    ["session.opened", name, "password"],
    ["member.updated", null, "viewer"],
    ["session.opened", name, "password"],
    ["member.joined", name, "password"],
    ["member.invited", null, "editor"],
  ])
  expect(JSON.stringify(entries)).not.toContain(invite)
})
