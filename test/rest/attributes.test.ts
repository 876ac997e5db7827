import { describe, expect } from "bun:test"
import { openHeldAccount, openHeldApp, type TestAccount, test } from "../support/app.ts"
import { errorBody, LEAST, NO_LEAD } from "../support/lead.ts"
import { watchOutbox } from "../support/outbox.ts"
import { pluck } from "../support/pluck.ts"
import { testWith } from "../support/test-with.ts"

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const NO_ATTRIBUTE = NO_LEAD.slice("cl_".length)
const noLead = errorBody("Not Found", "not_found", "Lead not found")
const WHOLE = "The body must be {value}, or the whole record as it was read, with id, name, type and value"
const noAttribute = errorBody("Not Found", "not_found", "Attribute not found")

async function withLead<App extends TestAccount>(app: App) {
  const { id } = (await app.call("POST", "/leads", LEAST)).body
  const attributes = `/leads/${id}/attributes`
  return {
    ...app,
    id,
    attributes,
    lead: async () => (await app.call("GET", `/leads/${id}`)).body,
    add: async (type: string, value: unknown, name = "x") =>
      (await app.call("POST", attributes, { name, type, value })).body,
  }
}

const openWithLead = async () => withLead(await openHeldAccount())

/** A value of each type, and another one. */
const VALUES: [type: string, value: unknown, another: unknown][] = [
  ["text", "größer", ""],
  ["number", 12.5, -3],
  ["bool", true, false],
  ["list", ["a", "b"], []],
  ["object", { deep: { list: [1, null, "x"] } }, {}],
  ["date", "2026-03-31", "2026-03-31T09:30:00Z"],
]

const MISFITS: [type: string, message: string, value: unknown][] = [
  ["text", "must be text", 5],
  ["text", "must be text", null],
  ["text", "must be at most 100,000 characters", "x".repeat(100_001)],
  ["text", "must be well-formed Unicode", "a\0b"],
  ["number", "must be a number", "5"],
  ["number", "must be a number", true],
  ["number", "must be a number", [1]],
  ["bool", "must be true or false", 1],
  ["bool", "must be true or false", "true"],
  ["list", "must be a list of texts", "a"],
  ["list", "must be a list of texts", ["a", 1]],
  ["list", "must hold at most 1,000 texts", Array(1_001).fill("a")],
  ["object", "must be an object", ["a"]],
  ["object", "must be an object", null],
  ["date", "must be an ISO date such as 2026-03-31", "31.03.2026"],
  ["date", "must be an ISO date such as 2026-03-31", "2026-02-30"],
  ["date", "must be an ISO date such as 2026-03-31", 1_795_176_000],
  ["object", "must be at most 16 KiB", { long: "x".repeat(16_384) }],
  ["object", "must be nested at most 32 levels deep", nested(33)],
]

function nested(levels: number): object {
  return levels === 1 ? {} : { a: nested(levels - 1) }
}

const leadTest = testWith(() => openWithLead())

