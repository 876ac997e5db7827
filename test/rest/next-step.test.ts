// Whose lead it is and what is next, and names of the statuses.
import { describe, expect } from "bun:test"
import { openTestApp, test } from "../support/app.ts"
import { LEAST } from "../support/lead.ts"
import { watchOutbox } from "../support/outbox.ts"
import { pluck } from "../support/pluck.ts"
import { until } from "../support/until.ts"

const DAY = 86_400

describe("owner and next step", () => {
  test("are kept, filtered, sorted by and cleared as other fields", async ({ call }) => {
    const { body: member } = await call("POST", "/members", { name: "Mia", role: "editor" })
    const soon = Math.floor(Date.now() / 1000) + DAY
    const step = { owner: member.id, next_step: "Call", next_step_at: soon }
    const { body: lead } = await call("POST", "/leads", { ...LEAST, ...step })
    await call("POST", "/leads", { ...LEAST, name: "Another" })
    expect((await call("GET", `/leads/${lead.id}`)).body).toMatchObject(step)
    const filters = [`and.eq.owner.${member.id}`, `and.gte.next_step_at.${soon}`].map(
      (one) => `filter=${one}`,
    )
    const { body: found } = await call("GET", `/leads?${filters.join("&")}&sort_by=next_step_at`)
    expect(pluck(found.leads, "id")).toEqual([lead.id])
    const cleared = { owner: null, next_step: "", next_step_at: null }
    const { body: after } = await call("PUT", `/leads/${lead.id}`, cleared)
    expect(after).toMatchObject({ owner: null, next_step: null, next_step_at: null })
  })

  test.for([
    [{ owner: "Mia" }, 'owner: there is no member "Mia": give the id, the name or the email'],
    [{ owner: "mem_x" }, "owner must be the id of a member, such as mem_…"],
    [{ next_step_at: "soon" }, "next_step_at must be a time"],
    [{ next_step: 5 }, "next_step must be text"],
  ])("%j is refused", async ([fields, message], { call }) => {
    const { status, body } = await call("POST", "/leads", { ...LEAST, ...fields })
    expect(status).toBe(400)
    expect(body.message).toContain(message)
  })

  test("lead.due is sent once when the time comes, and again when it is put off", async () => {
    const { call, config } = await openTestApp()
    const sent = await watchOutbox(config.file)
    const told = async () => (await sent()).filter(({ event }) => event === "lead.due").length
    const now = Math.floor(Date.now() / 1000)
    const { body: lead } = await call("POST", "/leads", { ...LEAST, next_step_at: now - 10 })
    await call("POST", "/leads", { ...LEAST, name: "Later", next_step_at: now + DAY })
    await until("it is told", async () => (await told()) === 1)
    await call("PUT", `/leads/${lead.id}`, { next_step_at: now - 5 })
    await until("it is told again", async () => (await told()) === 2)
  })
})

describe("/account/statuses", () => {
  test("names, colours and order can be set; the API's values stay", async ({ call }) => {
    const usual = (await call("GET", "/account/statuses")).body
    expect(pluck(usual, "value")).toEqual([...["new", "contacted", "qualified", "disqualified", "converted"]])
    const first = { value: "converted", label: "Won", color: "#1f9d61", position: 0 }
    const { status, body } = await call("PUT", "/account/statuses", [first])
    expect(status).toBe(200)
    expect(body[0]).toEqual(first)
    expect(pluck(body, "position")).toEqual([0, 1, 2, 3, 4])
    expect((await call("GET", "/account/statuses")).body).toEqual(body)
    expect((await call("PUT", "/leads/none", { status: "won" })).status).toBe(400)
  })

  test.for([
    [[{ value: "won", label: "Won" }], "statuses[0].value must be one of"],
    [[{ value: "new", label: "" }], "statuses[0].label is required"],
    [[{ value: "new", label: "Fresh", color: "url(x)" }], "statuses[0].color must be one of"],
    [
      [
        { value: "new", label: "A" },
        { value: "new", label: "B" },
      ],
      "names a status more than once",
    ],
  ])("%j is refused", async ([body, message], { call }) => {
    const answer = await call("PUT", "/account/statuses", body)
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)])
  })
})
