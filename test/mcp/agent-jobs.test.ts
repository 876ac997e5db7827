// Twelve ordinary jobs as an agent does them, with tools alone: all of them done, in few calls and few tokens.
import { expect, test } from "bun:test"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { openTestApp, type TestApp } from "../support/app.ts"
import { openHook } from "../support/hook.ts"
import { until } from "../support/until.ts"
import { post } from "./support.ts"

const CITIES = ["Berlin", "Hamburg", "München", "Köln", "Leipzig", "Bonn", "Essen", "Kiel"]
const STATUSES = ["new", "contacted", "qualified", "converted"]
const LEADS = 2_000
const CALLS_MAX = 40
const TOKENS_MAX = 60_000

function lead(i: number) {
  return {
    name: `${["Bäckerei", "Praxis", "Kanzlei", "Werkstatt"][i % 4]} Nummer ${i}`,
    source: ["fair", "web", "list"][i % 3],
    email: i % 5 === 0 ? null : `info${i}@example${i % 97}.de`,
    phone: `+49 30 ${100_000 + i}`,
    city: CITIES[i % CITIES.length],
    status: STATUSES[i % STATUSES.length],
    rating: (i % 50) / 10,
    review_count: i % 300,
    latitude: 52.5 + (i % 40) / 20,
    longitude: 13.4 + (i % 30) / 20,
    description:
      i === 777 ? "A family business that restores old church organs" : `Lead number ${i} of the list`,
    attributes: [{ name: "employees", type: "number", value: i % 250 }],
  }
}

/** Counts what an agent reads and writes. */
function agentOf({ app, key }: TestApp) {
  const spent = { calls: 0, tokens: 0 }
  async function ask(method: string, params: object) {
    const message = { jsonrpc: "2.0", id: ++spent.calls, method, params }
    const headers = { Authorization: `Bearer ${key}` }
    const { result } = await post(`${app.mcpUrl}?toolsets=audit,webhooks,duplicates`, message, headers)
    return result
  }
  async function tool(name: string, args: object = {}) {
    const result = await ask("tools/call", { name, arguments: args })
    const { text } = result.content[0]
    expect([name, result.isError === true ? text : "done"]).toEqual([name, "done"])
    spent.tokens += countTokens(JSON.stringify(args)) + countTokens(text)
    return result.structuredContent.data
  }
  return { spent, tool }
}

async function seed(service: TestApp) {
  const leads = Array.from({ length: LEADS }, (_, i) => lead(i))
  for (let i = 0; i < LEADS; i += 500)
    await service.call("POST", "/leads/batch", { leads: leads.slice(i, i + 500) })
}

