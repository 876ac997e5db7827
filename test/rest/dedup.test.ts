import { describe, expect } from "bun:test"
import { addAccount } from "../support/account.ts"
import { heldTest, openTestAccount, openTestApp, test } from "../support/app.ts"
import { FULL, LEAST } from "../support/lead.ts"

const anna = {
  name: "Anna Weber",
  source: "web",
  email: "anna@weber.example",
  phone: "+49 30 1234567",
  city: "Berlin",
  source_id: "S-1",
}

describe("POST /leads", () => {
  heldTest("merges when the email matches ignoring case", async ({ call, clock }) => {
    const first = (await call("POST", "/leads", anna)).body
    clock.advance(60_000)
    const { status, body } = await call("POST", "/leads", {
      name: "A. Weber",
      source: "fair",
      email: "ANNA@Weber.EXAMPLE",
    })
    expect(status).toBe(200)
    const { message, duplicate, changed, ...lead } = body
    expect(duplicate).toBe(true)
    expect(message).toBe("Duplicate by email: merged into the existing lead")
    expect(changed).toMatchObject({ name: [anna.name, "A. Weber"] })
    expect(lead).toMatchObject({ id: first.id, created_at: first.created_at, city: "Berlin" })
    expect(lead).toMatchObject({ name: "A. Weber", source: "fair", email: "ANNA@Weber.EXAMPLE" })
    expect((await call("GET", `/leads/${first.id}`)).body).toEqual(lead)
    expect((await call("GET", "/leads")).body.count).toBe(1)
  })

  test("merges when the source_id matches exactly, case and all", async ({ call }) => {
    const { id } = (await call("POST", "/leads", anna)).body
    const merged = await call("POST", "/leads", { name: "X", source: "s", source_id: " S-1 " })
    expect(merged.status).toBe(200)
    expect(merged.body).toMatchObject({ id, duplicate: true, name: "X" })
    expect((await call("POST", "/leads", { name: "X", source: "s", source_id: "s-1" })).status).toBe(201)
  })

  describe("two pushes that differ in one value are of one lead", () => {
    /** What both have beside it. */
    const ALIKE = { email: { name: "n" }, phone: { name: "Anna Weber" }, name: { phone: "030 1" } }
    const cases: [by: keyof typeof ALIKE, string, string, same: boolean][] = [
      ["email", "a@x.y", "A@X.Y", true],
      ["email", "ÄNNE@Exämple.DE", "änne@exämple.de", true],
      ["email", "a\u0308@x.y", "\u00e4@x.y", true],
      ["email", "ΣΟΦΟΣ@x.gr", "σοφος@x.gr", true],
      ["email", "a.b@x.y", "ab@x.y", false],
      ["email", "a+1@x.y", "a@x.y", false],
      ["email", "a@x.y", "a@x.y.", true],
      ["email", "ı@x.y", "i@x.y", false],
      ["phone", "+49 30 1234567", "0049 (30) 123-4567", true],
      ["phone", "+49 30 1234567", "49.30.1234567", true],
      ["phone", "0049301234567", "+49/30/1234567", true],
      ["phone", "030 1234567", "0301234567", true],
      ["phone", "030\u00a012345\u20137", "030123457", true],
      ["phone", "1-800-FLOWERS", "1800flowers", true],
      ["phone", "+49 30 1234567", "030 1234567", false],
      ["phone", "030 1234567", "30 1234567", false],
      ["phone", "030 1234567", "030 1234568", false],
      ["phone", "030 1234567 ext 5", "030 1234567", false],
      ["phone", "٠٣٠١٢٣", "٠٣٠-١٢٣", true],
      ["phone", "---", "+", false],
      ["name", "Anna Weber", "anna weber", true],
      ["name", "Anna Weber", "  ANNA WEBER ", true],
      ["name", "Anna Weber", "Anna Webber", true],
      ["name", "Anna Weber", "Ana Weber", true],
      // 1 - 1/5 is 0.8: not above it.
      ["name", "abcde", "abcdx", false],
      ["name", "abcdef", "abcdex", true],
      // 1 - 2/10 is 0.8, and 1 - 2/11 is above.
      ["name", "abcdefghij", "abcdefghxx", false],
      ["name", "abcdefghijk", "abcdefghixx", true],
      // 1 - 3/15 is 0.8 too, though 1 - 0.2 has no exact form.
      ["name", "abcdefghijklmno", "abcdefghijklxxx", false],
      ["name", "abcd", "abcde", false],
      ["name", "Müller", "MÜLLER", true],
      ["name", "M\u00fcller", "Mu\u0308ller", true],
      ["name", "株式会社ライオン", "株式会社ライオソ", true],
      ["name", "Berta Koch", "Anna Weber", false],
      // Five characters outside the basic plane, one of them another: 0.8.
      [
        "name",
        "\u{10330}\u{10331}\u{10332}\u{10333}\u{10334}",
        "\u{10330}\u{10331}\u{10332}\u{10333}\u{10335}",
        false,
      ],
    ]
    test.for(cases)("%s %s and %s: %p", async ([by, one, other, same], { call }) => {
      const push = (value: string) => call("POST", "/leads", { ...ALIKE[by], source: "s", [by]: value })
      const first = await push(one)
      const { status, body } = await push(other)
      expect([status, body.id === first.body.id, body.duplicate === true]).toEqual([
        same ? 200 : 201,
        same,
        same,
      ])
    })
  })

  test("says whether a lead that may be the same has its name and city, or its phone", async ({ call }) => {
    const push = async (more: object) =>
      (await call("POST", "/leads", { name: "Bitcoin Depot", source: "maps", ...more })).body
    const first = await push({ city: "Omaha", phone: "+1 678 435 9604" })
    const elsewhere = await push({ city: "El Paso", phone: "+1 678 435 9604" })
    const namesake = await push({ city: "Omaha" })
    const said = (what: string) => `Lead created; a lead with the same ${what} exists`
    expect(elsewhere).toMatchObject({
      message: said("phone and a similar name"),
      potential_duplicate_id: first.id,
      possible_duplicates: [{ id: first.id, reason: "same phone" }],
    })
    expect(namesake).toMatchObject({
      message: said("name and city"),
      potential_duplicate_id: first.id,
      possible_duplicates: [{ id: first.id, name: "Bitcoin Depot", reason: "same name and city" }],
    })
    expect(await push({ name: "Nobody" })).not.toHaveProperty("possible_duplicates")
  })

  test("creates with potential_duplicate_id when name and city match ignoring case and outer spaces", async () => {
    const { call } = await openTestAccount()
    const { id } = (await call("POST", "/leads", { name: "Anna Weber", source: "s", city: "Zürich" })).body
    const like = await call("POST", "/leads", { name: " anna WEBER ", source: "s", city: "ZU\u0308RICH" })
    expect(like.status).toBe(201)
    expect(like.body).toMatchObject({ potential_duplicate_id: id, name: "anna WEBER" })
    expect(like.body.duplicate).toBeUndefined()
    expect(like.body.id).not.toBe(id)
    for (const unlike of [
      { name: "Anna Webber", city: "Zürich" },
      { name: "Anna Weber", city: "Zürich-Nord" },
      { name: "Anna Weber" },
    ]) {
      const { status, body } = await call("POST", "/leads", { source: "s", ...unlike })
      expect(status).toBe(201)
      expect(body).not.toHaveProperty("potential_duplicate_id")
    }
    const third = await call("POST", "/leads", { name: "Anna Weber", source: "s", city: "Zürich" })
    expect(third.body.potential_duplicate_id).toBe(id)
  })

  test("names without a city are never alike", async ({ call }) => {
    await call("POST", "/leads", LEAST)
    expect((await call("POST", "/leads", LEAST)).body).not.toHaveProperty("potential_duplicate_id")
  })

  test("criteria are tried in order: email, source_id, phone, then name and city", async ({ call }) => {
    const push = async (lead: object) =>
      (await call("POST", "/leads", { name: "Anna Weber", source: "s", ...lead })).body
    const byEmail = await push({ name: "One", email: "a@x.y" })
    const bySourceId = await push({ name: "Two", source_id: "S" })
    const byPhone = await push({ phone: "030 1" })
    const byCity = await push({ city: "Ulm" })
    expect(new Set([byEmail.id, bySourceId.id, byPhone.id, byCity.id]).size).toBe(4)
    expect(await push({ city: "Ulm", phone: "999" })).toMatchObject({ potential_duplicate_id: byCity.id })
    expect(await push({ city: "Ulm", phone: "0301" })).toMatchObject({ id: byPhone.id })
    expect(await push({ city: "Ulm", phone: "0301", source_id: "S" })).toMatchObject({ id: bySourceId.id })
    const all = await push({ city: "Ulm", phone: "0301", email: "a@x.y" })
    expect(all).toMatchObject({ id: byEmail.id, duplicate: true })
  })

  test("of several leads with the phone the most similar name is taken, of equals the oldest", async () => {
    const { call } = await openTestAccount()
    const make = async (name: string) => {
      // Made with another phone, so that they do not merge into each other.
      const { id } = (await call("POST", "/leads", { name, source: "s", phone: crypto.randomUUID() })).body
      await call("PUT", `/leads/${id}`, { phone: "030 1" })
      return id
    }
    const far = await make("abcdefghijklx")
    const near = await make("abcdefghijkly")
    const alsoNear = await make("abcdefghijkly")
    const push = async (name: string) =>
      (await call("POST", "/leads", { name, source: "s", phone: "0301" })).body.id
    expect(await push("abcdefghijkly")).toBe(near)
    expect(await push("abcdefghijklx")).toBe(far)
    // One slip from each: the oldest.
    expect(await push("abcdefghijklz")).toBe(far)
    await call("DELETE", `/leads/${near}`)
    expect(await push("abcdefghijkly")).toBe(alsoNear)
  })

  test("a lead whose phone, name or city changed is found by what it has now", async ({ call }) => {
    const { id } = (
      await call("POST", "/leads", { name: "Anna Weber", source: "s", phone: "030 5501", city: "Ulm" })
    ).body
    await call("PUT", `/leads/${id}`, { phone: "030 5502", name: "Berta Koch", city: "Bonn" })
    const push = async (lead: object) => (await call("POST", "/leads", { source: "s", ...lead })).body
    expect(await push({ name: "Berta Koch", phone: "030 5501" })).not.toHaveProperty("duplicate")
    expect(await push({ name: "Anna Weber", city: "Ulm" })).not.toHaveProperty("potential_duplicate_id")
    expect(await push({ name: "Berta Koch", phone: "030 5502" })).toMatchObject({ id, duplicate: true })
    expect(await push({ name: "berta koch", city: "BONN" })).toMatchObject({ potential_duplicate_id: id })
  })

  test("never finds a lead of another account", async ({ call, addAccount, as }) => {
    await call("POST", "/leads", anna)
    const other = as((await addAccount()).key)
    const { status, body } = await other("POST", "/leads", anna)
    expect(status).toBe(201)
    expect(body).not.toHaveProperty("potential_duplicate_id")
  })

  test("40 simultaneous creates with one email make exactly one lead", async ({ call }) => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        call("POST", "/leads", { name: `n${i}`, source: "s", email: i % 2 ? "a@x.y" : "A@X.Y" }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(39).fill(200), 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect((await call("GET", "/leads")).body.count).toBe(1)
    expect((await call("GET", `/leads/${answers[0]!.body.id}/changes`)).body.count).toBe(40)
  })

  test("40 simultaneous creates with one source_id or phone make exactly one lead each", async ({ call }) => {
    const push = (lead: object) => call("POST", "/leads", { source: "s", ...lead })
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        i % 2 ? push({ name: `n${i}`, source_id: "S" }) : push({ name: "Anna Weber", phone: "030 1" }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
    expect((await call("GET", "/leads")).body.count).toBe(2)
  })
})

describe("a merge (Last Touch Wins)", () => {
  test("overwrites with what says something and leaves the rest", async ({ call }) => {
    const { id } = (await call("POST", "/leads", FULL)).body
    const { body } = await call("POST", "/leads", {
      name: "Mueller GmbH",
      source: "web",
      email: FULL.email,
      phone: "",
      website: null,
      city: "  ",
      category: "roofing",
      rating: 0,
      latitude: null,
      tags: [],
    })
    expect(body).toMatchObject({
      ...FULL,
      id,
      name: "Mueller GmbH",
      source: "web",
      category: "roofing",
      rating: 0,
    })
  })

  test.for([
    ["email", { source_id: "S", email: "a@x.example" }, { source_id: "S", email: "b@x.example" }],
    [
      "phone",
      { email: "a@x.example", phone: "+49 30 1234567" },
      { email: "a@x.example", phone: "+49 40 7654321" },
    ],
  ] as const)("adds another %s and drops none", async ([field, had, sent], { call }) => {
    const { id } = (await call("POST", "/leads", { name: "A", source: "s", ...had })).body
    const { body } = await call("POST", "/leads", { name: "A", source: "s", ...sent })
    const values = [sent[field as never], had[field as never]]
    expect(body).toMatchObject({
      id,
      duplicate: true,
      ...sent,
      [`${field}s`]: values.map((value) => ({ value })),
    })
    const lists = await call("GET", `/leads?filter=and.eq.${field}.${encodeURIComponent(values[1]!)}`)
    expect(lists.body.count).toBe(1)
  })

  test.for([
    ["another source", { name: "Beta", source: "pipedrive", email: "b@x.example" }, ["name", "email"]],
    [
      "another source, with the same email",
      { name: "Beta", source: "pipedrive", email: "A@x.example" },
      undefined,
    ],
    [
      "another source, with the same name",
      { name: "ALPHA", source: "pipedrive", email: "b@x.example" },
      undefined,
    ],
    ["the same source", { name: "Beta", source: "HubSpot", email: "b@x.example" }, undefined],
  ])("says what it replaced on a lead of %s", async ([_, sent, replaced], { call }) => {
    const first = { name: "Alpha", source: "hubspot", email: "a@x.example", source_id: "1" }
    await call("POST", "/leads", first)
    const { body } = await call("POST", "/leads", { ...sent, source_id: "1" })
    expect([body.duplicate, body.replaced]).toEqual([true, replaced])
  })

  test("tags overwrite as a whole", async ({ call }) => {
    await call("POST", "/leads", FULL)
    const { body } = await call("POST", "/leads", { ...LEAST, email: FULL.email, tags: ["new", "vip"] })
    expect(body.tags).toEqual(["new", "vip"])
    const count = async (tag: string) =>
      (await call("GET", `/leads?filter=and.array_contains.tags.${tag}`)).body.count
    expect([await count("builder"), await count("vip"), await count("new")]).toEqual([0, 1, 1])
  })

  test("a status that is sent overwrites, the default does not", async ({ call }) => {
    await call("POST", "/leads", { ...FULL, status: "qualified" })
    const push = async (more: object) =>
      (await call("POST", "/leads", { ...LEAST, email: FULL.email, ...more })).body.status
    expect(await push({})).toBe("qualified")
    expect(await push({ status: null })).toBe("qualified")
    expect(await push({ status: "new" })).toBe("new")
  })

  test("attributes are upserted by name, keeping id and place", async ({ call }) => {
    const push = async (attributes: object[] | null) =>
      (await call("POST", "/leads", { ...LEAST, email: "a@x.y", attributes })).body.attributes
    const [size, kind] = await push([
      { name: "size", type: "number", value: 5 },
      { name: "kind", type: "text", value: "x" },
    ])
    expect(await push(null)).toEqual([size, kind])
    expect(await push([])).toEqual([size, kind])
    const after = await push([
      { name: "more", type: "bool", value: true },
      { name: "size", type: "text", value: "big" },
    ])
    expect(after).toEqual([
      { ...size, type: "text", value: "big" },
      kind,
      { id: expect.any(String), name: "more", type: "bool", value: true },
    ])
    const count = async (filter: string) => (await call("GET", `/leads?filter=and.${filter}`)).body.count
    expect(await count("eq.attr:size.5")).toBe(0)
    expect(await count("eq.attr:size.BIG")).toBe(1)
  })

  test("with more attributes than a lead keeps is refused and changes nothing", async ({ call }) => {
    const attributes = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, i) => ({ name: `${prefix}${i}`, type: "number", value: i }))
    const push = (attributes: object[]) => call("POST", "/leads", { ...LEAST, email: "a@x.y", attributes })
    const { id } = (await push(attributes("a", 150))).body
    expect((await push(attributes("b", 50))).status).toBe(200)
    const { status, body } = await push(attributes("c", 1))
    expect(status).toBe(400)
    expect(body.message).toContain("at most 200 attributes")
    expect((await call("GET", `/leads/${id}`)).body.attributes).toHaveLength(200)
    expect((await push(attributes("a", 150))).status).toBe(200)
  })

  heldTest("bumps last_interaction_at always and updated_at only with a change", async ({ call, clock }) => {
    const made = clock.seconds()
    const attributes = [{ name: "size", type: "number", value: 5 }]
    await call("POST", "/leads", { ...FULL, attributes })
    clock.advance(60_000)
    const same = (await call("POST", "/leads", { ...FULL, attributes })).body
    expect(same).toMatchObject({ created_at: made, updated_at: made, last_interaction_at: clock.seconds() })
    const changes = [
      { city: "Ulm" },
      { attributes: [{ name: "size", type: "number", value: 6 }] },
      { tags: ["x"] },
    ]
    for (const change of changes) {
      clock.advance(60_000)
      const { body } = await call("POST", "/leads", {
        name: FULL.name,
        source: FULL.source,
        email: FULL.email,
        ...change,
      })
      const now = clock.seconds()
      expect(body).toMatchObject({ created_at: made, updated_at: now, last_interaction_at: now })
    }
  })

  const thefts: [string, object, object][] = [
    ["email", { source_id: "S-1" }, { email: "OTHER@x.y" }],
    ["source_id", { email: "anna@weber.example" }, { source_id: "S-2" }],
  ]
  test.for(thefts)(
    "that would take another lead's %s answers 409 and changes nothing",
    async ([field, by, take], { call }) => {
      const { message, ...first } = (await call("POST", "/leads", anna)).body
      await call("POST", "/leads", {
        name: "Other",
        source: "s",
        ...(field === "email" ? { email: "other@x.y" } : { source_id: "S-2" }),
      })
      // By email the owner of the email is found first: then it is the source_id that belongs to another.
      const { status, body } = await call("POST", "/leads", { name: "New", source: "s", ...by, ...take })
      expect(status).toBe(409)
      expect(body).toMatchObject({ error: "Conflict", code: "conflict" })
      expect((await call("GET", `/leads/${first.id}`)).body).toEqual(first)
      expect((await call("GET", "/leads")).body.count).toBe(2)
      expect((await call("GET", `/leads/${first.id}/changes`)).body.count).toBe(1)
    },
  )

  test("by phone may bring a new email and source_id", async ({ call }) => {
    const { id } = (await call("POST", "/leads", anna)).body
    const { body } = await call("POST", "/leads", {
      name: "anna weber",
      source: "s",
      phone: "0049301234567",
      email: "new@x.y",
      source_id: "S-9",
    })
    expect(body).toMatchObject({ id, duplicate: true, email: "new@x.y", source_id: "S-9" })
    // The one that it had is kept as a further one.
    expect((await call("POST", "/leads", { name: "X", source: "s", email: anna.email })).body.id).toBe(id)
  })
})

