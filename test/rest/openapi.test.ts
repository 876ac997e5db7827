import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import * as v from "valibot"
import { version } from "../../package.json"
import { EVENTS, TEST_EVENT } from "../../src/domain/events.ts"
import { exampleLead } from "../../src/domain/examples.ts"
import { exportStream } from "../../src/domain/exports/formats.ts"
import { NoteOutput } from "../../src/domain/leads/activities/notes.ts"
import { LeadOutput } from "../../src/domain/leads/list/lead-output.ts"
import { operations } from "../../src/domain/operations/index.ts"
import { parse } from "../../src/lead/parse.ts"
import { systemClock } from "../../src/runtime/clock.ts"
import { createEventLoop } from "../../src/runtime/event-loop.ts"
import { openApiDocument } from "../../src/surfaces/openapi/openapi.ts"
import { type Route, routesOf } from "../../src/surfaces/openapi/operation.ts"
import type { Answered, Method, OperationObject, Schema } from "../../src/surfaces/openapi/types.ts"
import { stored } from "../domain/export-sample.ts"
import { openTestAccountForReading } from "../support/app.ts"
import { checkDocumented } from "../support/documented.ts"
import { jsonLines } from "../support/golden.ts"

const GOLDEN = join(import.meta.dir, "../golden/openapi.json")
const DOCUMENT = openApiDocument(operations, { version })
const ROUTES = routesOf(operations)
const objectOf = ({ path, method }: Route): OperationObject =>
  DOCUMENT.paths[path]![method.toLowerCase() as Method]!

/** Everything in the document, with the path to it. */
function* nodes(node: unknown, path = "#"): Generator<[string, Record<string, unknown>]> {
  if (typeof node !== "object" || node === null) return
  if (!Array.isArray(node)) yield [path, node as Record<string, unknown>]
  for (const [key, child] of Object.entries(node)) yield* nodes(child, `${path}/${key}`)
}
const ALL = [...nodes(DOCUMENT)]

describe("GET /api/v1/openapi.json", () => {
  const service = openTestAccountForReading(async () => {})

  test("takes no key, any web page may read it, and it is the document", async () => {
    const response = await fetch(`${service().app.url}/openapi.json`)
    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toBe("application/json")
    expect(response.headers.get("access-control-allow-origin")).toBe("*")
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(DOCUMENT)))
  })

  test("is sent compressed to who takes that, and not at all to who has it", async () => {
    const url = `${service().app.url}/openapi.json`
    const plain = await fetch(url, { headers: { "Accept-Encoding": "identity" } })
    const packed = await fetch(url, { headers: { "Accept-Encoding": "gzip" } })
    expect(plain.headers.get("content-encoding")).toBeNull()
    expect(packed.headers.get("content-encoding")).toBe("gzip")
    expect(await packed.text()).toBe(await plain.text())
    const headers = { "Accept-Encoding": "gzip", "If-None-Match": packed.headers.get("etag")! }
    const again = await fetch(url, { headers })
    expect([again.status, await again.text()]).toEqual([304, ""])
  })

  test("is there for GET and HEAD alone", async () => {
    const url = `${service().app.url}/openapi.json`
    expect((await fetch(url, { method: "HEAD" })).status).toBe(200)
    expect((await fetch(url, { method: "POST" })).status).toBe(401)
  })

  test("names the public address when there is one", () => {
    const { servers } = openApiDocument(operations, { version, publicUrl: "https://leads.example.com/crm" })
    expect(servers[0]?.url).toBe("https://leads.example.com/crm/api/v1")
  })
})

