import { describe, expect } from "bun:test"
import { join } from "node:path"
import { appTest, openTestApp, startTestApp, type TestAccount, test } from "../support/app.ts"
import { sqlBeside } from "../support/database.ts"
import { temporaryFolder } from "../support/folder.ts"
import { pluck } from "../support/pluck.ts"
import { until } from "../support/until.ts"

const push = async ({ call }: Pick<TestAccount, "call">, phone: string, more: object = {}) =>
  (await call("POST", "/leads", { name: "Trattoria Nino", source: "s", phone, ...more })).body
const setCountry = ({ call }: TestAccount, country: string | null) =>
  call("PATCH", "/account", { default_country: country })

describe("a pushed phone", () => {
  test.for([
    ["+493080730693", {}, "0049 (30) 8073-0693", {}],
    ["+493080730693", {}, "030 80730693", { country: "Germany" }],
    ["(030) 80730693", { country: "DE" }, "+49 30 80730693", {}],
    ["030 80730693", {}, "030/80730693", { country: "Germany" }],
    ["call me 12", {}, "Call-Me-12", {}],
  ])("%s of %j is the same as %s of %j", async ([first, one, second, other], app) => {
    const { id } = await push(app, first, one)
    expect(await push(app, second, other)).toMatchObject({ id, duplicate: true })
  })

  test.for([
    ["030 80730693", { country: "Germany" }, "030 80730693", { country: "Italy" }],
    ["+49 30 80730693", {}, "+43 30 80730693", {}],
    ["030 80730693", {}, "+493080730693", {}],
  ])("%s of %j is another than %s of %j", async ([first, one, second, other], app) => {
    await push(app, first, one)
    expect((await push(app, second, other)).duplicate).toBeUndefined()
  })

  test("is one of the account's country where it and the lead name none", async (app) => {
    expect((await setCountry(app, "de")).body).toMatchObject({ default_country: "DE" })
    const { id } = await push(app, "(030) 80730693")
    expect(await push(app, "+49 30 80730693")).toMatchObject({ id, duplicate: true })
    expect((await push(app, "030 80730693", { country: "Italy" })).duplicate).toBeUndefined()
  })

  test("of another name is another lead's", async (app) => {
    await push(app, "+493080730693", { name: "Carla" })
    expect((await push(app, "0049 30 80730693")).duplicate).toBeUndefined()
  })
})

describe("keys that another library or other rules made", () => {
  test("are made again when the service starts: of leads, further phones and emails, and the do-not-contact list", async () => {
    const folder = temporaryFolder()
    const file = join(folder, "leads.db")
    const first = await startTestApp({ data: folder, file })
    const phones = [
      { value: "+493080730693", label: null },
      { value: "+493080730694", label: null },
    ]
    const emails = [{ value: "one@müller.example" }, { value: "two@müller.example" }]
    const { id } = await push(first, "+493080730693", { phones, emails, website: "https://müller.example" })
    await first.call("POST", "/suppressions", { value: "list.müller.example" })
    await first.call("POST", "/suppressions", { value: "bob@bär.example" })
    await first.call("POST", "/suppressions", { value: "+49 30 5550123", kind: "phone" })
    await first.app.stop()
    const run = (sql: string) => sqlBeside(file, sql)
    await run("UPDATE leads SET phone_number = 'old'")
    await run("UPDATE lead_contacts SET number = 'old' WHERE kind = 'phone'")
    await run("UPDATE suppressions SET key = 'phone:+4900' WHERE kind = 'phone'")
    await run(
      "UPDATE leads SET email = 'one@xn--mller-kva.example', website = 'https://xn--mller-kva.example'",
    )
    await run("UPDATE lead_contacts SET text = 'two@xn--mller-kva.example' WHERE kind = 'email'")
    await run(
      "UPDATE suppressions SET key = 'domain:old', value = 'list.xn--mller-kva.example' WHERE kind = 'domain'",
    )
    await run(
      "UPDATE suppressions SET key = 'email:old', value = 'bob@xn--br-via.example' WHERE kind = 'email'",
    )
    await run("DELETE FROM settings WHERE name = 'phone_keys'")
    const again = await openTestApp({ data: folder, file, bootstrap: false })
    await until("all keys are made again", async () => (await run(STILL_OLD))[0]?.n === 0)
    const call = again.as(first.key)
    for (const phone of ["0049 30 80730693", "0049 (30) 80730694"])
      expect(
        (await call("POST", "/leads", { name: "Trattoria Nino", source: "s", phone })).body,
      ).toMatchObject({ id })
    for (const email of ["one@müller.example", "two@xn--mller-kva.example"])
      expect((await call("POST", "/leads", { name: "B", source: "s", email })).body).toMatchObject({ id })
    const site = encodeURIComponent("and.eq.website.https://müller.example")
    expect((await call("GET", `/leads?filter=${site}`)).body.count).toBe(1)
    const listed = [
      { phone: "0049 30 5550123" },
      { email: "x@mail.list.müller.example" },
      { email: "bob@bär.example" },
    ]
    for (const one of listed) {
      const refused = await call("POST", "/leads", { name: "Bob", source: "web", ...one })
      expect([one, refused.status, refused.body.code]).toEqual([one, 409, "suppressed"])
    }
  })
})

