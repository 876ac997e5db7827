// Strangers at a form's address: what they send gives no consent for others, and takes nobody's room.
import { describe, expect, test } from "bun:test"
import { NO_FILTER } from "../../src/filters/lead-query.ts"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import type { FormPostState } from "../../src/store/contract/store.ts"
import { openTestApp } from "../support/app.ts"
import { openBeside, sqlBeside } from "../support/database.ts"
import { watchOutbox } from "../support/outbox.ts"

const VICTIM = { name: "Vera Victim", phone: "+49 30 901820", source: "crm" }
const STRANGER = { name: VICTIM.name, phone: VICTIM.phone }

async function openForm(settings: object) {
  const app = await openTestApp({ trustedProxies: ["127.0.0.1"] })
  const { body } = await app.call("POST", "/forms", {
    name: "Contact",
    fields: ["name", "email", "phone"],
    ...settings,
  })
  const post = (data: object, address = "192.0.2.1") =>
    fetch(body.url, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Forwarded-For": address },
      body: JSON.stringify(data),
    })
  return { ...app, post, body }
}

type App = Awaited<ReturnType<typeof openForm>>

async function confirm({ config, post }: App, data: object): Promise<void> {
  const sent = await watchOutbox(config.file)
  expect((await post(data)).status).toBe(202)
  const [event] = (await sent()).filter((one) => one.event === "form.confirmation_requested")
  expect((await fetch(event?.data.confirm_url)).status).toBe(200)
}

describe("a stranger with somebody's name and phone", () => {
  const OWN = { ...STRANGER, email: "stranger@evil.example" }
  test.each([
    ["confirms an address", { email: "vera@victim.example" }, { double_opt_in: true }, OWN],
    ["confirms one, and the lead has no email", {}, { double_opt_in: true }, OWN],
    ["consents", { email: "vera@victim.example" }, { consent_text: "Yes" }, OWN],
    ["consents without an email", { email: "vera@victim.example" }, { consent_text: "Yes" }, STRANGER],
    ["consents for a lead without email", {}, { consent_text: "Yes" }, STRANGER],
    ["has another email", { email: "vera@victim.example" }, {}, OWN],
  ])("who %s changes nothing of theirs: a person decides", async (_, victim, settings, sent) => {
    const opened = await openForm(settings)
    const { call, post } = opened
    const { body: made } = await call("POST", "/leads", { ...VICTIM, ...victim })
    const before = (await call("GET", `/leads/${made.id}`)).body
    const data = "consent_text" in settings ? { ...sent, consent: true } : sent
    if ("double_opt_in" in settings) await confirm(opened, data)
    else expect((await post(data)).status).toBe(201)
    expect((await call("GET", `/leads/${made.id}`)).body).toEqual(before)
    const all = (await call("GET", "/leads")).body.leads
    expect(all.map(({ id }: { id: string }) => id)).toContain(made.id)
    expect(all).toHaveLength(2)
    const { body: pairs } = await call("GET", "/duplicates")
    expect(pairs.duplicates).toHaveLength(1)
    expect([pairs.duplicates[0].a.id, pairs.duplicates[0].b.source]).toEqual([made.id, "Contact"])
  })

  test.each([
    ["in plain", {}],
    ["and is released from spam", { honeypot: "trap" }],
  ])("who consents with the email, too, %s, leaves a claim alone", async (_, more) => {
    const { call, post, body } = await openForm({ consent_text: "Write to me" })
    const { body: lead } = await call("POST", "/leads", { ...VICTIM, email: "vera@victim.example" })
    const isSpam = "honeypot" in more
    const trap = isSpam ? { [body.honeypot]: "x" } : {}
    await post({ ...STRANGER, email: "vera@victim.example", consent: true, ...trap })
    if (isSpam) {
      const [kept] = (await call("GET", `/forms/${body.id}/spam`)).body.spam
      expect((await call("POST", `/forms/${body.id}/spam/${kept.id}/release`)).status).toBe(200)
    }
    const now = (await call("GET", `/leads/${lead.id}`)).body
    expect(now).toMatchObject({ consent: null, lawful_basis: null, consent_at: null })
    expect(now.attributes).toMatchObject([
      { name: "unconfirmed_consent", value: expect.stringMatching(/^\d{4}-\d\d-\d\d: Write to me$/) },
    ])
  })

  test("who confirms the email gives its lead consent", async () => {
    const opened = await openForm({ consent_text: "Write to me", double_opt_in: true })
    const { body: lead } = await opened.call("POST", "/leads", { ...VICTIM, email: "vera@victim.example" })
    await confirm(opened, { ...STRANGER, email: "vera@victim.example", consent: true })
    expect((await opened.call("GET", `/leads/${lead.id}`)).body).toMatchObject({
      consent: "Write to me",
      lawful_basis: "consent",
    })
  })

  test("fills in what a lead with the same email lacks, as ever", async () => {
    const { call, post } = await openForm({})
    const known = { name: "Vera", email: "vera@victim.example", source: "crm" }
    const { body: lead } = await call("POST", "/leads", known)
    await post({ ...STRANGER, email: "VERA@victim.example" })
    expect((await call("GET", `/leads/${lead.id}`)).body.phone).toBe(VICTIM.phone)
    expect((await call("GET", "/leads")).body.leads).toHaveLength(1)
  })
})

