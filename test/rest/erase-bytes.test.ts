// Erasing leaves no byte of a person in any file of the data folder, nor in any table.
import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { sqliteFileCare } from "../../src/store/sqlite/file/care.ts"
import { compactDatabase } from "../../src/store/sqlite/file/compact.ts"
import { call as callTool } from "../mcp/support.ts"
import { type Call, openTestApp, type TestApp } from "../support/app.ts"
import { type HeldClock, heldClock } from "../support/clock.ts"
import { everythingKept, onPostgres } from "../support/database.ts"
import { importDone } from "../support/settled.ts"
import { until } from "../support/until.ts"

/** Ten values of one person, as they are stored somewhere: none is part of another. */
const VALUES = {
  name: "Quirinus Zwetschgenmus",
  email: "quirin@zwetsch.example",
  second: "q.mus@privat.example",
  phone: "+4915177665544",
  address: "Holunderstieg 987",
  former: "Altfelderhaus 456",
  job_title: "Oberkellerwart",
  hobby: "Kniegeigenbau",
  note: "Mag keine Hagebuttenmarmelade",
  other: "Quirl Zwetschgenmus-Altnamen",
}
const CSV = { "Content-Type": "text/csv" }

async function post(url: string, body: object): Promise<number> {
  const headers = { "Content-Type": "application/json" }
  return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).status
}

/** A person in every place that may hold one; returns the lead's id and that of one merged into it. */
async function everywhere(service: TestApp): Promise<{ id: string; loser: string; imported: string }> {
  const { call } = service
  await call("POST", "/webhooks", { url: "http://127.0.0.1:9/" })
  const { name, email, second, phone, address, former, job_title, hobby, note, other } = VALUES
  const fields = ["name", { name: "email", required: true }, "phone", "address"]
  const made = async (settings: object) =>
    (await call("POST", "/forms", { name: "F", fields, ...settings })).body
  const [form, waiting] = [await made({}), await made({ double_opt_in: true })]
  const rows = [
    "name,email,phone,address,job_title,rating,latitude",
    `${name},${email},${phone},${former},${job_title},${hobby},`,
    `${name},${email},,${address},${job_title},,north`,
    `${name},${email} ; quirin(at)zwetsch.example,,,,,`,
    `,,,${address},${job_title},,`,
  ]
  const imported = await call("POST", `/leads/import?name=${encodeURIComponent(name)}`, rows.join("\n"), CSV)
  expect(imported.status).toBe(200)
  // A column that is called like a person.
  const called = await call("POST", "/leads/import", `name,Hours of ${name}\n,3\n`, CSV)
  expect(called.body).toMatchObject({ created: 0, rejected: 1 })
  const found = (await call("GET", `/leads?filter=and.eq.email.${email}`)).body.leads
  const id: string = found[0].id
  const change = { address, emails: [{ value: email }, { value: second, label: "private" }] }
  expect((await call("PUT", `/leads/${id}`, change)).status).toBe(200)
  const attribute = { name: "hobby", type: "text", value: hobby }
  await call("POST", `/leads/${id}/attributes`, attribute)
  await call("POST", `/leads/${id}/notes`, { content: note }, { "Idempotency-Key": "note" })
  await call("POST", "/suppressions", { value: second, reason: name })
  const enrichment = {
    source: "clearbit",
    at: 1_700_000_000,
    fields: { linkedin_url: `https://x.example/${hobby}` },
  }
  await call("POST", `/leads/${id}/enrichments`, enrichment)
  await throughNewer(call, id)
  await callTool(service, "list_leads", { format: "csv", filter: [`and.eq.email.${email}`] })
  const old = {
    name: other,
    source: "web",
    email: "alt@altnamen.example",
    phone: "+49 351 998877665",
    address: former,
  }
  const loser: string = (await call("POST", "/leads", old)).body.id
  await call("POST", `/leads/${loser}/notes`, { content: `${note} wirklich` })
  await call("PUT", `/leads/${loser}`, { job_title })
  expect((await call("POST", "/leads/merge", { survivor: id, losers: [loser] })).status).toBe(200)
  expect(
    await post(waiting.url, { name, email: "anders@gone.example", phone: "0151 77 66 55 44" }),
  ).toBeLessThan(300)
  expect(await post(form.url, { name, email: second, [form.honeypot]: "x" })).toBeLessThan(300)
  return { id, loser, imported: imported.body.id }
}

