import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { readJson, readNdjson } from "../../src/formats/json/read-json.ts"
import type { SourceRow } from "../../src/formats/rows.ts"
import { inPieces, rowsOf } from "../imports/reading.ts"

const objects = (rows: SourceRow[]) =>
  rows.map((row) => Object.fromEntries(row.names.map((name, i) => [name, row.values[i]])))
const read = (text: string, size = 5) => rowsOf(readJson(inPieces(text, size)))
const message = (text: string) =>
  read(text).then(
    () => "no error",
    (error: Error) => error.message,
  )

describe("JSON", () => {
  test("an array of leads is read element by element, each told by its line", async () => {
    const rows = await read('[\n {"name": "A [}]", "n": [1, {"a": "\\"]"}]},\n\n {"name": "é"}\n]\n')
    expect(rows.map(({ line }) => line)).toEqual([2, 4])
    expect(objects(rows)).toEqual([{ name: "A [}]", n: [1, { a: '"]' }] }, { name: "é" }])
  })

  test("an answer of the API is read by its leads, the rest of it is passed over", async () => {
    const list =
      '{"next": [1, {"leads": [2]}], "leads": [{"name": "A"}], "data": [{"name": "B"}], "count": 1}'
    expect(objects(await read(list))).toEqual([{ name: "A" }])
    expect(objects(await read('{"data":[{"name":"B"}]}'))).toEqual([{ name: "B" }])
    expect(await read("[]")).toEqual([])
  })

  test("elements that are no objects are told of alone", async () => {
    const rows = await read('[1, {"name": nope}, null, {"name": "A"}]')
    expect(rows.map(({ problem }) => problem)).toEqual([
      "is not a JSON object",
      expect.stringContaining("is not valid JSON"),
      "is not a JSON object",
      undefined,
    ])
  })

  test.each([
    ["", "the file is empty"],
    ['"text"', "must be a JSON array of leads"],
    ['{"name": "A"}', "must be a JSON array of leads"],
    ['[{"name": "A"}, {"na', "never closed: the file seems to be cut off in line 1"],
    ["[]\n]", "line 2: something follows the end"],
    ['{"data":[{"name":"]"}],"x":"}"}\n{"name":"B"}', "line 2: something follows the end of the JSON object"],
  ])("%p is refused: %p", async (text, why) => {
    expect(await message(text)).toContain(why)
  })

  test("an element that is too large is left out", async () => {
    const rows = await read(`[{"a": "${"x".repeat(1_100_000)}"}, {"name": "A"}]`, 60_000)
    expect(rows.map(({ problem }) => problem)).toEqual(["is larger than 1 MiB", undefined])
  })

  test("gives what JSON.parse gives, in pieces of any size", async () => {
    const lists = fc.array(fc.dictionary(fc.string(), fc.jsonValue()).filter((one) => !("__proto__" in one)))
    await fc.assert(
      fc.asyncProperty(
        lists,
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom(0, 1),
        async (list, size, indent) => {
          const text = JSON.stringify(list, null, indent)
          const parsed = JSON.parse(text)
          expect(objects(await read(text, size))).toEqual(parsed)
          const lines = parsed.map((one: unknown) => JSON.stringify(one)).join("\n")
          expect(objects(await rowsOf(readNdjson(inPieces(lines, size))))).toEqual(parsed)
        },
      ),
      { numRuns: 100 },
    )
  })
})

test("NDJSON every line is a row; blank ones are none, bad and huge ones are told of alone", async () => {
  const text = `{"name": "A"}\n\nnope\n{"a": "${"x".repeat(1_100_000)}"}\r\n[1]\n{"name": "B"}`
  const rows = await rowsOf(readNdjson(inPieces(text, 60_000)))
  expect(rows.map(({ line, problem }) => [line, problem])).toEqual([
    [1, undefined],
    [3, expect.stringContaining("is not valid JSON")],
    [4, "is larger than 1 MiB"],
    [5, "is not a JSON object"],
    [6, undefined],
  ])
})
