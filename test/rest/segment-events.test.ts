import { describe, expect } from "bun:test"
import { openTestApp, type TestAccount } from "../support/app.ts"
import { openHook } from "../support/hook.ts"
import { create } from "../support/lettered.ts"
import { watchOutbox } from "../support/outbox.ts"
import { testWith } from "../support/test-with.ts"

const test = testWith(() => openSegments({ Ulm: ULM }))

interface Moved {
  way: string
  name: string
  leads: string
  lead?: string
}

/** A service whose every event is seen, with segments by name; `moved` gives what was told of them since it was asked last. */
async function openSegments(segments: Record<string, object>) {
  const app = await openTestApp()
  const events = await watchOutbox(app.config.file)
  const made: Record<string, string> = {}
  for (const [name, asked] of Object.entries(segments)) {
    const { status, body } = await app.call("POST", "/segments", { name, ...asked })
    expect(status).toBe(201)
    made[name] = body.id
  }
  const letters = new Map<string, string>()
  let seen = 0
  return {
    ...app,
    segments: made,
    async create(leads: Record<string, object>): Promise<Record<string, string>> {
      const ids = await create(app, leads)
      for (const [letter, id] of Object.entries(ids)) letters.set(id, letter)
      return ids
    },
    async moved(): Promise<Moved[]> {
      const all = await events()
      const fresh = all.slice(seen).filter(({ event }) => event.startsWith("segment."))
      seen = all.length
      return fresh.map(({ event, data }) => {
        expect(data.count).toBe(data.ids.length)
        expect(data.segment.id).toBe(made[data.segment.name])
        const leads = data.ids.map((id: string) => letters.get(id) ?? "?")
        return {
          way: event.replace("segment.", ""),
          name: data.segment.name,
          leads: leads.toSorted().join(""),
          ...(data.lead && { lead: data.lead.name }),
        }
      })
    },
  }
}
const ULM = { filter: ["and.eq.city.ulm"] }