describe("POST /leads/{id}/attributes", () => {
  leadTest.for(VALUES)("keeps a %s", async ([type, value], { call, attributes, lead }) => {
    const { status, body } = await call("POST", attributes, { name: "Größe", type, value })
    expect(status).toBe(201)
    expect(body).toEqual({ id: expect.stringMatching(UUID), name: "Größe", type, value })
    expect((await call("GET", attributes)).body).toEqual([body])
    expect((await lead()).attributes).toEqual([body])
  })

  test.each(MISFITS)("refuses a %s that does not fit, new or changed: %s", async (type, message, value) => {
    const { call, add, attributes } = await openWithLead()
    const attribute = await add(type, VALUES.find(([name]) => name === type)?.[1], "y")
    for (const { status, body } of [
      await call("POST", attributes, { name: "x", type, value }),
      await call("PUT", `${attributes}/${attribute.id}`, { value }),
    ]) {
      expect([status, body.code]).toEqual([400, "bad_request"])
      expect(body.message).toStartWith(`value ${message}`)
    }
    expect((await call("GET", attributes)).body).toEqual([attribute])
  })

  const refused: [what: string, body: unknown, message: string][] = [
    ["no name", { type: "text", value: "a" }, "name is required"],
    ["a blank name", { name: " ", type: "text", value: "a" }, "name is required"],
    [
      "a long name",
      { name: "x".repeat(201), type: "text", value: "a" },
      "name must be at most 200 characters",
    ],
    ["no type", { name: "x", value: "a" }, "type is required"],
    [
      "an unknown type",
      { name: "x", type: "money", value: "a" },
      "type must be one of text, number, bool, list",
    ],
    ["no value", { name: "x", type: "text" }, "value is required"],
    ["an unknown field", { name: "x", type: "text", value: "a", unit: "m" }, "unit is not known here"],
    ["no object", '["x"]', "The body must be a JSON object"],
  ]
  leadTest.for(refused)("refuses %s", async ([_what, sent, message], { call, attributes }) => {
    const { status, body } = await call("POST", attributes, sent)
    expect(status).toBe(400)
    expect(body.message).toStartWith(message)
  })

  test("a second one of the same name is a conflict, whatever its type; another lead may have it", async () => {
    const { call, add, attributes } = await openWithLead()
    const first = await add("text", "a")
    const { status, body } = await call("POST", attributes, { name: "x", type: "number", value: 1 })
    expect(status).toBe(409)
    expect(body).toEqual(errorBody("Conflict", "conflict", /^Duplicate name: .*"x"/))
    expect((await call("GET", attributes)).body).toEqual([first])
    const { body: other } = await call("POST", "/leads", { ...LEAST, name: "Other" })
    const there = await call("POST", `/leads/${other.id}/attributes`, { name: "x", type: "number", value: 1 })
    expect(there.status).toBe(201)
  })

  leadTest("of several at the same time with one name, one is kept", async ({ call, attributes }) => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, value) =>
        call("POST", attributes, { name: "x", type: "number", value }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)])
    const made = answers.find(({ status }) => status === 201)
    expect((await call("GET", attributes)).body).toEqual([made?.body])
  })

  leadTest("several at the same time with different names are all kept", async ({ call, attributes }) => {
    const names = Array.from({ length: 20 }, (_, i) => `name ${i}`).toSorted()
    await Promise.all(names.map((name) => call("POST", attributes, { name, type: "bool", value: true })))
    const { body } = await call("GET", attributes)
    expect(pluck(body, "name").toSorted()).toEqual(names)
  })

  test("a lead keeps at most 200", async ({ call }) => {
    const many = Array.from({ length: 200 }, (_, i) => ({ name: `n${i}`, type: "number", value: i }))
    const { id } = (await call("POST", "/leads", { ...LEAST, attributes: many.slice(1) })).body
    const post = (body: unknown) => call("POST", `/leads/${id}/attributes`, body)
    expect((await post(many[0])).status).toBe(201)
    const { status, body } = await post({ name: "more", type: "number", value: 1 })
    expect([status, body.message]).toEqual([400, "A lead keeps at most 200 attributes"])
  })
})

