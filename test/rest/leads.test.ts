import { describe, expect } from "bun:test"
import { fieldsThatAre } from "../../src/lead/lead-fields.ts"
import { heldTest, openHeldAccount, test } from "../support/app.ts"
import { errorBody, FULL, LEAD_ID, LEAST, NO_LEAD, OPTIONAL_TEXTS } from "../support/lead.ts"

const notFound = errorBody("Not Found", "not_found", "Lead not found")

describe("POST /leads", () => {
  test("answers 201 with id, message, created_at and every field, absent ones as null", async () => {
    const { call, clock } = await openHeldAccount()
    const { status, body } = await call("POST", "/leads", LEAST)
    expect(status).toBe(201)
    expect(body).toEqual({
      ...Object.fromEntries([...fieldsThatAre("nullable")].map((field) => [field, null])),
      id: expect.stringMatching(LEAD_ID),
      name: "Acme",
      source: "web",
      status: "new",
      tags: [],
      attributes: [],
      emails: [],
      phones: [],
      score: 0,
      created_at: clock.seconds(),
      updated_at: clock.seconds(),
      last_interaction_at: clock.seconds(),
      note_count: 0,
      last_touched_at: clock.seconds(),
      message: "Lead created",
    })
  })

  test("stores every field as it was sent", async ({ call }) => {
    const { body } = await call("POST", "/leads", FULL)
    expect(body).toMatchObject(FULL)
    const { message, ...lead } = body
    expect((await call("GET", `/leads/${body.id}`)).body).toEqual(lead)
  })

  heldTest("ids sort in the order of creation", async ({ call }) => {
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.push((await call("POST", "/leads", LEAST)).body.id)
    expect(ids).toEqual(ids.toSorted())
    expect(new Set(ids).size).toBe(5)
  })

  test("trims texts, and nothing but spaces is nothing", async ({ call }) => {
    const { body } = await call("POST", "/leads", {
      name: "  Acme\t",
      source: " web ",
      city: " Bad  Homburg\n",
      phone: " \t ",
      tags: [" hot "],
    })
    expect(body).toMatchObject({
      name: "Acme",
      source: "web",
      city: "Bad  Homburg",
      phone: null,
      tags: ["hot"],
    })
  })

  test('null and "" are no value', async ({ call }) => {
    const nothing = { latitude: null, longitude: null, rating: null, review_count: null, tags: null }
    const nulls = Object.fromEntries(OPTIONAL_TEXTS.map((field) => [field, null]))
    const empties = Object.fromEntries(OPTIONAL_TEXTS.map((field) => [field, ""]))
    for (const fields of [nulls, empties]) {
      const body = { ...LEAST, ...fields, ...nothing, status: null, attributes: null }
      const answer = await call("POST", "/leads", body)
      expect(answer.status).toBe(201)
      expect(answer.body).toMatchObject({ ...nulls, ...nothing, tags: [], status: "new", attributes: [] })
    }
  })

  test("keeps a repeated tag once, ignoring case, as it was sent first", async ({ call }) => {
    const tags = ["VIP", "vip", " ViP", "Größe", "GRÖßE", "cafe\u0301", "caf\u00e9"]
    const { body } = await call("POST", "/leads", { ...LEAST, tags })
    expect(body.tags).toEqual(["VIP", "Größe", "cafe\u0301"])
  })

  test("passes over read-only fields", async ({ call }) => {
    const sent = {
      ...LEAST,
      id: NO_LEAD,
      score: 99,
      created_at: 1,
      updated_at: "yesterday",
      last_interaction_at: null,
    }
    const { status, body } = await call("POST", "/leads", sent)
    expect(status).toBe(201)
    expect(body.id).not.toBe(NO_LEAD)
    expect(body.score).toBe(0)
    expect(body.created_at).toBeGreaterThan(1_000_000)
  })

  test("takes a lead that was read", async ({ call }) => {
    const attributes = [{ name: "size", type: "number", value: 3 }]
    const { id } = (await call("POST", "/leads", { ...FULL, attributes })).body
    const read = (await call("GET", `/leads/${id}`)).body
    const again = await call("POST", "/leads", read)
    expect(again.status).toBe(200)
    expect(again.body).toMatchObject({ id, duplicate: true, attributes: read.attributes })
  })

  test("makes attributes of every type, each with an id", async ({ call }) => {
    const attributes = [
      { name: "motto", type: "text", value: "  kept as it is  " },
      { name: "nothing", type: "text", value: "" },
      { name: "size", type: "number", value: -2.5 },
      { name: "zero", type: "number", value: 0 },
      { name: "active", type: "bool", value: false },
      { name: "langs", type: "list", value: ["de", "DE", ""] },
      { name: "empty", type: "list", value: [] },
      { name: "tree", type: "object", value: { a: [1, null, { b: "x" }], "": true } },
      { name: 'net."revenue".2025', type: "number", value: 1e300 },
    ]
    const { status, body } = await call("POST", "/leads", { ...LEAST, attributes })
    expect(status).toBe(201)
    const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    expect(body.attributes).toEqual(attributes.map((attribute) => ({ id: uuid, ...attribute })))
    expect(new Set(body.attributes.map(({ id }: { id: string }) => id)).size).toBe(attributes.length)
  })

  test("the last of several attributes with one name counts", async ({ call }) => {
    const attributes = [
      { name: "size", type: "number", value: 1 },
      { name: " size ", type: "text", value: "big" },
    ]
    const { body } = await call("POST", "/leads", { ...LEAST, attributes })
    expect(body.attributes).toEqual([{ id: expect.any(String), name: "size", type: "text", value: "big" }])
  })

  test("keeps any script as it was sent", async ({ call }) => {
    for (const name of [
      "İstanbul ŞTİ",
      "ΟΔΟΣ ΑΕ",
      "株式会社ライオン",
      "🚀 Δ",
      "e\u0301te\u0301",
      "a\u2028b",
    ]) {
      const { id } = (await call("POST", "/leads", { name, source: "s" })).body
      expect((await call("GET", `/leads/${id}`)).body.name).toBe(name)
    }
  })

  const refused: [what: string, body: object, message: string | RegExp][] = [
    ["no name", { source: "s" }, "name is required"],
    ["no source", { name: "n" }, "source is required"],
    ["an empty name", { name: "", source: "s" }, "name is required"],
    ["a name of spaces", { name: " \n", source: "s" }, "name is required"],
    ["a null name", { name: null, source: "s" }, "name is required"],
    ["a number for a text", { ...LEAST, city: 5 }, "city must be text"],
    ["a list for a text", { ...LEAST, city: ["Berlin"] }, "city must be text"],
    ["an unknown status", { ...LEAST, status: "hot" }, /^status must be one of new, contacted, qualified, /],
    ["a text for a number", { ...LEAST, rating: "4" }, "rating must be a number"],
    ["a part of a review", { ...LEAST, review_count: 1.5 }, /^review_count must be a whole number/],
    ["fewer than no reviews", { ...LEAST, review_count: -1 }, /^review_count must be a whole number/],
    ["a latitude beyond the pole", { ...LEAST, latitude: 90.1 }, "latitude must be from -90 to 90"],
    ["a longitude beyond 180", { ...LEAST, longitude: -180.5 }, "longitude must be from -180 to 180"],
    ["a text for tags", { ...LEAST, tags: "hot" }, "tags must be a list of texts"],
    ["a number among tags", { ...LEAST, tags: ["a", 5] }, "tags[1] must be text"],
    ["an empty tag", { ...LEAST, tags: ["a", " "] }, "tags[1] must not be empty"],
    ["an email without @", { ...LEAST, email: "anna" }, /^email must look like/],
    ["an email with two @", { ...LEAST, email: "a@b@c" }, /^email must look like/],
    ["an email with a space", { ...LEAST, email: "a b@c.de" }, /^email must look like/],
    ["an email without a domain", { ...LEAST, email: "a@" }, /^email must look like/],
    ["an object for attributes", { ...LEAST, attributes: { a: 1 } }, /^attributes must be a list/],
    [
      "an attribute without a name",
      { ...LEAST, attributes: [{ type: "text", value: "" }] },
      "attributes[0].name is required",
    ],
    [
      "an attribute with an empty name",
      { ...LEAST, attributes: [{ name: " ", type: "text", value: "" }] },
      "attributes[0].name is required",
    ],
    [
      "an attribute without a value",
      { ...LEAST, attributes: [{ name: "a", type: "text" }] },
      "attributes[0].value is required",
    ],
    [
      "an attribute of an unknown type",
      { ...LEAST, attributes: [{ name: "a", type: "money", value: "x" }] },
      /^attributes\[0\]\.type must be one of text, number, bool, list, object, date/,
    ],
    [
      "a value that does not fit the second attribute's type",
      {
        ...LEAST,
        attributes: [
          { name: "a", type: "text", value: "" },
          { name: "b", type: "number", value: "1" },
        ],
      },
      /^attributes\[1\]\.value must be/,
    ],
    [
      "an unknown field in an attribute",
      { ...LEAST, attributes: [{ name: "a", type: "text", value: "x", unit: "m" }] },
      /^attributes\[0\]\.unit is not known here.*name, type, value/,
    ],
  ]
  test.for(refused)("refuses %s", async ([_, body, message], { call }) => {
    const answer = await call("POST", "/leads", body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject(errorBody("Bad Request", "bad_request", message))
    expect((await call("GET", "/leads")).body.count).toBe(0)
  })

  test("takes any address that looks like an email", async ({ call }) => {
    for (const email of [
      "a@b",
      "Änne@Exämple.de",
      "a+b.c@d.e.f",
      "o'hara@x.ie",
      '"a"@b.c',
      "用户@例子.广告",
    ]) {
      const answer = await call("POST", "/leads", { ...LEAST, email })
      expect(answer.status).toBe(201)
      expect(answer.body.email).toBe(email)
    }
  })

  test("takes the numbers at the ends of their ranges", async ({ call }) => {
    const ends = [
      { latitude: -90, longitude: -180, rating: -1e308, review_count: 0 },
      { latitude: 90, longitude: 180, rating: Number.MIN_VALUE, review_count: Number.MAX_SAFE_INTEGER },
    ]
    for (const numbers of ends) {
      const { id } = (await call("POST", "/leads", { ...LEAST, ...numbers })).body
      expect((await call("GET", `/leads/${id}`)).body).toMatchObject(numbers)
    }
    const beyond = await call("POST", "/leads", '{"name":"n","source":"s","rating":1e999}')
    expect(beyond.status).toBe(400)
    expect(beyond.body.message).toBe("rating must be a finite number")
  })

  describe("limits on texts", () => {
    const list = (count: number) => Array.from({ length: count }, (_, i) => `t${i}`)
    const attributes = (count: number) => list(count).map((name) => ({ name, type: "number", value: 1 }))
    const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) })
    const object = (value: object) => [{ name: "o", type: "object", value }]
    const cases: [string, fits: object, tooMuch: object][] = [
      ["1,000 characters a line", { city: "x".repeat(1000) }, { city: "x".repeat(1001) }],
      ["1,000 characters a name", { name: "x".repeat(1000) }, { name: "x".repeat(1001) }],
      ["100,000 of description", { description: "x".repeat(100_000) }, { description: "x".repeat(100_001) }],
      ["100 tags", { tags: list(100) }, { tags: list(101) }],
      ["1,000 code points a line", { city: "😀".repeat(1000) }, { city: "😀".repeat(1001) }],
      ["200 code points a tag", { tags: ["𝒙".repeat(200)] }, { tags: ["𝒙".repeat(201)] }],
      ["200 characters a tag", { tags: ["x".repeat(200)] }, { tags: ["x".repeat(201)] }],
      ["200 attributes", { attributes: attributes(200) }, { attributes: attributes(201) }],
      ["32 levels of an object", { attributes: object(nested(32)) }, { attributes: object(nested(33)) }],
      [
        "16 KiB of an object",
        { attributes: object({ a: "x".repeat(16 * 1024 - 8) }) },
        { attributes: object({ a: "x".repeat(16 * 1024 - 7) }) },
      ],
    ]
    test.for(cases)("%s", async ([_, fits, tooMuch], { call }) => {
      const taken = await call("POST", "/leads", { ...LEAST, ...fits })
      expect(taken.status).toBe(201)
      expect((await call("GET", `/leads/${taken.body.id}`)).body).toMatchObject(fits)
      const refused = await call("POST", "/leads", { ...LEAST, ...tooMuch })
      expect(refused.status).toBe(400)
      expect(refused.body.message).toMatch(/must (be|hold) (at most|nested at most)/)
    })
  })

  describe("text that cannot be kept", () => {
    const bad = { NUL: "a\0b", "a lone high surrogate": "a\ud800", "a lone low surrogate": "\udc00b" }
    const places: [string, (text: string) => object][] = [
      ["a name", (text) => ({ name: text })],
      ["a description", (text) => ({ description: text })],
      ["an email", (text) => ({ email: `${text}@x.y` })],
      ["a tag", (text) => ({ tags: [text] })],
      ["an attribute's name", (text) => ({ attributes: [{ name: text, type: "bool", value: true }] })],
      ["an attribute's text", (text) => ({ attributes: [{ name: "a", type: "text", value: text }] })],
      ["an attribute's list", (text) => ({ attributes: [{ name: "a", type: "list", value: ["", text] }] })],
      [
        "an attribute's object",
        (text) => ({ attributes: [{ name: "a", type: "object", value: { b: [{ c: text }] } }] }),
      ],
      [
        "a key in an attribute's object",
        (text) => ({ attributes: [{ name: "a", type: "object", value: { b: { [text]: 1 } } }] }),
      ],
    ]
    test.for(places)("is refused in %s", async ([_, put], { call }) => {
      for (const text of Object.values(bad)) {
        const { status, body } = await call("POST", "/leads", { ...LEAST, ...put(text) })
        expect(status).toBe(400)
        expect(body.message).toContain("must be well-formed Unicode without NUL")
      }
      expect((await call("GET", "/leads")).body.count).toBe(0)
    })
  })

  test("refuses an unknown field, naming it, the likely one, and attributes", async ({ call }) => {
    const { status, body } = await call("POST", "/leads", { ...LEAST, phne: "1" })
    expect(status).toBe(400)
    expect(body.message).toStartWith("phne is not a lead field")
    expect(body.message).toContain('"phone"')
    expect(body.message).toContain("attributes")
  })

  // Names that every JavaScript object answers to.
  test.for(["constructor", "toString", "hasOwnProperty", "__proto__", "valueOf"])(
    "refuses the unknown field %s",
    async (name, { call }) => {
      const { status, body } = await call("POST", "/leads", `{"name":"n","source":"s","${name}":{"a":1}}`)
      expect(status).toBe(400)
      expect(body.message).toStartWith(`${name} is not a lead field`)
    },
  )

  test("lists every problem when there are several", async ({ call }) => {
    const { body } = await call("POST", "/leads", { rating: "x", tags: [1] })
    expect(body.details).toEqual(
      expect.arrayContaining([
        { field: "name", message: "is required" },
        { field: "source", message: "is required" },
        { field: "rating", message: "must be a number" },
        { field: "tags[0]", message: "must be text" },
      ]),
    )
  })
})

