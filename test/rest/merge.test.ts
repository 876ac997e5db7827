import { describe, expect } from "bun:test"
import { type Call, openTestAccount, test } from "../support/app.ts"
import { pluck } from "../support/pluck.ts"
import { compared, jobDone } from "../support/settled.ts"
import { until } from "../support/until.ts"

const nino = {
  name: "Trattoria Da Nino",
  source: "maps",
  email: "nino@example.com",
  source_id: "maps-1",
  phone: "+49 30 1234567",
  city: "Berlin",
  tags: ["food"],
  attributes: [{ name: "seats", type: "number", value: 40 }],
}
const ninoAgain = {
  name: "Da Nino GmbH",
  source: "fair",
  email: "hallo@example.com",
  source_id: "fair-1",
  website: "https://nino.example",
  city: "Berlin",
  tags: ["fair"],
  attributes: [{ name: "stand", type: "text", value: "B7" }],
}

async function push(call: Call, ...leads: object[]): Promise<string[]> {
  const ids: string[] = []
  for (const lead of leads) ids.push((await call("POST", "/leads", lead)).body.id)
  return ids
}
const get = async (call: Call, id: string) => (await call("GET", `/leads/${id}`)).body

describe("POST /leads/merge", () => {
  test("takes everything along and leaves one lead", async ({ call }) => {
    const [a, b] = await push(call, nino, ninoAgain)
    const { body: note } = await call("POST", `/leads/${b}/notes`, { content: "call back" })
    const dry = await call("POST", "/leads/merge", { survivor: a, losers: [b], dry_run: true })
    expect(dry.body).toMatchObject({
      merge_id: null,
      dry_run: true,
      notes: 1,
      survivor: { website: ninoAgain.website },
    })
    expect((await get(call, a!)).website).toBeNull()
    const { status, body } = await call("POST", "/leads/merge", { survivor: a, losers: [b] })
    expect(status).toBe(200)
    expect(body.changed).toEqual(["website", "emails", "tags", "attr:stand"])
    expect(body.aliases).toEqual([
      { field: "email", value: "hallo@example.com" },
      { field: "source_id", value: "fair-1" },
    ])
    const lead = await get(call, a!)
    expect(lead).toMatchObject({
      name: nino.name,
      email: nino.email,
      website: ninoAgain.website,
      tags: ["food", "fair"],
    })
    expect(pluck(lead.attributes, "name")).toEqual(["seats", "stand"])
    expect((await call("GET", `/leads/${b}`)).status).toBe(404)
    expect((await call("GET", `/leads/${a}/notes`)).body).toEqual([{ ...note, lead_id: a }])
    const [pair] = (await call("GET", "/duplicates?state=merged&min_probability=0")).body.duplicates
    expect(pair).toMatchObject({ state: "merged", a: { id: a }, b: { id: b, name: ninoAgain.name } })
  })

  test("leaves the id of the survivor under the merged ids, over several merges", async ({ call, as }) => {
    const [a, b, c] = await push(call, nino, ninoAgain, { name: "Luigi", source: "web" })
    await call("POST", "/leads/merge", { survivor: b, losers: [a] })
    await call("POST", "/leads/merge", { survivor: c, losers: [b] })
    for (const [method, body] of [["GET"], ["PUT", { city: "Bonn" }], ["DELETE"]] as const)
      for (const id of [a, b]) {
        const answer = await call(method, `/leads/${id}`, body)
        expect([answer.status, answer.body.code, answer.body.merged_into]).toEqual([404, "not_found", c])
      }
    const { key } = (await call("POST", "/api-keys", { name: "r", role: "viewer" })).body
    expect((await as(key)("GET", `/leads/${a}`)).body.merged_into).toBe(c!)
    await call("DELETE", `/leads/${c}`)
    expect((await call("GET", `/leads/${a}`)).body).not.toHaveProperty("merged_into")
  })

  test("takes values of the lead that is named for a field, values, and those of a rule", async () => {
    const { call } = await openTestAccount()
    const [a, b] = await push(call, nino, ninoAgain)
    const fields = { name: b, phone: "+49 30 99", email: b }
    const dry = await call("POST", "/leads/merge", { survivor: a, losers: [b], fields, dry_run: true })
    expect(dry.body.survivor).toMatchObject({
      name: ninoAgain.name,
      phone: "+49 30 99",
      email: ninoAgain.email,
    })
    const rule = { survivor: a, losers: [b], rule: "source_priority", sources: ["fair"], dry_run: true }
    expect((await call("POST", "/leads/merge", rule)).body.survivor).toMatchObject({
      name: ninoAgain.name,
      phone: nino.phone,
    })
    expect((await call("POST", "/leads/merge", { survivor: a, losers: [a] })).status).toBe(400)
    expect((await call("POST", "/leads/merge", { survivor: a, losers: ["cl_none"] })).status).toBe(404)
    expect(
      (await call("POST", "/leads/merge", { survivor: a, losers: [b], fields: { score: 1 } })).status,
    ).toBe(400)
  })

  test("leads the next push of a loser's scraper to the survivor, which keeps its own email and source_id", async () => {
    const { call } = await openTestAccount()
    const [a, b] = await push(call, nino, ninoAgain)
    await call("POST", "/leads/merge", { survivor: a, losers: [b] })
    const again = await call("POST", "/leads", {
      name: "Da Nino",
      source: "fair",
      source_id: "fair-1",
      rating: 4.5,
    })
    expect(again.body).toMatchObject({ id: a, duplicate: true, rating: 4.5, source_id: "maps-1" })
    const byEmail = await call("POST", "/leads", {
      name: "Da Nino",
      source: "fair",
      email: "HALLO@example.com",
    })
    expect(byEmail.body).toMatchObject({ id: a, duplicate: true, email: nino.email })
  })
})

