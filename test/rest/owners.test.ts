// Owners are named as people do: `me`, a name or an email, wherever one is given or filtered.
import { beforeAll, describe, expect, test } from "bun:test"
import { call as tool } from "../mcp/support.ts"
import { openTestAccountForReading, type TestAccount } from "../support/app.ts"
import { addMember } from "../support/member.ts"

const EMAIL = "ada@crew.example"

describe("an owner", () => {
  const app = openTestAccountForReading(async () => {})
  let ada = ""
  let bob = ""
  /** Of a key that Ada made. */
  let mine: TestAccount["call"]
  let key = ""

  beforeAll(async () => {
    const { call, as } = app()
    const member = await addMember(app(), EMAIL)
    ada = member.id
    bob = (await call("POST", "/members", { name: "Bob Dylan" })).body.id
    key = (await member.ask("POST", "/api-keys", { name: "of Ada" })).body.key
    mine = as(key)
  })

  const create = async (owner: unknown) =>
    (await mine("POST", "/leads", { name: `Of ${owner}`, source: "web", owner })).body

  test("is given as me, by name and by email", async () => {
    for (const [named, id] of [
      ["me", ada],
      ["ADA@crew.example", ada],
      [" bob dylan ", bob],
      [bob, bob],
    ])
      expect((await create(named)).owner).toBe(id)
  })

  test("is given in batches, bulk work, upserts, updates and merges", async () => {
    const { id } = await create(bob)
    const owner = async () => (await mine("GET", `/leads/${id}`)).body.owner
    const ways: [string, string, object][] = [
      ["PUT", `/leads/${id}`, { owner: "me" }],
      ["PUT", "/leads/batch", { ids: [id], data: { owner: "Bob Dylan" } }],
      ["POST", "/leads/bulk", { ids: [id], action: "update", data: { owner: ["me", EMAIL] } }],
    ]
    for (const [method, path, body] of ways) {
      expect((await mine(method, path, body)).status).toBe(200)
      expect(await owner()).toBe(path === "/leads/batch" ? bob : ada)
    }
    const leads = [{ name: "In a batch", source: "web", owner: "me" }]
    const { created } = (await mine("POST", "/leads/batch", { leads })).body
    expect((await mine("GET", `/leads/${created[0].id}`)).body.owner).toBe(ada)
  })

  test("is filtered by", async () => {
    const total = async (filter: string) =>
      (await mine("GET", `/leads?total=true&filter=${encodeURIComponent(filter)}`)).body.total
    const [ofAda, ofBob] = [await total(`and.eq.owner.${ada}`), await total(`and.eq.owner.${bob}`)]
    expect(ofAda).toBeGreaterThan(0)
    expect(await total("and.eq.owner.me")).toBe(ofAda)
    expect(await total(`and.eq.owner.${EMAIL}`)).toBe(ofAda)
    expect(await total('and.in.owner.me,"Bob Dylan"')).toBe(ofAda + ofBob)
    expect(await total("and.neq.owner.me")).toBe((await total("and.is_not_empty.name")) - ofAda)
    const visit = { app: app().app, key }
    const { data } = await tool(visit, "list_leads", { filter: "and.eq.owner.me", total: true, limit: 1 })
    expect(data.total).toBe(ofAda)
  })

  test("is refused where nobody is meant", async () => {
    const { call } = app()
    expect((await call("POST", "/leads", { name: "A", source: "b", owner: "me" })).body.message).toContain(
      "no member made this key",
    )
    // Imported leads have owners who are no members.
    const { status, body } = await mine("GET", "/leads?filter=and.eq.owner.carl")
    expect([status, body.leads ?? body]).toEqual([200, []])
    const kept: [string, object][] = [
      ["/segments", { name: "Mine", filter: ["and.eq.owner.me"] }],
      ["/retention-rules", { name: "Mine", filter: ["and.eq.owner.me"], action: "delete", days: 30 }],
    ]
    for (const [path, asked] of kept) {
      const refused = await (path === "/segments" ? mine : call)("POST", path, asked)
      expect([refused.status, refused.body.message]).toEqual([
        400,
        expect.stringContaining("each who reads it"),
      ])
    }
    const segment = await mine("POST", "/segments", { name: "Ada's", filter: [`and.eq.owner.${EMAIL}`] })
    expect(segment.body.filter).toEqual([`and.eq.owner.${ada}`])
    const visit = { app: app().app, key }
    const { body: lead } = await call("POST", "/leads", { name: "Owned", source: "b" })
    const { error } = await tool(visit, "update_lead", { id: lead.id, owner: "carl" })
    expect(error.message).toContain("as the dashboard lists them")
  })
})
