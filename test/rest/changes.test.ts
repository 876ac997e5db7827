import { describe, expect } from "bun:test"
import { openHeldAccount, openTestAccount, test } from "../support/app.ts"
import { FULL, LEAST, NO_LEAD } from "../support/lead.ts"

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe("GET /leads/{id}/changes", () => {
  test("records creation, update, merge and deletion, the newest first, each with both states", async () => {
    const { call, clock } = await openHeldAccount()
    const [{ id: keyId }] = (await call("GET", "/api-keys")).body
    const attributes = [{ name: "size", type: "number", value: 3 }]
    const { message, ...made } = (await call("POST", "/leads", { ...FULL, attributes })).body
    const createdAt = clock.seconds()
    clock.advance(60_000)
    const updated = (await call("PUT", `/leads/${made.id}`, { city: "Ulm" })).body
    const updatedAt = clock.seconds()
    clock.advance(60_000)
    await call("POST", "/leads", { name: "Merged", source: "web", email: FULL.email })
    const merged = (await call("GET", `/leads/${made.id}`)).body
    const mergedAt = clock.seconds()
    clock.advance(60_000)
    await call("DELETE", `/leads/${made.id}`)

    const { status, body } = await call("GET", `/leads/${made.id}/changes`)
    expect(status).toBe(200)
    expect(body.count).toBe(4)
    const account = body.changes[0].user_id
    expect(account).toMatch(/^acc_/)
    const record = (
      action: string,
      created_at: number,
      before: unknown,
      after: unknown,
      reason: string | null,
    ) => ({
      id: expect.stringMatching(UUID),
      lead_id: made.id,
      user_id: account,
      actor_id: keyId,
      action,
      before,
      after,
      reason,
      created_at,
    })
    expect(body.changes).toEqual([
      record("deleted", clock.seconds(), merged, null, null),
      record("merged", mergedAt, updated, merged, "dedup:email"),
      record("updated", updatedAt, made, updated, null),
      record("created", createdAt, null, made, null),
    ])
    expect(new Set(body.changes.map((change: { id: string }) => change.id)).size).toBe(4)
  })

  test("a push that changes nothing is recorded, an update that changes nothing is not", async ({ call }) => {
    const { id } = (await call("POST", "/leads", FULL)).body
    await call("POST", "/leads", FULL)
    await call("PUT", `/leads/${id}`, {})
    const { changes } = (await call("GET", `/leads/${id}/changes`)).body
    expect(changes.map(({ action }: { action: string }) => action)).toEqual(["merged", "created"])
  })

  test("what was refused leaves no trace", async ({ call }) => {
    await call("POST", "/leads", { ...LEAST, email: "b@x.y" })
    const { id } = (await call("POST", "/leads", FULL)).body
    expect((await call("PUT", `/leads/${id}`, { email: "b@x.y" })).status).toBe(409)
    expect((await call("PUT", `/leads/${id}`, { email: "nothing" })).status).toBe(400)
    expect(
      (await call("POST", "/leads", { ...LEAST, email: "b@x.y", source_id: FULL.source_id })).status,
    ).toBe(409)
    expect((await call("GET", `/leads/${id}/changes`)).body.count).toBe(1)
  })

  test("a lead made again with the same email has its own trail", async ({ call }) => {
    const first = (await call("POST", "/leads", FULL)).body.id
    await call("DELETE", `/leads/${first}`)
    const second = (await call("POST", "/leads", FULL)).body.id
    const actions = async (id: string) =>
      (await call("GET", `/leads/${id}/changes`)).body.changes.map(({ action }: { action: string }) => action)
    expect(await actions(first)).toEqual(["deleted", "created"])
    expect(await actions(second)).toEqual(["created"])
  })

  test("takes 50 records unless told, at most 100", async ({ call }) => {
    const { id } = (await call("POST", "/leads", LEAST)).body
    await Promise.all(Array.from({ length: 104 }, (_, i) => call("PUT", `/leads/${id}`, { city: `c${i}` })))
    const count = async (query: string) => (await call("GET", `/leads/${id}/changes${query}`)).body.count
    expect([await count(""), await count("?limit=1"), await count("?limit=100")]).toEqual([50, 1, 100])
    for (const limit of ["0", "101", "-1", "x", "1.5", ""]) {
      const { status, body } = await call("GET", `/leads/${id}/changes?limit=${limit}`)
      expect(status).toBe(400)
      expect(body.message).toContain("limit must be a whole number from 1 to 100")
    }
    const { changes } = (await call("GET", `/leads/${id}/changes?limit=100`)).body
    // Each record's state before is the state after the one that precedes it.
    for (let i = 0; i + 1 < changes.length; i++) expect(changes[i].before).toEqual(changes[i + 1].after)
  })

  test("answers 404 for a lead that never was, and for another account's, deleted or not", async () => {
    const { call, addAccount, as } = await openTestAccount()
    const other = as((await addAccount()).key)
    const { id } = (await call("POST", "/leads", LEAST)).body
    const missing = await other("GET", `/leads/${NO_LEAD}/changes`)
    expect(missing.status).toBe(404)
    expect(missing.body).toEqual({ error: "Not Found", message: "Lead not found", code: "not_found" })
    expect((await other("GET", `/leads/${id}/changes`)).body).toEqual(missing.body)
    await call("DELETE", `/leads/${id}`)
    expect((await other("GET", `/leads/${id}/changes`)).body).toEqual(missing.body)
    expect((await call("GET", `/leads/${id}/changes`)).status).toBe(200)
  })
})