test("an agent does twelve jobs in at most 40 calls and 60,000 tokens", async () => {
  await using hook = openHook(() => 500)
  const service = await openTestApp()
  await seed(service)
  const { spent, tool } = agentOf(service)

  // 1. Counts per city and status.
  const table = await tool("get_stats", { group_by: ["city", "status"], metrics: ["count", "avg:rating"] })
  expect(table.total).toBe(LEADS)
  expect(table.groups).toHaveLength(8)

  // 2. Tag the best ten and note why.
  const best = await tool("list_leads", {
    filter: ["and.eq.status.new"],
    sort: "rating",
    sort_order: "DESC",
    limit: 10,
    fields: ["name", "rating"],
  })
  const ids = best.leads.map(({ id }: { id: string }) => id)
  expect(await tool("create_lead_tag", { ids, tag: "call-first" })).toMatchObject({ success: 10, failed: 0 })
  expect(await tool("create_note", { lead_ids: ids, content: "Best rating" })).toMatchObject({ success: 10 })

  // 3. Find duplicates and merge them.
  const twins = await tool("batch_create_leads", {
    leads: [
      {
        name: "Zwillinge Optik GmbH",
        source: "fair",
        city: "Ulm",
        phone: "0731 555",
        website: "optik.example",
      },
      { name: "Zwillinge Optik GmbH", source: "web", city: "Ulm", website: "www.optik.example", rating: 4 },
    ],
  })
  const [kept, other] = twins.created
  expect(other.potential_duplicate_id).toBe(kept.id)
  await tool("batch_delete_leads", { ids: [other.id], confirm: true })
  expect(await tool("update_lead", { id: kept.id, rating: 4 })).toMatchObject({ rating: 4 })

  // 4. Scoring, explained.
  await tool("create_scoring_rule", { name: "Rating", expression: "rating > 4 ? 60 : rating * 10" })
  expect(await tool("update_all_scores")).toMatchObject({ count: LEADS + 1 })
  const scored = await tool("update_lead_score", { id: ids[0], explain: true })
  expect(scored).toMatchObject({ score: 60, rules: [{ name: "Rating", contribution: 60 }] })

  // 5. Export what is within 20 km.
  const near = await tool("list_leads", {
    format: "csv",
    filter: ["and.within_radius.location.52.52,13.405,20"],
  })
  expect(near.sample).toHaveLength(3)
  expect((await (await fetch(near.url)).text()).match(/^cl_/gm)).toHaveLength(near.rows)

  // 6. Disqualify by score, after a look.
  const poor = { filter: ["and.lt.score.20", "and.neq.status.converted"], data: { status: "disqualified" } }
  const look = await tool("batch_update_leads", { ...poor, dry_run: true })
  const done = await tool("batch_update_leads", { ...poor, expect: look.matched })
  expect(look.matched).toBeGreaterThan(500)
  expect(done).toMatchObject({ matched: look.matched, success: look.matched, failed: 0 })

  // 7. Log a meeting.
  const found = await tool("list_leads", { q: '"Nummer 123"', limit: 3, fields: ["name", "status"] })
  const met = found.leads.find(({ name }: { name: string }) => name.endsWith(" 123"))
  await tool("create_note", { lead_id: met.id, content: "Met on the fair; wants an offer by Friday" })
  expect(await tool("update_lead", { id: met.id, status: "qualified" })).toMatchObject({
    status: "qualified",
  })

  // 8. Undo the bulk change.
  const undone = await tool("revert_changes", { batch_id: done.batch_id })
  expect((undone.reverted ?? undone.success) + (undone.skipped?.length ?? undone.failed)).toBe(look.matched)

  // 9. A webhook whose deliveries fail.
  await tool("create_webhook", { url: hook.url, events: ["note.created"] })
  await tool("create_note", { lead_id: met.id, content: "Sent the offer" })
  const webhook = (await service.call("GET", "/webhooks")).body[0].id
  await until("it was tried", async () => {
    const { body } = await service.call("GET", `/webhooks/${webhook}/deliveries`)
    return body.deliveries[0]?.attempts > 0
  })
  const [shown] = await tool("list_webhooks")
  expect(shown.last_deliveries[0]).toMatchObject({ event: "note.created", code: 500 })

  // 10. The week in numbers.
  await tool("get_stats")
  const came = { filter: ["and.gte.created_at.2020-01-01"] }
  await tool("get_stats", { ...came, group_by: ["source"], metrics: ["count", "avg:score"] })
  await tool("list_leads", {
    ...came,
    sort: "score",
    sort_order: "DESC",
    limit: 10,
    fields: ["name", "score"],
  })

  // 11. Which attributes there are.
  const [employees] = await tool("list_attributes")
  expect(employees).toMatchObject({ name: "employees", type: "number", leads: LEADS, min: 0, max: 249 })

  // 12. Search by what it is.
  const organs = await tool("list_leads", { q: "restores church organs", limit: 5, fields: ["name", "city"] })
  expect(organs.leads.map(({ name }: { name: string }) => name)).toEqual([lead(777).name])

  expect(spent.calls).toBeLessThanOrEqual(CALLS_MAX)
  expect(spent.tokens).toBeLessThanOrEqual(TOKENS_MAX)
}, 180_000)
