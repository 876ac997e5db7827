import { describe, expect } from "bun:test"
import { openTestAccount } from "../support/app.ts"
import { pluck } from "../support/pluck.ts"
import { testWith } from "../support/test-with.ts"

const test = testWith(openWithHistory)

const many = (n: number) =>
  Array.from({ length: n }, (_, i) => ({ name: `Lead ${i}`, source: "web", city: "Bonn" }))

async function openWithHistory() {
  const app = await openTestAccount()
  const { call } = app
  const batches = async (query = "") => (await call("GET", `/changes?view=batches${query}`)).body
  const { body: made } = await call("POST", "/leads/batch", { leads: many(3) })
  const { body: one } = await call("POST", "/leads", { name: "Single", source: "web" })
  const { body: bulk } = await call("POST", "/leads/bulk", {
    filter: ["and.eq.city.Bonn"],
    action: "update",
    data: { city: "Ulm" },
  })
  return { ...app, batches, made, one, bulk }
}

describe("GET /changes?view=batches", () => {
  test("lists what was done together as one entry, newest first", async ({ batches, made, bulk, app: _ }) => {
    const { batches: all, ...rest } = await batches()
    expect(rest).toEqual({ next_cursor: null, has_more: false })
    expect(pluck(all, "kind", "leads", "changes")).toEqual([
      ["bulk", 3, 3],
      ["single", 1, 1],
      ["bulk", 3, 3],
    ])
    expect([all[0].batch_id, all[2].batch_id]).toEqual([bulk.batch_id, made.batch_id])
    expect(all[0].ended_at).toBeGreaterThanOrEqual(all[0].started_at)
    expect(all[0].actor).toMatch(/^key_/)
  })

  test("says who did what and when", async ({ batches, call, made }) => {
    const ids = pluck(made.created, "id")
    const data = { tags: ["vip"], status: "contacted", next_step: null, attributes: { size: 5 } }
    await call("POST", "/leads/bulk", { ids, action: "update", data })
    for (const [i, city] of ["Kiel", "Jena", "Hof"].entries())
      await call("PUT", `/leads/${ids[i]}`, { city, tags: ["new"] })
    const [{ name }] = (await call("GET", "/api-keys")).body
    const { batches: all } = await batches()
    expect(all[0]).toMatchObject({
      actor_name: name,
      what: ["city -> Hof, 1", "tags + new, 1", "tags - vip, 1"],
    })
    expect(Date.parse(all[0].at)).toBe(all[0].ended_at * 1000)
    expect(all[3].what.toSorted()).toEqual(["attr:size -> 5, 3", "status -> contacted, 3", "tags + vip, 3"])
    expect(all.at(-1).what).toEqual(["created, 3"])
  })

  test("goes on by its cursor, and no other", async ({ batches, call }) => {
    const ids: string[] = []
    let cursor = ""
    for (;;) {
      const page = await batches(`&limit=1${cursor && `&cursor=${cursor}`}`)
      ids.push(...pluck(page.batches, "batch_id"))
      if (!page.has_more) break
      cursor = page.next_cursor
    }
    expect(ids).toEqual(pluck((await batches()).batches, "batch_id"))
    expect((await call("GET", `/changes?cursor=${cursor}`)).status).toBe(400)
    expect((await call("GET", "/changes?view=batches&cursor=x")).status).toBe(400)
    expect((await call("GET", "/changes?view=batches&order=asc")).status).toBe(400)
  })

  test("tells imports, merges and what was reverted by what", async ({ call, batches, bulk, made }) => {
    const file = await call(
      "POST",
      "/leads/import?format=csv&source=list",
      "name,email\nAda,ada@example.com\n",
    )
    const { body: reverted } = await call("POST", "/changes/revert", { batch_id: bulk.batch_id })
    const [survivor, loser] = pluck(made.created, "id")
    const { body: merge } = await call("POST", "/leads/merge", { survivor, losers: [loser] })
    const { batches: all } = await batches()
    const kinds = pluck(all, "kind")
    expect(kinds.slice(0, 2)).toEqual(["merge", "revert"])
    expect(all[0]).toMatchObject({ leads: 2, merge_ids: [merge.merge_id] })
    expect(all.find(({ batch_id }: { batch_id: string }) => batch_id === bulk.batch_id).undone_by).toBe(
      reverted.batch_id,
    )
    if (file.status < 300)
      expect(all.find(({ kind }: { kind: string }) => kind === "import")).toMatchObject({
        import_id: file.body.id,
      })
    await call("POST", `/merges/${merge.merge_id}/undo`, {})
    expect((await batches()).batches[0].kind).toBe("undo")
    // The revert is told on a later page, too.
    const first = await batches("&limit=3")
    const rest = await batches(`&cursor=${first.next_cursor}`)
    const found = [...first.batches, ...rest.batches].find(({ batch_id }) => batch_id === bulk.batch_id)
    expect(found.undone_by).toBe(reverted.batch_id)
  })
})

test("a dry run of a revert tells how many it would keep, and shows what it would do", async () => {
  const { call, bulk } = await openWithHistory()
  const { body: leads } = await call("GET", "/leads?filter=and.eq.city.Ulm")
  await call("PUT", `/leads/${leads.leads[0].id}`, { city: "Kiel" })
  const { body } = await call("POST", "/changes/revert", { batch_id: bulk.batch_id, dry_run: true })
  expect(body).toMatchObject({ matched: 3, reverted: 2, kept: 1, dry_run: true })
  expect(body.sample).toHaveLength(2)
  expect(body.sample[0]).toEqual({
    ...{ lead_id: expect.any(String), name: expect.any(String), action: "change" },
    changes: { city: ["Ulm", "Bonn"] },
  })
  expect(body.batch).toMatchObject({ batch_id: bulk.batch_id, what: ["city -> Ulm, 3"] })
})