describe("GET /leads/{id}", () => {
  test("answers 404 for a lead that is missing, or named without its prefix", async ({ call }) => {
    const { id } = (await call("POST", "/leads", LEAST)).body
    for (const missing of [NO_LEAD, id.slice(3), id.toUpperCase(), `${id}0`, "1", "%00", "%F0%9F%9A%80"]) {
      const { status, body } = await call("GET", `/leads/${missing}`)
      expect(status).toBe(404)
      expect(body).toEqual(notFound)
    }
  })
})

describe.each(["PUT", "PATCH"])("%s /leads/{id}", (method) => {
  test("changes only the fields that are sent and answers with the whole lead", async ({ call }) => {
    const { message, ...before } = (await call("POST", "/leads", FULL)).body
    const { status, body } = await call(method, `/leads/${before.id}`, { city: "Hamburg", rating: 2 })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      city: "Hamburg",
      rating: 2,
      updated_at: expect.any(Number),
      last_interaction_at: expect.any(Number),
      last_touched_at: expect.any(Number),
    })
    expect((await call("GET", `/leads/${before.id}`)).body).toEqual(body)
  })

  test('null and "" clear an optional field', async ({ call }) => {
    const { id } = (await call("POST", "/leads", FULL)).body
    for (const nothing of [null, ""]) {
      await call(method, `/leads/${id}`, FULL)
      const cleared = Object.fromEntries(OPTIONAL_TEXTS.map((field) => [field, nothing]))
      const { status, body } = await call(method, `/leads/${id}`, cleared)
      expect(status).toBe(200)
      expect(OPTIONAL_TEXTS.map((field) => body[field])).toEqual(OPTIONAL_TEXTS.map(() => null))
    }
    const rest = { latitude: null, longitude: null, rating: null, review_count: null }
    const { body } = await call(method, `/leads/${id}`, { ...rest, tags: null, status: null })
    expect(body).toMatchObject({ ...rest, tags: [], status: "new" })
    expect((await call(method, `/leads/${id}`, { tags: [] })).status).toBe(200)
  })

  test.for(["name", "source"])("%s cannot be cleared", async (field, { call }) => {
    const { id } = (await call("POST", "/leads", FULL)).body
    for (const nothing of [null, "", "  "]) {
      const { status, body } = await call(method, `/leads/${id}`, { [field]: nothing, city: "Ulm" })
      expect(status).toBe(400)
      expect(body.message).toBe(`${field} cannot be cleared`)
    }
    expect((await call("GET", `/leads/${id}`)).body).toMatchObject(FULL)
  })
})

