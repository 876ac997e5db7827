import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { operations } from "../../src/domain/operations/index.ts"
import { makeTools } from "../../src/surfaces/mcp/tools.ts"
import { openTestAccount } from "../support/app.ts"
import { jsonLines } from "../support/golden.ts"
import { words } from "../support/words.ts"
import { rpc } from "./support.ts"

/** The documented tools in their order. */
const NAMES = [
  ...["list_leads", "get_lead", "create_lead", "update_lead", "delete_lead", "create_lead_tag"],
  ...["batch_create_leads", "batch_update_leads", "batch_delete_leads"],
  ...["create_note", "list_notes", "update_note", "delete_note"],
  ...["list_attributes", "create_attribute", "update_attribute", "delete_attribute"],
  ...["list_scoring_rules", "create_scoring_rule", "get_scoring_rule", "update_scoring_rule"],
  ...["delete_scoring_rule", "update_lead_score", "update_all_scores"],
  ...["list_webhooks", "create_webhook", "delete_webhook"],
  ...["list_api_keys", "create_api_key", "delete_api_key"],
  ...["get_stats", "list_categories", "list_cities"],
]
const STARRED = NAMES.filter((name) => name.startsWith("delete_") || name === "batch_delete_leads")
const GOLDEN = join(import.meta.dir, "../golden/tools.json")

const ALL = [...makeTools(operations).values()]
const TOOLS = ALL.filter(({ toolset }) => toolset === undefined).map(({ card }) => card)

interface Node {
  type?: string
  description?: string
  properties?: Record<string, Node>
  items?: Node
  anyOf?: Node[]
  [keyword: string]: unknown
}

/** Every schema in a tool's input with the path to it. */
function schemas(node: Node, path: string): [string, Node][] {
  const inner = [
    ...Object.entries(node.properties ?? {}).map(([name, child]) => [`${path}.${name}`, child] as const),
    ...(node.items ? [[`${path}[]`, node.items] as const] : []),
    ...(node.anyOf ?? []).map((child) => [path, child] as const),
  ]
  return [[path, node], ...inner.flatMap(([at, child]) => schemas(child, at))]
}

describe("the tool list", () => {
  test("names the documented tools in their order", () => {
    expect(TOOLS.map((tool) => tool.name)).toEqual(NAMES)
  })

  describe.each(ALL.map(({ card }) => card))(
    "$name",
    ({ name, title, description, inputSchema, annotations }) => {
      const all = schemas(inputSchema as Node, name)

      test("has a title and a description of at most 80 characters", () => {
        expect(title).toMatch(/^[A-Z][\w ]+$/)
        expect(description.length).toBeWithin(10, 81)
      })

      test("describes parameters, nested ones too, in at most 40 characters", () => {
        for (const [path, schema] of all) {
          expect([path, (schema.description ?? "").length <= 40]).toEqual([path, true])
        }
      })

      test("has a schema without anything exotic", () => {
        const known = words(`
          type description enum default items properties required anyOf additionalProperties
        `)
        for (const [path, schema] of all) {
          const isEmpty = Object.keys(schema.properties ?? { some: true }).length === 0
          expect([path, schema.additionalProperties]).toEqual([path, isEmpty ? false : undefined])
          for (const word of Object.keys(schema))
            expect([path, known.includes(word) ? "" : word]).toEqual([path, ""])
          expect([path, "type" in schema || "anyOf" in schema]).toEqual([path, true])
          if (schema.type === "object") expect([path, schema.properties]).toEqual([path, expect.anything()])
          if (schema.type === "array") expect(schema.items).toBeDefined()
          for (const required of (schema.required as string[]) ?? []) {
            if (schema.properties) expect(Object.keys(schema.properties)).toContain(required)
          }
        }
      })

      test("says the hints that are not as clients take them unsaid, and true ones", () => {
        const reads = /^(list|get)_|^(search|fetch|match_leads)$/.test(name)
        expect(annotations).toEqual({
          readOnlyHint: reads,
          destructiveHint: !reads,
          ...(/^(update|delete|batch_update|batch_delete)_|^create_lead_tag$/.test(name) && {
            idempotentHint: true,
          }),
          openWorldHint: /^(create|update|test|retry)_webhook/.test(name),
        })
      })

      test("takes a plan when it is beyond the documented tools and writes", () => {
        const isPlanned = !NAMES.includes(name) && annotations.destructiveHint
        expect("plan" in inputSchema.properties).toBe(isPlanned)
      })

      test("takes confirm exactly when it deletes, and does not require it", () => {
        expect("confirm" in inputSchema.properties).toBe(STARRED.includes(name))
        expect(inputSchema.required ?? []).not.toContain("confirm")
      })
    },
  )

  test("takes no field that is only read", () => {
    const create = TOOLS.find((tool) => tool.name === "create_lead")!.inputSchema
    const update = TOOLS.find((tool) => tool.name === "update_lead")!.inputSchema
    for (const field of ["score", "created_at", "updated_at", "last_interaction_at"]) {
      expect(Object.keys(create.properties)).not.toContain(field)
      expect(Object.keys(update.properties)).not.toContain(field)
    }
    expect(Object.keys(create.properties)).not.toContain("id")
    expect(update.required).toEqual(["id"])
  })

  test("is the same, byte for byte, on every request and after every start", async () => {
    const first = await openTestAccount()
    const second = await openTestAccount()
    const answers = await Promise.all([first, first, second].map((service) => rpc(service, "tools/list")))
    const texts = answers.map(({ result }) => JSON.stringify(result))
    expect(new Set(texts).size).toBe(1)
    expect(texts[0]).toBe(JSON.stringify({ tools: TOOLS }))
  })

  test("is as in test/golden/tools.json (UPDATE_GOLDEN=1 writes it)", async () => {
    const text = `${jsonLines(TOOLS, 1)}\n`
    if (process.env.UPDATE_GOLDEN) await Bun.write(GOLDEN, text)
    expect(text).toBe(await Bun.file(GOLDEN).text())
  })

  test("stays within its budget of tokens", () => {
    expect(countTokens(JSON.stringify({ tools: TOOLS }))).toBeLessThan(5_500)
  })
})