describe("PUT /leads/{id}/attributes/{attr_id}", () => {
  test.each(VALUES)("changes a %s sent as {value}, and not sent bare", async (type, value, another) => {
    const { call, add, attributes } = await openWithLead()
    const attribute = await add(type, value)
    const path = `${attributes}/${attribute.id}`
    const wrapped = await call("PUT", path, { value: another })
    expect([wrapped.status, wrapped.body]).toEqual([200, { ...attribute, value: another }])
    const bare = await call("PUT", path, JSON.stringify(value))
    expect(bare.status).toBe(400)
    expect((await call("GET", attributes)).body).toEqual([wrapped.body])
  })

  test.each(VALUES)("a %s that was read can be sent back", async (type, value, another) => {
    const { call, add, attributes } = await openWithLead()
    const attribute = await add(type, value)
    const sent = { ...attribute, value: another }
    const { status, body } = await call("PUT", `${attributes}/${attribute.id}`, sent)
    expect([status, body]).toEqual([200, sent])
  })

  leadTest("the name and the type cannot be changed", async ({ call, add, attributes }) => {
    const attribute = await add("number", 1)
    const path = `${attributes}/${attribute.id}`
    const cases = [
      [{ value: 2, name: "y" }, "name cannot be changed, only value can"],
      [{ value: "2", type: "text" }, "type cannot be changed, only value can"],
      [{ value: 2, type: "number" }, WHOLE],
      [{ value: 2, name: attribute.name }, WHOLE],
      [{ ...attribute, id: NO_ATTRIBUTE }, "id in the body is another one than in the path"],
      [{ value: 2, unit: "m" }, /^unit is not known here/],
      [{ name: "y" }, "value is required"],
      [{}, "value is required"],
      [undefined, "value is required"],
    ] as const
    for (const [sent, message] of cases) {
      const { status, body } = await call("PUT", path, sent)
      expect([status, body.message]).toEqual([
        400,
        typeof message === "string" ? message : expect.stringMatching(message),
      ])
    }
    expect((await call("GET", attributes)).body).toEqual([attribute])
  })

  test("what stands around the value of an object never becomes a part of it", async () => {
    const { call, add, attributes } = await openWithLead()
    const attribute = await add("object", { seats: 40 })
    const path = `${attributes}/${attribute.id}`
    const value = { seats: 50 }
    for (const sent of [
      { value, type: "object" },
      { value, name: attribute.name },
      value,
      { id: attribute.id, ...value },
    ]) {
      expect((await call("PUT", path, sent)).status).toBe(400)
    }
    expect((await call("GET", attributes)).body).toEqual([attribute])
    expect((await call("PUT", path, { ...attribute, value })).body.value).toEqual(value)
  })

  leadTest("an object may have a key called value", async ({ call, add, attributes }) => {
    const path = `${attributes}/${(await add("object", {})).id}`
    const value = { value: 1, unit: "m" }
    expect((await call("PUT", path, { value })).body.value).toEqual(value)
    expect((await call("PUT", path, value)).status).toBe(400)
    expect((await call("PUT", path, { value: { value: 2 } })).body.value).toEqual({ value: 2 })
  })

  leadTest("the others of the lead stay in their order", async ({ call, add, attributes }) => {
    const [a, b, c] = [await add("text", "1", "a"), await add("text", "2", "b"), await add("text", "3", "c")]
    await call("PUT", `${attributes}/${b.id}`, { value: "4" })
    expect((await call("GET", attributes)).body).toEqual([a, { ...b, value: "4" }, c])
  })
})

describe("DELETE /leads/{id}/attributes/{attr_id}", () => {
  leadTest("answers 204, and then it is missing and its name is free", async ({ call, add, attributes }) => {
    const [one, two] = [await add("text", "a"), await add("text", "b", "y")]
    const { status, body } = await call("DELETE", `${attributes}/${one.id}`)
    expect([status, body]).toEqual([204, undefined])
    expect((await call("GET", attributes)).body).toEqual([two])
    for (const method of ["PUT", "DELETE"]) {
      const again = await call(method, `${attributes}/${one.id}`, { value: "c" })
      expect([again.status, again.body]).toEqual([404, noAttribute])
    }
    expect((await add("number", 5)).value).toBe(5)
  })
})