test("a pair that a person is to decide on is merged by no threshold", async () => {
  const { call, config, post } = await openForm({})
  await call("POST", "/leads", { ...VICTIM, email: "vera@victim.example" })
  await post({ ...STRANGER, email: "stranger@evil.example" })
  await using beside = await storeOf(config.file)
  const { store, account } = beside
  const linksOf = (isUnasked: boolean) =>
    store.read.duplicates.links(account, { least: 0, filter: NO_FILTER, isUnasked }, 10)
  expect([(await linksOf(false)).length, await linksOf(true)]).toEqual([1, []])
})

describe("of the posts that a form keeps", () => {
  const MOST = 4
  type Sent = [id: string, sender: string]
  const sent = (sender: string, ...ids: string[]): Sent[] => ids.map((id) => [id, sender])
  const KINDS = {
    spam: ["spam", "honeypot"],
    roomless: ["spam", "leads_limit_reached"],
    waiting: ["waiting", null],
  } as const
  const person = sent("person", "p1")

  test.each([
    [
      "a flood takes its own oldest",
      [...person, ...sent("flood", "a", "b", "c", "d", "e")],
      ["p1", "c", "d", "e"],
    ],
    [
      "a flood makes room for a person",
      [...sent("flood", "a", "b", "c", "d"), ...person],
      ["b", "c", "d", "p1"],
    ],
    [
      "one floods beside another",
      [...person, ...sent("x", "a", "b"), ...sent("y", "c", "d", "e")],
      ["p1", "a", "b", "e"],
    ],
    [
      "a post of each address voids none",
      [...person, ...sent("x", "a"), ...sent("y", "b"), ...sent("z", "c"), ...sent("w", "refused")],
      ["p1", "a", "b", "c"],
    ],
  ] as const)("%s", async (_, posts, kept) => {
    const { config } = await openTestApp()
    await using beside = await storeOf(config.file)
    const { store, account } = beside
    for (const [kind, [state, reason]] of Object.entries(KINDS)) {
      for (const [id, sender] of posts) {
        const post = {
          id: `${kind} ${id}`,
          form_id: "form_1",
          state,
          reason,
          sender,
          email: null,
          lead: undefined,
        }
        const isKept = await store.write(account, (tx) =>
          tx.forms.keepPost(account, { ...post, created_at: 1, ends_at: 9 }, MOST, null),
        )
        expect(isKept).toBe(id !== "refused")
      }
    }
    const idsOf = async (state: FormPostState) =>
      (await store.read.forms.posts(account, "form_1", { state, limit: 50 })).posts
        .map(({ id }) => id)
        .toSorted()
    const of = (kind: string) => kept.map((id) => `${kind} ${id}`)
    expect(await idsOf("spam")).toEqual([...of("spam"), ...of("roomless")].toSorted())
    expect(await idsOf("waiting")).toEqual(of("waiting").toSorted())
  })
})

test("all posts of an account take no more bytes than its plan has; the sender with the most makes room", async () => {
  const { config } = await openTestApp()
  await using beside = await storeOf(config.file)
  const { store, account } = beside
  const size = 10_000
  const bytes = 25 * size
  const kept = { state: "waiting", reason: null, email: null, created_at: 1, ends_at: 9 } as const
  let n = 0
  const keep = (form_id: string, sender: string, length = size) => {
    const lead = { name: "x".repeat(length - '{"name":""}'.length) } as never
    const post = { id: `fp_${String(++n).padStart(3, "0")}`, form_id, sender, lead, ...kept }
    return store.write(account, (tx) => tx.forms.keepPost(account, post, 100, bytes))
  }
  const idsOf = async (form: string) =>
    (await store.read.forms.posts(account, form, { state: "waiting", limit: 100 })).posts.map(({ id }) => id)
  expect(await keep("form_1", "person")).toBe(true)
  for (let i = 0; i < 60; i++) expect(await keep("form_2", "flood", i % 2 ? size : 1_000)).toBe(true)
  expect(await keep("form_3", "another")).toBe(true)
  expect([await idsOf("form_1"), await idsOf("form_3")]).toEqual([["fp_001"], ["fp_062"]])
  const flood = await idsOf("form_2")
  expect(flood).toContain("fp_061")
  expect(flood).not.toContain("fp_002")
  const [{ held }] = (await sqlBeside(config.file, "SELECT sum(length(lead)) AS held FROM form_posts")) as [
    { held: number },
  ]
  expect(Number(held)).toBeWithin(bytes - 2 * size, bytes + 1)
})

test("a stranger uses up nobody's confirmations, and nobody's mailbox is filled", async () => {
  const { post, config } = await openForm({ double_opt_in: true })
  const sent = await watchOutbox(config.file)
  const asked = async () =>
    (await sent()).filter(({ event }) => event === "form.confirmation_requested").length
  const victim = { name: "Vera", email: "vera@victim.example" }
  for (let i = 0; i < 5; i++) await post({ ...victim, name: "Stranger" }, "192.0.2.66")
  expect(await asked()).toBe(3)
  await post(victim)
  expect(await asked()).toBe(4)
  for (let i = 0; i < 12; i++) await post(victim, `198.51.100.${i}`)
  expect(await asked()).toBe(9)
})

/** The data of a service from outside, with its first account. */
async function storeOf(file: string) {
  const store = await openBeside(file, createIds(systemClock))
  const [first] = await store.read.accounts.list()
  return { store, account: first!.key, [Symbol.asyncDispose]: () => store.close() }
}
