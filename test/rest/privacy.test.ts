import { describe, expect, onTestFinished } from "bun:test"
import { openParts } from "../../src/app.ts"
import { createLead } from "../../src/domain/leads/lead-operations.ts"
import { execute, type Operation, type Questions } from "../../src/domain/operation.ts"
import {
  createRetentionRule,
  listRetentionRules,
  runRetentionRule,
} from "../../src/domain/privacy/retention.ts"
import { carryOutRetention } from "../../src/domain/privacy/retention-run.ts"
import { NO_FILTER } from "../../src/filters/lead-query.ts"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import { createLog } from "../../src/runtime/log.ts"
import { readConfig } from "../../src/surfaces/cli/config.ts"
import type { JsonText } from "../../src/text/json-text.ts"
import { addAccountTo } from "../support/account.ts"
import { appTest, type Call, openTestAccount, openTestApp, test } from "../support/app.ts"
import { type HeldClock, heldClock } from "../support/clock.ts"
import { openBeside } from "../support/database.ts"
import { temporaryFolder } from "../support/folder.ts"
import { pluck } from "../support/pluck.ts"

const DAY = 86_400
const START = Date.UTC(2026, 0, 31)

async function made(call: Call, lead: object = {}): Promise<string> {
  return (await call("POST", "/leads", { name: "Ada", source: "scrape", ...lead })).body.id
}
const SCRAPED = { name: "Old scrapes", filter: ["and.eq.source.scrape"], months: 12 }

describe("lawful basis and consent", () => {
  test("are fields of a lead with their history", async ({ call }) => {
    const consent = {
      lawful_basis: "consent",
      consent: "Yes, write to me",
      consent_at: "2026-01-02T00:00:00Z",
    }
    const id = await made(call, consent)
    expect((await call("GET", `/leads/${id}`)).body).toMatchObject({
      ...consent,
      consent_at: Date.UTC(2026, 0, 2) / 1000,
    })
    await call("PUT", `/leads/${id}`, { lawful_basis: null, consent: "", consent_at: null })
    const [change] = (await call("GET", `/changes?lead_id=${id}&view=diff&order=desc`)).body.changes
    expect(change.diff).toMatchObject({
      lawful_basis: ["consent", null],
      consent: ["Yes, write to me", null],
    })
    expect((await call("GET", "/leads?filter=and.is_empty.lawful_basis&sort_by=consent_at")).body.count).toBe(
      1,
    )
  })

  test("a basis is one of six", async ({ call }) => {
    const { status, body } = await call("POST", "/leads", { name: "A", source: "s", lawful_basis: "because" })
    expect([status, body.message]).toEqual([
      400,
      "lawful_basis must be one of consent, contract, legal_obligation, vital_interests, public_task, legitimate_interests",
    ])
  })

  test("come in by an import, and a wrong basis is left out", async ({ call }) => {
    const csv =
      "name,lawful_basis,consent,consent_at\nA,Legitimate interest,Yes,2026-01-02\nB,because,No,2026-01-02\n"
    await call("POST", "/leads/import?source=file", csv, { "Content-Type": "text/csv" })
    const { leads } = (await call("GET", "/leads?sort_by=name")).body
    expect(
      leads.map((lead: Record<string, unknown>) => [lead.lawful_basis, lead.consent, lead.consent_at]),
    ).toEqual([
      ["legitimate_interests", "Yes", Date.UTC(2026, 0, 2) / 1000],
      [null, "No", Date.UTC(2026, 0, 2) / 1000],
    ])
  })
})

/** A service without surfaces and background work, and what asks it as the owner of its account. */
async function openAt(clock: HeldClock, data = temporaryFolder()) {
  const log = createLog("off", () => undefined)
  const { store, services, close } = await openParts(readConfig({ data }, {}), log, clock)
  const id = (await store.read.accounts.list())[0]?.id ?? (await addAccountTo(store)).id
  const account = (await store.read.accounts.find(id))!
  const caller = { account, keyId: "k", actorId: "k", role: "owner" } as const
  const ask = (operation: unknown, input: object) => execute(services, operation as Operation, caller, input)
  return { store, services, account, ask, close }
}

