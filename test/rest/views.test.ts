// What other programs read of the database: the views hold what the API answers.
import { expect, test } from "bun:test"
import { openTestApp } from "../support/app.ts"
import { sqlBeside } from "../support/database.ts"

const LEADS = [
  {
    ...{ name: "Bäckerei Süß", source: "Web", email: "Info@Suess.DE", city: "Köln", rating: 4.5 },
    ...{
      tags: ["VIP", "A, b"],
      next_step: "Call",
      next_step_at: 1_900_000_000,
      latitude: 50.9,
      longitude: 6.9,
    },
  },
  {
    ...{ name: "Zwei", source: "fair", phones: [{ value: "0221 1", label: "office" }, { value: "0221 2" }] },
    attributes: [{ name: "Größe", type: "number", value: 3 }],
  },
  { name: "Drei", source: "fair" },
]

/** JSON of the API, with lists as the views have them: text of JSON in a file, JSON on PostgreSQL. */
const plain = (value: unknown) =>
  typeof value === "string" && /^[[{]/.test(value) ? JSON.parse(value) : value

test("views for other programs hold what the API answers of leads, notes and changes", async () => {
  const { call, config } = await openTestApp()
  const ids: string[] = []
  for (const lead of LEADS) ids.push((await call("POST", "/leads", lead)).body.id)
  await call("POST", `/leads/${ids[0]}/notes`, { content: "Ruft zurück" })
  await call("POST", `/leads/${ids[1]}/contacts`, {})
  await call("PUT", `/leads/${ids[2]}`, { city: "Bonn" })
  await call("DELETE", `/leads/${ids[2]}`)
  const rows = await sqlBeside(config.file, "SELECT * FROM v_leads ORDER BY created_at, id")
  const { body } = await call("GET", "/leads")
  expect(rows).toHaveLength(2)
  for (const [i, lead] of body.leads.entries()) {
    const { account_id, ...row } = Object.fromEntries(
      Object.entries(rows[i]!).map(([name, value]) => [name, plain(value)]),
    )
    expect(row).toEqual(lead)
    expect(account_id).toMatch(/^acc_/)
  }
  const notes = await sqlBeside(
    config.file,
    "SELECT id, lead_id, content, author, created_at, updated_at FROM v_notes",
  )
  expect(notes.map((note) => ({ ...note }))).toEqual((await call("GET", `/leads/${ids[0]}/notes`)).body)
  const changes = await sqlBeside(
    config.file,
    "SELECT lead_id, action, actor_id, key_id, batch_id, created_at FROM v_changes ORDER BY seq DESC",
  )
  const { body: trail } = await call("GET", "/changes")
  expect(changes).toHaveLength(trail.changes.length)
  for (const [i, change] of trail.changes.entries()) {
    const { lead_id, action, actor_id, created_at } = change
    expect(changes[i]).toMatchObject({ lead_id, action, actor_id, created_at })
    expect(changes[i]!.key_id).toBe(actor_id)
  }
})