describe("PUT /leads/{id}", () => {
  test("takes a lead that was read", async ({ call }) => {
    const attributes = [{ name: "size", type: "number", value: 3 }]
    const { id } = (await call("POST", "/leads", { ...FULL, attributes })).body
    const read = (await call("GET", `/leads/${id}`)).body
    const { status, body } = await call("PUT", `/leads/${id}`, { ...read, city: "Hamburg", score: 77 })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...read,
      city: "Hamburg",
      updated_at: expect.any(Number),
      last_interaction_at: expect.any(Number),
      last_touched_at: expect.any(Number),
    })
  })

  test("refuses other attributes than the lead has, naming where they are changed", async ({ call }) => {
    const size = { name: "size", type: "number", value: 3 }
    const { id } = (await call("POST", "/leads", { ...FULL, attributes: [size] })).body
    for (const attributes of [[], [{ ...size, value: 4 }], [size, { ...size, name: "more" }], null]) {
      const { status, body } = await call("PUT", `/leads/${id}`, { attributes })
      expect(status).toBe(400)
      expect(body.message).toContain("/leads/{id}/attributes")
    }
  })

  test("the id of the path counts, not one in the body", async ({ call }) => {
    const one = (await call("POST", "/leads", LEAST)).body
    const other = (await call("POST", "/leads", { name: "Other", source: "s" })).body
    await call("PUT", `/leads/${one.id}`, { id: other.id, city: "Ulm" })
    expect((await call("GET", `/leads/${one.id}`)).body.city).toBe("Ulm")
    expect((await call("GET", `/leads/${other.id}`)).body.city).toBeNull()
  })

  test("refuses unknown fields and wrong values, changing nothing", async ({ call }) => {
    const { id } = (await call("POST", "/leads", FULL)).body
    for (const bad of [
      { nickname: "x" },
      { rating: "5" },
      { email: "x" },
      { status: "hot" },
      { tags: [""] },
    ]) {
      expect((await call("PUT", `/leads/${id}`, { city: "Ulm", ...bad })).status).toBe(400)
    }
    expect((await call("GET", `/leads/${id}`)).body).toMatchObject(FULL)
  })

  test("updated_at moves only when a stored value changes, last_interaction_at with every push", async () => {
    const { call, clock } = await openHeldAccount()
    const made = clock.seconds()
    const { id } = (await call("POST", "/leads", FULL)).body
    const same = [
      { city: FULL.city },
      { tags: FULL.tags },
      { status: FULL.status },
      { name: ` ${FULL.name} ` },
      {},
    ]
    for (const changes of [...same, { score: 50, created_at: 5 }, { ...FULL }]) {
      clock.advance(60_000)
      const { body } = await call("PUT", `/leads/${id}`, changes)
      expect(body).toMatchObject({ updated_at: made, last_interaction_at: clock.seconds() })
    }
    for (const changes of [
      { city: "Ulm" },
      { rating: 1 },
      { tags: ["x"] },
      { email: "INFO@mueller.example" },
    ]) {
      clock.advance(60_000)
      const { body } = await call("PUT", `/leads/${id}`, changes)
      expect(body).toMatchObject({
        created_at: made,
        updated_at: clock.seconds(),
        last_interaction_at: clock.seconds(),
      })
    }
  })

  test("any status may follow any other", async ({ call }) => {
    const { id } = (await call("POST", "/leads", LEAST)).body
    const statuses = ["new", "contacted", "qualified", "disqualified", "converted"]
    for (const from of statuses) {
      for (const to of statuses) {
        await call("PUT", `/leads/${id}`, { status: from })
        expect((await call("PUT", `/leads/${id}`, { status: to })).body.status).toBe(to)
      }
    }
  })

  test("answers 404 for a missing lead, also when it would conflict", async ({ call }) => {
    await call("POST", "/leads", FULL)
    const { status, body } = await call("PUT", `/leads/${NO_LEAD}`, { email: FULL.email })
    expect(status).toBe(404)
    expect(body).toEqual(notFound)
  })

  const taken: [string, object][] = [
    ["email, ignoring case", { email: "INFO@MUELLER.EXAMPLE" }],
    ["source_id", { source_id: "CRM-77" }],
  ]
  test.for(taken)("answers 409 for another lead's %s, changing nothing", async ([_, changes], { call }) => {
    await call("POST", "/leads", FULL)
    const { message, ...other } = (await call("POST", "/leads", { ...LEAST, email: "b@x.y" })).body
    const answer = await call("PUT", `/leads/${other.id}`, { city: "Ulm", ...changes })
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({ error: "Conflict", code: "conflict" })
    expect(answer.body.message).toContain(Object.keys(changes)[0]!)
    expect((await call("GET", `/leads/${other.id}`)).body).toEqual(other)
    expect((await call("GET", `/leads/${other.id}/changes`)).body.count).toBe(1)
  })

  test("a lead may send its own email and source_id, also in other case", async ({ call }) => {
    const { id } = (await call("POST", "/leads", FULL)).body
    const { status, body } = await call("PUT", `/leads/${id}`, {
      email: "INFO@mueller.EXAMPLE",
      source_id: FULL.source_id,
    })
    expect(status).toBe(200)
    expect(body.email).toBe("INFO@mueller.EXAMPLE")
  })

  test("source_id in other case is another one", async ({ call }) => {
    await call("POST", "/leads", FULL)
    const { id } = (await call("POST", "/leads", LEAST)).body
    expect((await call("PUT", `/leads/${id}`, { source_id: "crm-77" })).status).toBe(200)
  })

  test("an email that was cleared, changed or deleted can be taken", async ({ call }) => {
    const put = (id: string, changes: object) => call("PUT", `/leads/${id}`, changes)
    const one = (await call("POST", "/leads", { name: "one", source: "s", email: "a@x.y" })).body.id
    const two = (await call("POST", "/leads", { name: "two", source: "s" })).body.id
    await put(one, { email: null })
    expect((await put(two, { email: "a@x.y" })).status).toBe(200)
    await put(two, { email: "b@x.y" })
    expect((await put(one, { email: "A@x.y" })).status).toBe(200)
    await call("DELETE", `/leads/${one}`)
    expect((await put(two, { email: "a@x.y" })).status).toBe(200)
  })

  test("two leads that swap emails at once are both refused, and keep their own", async ({ call }) => {
    const one = (await call("POST", "/leads", { name: "one", source: "s", email: "a@x.y" })).body.id
    const two = (await call("POST", "/leads", { name: "two", source: "s", email: "b@x.y" })).body.id
    const answers = await Promise.all([
      call("PUT", `/leads/${one}`, { email: "b@x.y" }),
      call("PUT", `/leads/${two}`, { email: "a@x.y" }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([409, 409])
    expect((await call("GET", `/leads/${one}`)).body.email).toBe("a@x.y")
    expect((await call("GET", `/leads/${two}`)).body.email).toBe("b@x.y")
  })

  test("of 20 leads that take one email at once exactly one gets it", async ({ call }) => {
    const ids: string[] = []
    for (let i = 0; i < 20; i++)
      ids.push((await call("POST", "/leads", { name: `n${i}`, source: "s" })).body.id)
    const answers = await Promise.all(ids.map((id) => call("PUT", `/leads/${id}`, { email: "a@x.y" })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(409)])
    expect((await call("GET", "/leads?filter=and.eq.email.a@x.y")).body.count).toBe(1)
  })

  test("changes of different fields at the same time lose none of them", async ({ call }) => {
    const { id } = (await call("POST", "/leads", LEAST)).body
    const { name, source, ...rest } = FULL
    const fields = Object.entries(rest)
    const answers = await Promise.all(
      fields.map(([field, value]) => call("PUT", `/leads/${id}`, { [field]: value })),
    )
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect((await call("GET", `/leads/${id}`)).body).toMatchObject(rest)
    expect((await call("GET", `/leads/${id}/changes`)).body.count).toBe(fields.length + 1)
  })
})

describe("DELETE /leads/{id}", () => {
  test("answers 204 without a body, and from then on 404 everywhere", async ({ call }) => {
    const { id } = (await call("POST", "/leads", FULL)).body
    const answer = await call("DELETE", `/leads/${id}`)
    expect(answer.status).toBe(204)
    expect(answer.body).toBeUndefined()
    for (const [method, body] of [["GET"], ["PUT", { city: "Ulm" }], ["PATCH", {}], ["DELETE"]] as const) {
      const gone = await call(method, `/leads/${id}`, body)
      expect(gone.status).toBe(404)
      expect(gone.body).toEqual(notFound)
    }
    expect((await call("GET", "/leads")).body.leads).toEqual([])
  })

  test("nothing finds the lead any more, and its email makes a new one", async ({ call }) => {
    const attributes = [{ name: "size", type: "number", value: 3 }]
    const { id } = (await call("POST", "/leads", { ...FULL, attributes })).body
    await call("DELETE", `/leads/${id}`)
    for (const filter of ["array_contains.tags.vip", "eq.attr:size.3", "is_set.location", "gte.score.0"]) {
      expect((await call("GET", `/leads?filter=and.${filter}`)).body.count).toBe(0)
    }
    const again = await call("POST", "/leads", FULL)
    expect(again.status).toBe(201)
    expect(again.body.id).not.toBe(id)
    expect(again.body.attributes).toEqual([])
    expect((await call("GET", "/leads?filter=and.eq.attr:size.3")).body.count).toBe(0)
  })

  test("of two at once one answers 204 and one 404", async ({ call }) => {
    const { id } = (await call("POST", "/leads", FULL)).body
    const answers = await Promise.all([call("DELETE", `/leads/${id}`), call("DELETE", `/leads/${id}`)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404])
    expect((await call("GET", `/leads/${id}/changes`)).body.count).toBe(2)
  })
})

describe('"" in fields that are not texts', () => {
  const blanks = { rating: "", review_count: "", latitude: "", tags: "", status: "" }

  test("clears them in an update, alone and in a batch", async ({ call }) => {
    const full = {
      name: "A",
      source: "s",
      rating: 4,
      review_count: 2,
      latitude: 1,
      tags: ["x"],
      status: "qualified",
    }
    const cleared = { rating: null, review_count: null, latitude: null, tags: [], status: "new" }
    const { id } = (await call("POST", "/leads", full)).body
    expect((await call("PUT", `/leads/${id}`, blanks)).body).toMatchObject(cleared)
    await call("PUT", `/leads/${id}`, full)
    expect((await call("PUT", "/leads/batch", { ids: [id], data: blanks })).status).toBe(200)
    expect((await call("GET", `/leads/${id}`)).body).toMatchObject(cleared)
  })

  test("is no value in a push, and leaves what a merged lead has", async ({ call }) => {
    const first = await call("POST", "/leads", {
      name: "A",
      source: "s",
      email: "a@b.c",
      rating: 4,
      tags: ["x"],
    })
    expect(first.status).toBe(201)
    const merged = await call("POST", "/leads", { name: "A", source: "s", email: "a@b.c", ...blanks })
    expect(merged.body).toMatchObject({ duplicate: true, rating: 4, tags: ["x"], status: "new" })
    const batch = await call("POST", "/leads/batch", { leads: [{ name: "B", source: "s", ...blanks }] })
    expect(batch.status).toBe(201)
  })
})