describe("the document", () => {
  test("is the golden one; UPDATE_GOLDEN=1 makes it so", async () => {
    const text = `${jsonLines(DOCUMENT, 3)}\n`
    if (process.env.UPDATE_GOLDEN) await Bun.write(GOLDEN, text)
    expect(text.split("\n")).toEqual((await Bun.file(GOLDEN).text()).split("\n"))
  })

  test("is the same each time", () => {
    const again = openApiDocument(operations, { version })
    expect(JSON.stringify(again)).toBe(JSON.stringify(DOCUMENT))
  })

  test("has every route of every operation, and no other", () => {
    const there = Object.entries(DOCUMENT.paths).flatMap(([path, { parameters: _, ...methods }]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(there.toSorted()).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`).toSorted())
  })

  test("gives each route an id of its own, a summary, a known tag, and parameters for its path", () => {
    const ids = ROUTES.map((route) => objectOf(route).operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const tags = DOCUMENT.tags.map(({ name }) => name)
    for (const route of ROUTES) {
      const { summary, tags: own, parameters = [] } = objectOf(route)
      expect(summary).toBe(route.operation.about)
      expect(tags).toContain(own[0]!)
      const inPath = parameters.flatMap((one) => ("name" in one && one.in === "path" ? one.name : []))
      expect(inPath).toEqual([...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))
    }
    expect(tags.filter((tag) => !ROUTES.some((route) => objectOf(route).tags[0] === tag))).toEqual([])
  })

  test("refers only to what is there, and has nothing that nobody refers to", () => {
    const refs = new Set(ALL.flatMap(([, { $ref }]) => (typeof $ref === "string" ? [$ref] : [])))
    const { securitySchemes: _, ...components } = DOCUMENT.components
    const there = Object.entries(components).flatMap(([kind, all]) =>
      Object.keys(all).map((name) => `#/components/${kind}/${name}`),
    )
    expect([...refs].toSorted()).toEqual(there.toSorted())
  })

  test("describes every parameter and every field that is not plain from its name", () => {
    const plain =
      /^(name|id|city|state|country|address|postal_code|category|logo_url|message|error|valid|score|lead|leads|data|ids|key|type)$/
    const bare = ALL.flatMap(([path, node]) =>
      Object.entries((node.properties ?? {}) as Record<string, Schema>)
        .filter(([name, { description, $ref }]) => !description && !$ref && !plain.test(name))
        .map(([name]) => `${path}.${name}`),
    )
    const parameters = ALL.filter(([, node]) => "in" in node && "name" in node && !node.description)
    expect(parameters.map(([path]) => path)).toEqual([])
    expect(bare.filter((path) => !path.includes("Stats"))).toEqual([])
  })

  test("describes every operation, and what every array holds", () => {
    const bare = ROUTES.filter((route) => !objectOf(route).description)
    expect(bare.map(({ method, path }) => `${method} ${path}`)).toEqual([])
    const arrays = ALL.filter(
      ([path, { type, items }]) => type === "array" && !items && !path.includes("/example"),
    )
    expect(arrays.map(([path]) => path)).toEqual([])
  })

  test("has an entry for every event, with a body of its kind", () => {
    expect(Object.keys(DOCUMENT.webhooks)).toEqual([...EVENTS, TEST_EVENT])
    for (const event of EVENTS) {
      const { example, schema } = DOCUMENT.webhooks[event]!.post.requestBody!.content["application/json"]!
      const body = example as { event: string; timestamp: number; data: Record<string, unknown> }
      const named = DOCUMENT.components.schemas[schema.$ref!.split("/").at(-1)!]!
      expect(named.properties!.event!.enum).toContain(event)
      expect(body).toMatchObject({ event, timestamp: expect.any(Number) })
      if (event.endsWith("merged")) v.parse(LeadOutput, body.data.survivor)
      else if (event.startsWith("lead.")) v.parse(LeadOutput, body.data)
      else if (event.startsWith("note.")) v.parse(NoteOutput, body.data)
      else if (event.startsWith("form.")) expect(body.data.confirm_url).toBeString()
      else expect(body.data.count).toBe((body.data.ids as unknown[] | undefined)?.length ?? 1)
    }
  })
})

describe("examples", () => {
  // A file is no JSON: its example is imported in import.test.ts.
  const withBody = ROUTES.filter((route) => objectOf(route).requestBody && !route.operation.upload)

  test.each(withBody.map((route) => [objectOf(route).operationId, route] as const))(
    "%s takes its example",
    (_, route) => {
      const { example } = objectOf(route).requestBody!.content["application/json"]!
      const path = Object.fromEntries([...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, "x"]))
      const whole = { ...path, ...(example as object) }
      expect(() => parse(route.operation.input, whole)).not.toThrow()
      const { toolInput } = route.operation
      if (toolInput) expect(() => parse(toolInput, whole)).not.toThrow()
    },
  )

  test.each(ROUTES.map((route) => [objectOf(route).operationId, route] as const))(
    "%s answers like its examples",
    (_, { operation, ...route }) => {
      const good = Object.entries(objectOf({ operation, ...route }).responses).filter(
        (entry): entry is [string, Answered] => !("$ref" in entry[1]),
      )
      expect(good.length).toBeGreaterThan(0)
      for (const [status, { content }] of good) {
        const media = content?.["application/json"]
        const hasBody = operation.output !== undefined && status !== "204" && status !== "304"
        expect([status, media !== undefined]).toEqual([status, hasBody])
        if (hasBody) v.parse(operation.output!, media!.example)
      }
    },
  )
})

test("the CSV export in the examples is what the example lead gives", async () => {
  async function* chunks() {
    yield [stored(JSON.stringify(exampleLead))]
  }
  const source = {
    count: 1,
    attributeNames: ["seats"],
    chunks: chunks(),
    eventLoop: createEventLoop(systemClock),
  }
  const stream = exportStream("csv", source)
  const { example } = (DOCUMENT.paths["/leads/export"]!.get!.responses[200] as Answered).content!["text/csv"]!
  expect(example).toBe(await new Response(stream).text())
})

describe("the check of answers against the document", () => {
  const headers = new Headers({ "content-type": "application/json" })
  const rule = {
    ...{ id: "rule_1", name: "n", expression: "1", weight: 1, priority: 0 },
    ...{ created_at: 1, updated_at: 1 },
  }
  const check = (method: string, path: string, status: number, body: unknown) => () =>
    checkDocumented(method, path, { status, headers, body })

  test("passes what is documented, and what is no route", () => {
    expect(check("GET", "/scoring-rules/rule_1", 200, rule)).not.toThrow()
    expect(check("GET", "/nothing", 418, {})).not.toThrow()
    expect(check("GET", "/leads/batch", 404, { error: "E", message: "m", code: "not_found" })).not.toThrow()
  })

  test("refuses an unknown status, field, code or type", () => {
    expect(check("GET", "/scoring-rules/rule_1", 202, rule)).toThrow("answered 202, which")
    expect(check("GET", "/scoring-rules/rule_1", 200, { ...rule, color: "red" })).toThrow("at color")
    expect(check("GET", "/scoring-rules/rule_1", 200, { ...rule, weight: "1" })).toThrow("at weight")
    expect(check("GET", "/scoring-rules?x", 400, { error: "E", message: "m", code: "odd" })).toThrow(
      "400 odd, which its operation does not declare",
    )
    const csv = { status: 200, headers: new Headers({ "content-type": "text/csv" }), body: "" }
    expect(() => checkDocumented("GET", "/leads", csv)).toThrow("with text/csv; documented: application/json")
  })
})
