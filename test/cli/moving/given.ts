// An account with something of everything that is carried along, and every answer that tells of it.
import { generateLeads } from "../../../scripts/seed/leads.ts"
import { words } from "../../support/words.ts"

type Headers = Record<string, string>
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
type Json = any

interface Client {
  url: string
  key: string
}

async function ask({ url, key }: Client, method: string, path: string, body?: unknown, more: Headers = {}) {
  const response = await fetch(url + path, {
    method,
    headers: { "X-API-Key": key, "Content-Type": "application/json", ...more },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status >= 500) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return {
    status: response.status,
    text,
    json: (text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : null) as Json,
  }
}

const HARD = [
  {
    name: "Straße \\ Ünïcode\ttab",
    city: "Zürich\nline",
    description: "back\\slash \\N \\t and \u{1F600}",
    phone: "+41 44 668 18 00",
  },
  {
    name: "Ångström",
    email: "A@Example.com",
    phone: "(212) 555-0100",
    country: "US",
    latitude: -33.8688,
    longitude: 151.2093,
  },
  { name: "Exact", rating: 0.1, review_count: 12, latitude: 1e-7, longitude: -179.9999999 },
  { name: "no words", description: "''\"\"", tags: ["VIP", "a b", "ß"] },
]

/** Fills an account by its key. */
export async function fill(client: Client, seed: number): Promise<void> {
  const call = async (method: string, path: string, body?: unknown, more?: Headers) => {
    const answer = await ask(client, method, path, body, more)
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.json
  }
  const rules = [
    { name: "rated", expression: "rating >= 4 ? 20 : 0", weight: 1.5, priority: 1 },
    { name: "far", expression: "attr_seats / 3", weight: 0.1, priority: 2 },
  ]
  for (const rule of rules) await call("POST", "/scoring-rules", rule)
  await call("POST", "/webhooks", {
    url: "http://127.0.0.1:9/never",
    events: ["lead.created", "lead.merged"],
    secret: "whsec_of_the_test",
  })
  const secret = { provider: "turnstile", site_key: "k", secret: "captcha of the test" }
  const form = await call("POST", "/forms", { name: "Contact", captcha: secret })
  await fetch(form.url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: "spam@example.com", [form.honeypot]: "x" }),
  })
  const leads = [...generateLeads(120, seed)]
  await call("POST", "/leads/batch", { leads })
  const made: string[] = []
  for (const lead of HARD) {
    const attributes = [
      { name: "seats", type: "number", value: 1 / 3 },
      { name: "open", type: "bool", value: true },
      { name: "kinds", type: "list", value: ["B", "a", "a b"] },
      { name: "deep", type: "object", value: { a: [1, { b: null }] } },
      { name: "text", type: "text", value: "Tab\tand \\" },
    ]
    made.push((await call("POST", "/leads", { source: "hard", ...lead, attributes })).id)
  }
  const [first, second, third, fourth] = made as [string, string, string, string]
  await call("POST", `/leads/${first}/notes`, { content: "a note with\ttab, \\ and zebra crossing" })
  const note = await call("POST", `/leads/${second}/notes`, { content: "to be changed" })
  await call("PUT", `/notes/${note.id}`, { content: "changed quagga" })
  const called = {
    kind: "call",
    outcome: "booked",
    text: "Tab\tand \\",
    at: "2026-01-05",
    next_step: "Visit",
  }
  await call("POST", `/leads/${first}/activities`, called)
  await call("POST", `/leads/${second}/activities`, { kind: "other" })
  await call("POST", "/templates", { name: "Offer", subject: "For {{name}}", body: "Dear {{name}},\n\t\\" })
  await call("PATCH", `/leads/${first}`, { status: "qualified", rating: 4.9 })
  await call("PATCH", `/leads/${first}`, { status: "contacted", tags: ["late"] })
  // Pushed once more: merged, with what was said beside.
  for (let i = 0; i < 3; i++)
    await call("POST", "/leads", {
      name: "Ångström",
      source: "again",
      email: "a@example.COM",
      rating: i,
      attributes: [{ name: "seats", type: "number", value: i }],
    })
  await call("POST", "/leads", { ...leads[0]!, rating: 1 })
  const rated = { name: "rated", filter: ["and.gte.rating.4"], q: "a", sort_by: "name" }
  const { id: segment } = await call("POST", "/segments", rated)
  const clearbit = { source: "clearbit", confidence: 0.5, fields: { website: "https://first.example" } }
  await call("POST", `/leads/${first}/enrichments`, clearbit)
  const rule = { name: "old", filter: ["and.eq.source.old"], months: 12 }
  await call("POST", "/retention-rules", rule)
  await call("POST", "/links", { segment, fields: ["name", "city"] })
  await call("POST", "/leads", { name: "Once", source: "s" }, { "Idempotency-Key": `once-${seed}` })
  // Duplicates: one pair merged, one dismissed, others open.
  for (const name of ["Trattoria Da Nino", "Trattoria da Nino Srl", "Da Nino Trattoria"])
    await call("POST", "/leads", {
      name,
      source: "twins",
      city: "Roma",
      address: "Via Appia 12",
      website: "https://danino.example",
    })
  const { merge_id } = await call("POST", "/leads/merge", { survivor: fourth, losers: [third] })
  await call("POST", `/merges/${merge_id}/undo`, {})
  const { leads: twins } = await call("GET", "/leads?filter=and.eq.source.twins")
  await call("POST", "/leads/merge", { survivor: twins[0].id, losers: [twins[1].id] })
  await ask(client, "POST", "/leads/score/batch", {})
  const gone = await call("POST", "/leads", {
    name: "Gone again",
    source: "s",
    email: `gone${seed}@example.com`,
  })
  await call("POST", `/leads/${gone.id}/notes`, { content: "gone, too" })
  await call("POST", `/leads/${gone.id}/activities`, { kind: "call" })
  await ask(client, "DELETE", `/leads/${gone.id}`)
  const csv = "name,email,Seats\nImported,i@example.com,4\n"
  const headers = { "Content-Type": "text/csv", "X-API-Key": client.key }
  await fetch(`${client.url}/leads/import?source=fair`, { method: "POST", headers, body: csv })
  await call("PUT", "/attributes/seats", { unit: "chairs", position: 1 })
  await call("POST", "/stages", { name: "Offer sent", status: "qualified" })
  const { companies } = await call("GET", "/companies?limit=2")
  await call("POST", "/companies/merge", { ids: companies.map(({ id }: { id: string }) => id) })
  await call("POST", "/leads", {
    name: "Two of each",
    source: "s",
    emails: [{ value: "first@example.com" }, { value: "second@example.com", label: "home" }],
    phones: [{ value: "+49 30 111222" }, { value: "+49 171 333444", label: "mobile" }],
  })
  await call("PUT", "/import-mappings/mine", { map: ["Firm:name"] })
  await call("POST", "/suppressions", [
    { value: `stop${seed}@example.com`, reason: "a \\ b" },
    { value: "no.example" },
  ])
  await call("POST", "/members", { name: "Ada", role: "editor" })
  await call("POST", "/api-keys", { name: "another", role: "viewer" })
}