const STILL_OLD = `SELECT (SELECT count(*) FROM leads WHERE phone_number = 'old')
  + (SELECT count(*) FROM lead_contacts WHERE number = 'old')
  + (SELECT count(*) FROM suppressions WHERE key LIKE '%old')
  + (SELECT count(*) FROM accounts WHERE phones_from IS NOT NULL) AS n`

describe("leads from before", () => {
  appTest("are found by their old key at once, and by their number when it was looked at", async (app) => {
    const { id } = await push(app, "(030) 80730693", { country: "Germany" })
    const run = (sql: string) => sqlBeside(app.config.file, sql)
    await run("UPDATE leads SET phone_number = NULL")
    expect(await push(app, "030-80730693", { country: "Germany" })).toMatchObject({ id, duplicate: true })
    await run("UPDATE leads SET phone_number = NULL")
    await setCountry(app, "DE")
    await until("the phone's number", async () => {
      const [row] = await run("SELECT phone_number AS n FROM leads")
      return row?.n === "+493080730693"
    })
    expect(await push(app, "+493080730693")).toMatchObject({ id, duplicate: true })
  })

  test("are looked at again when the account's country changes", async (app) => {
    const { id } = await push(app, "(030) 80730693")
    await setCountry(app, "DE")
    const find = async () =>
      (await app.call("GET", "/leads?filter=and.same.phone.%2B493080730693")).body.count
    await until("the phone's number", async () => (await find()) === 1)
    await setCountry(app, "IT")
    await until("another number", async () => (await find()) === 0)
    await setCountry(app, "DE")
    await until("the number again", async () => (await find()) === 1)
    expect(await push(app, "+493080730693")).toMatchObject({ id, duplicate: true })
  })
})

describe("filter same", () => {
  test("finds a phone however it is written", async (app) => {
    const phones = {
      A: ["+493080730693", {}],
      B: ["(030) 80730693", { country: "Germany" }],
      C: ["030 80730693", {}],
      D: ["+43 1 5128900", {}],
      E: ["ask Klaus", {}],
      F: ["(415) 555-2671", { country: "USA" }],
    } as const
    for (const [letter, [phone, more]] of Object.entries(phones))
      await push(app, phone, { ...more, name: `${letter}${letter}${letter}${letter}`, source: letter })
    const find = async (value: string) => {
      const filter = encodeURIComponent(`and.same.phone.${value}`)
      const { body } = await app.call("GET", `/leads?sort_by=source&filter=${filter}`)
      return pluck(body.leads, "source").join("")
    }
    expect(await find("+49 30 80730693")).toBe("AB")
    expect(await find("030/80730693")).toBe("ABC")
    expect(await find("01 5128900")).toBe("D")
    expect(await find("Ask-Klaus")).toBe("E")
    expect(await find("415.555.2671")).toBe("F")
    expect(await find("+1 415 555 2671")).toBe("F")
    expect(await find("+1 415 555 0000")).toBe("")
  })

  test("makes segments, and needs something to compare", async (app) => {
    await push(app, "(030) 80730693", { country: "DE" })
    const filter = ["and.same.phone.+493080730693"]
    expect((await app.call("POST", "/segments", { name: "Nino", filter })).body.count).toBe(1)
    for (const bad of ["and.same.phone. -", "and.same.phone", "and.same.city.Ulm"]) {
      const { status } = await app.call("GET", `/leads?filter=${encodeURIComponent(bad)}`)
      expect([bad, status]).toEqual([bad, 400])
    }
  })
})