/** The lead goes through all that an account's people do with leads. */
async function throughNewer(call: Call, id: string): Promise<void> {
  const { name, email, phone, hobby, note, second } = VALUES
  const ok = async (method: string, path: string, body?: object, headers?: Record<string, string>) => {
    const answer = await call(method, path, body, headers)
    expect([path, answer.status < 300 ? undefined : answer.body]).toEqual([path, undefined])
    return answer.body
  }
  const next = { next_step: `${hobby} ansehen`, next_step_at: "2027-01-01" }
  const logged = { kind: "call", outcome: "reached", text: note, ...next }
  const activity = await ok("POST", `/leads/${id}/activities`, logged, { "Idempotency-Key": `${email} 1` })
  await ok("POST", `/leads/${id}/activities`, { kind: "email", text: name })
  await ok("DELETE", `/activities/${activity.id}`)
  const stage = (await ok("POST", "/stages", { name: "Offer", status: "qualified" })).id
  const sale = { stage, value: 12, lost_reason: `Wegen ${hobby}`, company: `Firma ${name}`, city: "Ulm" }
  await ok("PUT", `/leads/${id}`, sale)
  await ok("PUT", `/leads/${id}`, { website: `https://${hobby}.example` })
  const firm = { name: `${name} Filiale`, company: `Filiale ${name}`, city: "Ulm", source: "web" }
  const { id: branch } = await ok("POST", "/leads", firm)
  const companies = await Promise.all(
    [id, branch].map(async (one) => (await ok("GET", `/leads/${one}`)).company_id),
  )
  expect(new Set(companies).size).toBe(2)
  const { batch_id } = await ok("POST", "/companies/merge", { ids: companies })
  await ok("POST", "/changes/revert", { batch_id })
  await ok("POST", `/leads/${branch}/company`, { company_id: null })
  await ok("DELETE", `/leads/${branch}?erase=true`)
  const bulk = await ok("POST", "/leads/bulk", { ids: [id], action: "update", data: { description: note } })
  await ok("POST", "/changes/revert", { batch_id: bulk.batch_id })
  await ok("POST", "/leads/bulk", { ids: [id], action: "add_note", data: { content: hobby } })
  await ok("POST", "/leads/match", { leads: [{ name, email, phone }] })
  const started = await call(
    "POST",
    "/leads/import?background=true&on_duplicate=ask",
    `name,email,phone\n${name},${second},${phone}\n,${email},bad\n`,
    CSV,
  )
  expect(started.status).toBe(202)
  await importDone(call, started.body.id)
  await ok("POST", `/imports/${started.body.id}/undo`)
}

/** The person's values that are found in a dump. */
function foundIn(kept: string): string[] {
  const texts = [...Object.values(VALUES), "alt@altnamen.example", "998877665"]
  const words = texts.flatMap((text) => text.split(/[ ,@]/)).filter((word) => word.length > 5)
  const all = kept.toLowerCase()
  return [...new Set([...texts, ...words])].filter((text) => all.includes(text.toLowerCase()))
}

/** Packed values of a file, unpacked: the trail packs what is long. */
function packedIn(file: string): string {
  using db = new Database(file, { readonly: true })
  const tables = db.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  const values = tables.flatMap(({ name }) => db.query(`SELECT * FROM ${name}`).values().flat())
  return values
    .flatMap((value) => (value instanceof Uint8Array && value.length > 0 ? [unpacked(value)] : []))
    .join("\n")
}

function unpacked(bytes: Uint8Array): string {
  try {
    return Buffer.from(Bun.inflateSync(new Uint8Array(bytes))).toString()
  } catch {
    return ""
  }
}