describe("a rule of retention", () => {
  test("is made, read, changed and deleted", async ({ call }) => {
    const { status, body } = await call("POST", "/retention-rules", SCRAPED)
    expect([status, body]).toEqual([
      201,
      {
        ...{ id: expect.stringMatching(/^ret_/), ...SCRAPED, days: null, notice_days: 14, matched: 0 },
        ...{
          erases_from: body.created_at + 14 * DAY,
          created_at: expect.any(Number),
          updated_at: body.created_at,
        },
      },
    ])
    expect((await call("GET", "/retention-rules")).body).toEqual([body])
    const path = `/retention-rules/${body.id}`
    expect((await call("GET", path)).body).toEqual(body)
    expect((await call("PATCH", path, { days: 30, notice_days: 0 })).body).toMatchObject({
      ...{ months: null, days: 30, notice_days: 0 },
    })
    expect((await call("DELETE", path)).status).toBe(204)
    expect((await call("GET", path)).status).toBe(404)
  })

  const WRONG = [
    ["no time", { months: undefined }, "months or days says for how long"],
    ["two times", { days: 3 }, "months or days says for how long"],
    ["a bad filter", { filter: ["and.eq.nmae.x"] }, "nmae"],
    ["no filter", { filter: undefined }, "filter"],
    ["a long notice", { notice_days: 1_000 }, "notice_days must be a whole number from 0 to 365"],
  ] as const
  test.for(WRONG)("is refused with %s", async ([_, part, message], { call }) => {
    const { status, body } = await call("POST", "/retention-rules", { ...SCRAPED, ...part })
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)])
  })

  test("shows what it would erase and erases it once the notice is over, what was touched not", async () => {
    const clock = heldClock(START)
    const { call } = await openTestApp({}, clock)
    const [old, touched] = [await made(call, { name: "Old" }), await made(call, { name: "Touched" })]
    await made(call, { name: "Other", source: "web" })
    clock.advance(800 * DAY * 1000)
    const { body: rule } = await call("POST", "/retention-rules", SCRAPED)
    expect(rule.matched).toBe(2)
    const run = async (dry = "?dry_run=true") =>
      (await call("POST", `/retention-rules/${rule.id}/run${dry}`)).body
    const names = ({ sample }: { sample: { name: string }[] }) => sample.map(({ name }) => name)
    const first = await run()
    expect([first.matched, first.due, first.erased, names(first)]).toEqual([2, 0, 0, ["Old", "Touched"]])
    expect((await run("")).erased).toBe(0)
    await call("POST", `/leads/${touched}/notes`, { content: "still wanted" })
    clock.advance(14 * DAY * 1000)
    expect(await run()).toMatchObject({ matched: 1, due: 1, erased: 0, dry_run: true })
    expect(await run("")).toMatchObject({ matched: 0, due: 0, erased: 1, sample: [], dry_run: false })
    expect((await call("GET", `/leads/${old}`)).status).toBe(404)
    const [newest] = (await call("GET", `/leads/${old}/changes`)).body.changes
    expect(newest.reason).toBe("erased")
    expect(pluck((await call("GET", "/leads?sort_by=name")).body.leads, "name")).toEqual([
      ...["Other", "Touched"],
    ])
    expect((await call("GET", "/erasures")).body.erasures).toMatchObject([
      { reason: "retention", rule_id: rule.id, rule_name: "Old scrapes", count: 1 },
    ])
  })

  test("gives each lead its notice, and begins anew when it is changed", async () => {
    const clock = heldClock(START)
    const { call } = await openTestApp({}, clock)
    const { body: rule } = await call("POST", "/retention-rules", {
      ...SCRAPED,
      months: null,
      days: 30,
      notice_days: 10,
    })
    await made(call)
    const due = async () => {
      const { matched, due } = (await call("POST", `/retention-rules/${rule.id}/run?dry_run=true`)).body
      return [matched, due]
    }
    clock.advance(31 * DAY * 1000)
    expect(await due()).toEqual([1, 0])
    clock.advance(10 * DAY * 1000)
    expect(await due()).toEqual([1, 1])
    await call("PATCH", `/retention-rules/${rule.id}`, { name: "Other name" })
    expect(await due()).toEqual([1, 1])
    await call("PATCH", `/retention-rules/${rule.id}`, { days: 20 })
    expect(await due()).toEqual([1, 0])
  })

  const MONTH = { ...SCRAPED, months: null, days: 30, notice_days: 10 }

  test("erases nothing after a clock stepped forward before its notice has really passed", async () => {
    const clock = heldClock(START)
    const { call } = await openTestApp({}, clock)
    const { body: rule } = await call("POST", "/retention-rules", MONTH)
    await made(call)
    const run = async () => {
      const { due } = (await call("POST", `/retention-rules/${rule.id}/run?dry_run=true`)).body
      return [due, (await call("POST", `/retention-rules/${rule.id}/run`)).body.erased]
    }
    const after = async (days: number) => {
      clock.advance(days * DAY * 1000)
      return run()
    }
    expect(await after(20)).toEqual([0, 0])
    clock.jump(400 * DAY * 1000)
    expect(await after(0)).toEqual([0, 0])
    expect(await after(5)).toEqual([0, 0])
    // Set right again: 25 days have passed.
    clock.jump(-400 * DAY * 1000)
    expect(await after(0)).toEqual([0, 0])
    expect(await after(9)).toEqual([0, 0])
    clock.jump(400 * DAY * 1000)
    expect(await after(5)).toEqual([0, 0])
    expect(await after(2)).toEqual([1, 1])
    await made(call)
    clock.jump(400 * DAY * 1000)
    expect(await after(0)).toEqual([0, 0])
    expect(await after(9)).toEqual([0, 0])
    expect(await after(1)).toEqual([1, 1])
  })

  test("counts its notice while a service runs, over restarts, and says when it ends", async () => {
    const data = temporaryFolder()
    const name = "All"
    type Ask = Awaited<ReturnType<typeof openAt>>["ask"]
    async function during(clock: HeldClock, work: (ask: Ask) => Promise<void>) {
      const { services, ask, close } = await openAt(clock, data)
      await carryOutRetention(services, () => false)
      await work(ask)
      await carryOutRetention(services, () => false)
      await close()
    }
    const at = async (clock: HeldClock, days: number) => {
      let rules: unknown
      await during(clock, async (ask) => {
        const [{ id } = { id: "" }] = (await ask(listRetentionRules, {})) as { id: string }[]
        clock.advance(days * DAY * 1000)
        const { due } = JSON.parse(((await ask(runRetentionRule, { id, dry_run: true })) as JsonText).text)
        rules = [due, (await ask(listRetentionRules, {})) as object[]]
      })
      return rules
    }
    const rule = { name, filter: [], days: 30, notice_days: 10 }
    await during(heldClock(START), async (ask) => {
      await ask(createRetentionRule, rule)
      await ask(createLead, { name: "Ada", source: "s" })
    })
    const later = START + 400 * DAY * 1000
    expect(await at(heldClock(later), 6)).toEqual([
      0,
      [expect.objectContaining({ matched: 1, erases_from: later / 1000 + 10 * DAY })],
    ])
    const evenLater = later + 100 * DAY * 1000
    expect(await at(heldClock(evenLater), 3)).toMatchObject([0, [{ matched: 1 }]])
    expect(await at(heldClock(evenLater + 4 * DAY * 1000), 1)).toMatchObject([1, [{ matched: 1 }]])
  }, 60_000)

  test("is carried out by the service, by one process at a time", async () => {
    const clock = heldClock(START)
    const { store, services, account, ask, close } = await openAt(clock)
    onTestFinished(close)
    await ask(createRetentionRule, { name: "All", filter: [], days: 10, notice_days: 5 })
    for (let i = 0; i < 3; i++) await ask(createLead, { name: `Lead ${i}`, source: "s" })
    clock.advance(14 * DAY * 1000)
    await ask(createLead, { name: "Fresh", source: "s" })
    clock.advance(2 * DAY * 1000)
    const round = () => carryOutRetention(services, () => false)
    await Promise.all([round(), round()])
    expect(await store.read.accounts.countLeads(account.key)).toBe(1)
    const { erasures } = await store.read.erasures.list(account.key, { limit: 9 })
    expect(erasures).toMatchObject([
      { reason: "retention", rule_name: "All", count: 3, actor_id: "retention" },
    ])
  })

  test("spares a lead that is touched just before its turn", async () => {
    const clock = heldClock(START)
    const { store, services, account, ask, close } = await openAt(clock)
    onTestFinished(close)
    await ask(createRetentionRule, { name: "All", filter: [], days: 10, notice_days: 0 })
    for (const name of ["Old", "Touched"]) await ask(createLead, { name, source: "s", source_id: name })
    clock.advance(20 * DAY * 1000)
    let isTouched = false
    const questions: Questions = {
      async ask(question, ctx, input) {
        const answer = await services.questions.ask(question, ctx, input)
        if (question.name === "untouched" && !isTouched) {
          isTouched = true
          await ask(createLead, { name: "Touched", source: "s", source_id: "Touched", city: "Ulm" })
        }
        return answer
      },
    }
    await carryOutRetention({ ...services, questions }, () => false)
    const { leads } = store.read
    const sort = { key: { on: "id" }, descending: false } as const
    const { rows } = await leads.list(account.key, { filter: NO_FILTER, sort, after: undefined, limit: 9 })
    expect(rows.map((row) => row.data().name)).toEqual(["Touched"])
  })

  appTest("is claimed by one process at a time", async ({ config, call }) => {
    const { id } = (await call("POST", "/retention-rules", SCRAPED)).body
    const store = await openBeside(config.file, createIds(systemClock))
    onTestFinished(() => store.close())
    const { key } = (await store.read.accounts.list())[0]!
    const claim = (now: number) => store.write(key, (tx) => tx.retention.lease(key, id, now, now + 60))
    expect([await claim(100), await claim(159), await claim(160)]).toEqual([true, false, true])
    await store.write(key, (tx) => tx.retention.release(key, id))
    expect(await claim(161)).toBe(true)
  })
})