describe("a change of an attribute is a change of its lead", () => {
  test("it moves the times, but updated_at only when the value really differs", async () => {
    const { call, clock, add, attributes, lead } = await openWithLead()
    const times = async () => {
      const { updated_at, last_interaction_at } = await lead()
      return { updated_at, last_interaction_at }
    }
    const changes: [method: string, body?: unknown][] = [["PUT", { value: 2 }], ["DELETE"]]
    clock.advance(60_000)
    const { id } = await add("number", 1)
    const created = clock.seconds()
    expect(await times()).toEqual({ updated_at: created, last_interaction_at: created })
    clock.advance(60_000)
    await call("PUT", `${attributes}/${id}`, { value: 1 })
    expect(await times()).toEqual({ updated_at: created, last_interaction_at: clock.seconds() })
    for (const [method, body] of changes) {
      clock.advance(60_000)
      await call(method, `${attributes}/${id}`, body)
      expect(await times()).toEqual({ updated_at: clock.seconds(), last_interaction_at: clock.seconds() })
    }
  })

  test("it is in the trail with the lead before and after, and an event", async () => {
    const { call, config, id, add, attributes, lead } = await withLead(await openHeldApp())
    const events = await watchOutbox(config.file)
    const states = [await lead()]
    const attribute = await add("number", 1)
    states.push(await lead())
    await call("PUT", `${attributes}/${attribute.id}`, { value: 2 })
    states.push(await lead())
    await call("DELETE", `${attributes}/${attribute.id}`)
    states.push(await lead())
    await call("DELETE", `${attributes}/${attribute.id}`)

    const { changes } = (await call("GET", `/leads/${id}/changes`)).body
    expect(pluck(changes, "action")).toEqual(["updated", "updated", "updated", "created"])
    for (const [i, change] of changes.toReversed().entries()) {
      expect(change).toMatchObject({ before: states[i - 1] ?? null, after: states[i] })
    }
    expect((await events()).map(({ event, data }) => [event, data])).toEqual(
      states.slice(1).map((state) => ["lead.updated", state]),
    )
  })

  test("it rescores the lead", async () => {
    const { call, config, id, add, attributes, lead } = await withLead(await openHeldApp())
    await call("POST", "/scoring-rules", { name: "size", expression: "attr_size * 10" })
    const events = await watchOutbox(config.file)
    const attribute = await add("number", 3, "size")
    expect((await lead()).score).toBe(30)
    await call("PUT", `${attributes}/${attribute.id}`, { value: 5 })
    expect((await lead()).score).toBe(50)
    await call("DELETE", `${attributes}/${attribute.id}`)
    expect((await lead()).score).toBe(0)
    const scored = (await events()).filter(({ event }) => event === "lead.scored")
    expect(scored.map(({ data }) => [data.id, data.score])).toEqual([
      [id, 30],
      [id, 50],
      [id, 0],
    ])
  })

  leadTest("filters find the new value and no longer the old one", async ({ call, add, attributes }) => {
    const found = async (value: unknown) =>
      (await call("GET", `/leads?filter=and.eq.attr:size.${value}`)).body.count
    const attribute = await add("number", 1, "size")
    expect([await found(1), await found(2)]).toEqual([1, 0])
    await call("PUT", `${attributes}/${attribute.id}`, { value: 2 })
    expect([await found(1), await found(2)]).toEqual([0, 1])
    await call("DELETE", `${attributes}/${attribute.id}`)
    expect([await found(1), await found(2)]).toEqual([0, 0])
  })
})

test("who may a lead or attribute that is missing, another lead's or another account's answers 404", async () => {
  const { call, as, addAccount, add, attributes } = await openWithLead()
  const attribute = await add("text", "a")
  const { body: other } = await call("POST", "/leads", { ...LEAST, name: "Other" })
  const stranger = as((await addAccount()).key)
  const cases = [
    [call, `/leads/${NO_LEAD}/attributes`, noLead, noLead],
    [stranger, attributes, noLead, noLead],
    [call, `/leads/${other.id}/attributes`, undefined, noAttribute],
  ] as const
  for (const [ask, path, list, one] of cases) {
    if (list) {
      expect((await ask("GET", path)).body).toEqual(list)
      expect((await ask("POST", path, { name: "y", type: "text", value: "" })).body).toEqual(list)
    }
    for (const method of ["PUT", "DELETE"]) {
      const { status, body } = await ask(method, `${path}/${attribute.id}`, { value: "b" })
      expect([path, method, status, body]).toEqual([path, method, 404, one])
    }
  }
  expect((await call("PUT", `${attributes}/${NO_ATTRIBUTE}`, { value: "b" })).body).toEqual(noAttribute)
  expect((await call("GET", attributes)).body).toEqual([attribute])
})
