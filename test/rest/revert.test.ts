import { describe, expect, test } from "bun:test"
import { openHeldAccount, openTestAccount } from "../support/app.ts"
import { FULL, LEAST } from "../support/lead.ts"
import { pluck } from "../support/pluck.ts"
import { jobDone } from "../support/settled.ts"

const numbers = (n: number) => Array.from({ length: n }, (_, i) => i)

async function open() {
  const { call, clock, ...rest } = await openHeldAccount()
  const lead = async (id: string) => (await call("GET", `/leads/${id}`)).body
  /** The newest change of a lead. */
  const last = async (id: string) => (await call("GET", `/leads/${id}/changes?limit=1`)).body.changes[0]
  const revert = (body: object) => call("POST", "/changes/revert", body)
  const create = async (more: object = {}) => {
    const { id } = (await call("POST", "/leads", { ...LEAST, ...more })).body
    clock.advance(10_000)
    return id as string
  }
  return { call, clock, lead, last, revert, create, ...rest }
}

describe("POST /changes/revert", () => {
  test("an update goes back to what it was, as a new change", async () => {
    const { call, clock, lead, last, revert } = await open()
    const attributes = [{ name: "size", type: "number", value: 3 }]
    const { id } = (await call("POST", "/leads", { ...FULL, attributes })).body
    const before = await lead(id)
    clock.advance(10_000)
    await call("PUT", `/leads/${id}`, { name: "Other", city: null, tags: ["x"], rating: 1 })
    const change = await last(id)
    clock.advance(10_000)
    const { status, body } = await revert({ change_ids: [change.id] })
    expect([status, body]).toEqual([
      200,
      { matched: 1, reverted: 1, skipped: [], batch_id: expect.any(String) },
    ])
    const after = await lead(id)
    expect(after).toEqual({ ...before, updated_at: clock.seconds(), last_touched_at: clock.seconds() })
    expect(await last(id)).toMatchObject({
      action: "updated",
      reason: `revert:${change.id}`,
      before: change.after,
      after,
    })
    expect((await call("GET", `/changes?batch_id=${body.batch_id}`)).body.count).toBe(1)
  })

  test("a deleted lead comes back with its id, times, attributes and notes", async () => {
    const { call, lead, last, revert, create, clock } = await open()
    const attributes = [{ name: "size", type: "number", value: 3 }]
    const id = await create({ email: "a@x.y", attributes })
    await call("POST", `/leads/${id}/notes`, { content: "one" })
    clock.advance(5_000)
    await call("POST", `/leads/${id}/notes`, { content: "two" })
    const before = { lead: await lead(id), notes: (await call("GET", `/leads/${id}/notes`)).body }
    expect(before.notes).toHaveLength(2)
    clock.advance(5_000)
    await call("DELETE", `/leads/${id}`)
    await revert({ change_ids: [(await last(id)).id] })
    expect({ lead: await lead(id), notes: (await call("GET", `/leads/${id}/notes`)).body }).toEqual(before)
    expect(await last(id)).toMatchObject({ action: "created", before: null, after: before.lead })
    expect((await call("GET", `/leads/${id}/attributes`)).body).toEqual(before.lead.attributes)
    expect((await call("GET", "/leads?filter=and.eq.attr:size.3")).body.count).toBe(1)
  })

  test("a batch goes back as a whole, and again when the revert is reverted", async () => {
    const { call, lead, revert, create } = await open()
    const ids = await Promise.all(numbers(5).map((i) => create({ email: `${i}@x.y`, city: `c${i}` })))
    const before = await Promise.all(ids.map(lead))
    const { batch_id } = (await call("PUT", "/leads/batch", { ids, data: { city: "Ulm", status: "new" } }))
      .body
    const changed = await Promise.all(ids.map(lead))
    const first = (await revert({ batch_id })).body
    expect(first).toMatchObject({ matched: 5, reverted: 5, skipped: [] })
    const times = { updated_at: 0, last_interaction_at: 0, last_touched_at: 0 }
    const loose = (all: object[]) => all.map((one) => ({ ...one, ...times }))
    expect(loose(await Promise.all(ids.map(lead)))).toEqual(loose(before))
    const { changes } = (await call("GET", `/changes?batch_id=${first.batch_id}`)).body
    expect(new Set(pluck(changes, "reason"))).toEqual(new Set([`revert:${batch_id}`]))
    expect((await revert({ batch_id: first.batch_id })).body.reverted).toBe(5)
    expect(loose(await Promise.all(ids.map(lead)))).toEqual(loose(changed))
  })

  test("leads that a batch made go, come back with the revert of the revert, and go in order of need", async () => {
    const { call, revert, create, lead } = await open()
    const keeper = await create({ email: "taken@x.y" })
    const leads = numbers(3).map((i) => ({ ...LEAST, email: `${i}@x.y` }))
    const made = (
      await call("POST", "/leads/batch", { leads: [...leads, { ...LEAST, email: "TAKEN@x.y", city: "Ulm" }] })
    ).body
    const ids: string[] = pluck(made.created, "id")
    expect(ids[3]).toBe(keeper)
    await call("POST", `/leads/${ids[0]}/notes`, { content: "kept" })
    const undone = (await revert({ batch_id: made.batch_id })).body
    expect(undone).toMatchObject({ matched: 4, reverted: 4, skipped: [] })
    expect(pluck((await call("GET", "/leads")).body.leads, "id")).toEqual([keeper])
    expect(await lead(keeper)).toMatchObject({ city: null, email: "taken@x.y" })
    await revert({ batch_id: undone.batch_id })
    expect((await call("GET", "/leads")).body.count).toBe(4)
    expect((await call("GET", `/leads/${ids[0]}/notes`)).body).toMatchObject([{ content: "kept" }])
  })

  test("what was passed from lead to lead by one batch finds its way back", async () => {
    const { call, revert, create, lead } = await open()
    const [one, two] = [
      await create({ email: "one@x.y", source_id: "1" }),
      await create({ email: "two@x.y", source_id: "2" }),
    ]
    const from = (await call("GET", "/changes?order=asc&view=diff")).body.changes.at(-1).created_at + 5
    await call("PUT", `/leads/${one}`, { email: "three@x.y" })
    await call("PUT", `/leads/${two}`, { email: "one@x.y" })
    const { body } = await revert({ since: from })
    expect(body).toMatchObject({ matched: 2, reverted: 2, skipped: [] })
    expect([(await lead(one)).email, (await lead(two)).email]).toEqual(["one@x.y", "two@x.y"])
  })

  test("a lead that was changed since is left alone and named, unless it is forced", async () => {
    const { call, lead, revert, create } = await open()
    const [one, two] = [await create(), await create()]
    const { batch_id } = (await call("PUT", "/leads/batch", { ids: [one, two], data: { city: "Ulm" } })).body
    await call("PUT", `/leads/${one}`, { status: "contacted" })
    // A push that brings nothing new is no change.
    await call("PUT", `/leads/${two}`, { city: "Ulm" })
    const dry = (await revert({ batch_id, dry_run: true })).body
    expect(dry).toEqual({
      matched: 2,
      reverted: 1,
      skipped: [{ lead_id: one, message: expect.stringContaining("updated since") }],
      kept: 1,
      sample: [{ lead_id: two, name: "Acme", action: "change", changes: { city: ["Ulm", null] } }],
      batch: expect.objectContaining({ batch_id, what: ["city -> Ulm, 2"] }),
      dry_run: true,
    })
    expect((await lead(two)).city).toBe("Ulm")
    expect((await revert({ batch_id })).body).toMatchObject({ reverted: 1, skipped: [{ lead_id: one }] })
    expect([await lead(one), await lead(two)]).toMatchObject([
      { city: "Ulm", status: "contacted" },
      { city: null },
    ])
    expect((await revert({ batch_id, force: true })).body).toMatchObject({
      matched: 2,
      reverted: 2,
      skipped: [],
    })
    expect(await lead(one)).toMatchObject({ city: null, status: "new" })
  })

  test("a merge goes back, and what was pushed becomes a lead of its own when it is split", async () => {
    const { call, lead, last, revert, create } = await open()
    const attributes = [{ name: "size", type: "number", value: 1 }]
    const id = await create({ name: "Acme", email: "a@x.y", city: "Ulm", attributes })
    const before = await lead(id)
    await call("POST", "/leads", {
      name: "Acme Ltd",
      source: "fair",
      email: "A@x.y",
      phone: "123",
      attributes: [{ name: "size", type: "number", value: 2 }],
    })
    const merged = await lead(id)
    const change = await last(id)
    const { body } = await revert({ change_ids: [change.id], split: true })
    expect(body).toMatchObject({ matched: 1, reverted: 1 })
    const times = { updated_at: 0, last_touched_at: 0 }
    expect({ ...(await lead(id)), ...times }).toEqual({ ...before, ...times })
    const { leads } = (await call("GET", "/leads")).body
    expect(leads).toHaveLength(2)
    const own = leads.find((one: { id: string }) => one.id !== id)
    // The email in the other writing was all that the push brought of it: it would be the same lead again.
    expect(own).toMatchObject({ name: "Acme Ltd", source: "fair", phone: "123", city: null })
    expect(own.attributes).toMatchObject([{ name: "size", value: 2 }])
    expect((await revert({ batch_id: body.batch_id })).body).toMatchObject({ matched: 2, reverted: 2 })
    expect((await call("GET", "/leads")).body.leads).toEqual([
      { ...merged, updated_at: expect.any(Number), last_touched_at: expect.any(Number) },
    ])
  })

  test("an email that another lead has by now keeps a lead from coming back, and says so", async () => {
    const { call, last, revert, create } = await open()
    const id = await create({ email: "a@x.y" })
    await call("DELETE", `/leads/${id}`)
    const other = await create({ email: "a@x.y" })
    const change = await last(id)
    const { body } = await revert({ change_ids: [change.id] })
    expect(body).toMatchObject({ reverted: 0, skipped: [{ lead_id: id, message: "Duplicate email" }] })
    await call("DELETE", `/leads/${other}`)
    expect((await revert({ change_ids: [change.id] })).body.reverted).toBe(1)
  })

  test("expect must be the number of leads, else nothing is touched", async () => {
    const { call, lead, revert, create } = await open()
    const ids = [await create(), await create()]
    const { batch_id } = (await call("PUT", "/leads/batch", { ids, data: { city: "Ulm" } })).body
    const { status, body } = await revert({ batch_id, expect: 3 })
    expect([status, body.code]).toEqual([409, "conflict"])
    expect(body.message).toContain("2 leads")
    expect((await lead(ids[0]!)).city).toBe("Ulm")
    expect((await revert({ batch_id, expect: 2 })).body.reverted).toBe(2)
  })

  test("says what is wrong with what is asked", async () => {
    const { revert, create } = await open()
    await create()
    for (const [body, status, message] of [
      [{}, 400, "say what to put back"],
      [{ filter: { actor_id: "a" } }, 400, "a filter with since"],
      [{ change_ids: [] }, 400, "change_ids must hold at least one id"],
      [{ change_ids: ["x"] }, 404, "There is no change x"],
      [{ batch_id: "x" }, 404, "no changes with this batch_id"],
      [{ import_id: "x" }, 404, "no changes with this import_id"],
      [{ batch: "x" }, 400, "batch is not known here. Valid: change_ids"],
    ] as const) {
      const answer = await revert(body)
      expect([answer.status, answer.body.message]).toEqual([status, expect.stringContaining(message)])
    }
    expect((await revert({ since: 4_000_000_000 })).body).toMatchObject({ matched: 0, reverted: 0 })
  })

  test("many leads are a job, which puts all of them back", async () => {
    const { call } = await openTestAccount()
    const leads = numbers(600).map((i) => ({ name: `n${i}`, source: "s", email: `${i}@x.y` }))
    const ids: string[] = pluck((await call("POST", "/leads/batch", { leads })).body.created, "id")
    await call("POST", `/leads/${ids[7]}/notes`, { content: "kept" })
    const { batch_id } = (await call("DELETE", "/leads/batch", { ids })).body
    const { status, body } = await call("POST", "/changes/revert", { batch_id, expect: 600 })
    expect([status, body]).toEqual([
      202,
      { job: expect.any(String), matched: 600, batch_id: expect.any(String) },
    ])
    const job = await jobDone(call, body.job)
    expect(job).toEqual({
      id: body.job,
      kind: "revert",
      state: "done",
      done: 600,
      of: 600,
      failed: 0,
      errors: [],
      batch_id: body.batch_id,
      started_at: expect.any(Number),
      ended_at: expect.any(Number),
    })
    expect((await call("GET", "/leads?limit=1000")).body.count).toBe(600)
    expect((await call("GET", `/leads/${ids[7]}/notes`)).body).toMatchObject([{ content: "kept" }])
    expect((await call("POST", `/jobs/${body.job}/stop`)).status).toBe(409)
    expect((await call("GET", "/jobs/job_x")).status).toBe(404)
  })
})