describe("the record of erasures", () => {
  test("says when, by whom, why and how many, and nothing of the leads", async ({ call }) => {
    const ids = [await made(call, { name: "Ottilie" }), await made(call, { name: "Eve" })]
    for (const id of ids) await call("DELETE", `/leads/${id}?erase=true`)
    const key_id = (await call("GET", "/api-keys")).body[0].id
    const { body } = await call("GET", "/erasures?limit=1")
    expect(body.erasures).toEqual([
      {
        ...{
          id: expect.stringMatching(/^era_/),
          reason: "request",
          rule_id: null,
          rule_name: null,
          count: 1,
        },
        ...{ actor_id: key_id, key_id, created_at: expect.any(Number) },
      },
    ])
    const next = (await call("GET", `/erasures?cursor=${body.next_cursor}`)).body
    expect([next.count, next.has_more]).toEqual([1, false])
    const text = JSON.stringify([body, next])
    for (const secret of ["Ottilie", "Eve", ...ids]) expect(text).not.toContain(secret)
  })
})

describe("GET /leads/{id}/export", () => {
  test("gives everything about a person, and of other leads their ids alone", async ({ call }) => {
    await call("POST", "/webhooks", { url: "http://127.0.0.1:9/" })
    const id = await made(call, { email: "ada@example.com", city: "Ulm" })
    const other = await made(call, { name: "Eve Other", email: "eve@example.com" })
    await call("POST", `/leads/${id}/notes`, { content: "Calls back" })
    await call("PUT", `/leads/${id}`, { city: "Bonn" })
    await call("POST", `/leads/${id}/enrichments`, { source: "clearbit", fields: { phone: "1" } })
    const { status, body } = await call("GET", `/leads/${id}/export`)
    expect(status).toBe(200)
    expect(body.lead).toMatchObject({ id, city: "Bonn", origins: { phone: { source: "clearbit" } } })
    expect(body.notes).toMatchObject([{ content: "Calls back" }])
    expect(pluck(body.changes, "action")).toEqual(["updated", "updated", "created"])
    expect(body.changes[1].diff.city).toEqual(["Ulm", "Bonn"])
    expect(pluck(body.deliveries, "event")).toEqual([
      ...["lead.created", "note.created", "lead.updated", "lead.updated"],
    ])
    expect([body.duplicates, body.complete]).toEqual([[], true])
    expect(JSON.stringify(body)).not.toContain("Eve Other")
    expect(JSON.stringify(body)).not.toContain(other)
  })

  test("gives the same as a page, escaped, for the person to read", async ({ call }) => {
    const attributes = [{ name: "Shoe size", type: "number", value: 42 }]
    const id = await made(call, { name: "Ada <script>", email: "ada@example.com", city: "Ulm", attributes })
    await call("POST", `/leads/${id}/notes`, { content: "Calls & writes" })
    await call("PUT", `/leads/${id}`, { city: "Bonn" })
    const { status, body, headers } = await call("GET", `/leads/${id}/export?format=html`)
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    expect(headers.get("content-disposition")).toContain(`attachment; filename="lead-${id}.html"`)
    for (const text of ["Ada &lt;script&gt;", "ada@example.com", "Calls &amp; writes", "Shoe size", "42"])
      expect(body).toContain(text)
    expect(body).toContain("<td>City</td><td>Ulm</td><td>Bonn</td>")
    expect(body).toMatch(/<td>Email<\/td><td>ada@example.com<\/td><td>Push: \w+, \d{4}-/)
    expect(body).not.toContain("<script")
    expect((await call("GET", `/leads/${id}/export?format=pdf`)).status).toBe(400)
    expect((await call("GET", "/leads/cl_none/export?format=html")).status).toBe(404)
  })

  test("has the trail of a deleted lead, nothing of an erased one, and 404 for one that never was", async () => {
    const { call } = await openTestAccount()
    const id = await made(call, { name: "Ottilie" })
    await call("DELETE", `/leads/${id}`)
    const deleted = (await call("GET", `/leads/${id}/export`)).body
    expect([deleted.lead, deleted.changes.length]).toEqual([null, 2])
    await call("DELETE", `/leads/${id}?erase=true`)
    const erased = await call("GET", `/leads/${id}/export`)
    expect([erased.status, JSON.stringify(erased.body)]).toEqual([
      200,
      expect.not.stringContaining("Ottilie"),
    ])
    expect((await call("GET", "/leads/cl_none/export")).status).toBe(404)
  })
})