describe("POST /merges/{id}/undo", () => {
  test("gives both leads back as they were", async ({ call }) => {
    const [a, b] = await push(call, nino, ninoAgain)
    const { body: note } = await call("POST", `/leads/${b}/notes`, { content: "call back" })
    const before = [await get(call, a!), await get(call, b!)]
    const { merge_id } = (
      await call("POST", "/leads/merge", { survivor: a, losers: [b], fields: { email: b } })
    ).body
    const { status, body } = await call("POST", `/merges/${merge_id}/undo`)
    expect(status).toBe(200)
    expect(body.kept).toEqual([])
    const { updated_at, last_touched_at, ...survivor } = await get(call, a!)
    expect(before[0]).toMatchObject(survivor)
    expect(await get(call, b!)).toEqual(before[1])
    expect((await call("GET", `/leads/${b}/notes`)).body).toEqual([note])
    expect((await call("GET", `/leads/${a}/notes`)).body).toEqual([])
    expect(
      (await call("POST", "/leads", { name: "Da Nino", source: "fair", source_id: "fair-1" })).body.id,
    ).toBe(b)
    expect((await call("POST", `/merges/${merge_id}/undo`)).status).toBe(409)
    await compared(call)
    const { duplicates } = (await call("GET", "/duplicates?min_probability=0")).body
    expect(
      duplicates.map((pair: { a: { id: string }; b: { id: string } }) => [pair.a.id, pair.b.id]),
    ).toEqual([[a, b]])
    expect((await call("GET", "/duplicates?min_probability=0&state=dismissed")).body.count).toBe(0)
    expect((await call("GET", "/duplicates/model")).body.decisions).toMatchObject({ same: 0, different: 0 })
  })

  test("leaves what was changed since, and says so", async ({ call }) => {
    const [a, b] = await push(call, nino, ninoAgain)
    const { merge_id } = (await call("POST", "/leads/merge", { survivor: a, losers: [b] })).body
    await call("PATCH", `/leads/${a}`, { website: "https://other.example" })
    const { body } = await call("POST", `/merges/${merge_id}/undo`)
    expect(body.kept).toMatchObject([{ lead_id: a, field: "website" }])
    expect(body.survivor.website).toBe("https://other.example")
    expect(body.losers).toMatchObject([{ id: b, website: ninoAgain.website }])
  })

  test("of a merge before another wants the later one first", async ({ call }) => {
    const [a, b, c] = await push(call, nino, ninoAgain, { name: "Nino", source: "x", source_id: "x-1" })
    const first = (await call("POST", "/leads/merge", { survivor: b, losers: [c] })).body.merge_id
    const second = (await call("POST", "/leads/merge", { survivor: a, losers: [b] })).body.merge_id
    expect((await call("POST", "/leads", { name: "Nino", source: "x", source_id: "x-1" })).body.id).toBe(a)
    expect((await call("POST", `/merges/${first}/undo`)).status).toBe(409)
    expect((await call("POST", `/merges/${second}/undo`)).status).toBe(200)
    expect((await call("POST", "/leads", { name: "Nino", source: "x", source_id: "x-1" })).body.id).toBe(b)
    expect((await call("POST", `/merges/${first}/undo`)).status).toBe(200)
    expect((await call("POST", "/leads", { name: "Nino", source: "x", source_id: "x-1" })).body.id).toBe(c)
  })
})