describe("a segment tells of leads", () => {
  test("that are created, changed and deleted, one by one with the lead", async () => {
    const app = await openSegments({ Ulm: ULM, VIP: { filter: ["and.array_contains.tags.vip"] } })
    const ids = await app.create({ A: { city: "Ulm" }, B: { city: "Bonn" } })
    expect(await app.moved()).toEqual([{ way: "entered", name: "Ulm", leads: "A", lead: "A" }])
    await app.call("PUT", `/leads/${ids.B}`, { city: "ULM", tags: ["VIP"] })
    expect(await app.moved()).toEqual([
      { way: "entered", name: "Ulm", leads: "B", lead: "B" },
      { way: "entered", name: "VIP", leads: "B", lead: "B" },
    ])
    await app.call("PUT", `/leads/${ids.A}`, { name: "Anna" })
    expect(await app.moved()).toEqual([])
    await app.call("PUT", `/leads/${ids.A}`, { city: null })
    expect(await app.moved()).toEqual([{ way: "left", name: "Ulm", leads: "A", lead: "Anna" }])
    await app.call("DELETE", `/leads/${ids.B}`)
    expect(await app.moved()).toEqual([
      { way: "left", name: "Ulm", leads: "B" },
      { way: "left", name: "VIP", leads: "B" },
    ])
  })

  test("that are noted and contacted, deleted and put back, merged and parted", async () => {
    const app = await openSegments({
      Noted: { filter: ["and.gte.note_count.2"] },
      Contacted: { filter: ["and.is_not_empty.last_contacted_at."] },
    })
    const moves = async () =>
      (await app.moved()).map(({ way, name, leads }) => [way, name, leads].join(" ")).toSorted()
    const ids = await app.create({ A: { status: "contacted" }, B: {} })
    expect(await moves()).toEqual([])
    const note = async (id = ids.A) => (await app.call("POST", `/leads/${id}/notes`, { content: "x" })).body
    const first = await note()
    expect(await moves()).toEqual([])
    const call = await app.call("POST", `/leads/${ids.A}/activities`, { kind: "call" })
    expect(await moves()).toEqual(["entered Contacted A"])
    await app.call("DELETE", `/activities/${call.body.id}`)
    expect(await moves()).toEqual(["left Contacted A"])
    await app.call("POST", `/leads/${ids.A}/activities`, { kind: "call" })
    expect(await moves()).toEqual(["entered Contacted A"])
    await note()
    expect(await moves()).toEqual(["entered Noted A"])
    await app.call("DELETE", `/notes/${first.id}`)
    expect(await moves()).toEqual(["left Noted A"])
    await app.call("PUT", `/leads/${ids.B}`, { status: "contacted" })
    expect(await moves()).toEqual(["entered Contacted B"])
    await note(ids.B)
    expect(await moves()).toEqual([])
    const merged = await app.call("POST", "/leads/merge", { survivor: ids.A, losers: [ids.B] })
    expect(merged.status).toBe(200)
    expect(await moves()).toEqual(["entered Noted A", "left Contacted B"])
    await app.call("POST", `/merges/${merged.body.merge_id}/undo`, {})
    expect(await moves()).toEqual(["entered Contacted B", "left Noted A"])
    const removed = await app.call("DELETE", "/leads/batch", { ids: [ids.B] })
    expect(await moves()).toEqual(["left Contacted B"])
    await app.call("POST", "/changes/revert", { batch_id: removed.body.batch_id })
    expect(await moves()).toEqual(["entered Contacted B"])
  })

  test("in one event for a batch, whatever a lead does on the way", async (app) => {
    const ids = await app.create({ A: {}, B: {}, C: { city: "Ulm" } })
    await app.moved()
    const update = (some: (string | undefined)[], city: string | null) =>
      app.call("PUT", "/leads/batch", { ids: some, data: { city } })
    await update([ids.A, ids.B], "Ulm")
    expect(await app.moved()).toEqual([{ way: "entered", name: "Ulm", leads: "AB" }])
    await app.call("POST", "/leads/batch", {
      leads: [
        { name: "Dora", source: "s", city: "Ulm", email: "d@x.y" },
        { name: "Dora", source: "s", city: "Bonn", email: "d@x.y" },
        { name: "Emil", source: "s", city: "Ulm" },
        { name: "Fritz", source: "s", city: "Ulm", rating: "no" },
      ],
    })
    expect(await app.moved()).toEqual([{ way: "entered", name: "Ulm", leads: "?", lead: "Emil" }])
    await app.call("POST", "/leads/bulk", { ids: [ids.A, ids.C], action: "update", data: { city: "Bonn" } })
    expect(await app.moved()).toEqual([{ way: "left", name: "Ulm", leads: "AC" }])
    const { body } = await app.call("DELETE", "/leads/batch", { ids: [ids.B] })
    expect(await app.moved()).toEqual([{ way: "left", name: "Ulm", leads: "B" }])
    await app.call("POST", "/changes/revert", { batch_id: body.batch_id })
    expect(await app.moved()).toEqual([{ way: "entered", name: "Ulm", leads: "B", lead: "B" }])
  })

  test("that are merged, and come back", async () => {
    const app = await openSegments({ Ulm: ULM, Noted: { q: "espresso" } })
    const ids = await app.create({ A: { city: "Bonn" }, B: { city: "Ulm" } })
    await app.call("POST", `/leads/${ids.B}/notes`, { content: "Drinks espresso" })
    await app.moved()
    const merged = await app.call("POST", "/leads/merge", { survivor: ids.A, losers: [ids.B] })
    expect(await app.moved()).toEqual(
      [
        { way: "entered", name: "Noted", leads: "A", lead: "A" },
        { way: "left", name: "Noted", leads: "B" },
        { way: "left", name: "Ulm", leads: "B" },
      ].toSorted((a, b) => (app.segments[a.name]! < app.segments[b.name]! ? -1 : 1)),
    )
    await app.call("POST", `/merges/${merged.body.merge_id}/undo`)
    expect((await app.moved()).map(({ way, name, leads }) => `${way} ${name} ${leads}`).toSorted()).toEqual([
      "entered Noted B",
      "entered Ulm B",
      "left Noted A",
    ])
    await app.create({ C: { email: "c@x.y" } })
    await app.call("POST", "/leads", { name: "C", source: "s", email: "C@X.Y", city: "Ulm" })
    expect(await app.moved()).toMatchObject([{ way: "entered", name: "Ulm", leads: "C" }])
  })

  test("whose attributes, notes or place change", async () => {
    const app = await openSegments({
      Large: { filter: ["and.gt.attr:seats.30"] },
      Noted: { q: '"cold brew" -closed' },
      Near: { filter: ["and.within_radius.location.48.4,10,20"] },
    })
    const { A } = await app.create({ A: {} })
    const attribute = await app.call("POST", `/leads/${A}/attributes`, {
      name: "seats",
      type: "number",
      value: 40,
    })
    expect(await app.moved()).toMatchObject([{ way: "entered", name: "Large" }])
    await app.call("PUT", `/leads/${A}/attributes/${attribute.body.id}`, { value: 20 })
    expect(await app.moved()).toMatchObject([{ way: "left", name: "Large" }])
    const note = await app.call("POST", `/leads/${A}/notes`, { content: "Wants COLD Brew" })
    expect(await app.moved()).toMatchObject([{ way: "entered", name: "Noted" }])
    await app.call("PUT", `/notes/${note.body.id}`, { content: "Cold brew, but closed" })
    expect(await app.moved()).toMatchObject([{ way: "left", name: "Noted" }])
    await app.call("PUT", `/notes/${note.body.id}`, { content: "cold brew" })
    await app.call("DELETE", `/notes/${note.body.id}`)
    expect(await app.moved()).toMatchObject([{ way: "entered" }, { way: "left" }])
    await app.call("PUT", `/leads/${A}`, { latitude: 48.41, longitude: 10.01 })
    expect(await app.moved()).toMatchObject([{ way: "entered", name: "Near" }])
  })

  test("whose score changes, alone and in a run over all", async () => {
    const app = await openSegments({ Hot: { filter: ["and.gte.score.70"] }, Ulm: ULM })
    const ids = await app.create({ A: { rating: 5, city: "Ulm" }, B: { rating: 4 }, C: { rating: 1 } })
    await app.moved()
    const rule = await app.call("POST", "/scoring-rules", { name: "r", expression: "rating * 20" })
    await app.call("POST", `/leads/${ids.A}/score`)
    expect(await app.moved()).toEqual([{ way: "entered", name: "Hot", leads: "A", lead: "A" }])
    await app.call("POST", "/leads/score/batch")
    expect(await app.moved()).toEqual([{ way: "entered", name: "Hot", leads: "B", lead: "B" }])
    await app.call("PUT", `/scoring-rules/${rule.body.id}`, { expression: "rating" })
    await app.call("POST", "/leads/bulk", { ids: [ids.A, ids.B, ids.C], action: "score" })
    expect(await app.moved()).toEqual([{ way: "left", name: "Hot", leads: "AB" }])
  })

  test("that come with a file", async (app) => {
    const csv = "name,city\nAnna,Ulm\nBruno,Bonn\nCarla,Ulm\n"
    const { status } = await app.call("POST", "/leads/import", csv, { "content-type": "text/csv" })
    expect(status).toBe(200)
    expect(await app.moved()).toEqual([{ way: "entered", name: "Ulm", leads: "??" }])
  })
})