describe("/account", () => {
  test("shows the account, and takes a country or none", async (app) => {
    const { status, body } = await app.call("GET", "/account")
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^acc_/),
        name: "another",
        plan: "enterprise",
        limits: { leads: null, requests: null, batch: 1_000, storage: null },
        default_country: null,
        time_zone: "UTC",
        created_at: expect.any(Number),
      },
    ])
    expect((await setCountry(app, "FR")).body).toEqual({ ...body, default_country: "FR" })
    expect((await app.call("GET", "/account")).body.default_country).toBe("FR")
    expect((await setCountry(app, null)).body).toEqual(body)
    const { entries } = (await app.call("GET", "/admin-log")).body
    expect(entries[0]).toMatchObject({ action: "account.updated", details: { default_country: null } })
  })

  test.for([
    [{ default_country: "Germany" }],
    [{ default_country: "XX" }],
    [{ default_country: 49 }],
    [{}],
    [{ name: "x" }],
  ])("%j is refused", async ([body], { call }) => {
    expect((await call("PATCH", "/account", body)).status).toBe(400)
  })

  test("is the owner's to change, and everyone's own", async (app) => {
    const editor = { "X-Member-Role": "editor" }
    expect((await app.call("GET", "/account", undefined, editor)).status).toBe(200)
    expect((await app.call("PATCH", "/account", { default_country: "DE" }, editor)).status).toBe(403)
    const other = await app.addAccount()
    await app.as(other.key)("PATCH", "/account", { default_country: "DE" })
    expect((await app.call("GET", "/account")).body.default_country).toBeNull()
  })
})

test("digits of a phone are found whatever stands between them, at its end or within", async ({ call }) => {
  const phones = [{ value: "+1 202 555 0100" }, { value: "+43 (0) 660/76 54-321" }]
  for (const [name, more] of [
    ["Ada", { phone: "+49 (30) 1234-567" }],
    ["Bob", { phones }],
    ["Eva", { phone: "030 99 88 77 66" }],
  ] as const)
    await call("POST", "/leads", { name, source: "web", ...more })
  const found = async (query: string) =>
    pluck((await call("GET", `/leads?sort_by=name&${query}`)).body.leads, "name").join()
  const filter = (text: string) => found(`filter=${encodeURIComponent(text)}`)
  expect(await filter("and.ends_with.phone.234567")).toBe("Ada")
  expect(await filter("and.ends_with.phone.34-5 67")).toBe("Ada")
  expect(await filter("and.contains.phone.301234")).toBe("Ada")
  expect(await filter("and.ends_with.phone.030 123 45 67")).toBe("Ada")
  expect(await filter("and.ends_with.phone.7654321")).toBe("Bob")
  expect(await filter("and.contains.phone.5550100")).toBe("Bob")
  expect(await filter("and.not_contains.phone.8877")).toBe("Ada,Bob")
  expect(await filter("and.ends_with.phone.8877")).toBe("")
  for (const [q, name] of [
    ["234567", "Ada"],
    ["34 567", "Ada"],
    ["4321", "Bob"],
    ["Eva 887766", "Eva"],
    ["8877-66", "Eva"],
    ["0100", "Bob"],
  ])
    expect(await found(`q=${encodeURIComponent(q!)}`)).toBe(name!)
  expect((await call("GET", "/leads?q=234567")).body.warnings).toEqual([expect.stringContaining('"234567"')])
})
