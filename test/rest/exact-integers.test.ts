// Integers past 2^53: a JSON number would lose their digits.
import { describe, expect } from "bun:test"
import { parseExact } from "../../src/text/json-text.ts"
import { test } from "../support/app.ts"
import { pluck } from "../support/pluck.ts"

const LONG = "12345678901234567891"
const JSON_TYPE = { "Content-Type": "application/json" }

test.each([
  [LONG, LONG],
  [`-${LONG}`, `-${LONG}`],
  ["9007199254740993", "9007199254740993"],
  ["9007199254740992", 9007199254740992],
  ["1000000000000000000000", "1000000000000000000000"],
  ["13.404954000000001", Number("13.404954000000001")],
  ["1e300", 1e300],
  [`"${LONG}"`, LONG],
])("%s is read as %p", (text, value) => {
  expect(parseExact(`{"a": [${text}]}`)).toEqual({ a: [value] })
})

const BODIES: [about: string, method: string, path: string, body: string, key: string][] = [
  ["a source_id", "POST", "/leads", `{"name": "A", "source": "x", "source_id": ${LONG}}`, "source_id"],
  [
    "one in a batch",
    "POST",
    "/leads/batch",
    `{"leads": [{"name": "A", "source": "x", "source_id":${LONG}}]}`,
    "source_id",
  ],
  [
    "an attribute",
    "POST",
    "/leads",
    `{"name": "A", "source": "x", "attributes": [{"name": "n", "type": "number", "value": ${LONG}}]}`,
    "value",
  ],
  [
    "a nested one",
    "POST",
    "/leads",
    `{"name": "A", "source": "x", "attributes": [{"name": "n", "type": "object", "value": {"a": {"vid": ${LONG}}}}]}`,
    "vid",
  ],
  [
    "one in a list",
    "POST",
    "/leads",
    `{"name": "A", "source": "x", "attributes": [{"name": "n", "type": "list", "value": [\n${LONG}]}]}`,
    "0",
  ],
]
test.for(BODIES)("%s is refused with what to send", async ([_, method, path, body, key], { call }) => {
  const { status, body: answer } = await call(method, path, body, JSON_TYPE)
  expect({ status, message: answer.message }).toEqual({
    status: 400,
    message: `${key} ${LONG} has more digits than a JSON number keeps: send it as a string, "${LONG}"`,
  })
  expect((await call("GET", "/leads")).body.count).toBe(0)
})

describe("an import", () => {
  const rows = [0, 1, 2].map(
    (i) =>
      `{"name": "Firm ${i}", "id": ${LONG}${i}, "seats": 4, "code": ${i === 1 ? 7 : `-${LONG}`}, "ref": {"vid": ${LONG}}}`,
  )
  test.for([
    ["JSON", `[${rows.join(",\n")}]`],
    ["lines of JSON", rows.join("\n")],
  ])("of %s keeps every digit", async ([_, file], { call }) => {
    const { body } = await call("POST", "/leads/import?map=id:source_id", file, JSON_TYPE)
    expect(body).toMatchObject({ created: 3, warnings: [] })
    const { leads } = (await call("GET", "/leads?sort_by=name")).body
    for (const [i, lead] of leads.entries()) {
      expect(lead.source_id).toBe(`${LONG}${i}`)
      const { ref: _ref, ...values } = Object.fromEntries(pluck(lead.attributes, "name", "value"))
      expect(values).toEqual({ seats: 4, code: i === 1 ? "7" : `-${LONG}` })
      expect(JSON.stringify(lead.attributes)).toContain(`"vid":"${LONG}"`)
    }
  })
})