/** Waits until nothing is done behind the writes any more. */
export async function settled(client: Client): Promise<void> {
  for (let same = 0, last: string | undefined; same < 3; ) {
    if (last !== undefined) await Bun.sleep(400)
    const { text } = await ask(client, "GET", "/duplicates?limit=100")
    const state = text + (await ask(client, "GET", "/duplicates/status")).text
    same = state === last ? same + 1 : 0
    last = state
  }
}

const PAGES = words(`
  /leads?limit=7&sort_by=name&sort_order=ASC /leads?limit=200&sort_by=score&sort_order=DESC
  /leads?limit=200&sort_by=attr:seats /leads?limit=200&q=zebra /leads?limit=200&q=trattoria
  /leads?limit=200&q=quaga
  /leads?limit=200&filter=and.contains.name.o&filter=and.gte.rating.3&sort_by=city
  /leads?limit=200&filter=and.within_radius.location.-33.8,151.2,50
  /leads?limit=200&filter=and.array_contains.tags.vip
  /leads?limit=200&filter=and.same.phone.%2B12125550100
  /leads?limit=200&filter=and.eq.email.second@example.com
  /leads?limit=200&filter=and.eq.attr:text.Tab%09and%20%5C /changes?limit=200&view=diff
  /changes?limit=200&order=asc&view=diff /changes?limit=50&view=full&order=asc /duplicates?limit=100
  /duplicates?limit=100&state=dismissed /duplicates?limit=100&state=merged /duplicates/model
  /duplicates/status /segments /suppressions /leads?limit=200&contactable=false /links /templates
  /retention-rules /erasures /scoring-rules /webhooks /forms /activities?by=member,day,kind,outcome
  /stats /stats/cities /stats/categories /attributes /stages /companies?limit=200
  /leads/aggregate?group_by=city /api-keys /imports /import-mappings /members /sessions /account
  /admin-log
`)

/** Every answer that tells of an account, by its request. */
export async function walk(client: Client): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  const get = async (path: string, name = path) => {
    const { status, text, json } = await ask(client, "GET", path)
    answers[name] = `${status} ${withoutUse(name.startsWith("/changes") ? text : withoutCursor(text))}`
    return json
  }
  for (const path of PAGES) await get(path)
  for (let next = "/leads?limit=50", n = 1; next; n++) {
    const page = await get(next, n > 1 ? `page ${n}` : next)
    const all: Json[] = page.leads
    for (const { id } of all)
      for (const more of ["", "/notes", "/activities", "/changes"]) await get(`/leads/${id}${more}`)
    next = page.next_cursor ? `/leads?limit=50&cursor=${encodeURIComponent(page.next_cursor)}` : ""
  }
  const forms: Json = JSON.parse(answers["/forms"]!.slice(4))
  for (const { id } of forms) await get(`/forms/${id}/spam`)
  const webhooks: Json = JSON.parse(answers["/webhooks"]!.slice(4))
  for (const { id } of webhooks.webhooks ?? webhooks.data ?? webhooks) await get(`/webhooks/${id}`)
  return answers
}

/** A place in a list is of one database. */
const withoutCursor = (text: string) => text.replaceAll(/"next_cursor":"[^"]*"/g, "")

/**
 * Keys are used by looking, each service has an address of its own, and a rule's notice waits while none runs. Engines divide sums in their own arithmetic: the last
 * digit of an average may differ.
 */
function withoutUse(text: string): string {
  return text
    .replaceAll(/"average":([\d.]+)/g, (_, average) => `"average":${Number(average).toPrecision(14)}`)
    .replaceAll(/"erases_from":\d+/g, '"erases_from":0')
    .replaceAll(/"last_used_at":(?:\d+|null)/g, '"last_used_at":0')
    .replaceAll(/http:\/\/[\w.:]+\/f\//g, "/f/")
}
