// What the type checker makes of the client: these lines are checked by `tsc`, and none of them runs.
import { expect, test } from "bun:test"
import type {
  Attribute,
  EventName,
  Lead,
  LeaddbClient,
  LeadStatus,
  ListedLead,
  PushedLead,
  WebhookEvent,
} from "../../src/client/index.ts"

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function sure<_ extends true>(): void {}

async function checked(client: LeaddbClient, event: WebhookEvent, attribute: Attribute, lead: Lead) {
  sure<Same<Lead["rating"], number | null>>()
  sure<Same<Lead["email"], string | null>>()
  sure<Same<Lead["tags"], string[]>>()
  sure<Same<LeadStatus, "new" | "contacted" | "qualified" | "disqualified" | "converted">>()
  sure<Same<EventName & `note.${string}`, "note.created" | "note.updated" | "note.deleted">>()
  sure<Same<PushedLead["duplicate"], true | undefined>>()

  const page = await client.get("/leads", {
    params: { query: { filter: ["and.eq.city.berlin"], limit: 10 } },
  })
  sure<Same<(typeof page)["next_cursor"], string | null>>()
  sure<Same<(typeof page)["leads"], ListedLead[]>>()
  const pushed = await client.post("/leads", { body: { name: "Ada", source: "test" } })
  sure<Same<typeof pushed, PushedLead>>()
  const gone = await client.delete("/leads/{id}", { params: { path: { id: lead.id } } })
  sure<Same<typeof gone, undefined>>()
  const rules = await client.get("/scoring-rules")
  sure<Same<(typeof rules)[number]["weight"], number>>()
  const stats = await client.get("/stats")
  sure<Same<(typeof stats)["by_status"]["converted"], number>>()

  // A lead that was read can be sent back.
  await client.put("/leads/{id}", { params: { path: { id: lead.id } }, body: lead })
  // @ts-expect-error: there is no such path
  await client.get("/lead")
  // @ts-expect-error: nothing is posted there
  await client.post("/stats")
  // @ts-expect-error: source is required
  await client.post("/leads", { body: { name: "Ada" } })
  // @ts-expect-error: a body is required
  await client.post("/leads")
  // @ts-expect-error: no such status
  await client.patch("/leads/{id}", { params: { path: { id: lead.id } }, body: { status: "won" } })
  // @ts-expect-error: limit is a number
  client.leads({ limit: "10" })

  if (attribute.type === "number") sure<Same<typeof attribute.value, number>>()
  if (attribute.type === "list") sure<Same<typeof attribute.value, string[]>>()
  if (event.event === "lead.created") sure<Same<typeof event.data, Lead>>()
  if (event.event === "leads.deleted") sure<Same<typeof event.data.ids, string[]>>()
  if (event.event === "leads.scored") sure<Same<(typeof event.data.leads)[number]["score"], number>>()
}

test("the client's types are as precise as the document", () => {
  expect(checked).toBeFunction()
})