describe("nobody is told", () => {
  test("of leads that are inside when a segment is made or changed, or in a dry run", async (app) => {
    const { A } = await app.create({ A: { city: "Ulm" }, B: { city: "Bonn" } })
    await app.moved()
    await app.call("PUT", `/segments/${app.segments.Ulm}`, { filter: ["and.eq.city.bonn"] })
    await app.call("POST", "/segments", { name: "All" })
    await app.call("POST", "/leads?dry_run=true", { name: "C", source: "s", city: "Bonn" })
    expect(await app.moved()).toEqual([])
    await app.call("PUT", `/leads/${A}`, { city: "Bonn" })
    expect(await app.moved()).toEqual([{ way: "entered", name: "Ulm", leads: "A", lead: "A" }])
    await app.call("DELETE", `/segments/${app.segments.Ulm}`)
    await app.call("PUT", `/leads/${A}`, { city: "Ulm" })
    expect(await app.moved()).toEqual([])
  })

  test("who did not ask; who left out the events is", async () => {
    const app: TestAccount = await openTestApp()
    await using all = openHook()
    await using other = openHook()
    await using left = openHook()
    const hook = async (url: string, events?: string[]) =>
      (await app.call("POST", "/webhooks", { url, ...(events && { events }) })).body
    expect((await hook(all.url)).events).toContain("segment.entered")
    await hook(other.url, ["lead.created"])
    await hook(left.url, ["segment.left"])
    await app.call("POST", "/segments", { name: "Ulm", ...ULM })
    const { body } = await app.call("POST", "/leads", { name: "Anna", source: "s", city: "Ulm" })
    await app.call("DELETE", `/leads/${body.id}`)
    const hit = await all.event("segment.entered")
    expect(hit.json.data).toMatchObject({
      segment: { name: "Ulm" },
      ids: [body.id],
      count: 1,
      lead: { name: "Anna" },
    })
    await all.event("segment.left")
    await left.event("segment.left")
    await other.event("lead.created")
    expect(left.hits.map(({ event }) => event)).toEqual(["segment.left"])
    expect(other.hits.map(({ event }) => event)).toEqual(["lead.created"])
  })

  test("anything of an erased lead but its id", async (app) => {
    const events = await watchOutbox(app.config.file)
    const { A } = await app.create({ A: { city: "Ulm", email: "secret@x.y" } })
    await app.call("DELETE", `/leads/${A}?erase=true`)
    expect(JSON.stringify(await events())).not.toContain("secret@x.y")
  })
})