test("a push that went into a lead wrongly becomes a lead of its own", async ({ call }) => {
  const [a] = await push(call, nino)
  await call("POST", "/leads", {
    name: "Trattoria Da Ninno",
    source: "fair",
    phone: nino.phone,
    website: "https://x.example",
  })
  const changes = (await call("GET", `/leads/${a}/changes`)).body.changes
  const { status, body } = await call("POST", `/merges/${changes[0].id}/undo`)
  expect(status).toBe(200)
  expect(body.survivor).toMatchObject({ id: a, name: nino.name, website: null })
  expect(body.losers).toMatchObject([
    { name: "Trattoria Da Ninno", source: "fair", website: "https://x.example" },
  ])
  expect((await call("POST", `/merges/${changes[0].id}/undo`)).status).toBe(409)
})

test("of texts that differ in accents and case alone the better spelled one is kept, whoever has it", async () => {
  const { call } = await openTestAccount()
  const spelled = { name: "Zoé Muñoz", city: "Łódź", email: "zoe@a.example" }
  const bare = { name: "Zoe MUNOZ", city: "Lodz", email: "zoé@a.example" }
  const [a, b] = await push(call, { ...bare, source: "Messe" }, { ...spelled, source: "maps" })
  for (const [survivor, loser] of [
    [a, b],
    [b, a],
  ]) {
    const ids = { survivor, losers: [loser], dry_run: true }
    const { name, city, email } = (await call("POST", "/leads/merge", ids)).body.survivor
    expect({ name, city, email }).toEqual({ ...spelled, email: survivor === a ? bare.email : spelled.email })
    const newest = (await call("POST", "/leads/merge", { ...ids, fields: { name: a } })).body.survivor
    expect(newest.name).toBe(bare.name)
  }
})

test("what a push said is kept whole: also what the lead had already, and what was not taken of it", async () => {
  const { call } = await openTestAccount()
  const [a] = await push(call, nino)
  const said = {
    name: "Trattoria Da Ninno",
    source: "fair",
    phone: nino.phone,
    city: "Berlin",
    website: "https://x.example",
    tags: ["food", "fair"],
    attributes: [
      { name: "seats", type: "number", value: 40 },
      { name: "stand", type: "text", value: "B7" },
    ],
  }
  await call("POST", "/leads?on_duplicate=fill", said)
  const [change] = (await call("GET", `/leads/${a}/changes`)).body.changes
  const { survivor, losers } = (await call("POST", `/merges/${change.id}/undo`)).body
  expect(survivor).toMatchObject({ ...nino, attributes: [{ name: "seats", value: 40 }], website: null })
  expect(losers[0]).toMatchObject(said)
  expect(losers[0]).toMatchObject({ email: null, source_id: null })
})