async function indexed(call: Call): Promise<void> {
  await until("all is indexed", async () => {
    const { comparing, indexing } = (await call("GET", "/jobs")).body
    return comparing === 0 && indexing === 0
  })
}

interface Erasing extends Awaited<ReturnType<typeof everywhere>> {
  service: TestApp
  clock: HeldClock
  bystander: string
}
const WAYS: [string, (erasing: Erasing) => Promise<void>][] = [
  ["", async ({ service: { call }, id }) => erase(call, id)],
  [
    " that was deleted before",
    async ({ service: { call }, id }) => {
      await call("DELETE", `/leads/${id}`)
      await erase(call, id)
    },
  ],
  [
    " that was merged into another one, which stays",
    async ({ service: { call }, id, bystander }) => {
      const [{ id: entry }] = (await call("GET", "/suppressions")).body.suppressions
      expect((await call("DELETE", `/suppressions/${entry}`)).status).toBe(204)
      const merged = await call("POST", "/leads/merge", { survivor: bystander, losers: [id] })
      expect([merged.status, merged.body.message]).toEqual([200, undefined])
      expect((await call("GET", `/leads/${bystander}`)).body.phone).toBe(VALUES.phone)
      expect((await call("POST", "/suppressions", { value: VALUES.second })).status).toBe(201)
      await erase(call, id)
      expect((await call("GET", `/leads/${bystander}`)).body.phone).toBe(null)
    },
  ],
  [
    " by a rule of retention",
    async ({ service: { call }, id, clock }) => {
      const filter = [`and.eq.email.${VALUES.email}`]
      const rule = (await call("POST", "/retention-rules", { name: "R", filter, days: 30, notice_days: 1 }))
        .body
      clock.advance(32 * 86_400_000)
      expect((await call("POST", `/retention-rules/${rule.id}/run`)).body.erased).toBe(1)
      expect((await call("DELETE", `/retention-rules/${rule.id}`)).status).toBe(204)
      expect((await call("GET", `/leads/${id}`)).status).toBe(404)
    },
  ],
]

const erase = async (call: Call, id: string) =>
  expect((await call("DELETE", `/leads/${id}?erase=true`)).status).toBe(204)

test.each(WAYS)(
  "erasing and compacting leaves no byte of a person%s",
  async (_, way) => {
    const clock = heldClock()
    const service = await openTestApp({}, clock)
    const { call, config } = service
    const bystander = (await call("POST", "/leads", { name: "Berta Nachbar", source: "web" })).body.id
    const { id, loser, imported } = await everywhere(service)
    await indexed(call)
    expect(foundIn(await everythingKept(config.data)).length).toBeGreaterThan(8)
    if (!onPostgres) expect(foundIn(packedIn(config.file))).not.toEqual([])
    await way({ service, clock, bystander, id, loser, imported })
    for (const one of [id, loser])
      expect((await call("GET", `/changes?lead_id=${one}&order=desc`)).body.changes[0].reason).toBe("erased")
    expect((await call("GET", `/leads/${bystander}`)).body.name).toBe("Berta Nachbar")
    expect((await call("GET", `/leads/${bystander}/changes`)).status).toBe(200)
    expect((await call("GET", `/imports/${imported}`)).body.report.columns).toHaveLength(7)
    const again = await call(
      "POST",
      `/leads/${id}/notes`,
      { content: VALUES.note },
      { "Idempotency-Key": "note" },
    )
    expect([again.status, JSON.stringify(again.body)]).toEqual([
      expect.any(Number),
      expect.not.stringContaining(VALUES.note),
    ])
    await indexed(call)
    if (!onPostgres) await compactDatabase(config.file, () => {})
    if (!onPostgres) expect(foundIn(packedIn(config.file))).toEqual([])
    if (!onPostgres) await service.app.stop()
    expect(foundIn(await everythingKept(config.data))).toEqual([])
    if (onPostgres) return
    const { findings } = sqliteFileCare.check(config.file, { now: clock.now() })
    expect(findings.filter(({ severity }) => severity === "error")).toEqual([])
  },
  60_000,
)
