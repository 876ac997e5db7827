// What tools say of their parameters, tried against the parsers that read them.
import { describe, expect, test } from "bun:test"
import * as v from "valibot"
import { operations } from "../../src/domain/operations/index.ts"
import { checkExpression } from "../../src/expression/index.ts"
import type { ToolSchema } from "../../src/surfaces/mcp/schema.ts"
import { makeTools, type Tool } from "../../src/surfaces/mcp/tools.ts"
import { parseTime } from "../../src/text/moment.ts"
import { parseFilters } from "../support/filters.ts"

const TOOLS = [...makeTools(operations).values()]

/** Every parameter of a tool by its path: `attributes[].type`. */
function parametersOf({ card }: Tool): [path: string, schema: ToolSchema][] {
  const walk = (schema: ToolSchema, path: string): [string, ToolSchema][] => [
    ...(path === "" ? [] : [[path, schema] as [string, ToolSchema]]),
    ...(schema.items ? walk(schema.items, `${path}[]`) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, child]) =>
      walk(child, path === "" ? name : `${path}.${name}`),
    ),
  ]
  return walk(card.inputSchema, "")
}

const PARAMETERS = TOOLS.flatMap((tool) =>
  parametersOf(tool).map(([path, schema]) => ({ tool, path, schema, name: `${tool.card.name}.${path}` })),
)

/** The value inside whatever the path leads through. */
function wrapped(path: string, value: unknown): object {
  const steps = path.match(/[^.[\]]+|\[\]/g)!
  return steps.reduceRight<unknown>(
    (inner, step) => (step === "[]" ? [inner] : { [step]: inner }),
    value,
  ) as object
}

/** What the tool's parser has against this value of a parameter. */
function refusals({ operation }: Tool, path: string, value: unknown): string[] {
  const { success, issues } = v.safeParse(operation.input, wrapped(path, value))
  if (success) return []
  const at = path.replaceAll("[]", ".0")
  return issues.flatMap((issue) => (v.getDotPath(issue) === at || inside(issue, at) ? [issue.message] : []))
}

/** Whether a schema of alternatives complains about this place. */
function inside(issue: v.BaseIssue<unknown>, at: string): boolean {
  return (issue.issues ?? []).some((one) => v.getDotPath(one) === at)
}

const LIMITS = /(-?\d+)(?:-| to )(\d+)/
const limited = PARAMETERS.filter(({ schema }) => LIMITS.test(schema.description ?? ""))
const chosen = PARAMETERS.filter(({ schema }) => schema.enum)
const examples = PARAMETERS.flatMap((one) => {
  const example = /[Ss]uch as (.+)$/.exec(one.schema.description ?? "")?.[1]
  return example === undefined ? [] : [{ ...one, example }]
})

describe("words of tools", () => {
  test.each(TOOLS.map((tool) => [tool.card.name, tool] as const))(
    "%s describes only parameters that it has",
    (_, tool) => {
      const known = parametersOf(tool).map(([path]) => path)
      expect(known).toEqual(expect.arrayContaining(Object.keys(tool.operation.tool?.words ?? {})))
    },
  )

  test.each(limited)(
    "$name takes the limits that it documents and nothing beyond them",
    ({ tool, path, schema }) => {
      const [low, high] = LIMITS.exec(schema.description!)!.slice(1).map(Number) as [number, number]
      for (const value of [low, high]) expect([value, refusals(tool, path, value)]).toEqual([value, []])
      for (const value of [low - 1, high + 1])
        expect([value, refusals(tool, path, value)]).toEqual([value, [expect.any(String)]])
    },
  )

  test.each(chosen)("$name takes each choice that it documents and no other", ({ tool, path, schema }) => {
    for (const value of schema.enum!) expect([value, refusals(tool, path, value)]).toEqual([value, []])
    expect(refusals(tool, path, "something else")).toHaveLength(1)
  })

  test.each(examples)("$name takes its example $example", ({ path, tool, example }) => {
    if (/(^|\.)filter$/.test(path)) expect(parseFilters([example])).toBeDefined()
    else if (path === "expression") expect(checkExpression(example).ok).toBe(true)
    else expect(refusals(tool, path, /^-?[\d.]+$/.test(example) ? Number(example) : example)).toEqual([])
  })

  test("defaults are values that the parser takes", () => {
    for (const { tool, path, schema, name } of PARAMETERS)
      if (schema.default !== undefined)
        expect([name, refusals(tool, path, schema.default)]).toEqual([name, []])
  })

  test("times say both forms that they take", () => {
    const times = PARAMETERS.filter(({ path }) => /(^|\.)(since|until|as_of)$/.test(path))
    expect(times.length).toBeGreaterThan(3)
    for (const { name, schema, tool, path } of times) {
      expect([name, schema.description]).toEqual([name, expect.stringMatching(/Unix seconds or ISO date/)])
      for (const value of [1_795_176_000, "2026-11-23"]) expect(refusals(tool, path, value)).toEqual([])
      expect(parseTime("2026-11-23")).toBeDefined()
    }
  })

  test("an id says what it is the id of, and only a lead's is called a lead id", () => {
    for (const { path, name, schema, tool } of PARAMETERS) {
      if (path !== "id") continue
      const [route = ""] = [tool.operation.http ?? "GET /leads/:id"].flat()
      const isLead = / \/leads\/:id\b/.test(route)
      expect([name, /^Lead id/.test(schema.description ?? "")]).toEqual([name, isLead])
      expect([name, schema.description]).toEqual([name, expect.stringMatching(/^(Lead id$|\w+ id, from )/)])
    }
  })
})