describe("POST /duplicates/merge", () => {
  test("merges what is probable enough as a job; the trail of all is the survivor's", async ({ call }) => {
    const again = { ...ninoAgain, phone: "030 1234567", name: "Da Nino Trattoria GmbH" }
    const [a, b] = await push(call, nino, again, { name: "Zum Hirsch", source: "maps", city: "Wien" })
    await compared(call)
    const dry = await call("POST", "/duplicates/merge", { min_probability: 0.6, dry_run: true })
    expect(dry.body).toMatchObject({ matched: 1, groups: 1, leads: 1, dry_run: true })
    expect(dry.body.sample).toEqual([
      {
        probability: expect.any(Number),
        survivor: { id: a, name: nino.name },
        losers: [{ id: b, name: again.name }],
        lost: [
          { field: "name", value: again.name },
          { field: "source", value: "fair" },
        ],
      },
    ])
    const behind = { min_probability: 0.6, dry_run: true, offset: 1 }
    expect((await call("POST", "/duplicates/merge", behind)).body).toMatchObject({ groups: 1, sample: [] })
    expect((await call("POST", "/duplicates/merge", { min_probability: 0.6, expect: 7 })).status).toBe(409)
    const { status, body } = await call("POST", "/duplicates/merge", { min_probability: 0.6, expect: 1 })
    expect(status).toBe(202)
    const job = await jobDone(call, body.job)
    expect(job.merge_ids).toHaveLength(1)
    expect((await call("GET", `/leads/${b}`)).status).toBe(404)
    const trail = (await call("GET", `/leads/${a}/changes`)).body.changes
    expect(pluck(trail, "lead_id", "action")).toEqual([
      [a, "merged"],
      [b, "deleted"],
      [b, "created"],
      [a, "created"],
    ])
    expect((await call("POST", `/merges/${job.merge_ids[0]}/undo`)).status).toBe(200)
    expect((await call("GET", `/leads/${b}`)).status).toBe(200)
  })
})

describe("merges of one batch", () => {
  async function openMerged() {
    const { call } = await openTestAccount()
    const names = ["Alpenhof", "Bergblick", "Seestern"]
    const ids = await push(
      call,
      ...names.flatMap((name, i) => {
        const shared = { phone: `+49 228 701100${i}`, city: "Bonn", address: `Ring ${i + 1}` }
        return [
          { ...shared, name: `Gasthaus ${name}`, source: "maps", source_id: `maps-${i}` },
          { ...shared, name: `${name} Gasthaus GmbH`, source: "fair", source_id: `fair-${i}`, rating: 4 },
        ]
      }),
    )
    await compared(call)
    await call("POST", `/leads/${ids[1]}/notes`, { content: "call back" })
    const all = async () => (await call("GET", "/leads?sort_by=source_id&sort_order=asc")).body.leads
    const values = async () =>
      (await all()).map((lead: object) => ({
        ...lead,
        updated_at: 0,
        last_interaction_at: 0,
        last_touched_at: 0,
      }))
    const before = await values()
    const { body } = await call("POST", "/duplicates/merge", { min_probability: 0.9 })
    await jobDone(call, body.job)
    const revert = async (batch_id: string, more = {}) =>
      (await call("POST", "/changes/revert", { batch_id, ...more })).body
    const entries = async () => (await call("GET", "/changes?view=batches")).body.batches
    const merged = await values()
    return { call, ids, before, values, revert, entries, merged, batch: body.batch_id as string }
  }

  test("are undone as one entry, which merges again when it is undone, and so on", async () => {
    const { call, ids, before, values, revert, entries, merged, batch } = await openMerged()
    expect(merged).toHaveLength(3)
    const dry = await revert(batch, { dry_run: true })
    expect(dry).toMatchObject({ matched: 6, reverted: 6, kept: 0 })
    expect(pluck(dry.sample, "action").toSorted()).toEqual(
      ["change", "restore"].flatMap((action) => [action, action, action]),
    )
    const undone = await revert(batch, { expect: 6 })
    expect(undone).toMatchObject({ matched: 6, reverted: 6, skipped: [] })
    expect(await values()).toEqual(before)
    expect((await call("GET", `/leads/${ids[1]}/notes`)).body).toMatchObject([{ content: "call back" }])
    await compared(call)
    expect((await call("GET", "/duplicates?min_probability=0.9")).body.count).toBe(3)
    expect((await entries()).slice(0, 2)).toMatchObject([
      { batch_id: undone.batch_id, kind: "undo", leads: 6 },
      { batch_id: batch, kind: "merge", leads: 6, undone_by: undone.batch_id },
    ])
    const redone = await revert(undone.batch_id)
    expect(redone).toMatchObject({ matched: 6, reverted: 6 })
    expect(await values()).toEqual(merged)
    expect((await call("GET", `/leads/${ids[0]}/notes`)).body).toMatchObject([{ content: "call back" }])
    const again = await call("POST", "/leads", { name: "Alpenhof", source: "fair", source_id: "fair-0" })
    expect(again.body).toMatchObject({ id: ids[0], duplicate: true })
    expect((await entries())[2]).toMatchObject({ batch_id: undone.batch_id, undone_by: redone.batch_id })
    expect((await revert(undone.batch_id)).skipped[0].message).toBe(
      "These leads have been merged again already",
    )
    expect((await call("GET", "/duplicates/model")).body.decisions).toEqual({ same: 0, different: 0 })
  })

  test("stay where their lead was changed since, unless it is forced", async () => {
    const { call, ids, revert, batch } = await openMerged()
    await call("PATCH", `/leads/${ids[0]}`, { website: "https://alpenhof.example" })
    const dry = await revert(batch, { dry_run: true })
    expect(dry).toMatchObject({ matched: 6, reverted: 4, kept: 2 })
    const { skipped } = await revert(batch)
    expect(pluck(skipped, "lead_id").toSorted()).toEqual([ids[0], ids[1]].toSorted())
    expect(skipped[0].message).toBe("Gasthaus Alpenhof was changed since: left alone without force")
    expect((await call("GET", `/leads/${ids[1]}`)).status).toBe(404)
    // What was undone before stays undone.
    expect(await revert(batch, { force: true })).toMatchObject({ reverted: 2 })
    expect((await call("GET", `/leads/${ids[1]}`)).status).toBe(200)
    expect((await get(call, ids[0]!)).website).toBe("https://alpenhof.example")
  })
})