describe("the lead limit of the free plan", () => {
  test("100 leads, then 403 leads_limit_reached, while merges, updates and deletes go on", async () => {
    const { config, as } = await openTestApp({ bootstrap: false })
    const { key } = await addAccount(config.file, { plan: "free", limits: { requests_limit: 10_000 } })
    const call = as(key)
    const leads = Array.from({ length: 100 }, (_, i) => ({ name: `n${i}`, source: "s", email: `n${i}@x.y` }))
    const answers = await Promise.all(leads.map((lead) => call("POST", "/leads", lead)))
    expect(answers.every(({ status }) => status === 201)).toBe(true)

    const { status, body } = await call("POST", "/leads", LEAST)
    expect(status).toBe(403)
    expect(body).toMatchObject({ error: "Forbidden", code: "leads_limit_reached" })
    expect(body.message).toContain("100")

    const merged = await call("POST", "/leads", { ...LEAST, email: "N7@x.y" })
    expect(merged.status).toBe(200)
    const { id } = merged.body
    expect((await call("PUT", `/leads/${id}`, { city: "Ulm" })).status).toBe(200)
    expect((await call("POST", "/leads", { ...LEAST, name: "Acme" })).status).toBe(403)
    expect((await call("DELETE", `/leads/${id}`)).status).toBe(204)
    expect((await call("POST", "/leads", LEAST)).status).toBe(201)
    expect((await call("POST", "/leads", LEAST)).status).toBe(403)
    expect((await call("GET", "/leads?limit=1000")).body.count).toBe(100)
  })

  test("of 20 creates at once for the last 5 places 5 succeed", async () => {
    const { config, as } = await openTestApp({ bootstrap: false })
    const call = as((await addAccount(config.file, { limits: { leads_limit: 5 } })).key)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => call("POST", "/leads", { name: `n${i}`, source: "s" })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array(5).fill(201),
      ...Array(15).fill(403),
    ])
    expect((await call("GET", "/leads")).body.count).toBe(5)
  })
})
