import { describe, expect } from "bun:test"
import { openTestAccount, openTestApp, type TestAccount, test } from "../support/app.ts"
import { ask } from "../support/ask.ts"
import { LEAST } from "../support/lead.ts"

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
const OBJECTS = { "X-List-Style": "object" }

async function leadWithNote({ call }: TestAccount): Promise<string> {
  const { body } = await call("POST", "/leads", LEAST, { "X-List-Style": "array" })
  await call("POST", `/leads/${body.id}/notes`, { content: "Called" })
  return body.id
}

describe("lists in the object style", () => {
  test("are objects, and times of webhooks ISO texts, where LEADDB_LIST_STYLE says so", async () => {
    const service = await openTestApp({ listStyle: "object" })
    const lead = await leadWithNote(service)
    const get = async (path: string) => (await ask(service.app, service.key, "GET", path)).body
    expect(await get(`/leads/${lead}/notes`)).toEqual({
      notes: [expect.objectContaining({ content: "Called" })],
    })
    expect(await get(`/leads/${lead}/attributes`)).toEqual({ attributes: [] })
    expect(await get("/scoring-rules")).toEqual({ rules: [] })
    const made = await ask(service.app, service.key, "POST", "/webhooks", { url: "http://127.0.0.1:9/x" })
    expect(made.body).toMatchObject({ created_at: ISO, updated_at: ISO })
    expect(await get("/webhooks")).toMatchObject({ webhooks: [{ created_at: ISO }] })
    expect(await get("/api-keys")).toBeArray()
  })

  test("are asked for by a header, before the key's style, before the service's", async (service) => {
    const lead = await leadWithNote(service)
    const { body: styled } = await service.call("POST", "/api-keys", { name: "SDK", list_style: "object" })
    expect(styled.list_style).toBe("object")
    const path = `/leads/${lead}/notes`
    const shapeOf = async (key: string, headers = {}) =>
      Array.isArray((await ask(service.app, key, "GET", path, undefined, headers)).body) ? "array" : "object"
    expect(await shapeOf(service.key)).toBe("array")
    expect(await shapeOf(service.key, OBJECTS)).toBe("object")
    expect(await shapeOf(styled.key)).toBe("object")
    expect(await shapeOf(styled.key, { "X-List-Style": "Array" })).toBe("array")
    const { body: keys } = await service.call("GET", "/api-keys")
    expect(keys.map((key: { list_style?: string }) => key.list_style)).toEqual([undefined, "object"])
  })

  test("refuse another style by its name", async (service) => {
    const headers = { "X-List-Style": "objects" }
    const { status, body } = await ask(service.app, service.key, "GET", "/scoring-rules", undefined, headers)
    expect([status, body.message]).toEqual([400, 'X-List-Style must be array or object, not "objects"'])
  })

  test("are never those of browser sessions", async () => {
    const service = await openTestApp({ listStyle: "object" })
    const own = { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" }
    const signedIn = await fetch(`${service.app.url}/sessions`, {
      method: "POST",
      headers: own,
      body: JSON.stringify({ key: service.key }),
    })
    const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!
    const headers = { ...own, ...OBJECTS, Cookie: cookie }
    for (const path of ["/scoring-rules", "/webhooks"])
      expect((await ask(service.app, undefined, "GET", path, undefined, headers)).body).toBeArray()
  })

  test("are in the document of a service whose keys get them", async () => {
    const documentOf = async (listStyle: "array" | "object") => {
      const service = await openTestApp({ listStyle })
      return (await ask(service.app, undefined, "GET", "/openapi.json")).body
    }
    const [arrays, objects] = [await documentOf("array"), await documentOf("object")]
    const notes = (document: typeof arrays) =>
      document.paths["/leads/{lead_id}/notes"].get.responses["200"].content["application/json"]
    expect(notes(arrays).schema.type).toBe("array")
    expect(notes(objects).schema).toEqual({
      type: "object",
      properties: { notes: notes(arrays).schema },
      required: ["notes"],
    })
    expect(notes(objects).example).toEqual({ notes: notes(arrays).example })
    expect(objects.components.schemas.Webhook.properties.created_at).toEqual({
      type: "string",
      format: "date-time",
    })
    expect(objects.info.description).toContain("List style")
  })
})

describe("bodies in the object style", () => {
  const VALUES: [string, unknown, unknown][] = [
    ["number", 5, 7],
    ["text", "a", "b"],
    ["bool", true, false],
    ["list", ["a"], ["b", "c"]],
    ["object", { a: 1 }, { b: 2 }],
  ]
  test.each(VALUES)("of an attribute of type %p are its value", async (type, first, next) => {
    const service = await openTestAccount()
    const lead = await leadWithNote(service)
    const { body } = await service.call("POST", `/leads/${lead}/attributes`, {
      name: "n",
      type,
      value: first,
    })
    const path = `/leads/${lead}/attributes/${body.id}`
    const headers = { ...OBJECTS, "Content-Type": "application/json" }
    const changed = await ask(service.app, service.key, "PUT", path, JSON.stringify(next), headers)
    expect([changed.status, changed.body.value]).toEqual([200, next])
    const whole = await ask(service.app, service.key, "PUT", path, { value: first }, OBJECTS)
    expect([whole.status, whole.body.value]).toEqual([200, first])
    const refused = await service.call("PUT", path, JSON.stringify(next))
    const why = type === "object" ? "value is required" : "The body must be a JSON object"
    expect([refused.status, refused.body.message]).toEqual([400, why])
  })

  test("may hold the times of a lead in camel case, which are ignored", async (service) => {
    const times = { createdAt: 1, updatedAt: "2026-01-01", lastInteractionAt: null }
    const cases: [string, string, object, number][] = [
      ["POST", "/leads", { ...LEAST, ...times }, 201],
      ["POST", "/leads/batch", { leads: [{ name: "B", source: "s", ...times }] }, 201],
      ["PUT", "/leads/by/email/c@example.com", { name: "C", source: "s", ...times }, 201],
    ]
    for (const [method, path, body, status] of cases)
      expect([path, (await ask(service.app, service.key, method, path, body, OBJECTS)).status]).toEqual([
        path,
        status,
      ])
    const { body: page } = await service.call("GET", "/leads")
    const { id } = page.leads[0]
    const put = { city: "Bern", ...times }
    const changed = await ask(service.app, service.key, "PUT", `/leads/${id}`, put, OBJECTS)
    expect([changed.status, changed.body.city]).toEqual([200, "Bern"])
    const data = { ids: [id], data: { city: "Chur", ...times } }
    expect((await ask(service.app, service.key, "PUT", "/leads/batch", data, OBJECTS)).status).toBe(200)
    expect((await service.call("PUT", `/leads/${id}`, put)).body.message).toStartWith(
      "createdAt is not a lead field",
    )
  })
})