describe("/duplicates/model", () => {
  test("refuses to merge by itself what nothing has shown to be right, and switches learning off", async () => {
    const { call } = await openTestAccount()
    for (const auto_merge_above of [0.9, 0.995])
      expect((await call("PATCH", "/duplicates/model", { auto_merge_above })).status).toBe(400)
    const { body } = await call("PATCH", "/duplicates/model", { learning: false })
    expect(body).toMatchObject({ learning: false, auto_merge_above: null, learned: false })
    expect((await call("GET", "/duplicates/model")).body).toEqual(body)
  })

  test("learns from decisions", async ({ call }) => {
    const leads = Array.from({ length: 50 }, (_, i) => ({
      name: `${["Alpenhof", "Bergblick"][i % 2]} ${"abcdefghijklmnopqrstuvwxy"[i >> 1]}orn${i >> 1}`,
      source: "s",
      phone: `+49 89 ${7_000_000 + (i >> 1)}`,
      city: "Bonn",
    }))
    await push(call, ...leads)
    await compared(call)
    const pairs = (await call("GET", "/duplicates?min_probability=0.3&limit=200")).body.duplicates
    expect(pairs.length).toBeGreaterThan(20)
    for (const { id } of pairs) await call("POST", `/duplicates/${id}/dismiss`)
    await until("weights are learned", async () => (await call("GET", "/duplicates/model")).body.learned)
    const { body } = await call("GET", "/duplicates/model")
    expect(body.decisions).toEqual({ same: 0, different: pairs.length })
    expect(body.loss.decisions).toBeGreaterThanOrEqual(20)
    expect(body.loss.learned).toBeLessThan(body.loss.built_in)
    const then = pairs[0]
    await until(
      "probabilities moved",
      async () => (await call("GET", `/duplicates/${then.id}`)).body.probability < then.probability,
    )
  })
})
