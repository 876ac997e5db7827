// JSON that is nested deeper than anything needs is refused with the depth that is taken.
import { expect, test } from "bun:test"
import { openTestAccount, openTestAccountForReading } from "../support/app.ts"

const app = openTestAccountForReading(async () => {})
const nested = (depth: number, [open, close]: readonly [string, string]) =>
  `${open.repeat(depth)}1${close.repeat(depth)}`
const LIST = ["[", "]"] as const
const OBJECT = ['{"a":', "}"] as const
const leadWith = (value: string) =>
  `{"name":"A","source":"web","attributes":[{"name":"deep","type":"object","value":{"a":${value}}}]}`

const BODIES: [string, string, string, string, Record<string, string>][] = [
  ["a push", "POST", "/leads", leadWith(nested(200_000, LIST)), {}],
  ["a push with a key", "POST", "/leads", leadWith(nested(100_000, OBJECT)), { "Idempotency-Key": "k" }],
  ["a batch", "POST", "/leads/batch", `{"leads":[${leadWith(nested(100_000, LIST))}]}`, {}],
  ["an update", "PUT", "/leads/cl_x", `{"name":${nested(100_000, OBJECT)}}`, {}],
  ["a list alone", "POST", "/leads", nested(129, LIST), {}],
]

test.each(BODIES)("%s", async (_, method, path, body, headers) => {
  const { app: service, key } = app()
  const response = await fetch(service.url + path, {
    ...{ method, body },
    headers: { "X-API-Key": key, "Content-Type": "application/json", ...headers },
  })
  expect([response.status, (await response.json()).message]).toEqual([
    400,
    expect.stringContaining("128 levels"),
  ])
})

test("what stands in texts is no nesting", async () => {
  const { call } = app()
  const name = `${"[{".repeat(400)}"\\`
  const { status, body } = await call("POST", "/leads", {
    name,
    source: "web",
    description: '\\\\"['.repeat(300),
  })
  expect([status, body.name]).toEqual([201, name])
})

test.each(["json", "ndjson"])(
  "an import of %s says which row it is, and reads the others",
  async (format) => {
    const service = await openTestAccount()
    const rows = ['{"name":"A"}', `{"name":"B","x":${nested(100_000, OBJECT)}}`, '{"name":"C"}']
    const body = format === "json" ? `[${rows.join(",")}]` : rows.join("\n")
    const response = await fetch(`${service.app.url}/leads/import?format=${format}&source=web`, {
      ...{ method: "POST", body },
      headers: { "X-API-Key": service.key, "Content-Type": "application/json" },
    })
    const report = await response.json()
    expect([response.status < 500, JSON.stringify(report)]).toEqual([
      true,
      expect.stringContaining("128 levels"),
    ])
  },
)

test.each([
  ["json", `[{"name":"A","x":${nested(100_000, LIST)}}]`],
  ["json", nested(100_000, LIST)],
  ["ndjson", `{"name":"A","x":${nested(100_000, OBJECT)}}\n`],
])("an import of %s without any other row is refused", async (format, body) => {
  const { app: service, key } = app()
  for (const more of ["", "&dry_run=true", "&background=true"]) {
    const response = await fetch(`${service.url}/leads/import?format=${format}&source=web${more}`, {
      ...{ method: "POST", body },
      headers: { "X-API-Key": key, "Content-Type": "application/json" },
    })
    expect([response.status, (await response.json()).message]).toEqual([
      400,
      expect.stringContaining("nested too deep: at most 128 levels are taken"),
    ])
  }
})

test("a cell of a table of places that is nested too deep is a text", async () => {
  const cell = `"${nested(20_000, LIST)}"`
  const { app: service, key } = app()
  const body = `id,names,addresses,categories,websites\n1,"{""primary"":""A""}",${cell},${cell},${cell}\n`
  const response = await fetch(`${service.url}/leads/import?source=web&dry_run=true`, {
    ...{ method: "POST", body },
    headers: { "X-API-Key": key, "Content-Type": "text/csv" },
  })
  expect(response.status).toBe(200)
})
