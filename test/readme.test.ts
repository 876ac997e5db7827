// The tables of docs/reference.md, held against the code: each failure names the row and what it should be.
import { describe, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { PLANS } from "../src/access/rights.ts"
import { EVENTS, TEST_EVENT } from "../src/domain/events.ts"
import { FORM_FIELDS_MAX } from "../src/domain/forms/fields.ts"
import { FORMS_MAX, SPAM_MAX } from "../src/domain/forms/form.ts"
import { TEXT_FREE, TEXT_RATIO } from "../src/domain/imports/reader/serve.ts"
import { DEFINITIONS_MAX, OPTION_MAX, OPTIONS_MAX } from "../src/domain/leads/definitions/operations.ts"
import { FILTER_TEXT_MAX, FILTERS_BYTES_MAX, FILTERS_MAX } from "../src/domain/leads/list/filter.ts"
import { LIMIT_MAX } from "../src/domain/leads/list/list.ts"
import { LEAD_BYTES_MAX } from "../src/domain/leads/write/write.ts"
import { operations } from "../src/domain/operations/index.ts"
import { RULES_MAX } from "../src/domain/scoring/scoring-rules.ts"
import { WEBHOOKS_MAX } from "../src/domain/webhooks/webhooks.ts"
import { EXPRESSION_MAX } from "../src/expression/index.ts"
import { DEPTH_MAX } from "../src/expression/tree.ts"
import { CONTACTS_MAX } from "../src/lead/contacts.ts"
import {
  ATTRIBUTE_NAME_MAX,
  ATTRIBUTES_MAX,
  LINE_MAX,
  LONG_MAX,
  OBJECT_BYTES_MAX,
  OBJECT_DEPTH_MAX,
  TAG_MAX,
  TAGS_MAX,
} from "../src/lead/fields.ts"
import { ERRORS } from "../src/runtime/errors.ts"
import { commands, runCli } from "../src/surfaces/cli/cli.ts"
import type { Io } from "../src/surfaces/cli/command.ts"
import { flagOf, OPTIONS, type Option } from "../src/surfaces/cli/config.ts"
import { POST_BYTES_MAX } from "../src/surfaces/forms/body.ts"
import { HEAD_MAX } from "../src/surfaces/http/listen.ts"
import { openApiDocument } from "../src/surfaces/openapi/openapi.ts"
import type { OperationObject, Parameter } from "../src/surfaces/openapi/types.ts"
import { anchorOf, codesIn, PAGES, readMarkdown, type Table } from "./support/markdown.ts"

const ROOT = join(import.meta.dir, "..")
const read = (page: string) => readMarkdown(readFileSync(join(ROOT, page), "utf8"))
const REFERENCE = read("docs/reference.md")

/** The table under a heading whose first column has this name. */
function tableOf(heading: string, column: string): Table {
  const table = REFERENCE.tables.find((one) => one.heading === heading && one.columns[0] === column)
  if (table) return table
  throw new Error(`docs/reference.md has no table "${column} | ..." under "${heading}"`)
}

/** Rows by a name that each has, compared with what they should be. Throws all that is wrong at once. */
function compare(where: string, there: [name: string, row: string][], right: [name: string, row: string][]) {
  const rows = new Map(there)
  const wanted = new Map(right)
  const wrong = [
    ...right.flatMap(([name, row]) => {
      if (!rows.has(name)) return `is missing: ${row}`
      return rows.get(name) === row ? [] : `has:        ${rows.get(name)}\n  should be:  ${row}`
    }),
    ...there.filter(([name]) => !wanted.has(name)).map(([, row]) => `is of no use any more: ${row}`),
    ...there
      .filter(([name], i) => there.findIndex((one) => one[0] === name) !== i)
      .map(([, row]) => `is there twice: ${row}`),
  ]
  if (wrong.length > 0) throw new Error(`docs/reference.md, table of ${where}:\n  ${wrong.join("\n  ")}`)
}

const rowOf = (...cells: (string | undefined)[]) => `| ${cells.map((cell) => cell ?? "").join(" | ")} |`
const code = (text: string | undefined) => (text ? `\`${text}\`` : "")

test("settings: every environment variable with its flag and default", () => {
  const all = [OPTIONS, ...commands.map(({ options }) => options)].flatMap((options) =>
    Object.entries(options as Record<string, Option>).filter(([, { env }]) => env),
  )
  const right = new Map(
    all.map(([key, { env, secret, default: usual }]) => [
      env!,
      rowOf(code(env), code(secret ? undefined : flagOf(key)), code(usual)),
    ]),
  )
  const there = tableOf("Settings", "Variable").rows.map(([variable = "", flag, usual]): [string, string] => [
    codesIn(variable)[0] ?? variable,
    rowOf(variable, flag, usual),
  ])
  compare("settings", there, [...right])
})

/** What `leaddb help` lists, with what each command takes. */
async function commandsInHelp(): Promise<string[]> {
  let text = ""
  await runCli(["help"], { env: {}, out: (more) => (text += more), err: () => {} } as Partial<Io> as Io)
  const list = text.match(/^Commands:\n((?: {2}.+\n)+)/m)?.[1] ?? ""
  return [...list.matchAll(/^ {2}(\S+(?: \S+)*) {2,}/gm)].map(([, name]) => name!)
}

test("commands: every command with its argument and its own options", async () => {
  const shared = [...Object.keys(OPTIONS), "json"]
  const optionsOf = (name: string) => {
    const found = commands
      .toSorted((a, b) => b.name.length - a.name.length)
      .find((command) => name === command.name || name.startsWith(`${command.name} `))
    if (found?.name === "serve") return "those of [Settings](#settings)"
    const own = Object.entries(found?.options ?? {}).filter(
      ([key, { secret }]) => !shared.includes(key) && !secret,
    )
    return code(own.map(([key]) => flagOf(key)).join(" "))
  }
  const names = await commandsInHelp()
  expect(names.length).toBeGreaterThan(commands.length)
  const there = tableOf("Commands", "Command").rows.map(([command = "", options]): [string, string] => [
    command,
    rowOf(command, options),
  ])
  compare(
    "commands",
    there,
    names.map((name) => [code(name), rowOf(code(name), optionsOf(name))]),
  )
})

test("routes: every method and path", () => {
  const anyName = (route: string) => route.replaceAll(/\{\w+\}|:\w+/g, "{}")
  const there = tableOf("Requests", "Method").rows.flatMap(([methods = "", paths = ""]) =>
    methods.split(", ").flatMap((method) => codesIn(paths).map((path) => `${method} ${path}`)),
  )
  const right = [...operations.flatMap(({ http }) => http ?? []), "GET /openapi.json"]
  const shown = (route: string) => route.replaceAll(/:(\w+)/g, "{$1}")
  compare(
    "routes",
    there.map((route) => [anyName(route), anyName(route)]),
    right.map((route) => [anyName(route), anyName(shown(route))]),
  )
})

test("events: every name", () => {
  const there = tableOf("Events", "Event").rows.map(([name = ""]): [string, string] => [name, rowOf(name)])
  compare(
    "events",
    there,
    [...EVENTS, TEST_EVENT].map((event) => [code(event), rowOf(code(event))]),
  )
})

test("errors: every status with its code over REST and of a tool", () => {
  const right = Object.entries(ERRORS).map(([kind, error]): [string, string] => {
    const rest = kind === "confirmation_required" ? undefined : "code" in error ? error.code : kind
    const row = rowOf(String(error.status), code(rest), code(error.tool))
    return [row, row]
  })
  const there = tableOf("Requests", "Status").rows.map(([status, rest, tool]): [string, string] => {
    const row = rowOf(status, rest, tool)
    return [row, row]
  })
  compare("errors", there, right)
})

const count = (n: number) => n.toLocaleString("en-US")

test("plans: every plan with its numbers", () => {
  const limit = (n: number | null) => (n === null ? "no limit" : count(n))
  compare(
    "plans",
    tableOf("Plans", "").rows.map((cells) => [cells[0]!, rowOf(...cells)]),
    Object.entries(PLANS).map(([name, { leads, requests, batch, storage }]) => [
      code(name),
      rowOf(
        code(name),
        limit(leads),
        limit(requests),
        limit(batch),
        storage === null ? "no limit" : `${storage / 1e6} MB`,
      ),
    ]),
  )
})

/** How large a body an operation takes. */
function bodyMax(name: string): string {
  const bytes = operations.find((operation) => operation.name === name)!.bodyMax ?? 1024 * 1024
  return bytes < 2 ** 30 ? `${bytes / 2 ** 20} MiB` : `${bytes / 2 ** 30} GiB`
}

test("limits: every limit with its number", () => {
  const characters = (n: number) => `${count(n)} characters`
  const right: [what: string, most: string][] = [
    ["text in one line", characters(LINE_MAX)],
    ["`description`, note", characters(LONG_MAX)],
    ["tags of a lead", count(TAGS_MAX)],
    ["tag", characters(TAG_MAX)],
    ["a lead in all", `${LEAD_BYTES_MAX / 1024} KiB of JSON`],
    ["attributes of a lead", count(ATTRIBUTES_MAX)],
    ["emails, phones of a lead", `${CONTACTS_MAX} each`],
    [
      "definitions of attributes",
      `${DEFINITIONS_MAX}; ${OPTIONS_MAX} options of ${characters(OPTION_MAX)} each`,
    ],
    ["name of an attribute", characters(ATTRIBUTE_NAME_MAX)],
    ["value of an `object` attribute", `${OBJECT_BYTES_MAX / 1024} KiB and ${OBJECT_DEPTH_MAX} levels`],
    ["filters of a list", count(FILTERS_MAX)],
    ["text of a filter, all filters", `${characters(FILTER_TEXT_MAX)}, ${FILTERS_BYTES_MAX / 1024} KiB`],
    ["page of leads (`limit`)", count(LIMIT_MAX)],
    ["page of the audit trail or of deliveries", String(limitOf("list_changes"))],
    ["scoring rules of an account", count(RULES_MAX)],
    ["expression of a scoring rule", `${characters(EXPRESSION_MAX)} and ${DEPTH_MAX} levels`],
    ["webhooks of an account", count(WEBHOOKS_MAX)],
    ["secret of a webhook", characters(lengthOf("create_webhook", "secret"))],
    ["forms of an account", count(FORMS_MAX)],
    ["fields of a form", count(FORM_FIELDS_MAX)],
    ["spam that a form keeps", count(SPAM_MAX)],
    ["body of a post to a form", `${POST_BYTES_MAX / 1024} KiB`],
    ["line and headers of a request", `${HEAD_MAX / 1024} KiB`],
    ["body of a request", bodyMax("create_lead")],
    ["body of a batch", bodyMax("batch_create_leads")],
  ]
  expect(limitOf("list_webhook_deliveries")).toBe(limitOf("list_changes"))
  const imports = operations.find(({ name }) => name === "import_leads")
  if (imports) right.push(["body of an import", bodyMax(imports.name)])
  const text = `${TEXT_FREE / 2 ** 20} MiB; beyond that the least of ${TEXT_RATIO} times the file`
  right.push(["text of an import's rows", `${text}, twice the plan's storage and 2 GiB`])
  compare(
    "limits",
    tableOf("Limits", "What").rows.map((cells) => [cells[0]!, rowOf(...cells)]),
    right.map(([what, most]) => [what, rowOf(what, most)]),
  )
})

/** The largest page of an operation. */
function limitOf(name: string): number {
  const parameter = routeNamed(name).parameters?.find((one) => "name" in one && one.name === "limit")
  return (parameter as Parameter).schema.maximum as number
}

/** The longest text that an operation takes in a field of its body. */
function lengthOf(name: string, field: string): number {
  const schema = routeNamed(name).requestBody?.content["application/json"]?.schema
  return schema?.properties?.[field]?.maxLength as number
}

function routeNamed(name: string): OperationObject {
  const { paths } = openApiDocument(operations, { version: "" })
  const all = Object.values(paths).flatMap(({ parameters: _, ...methods }) => Object.values(methods))
  return all.find(({ operationId }) => operationId === name)!
}

describe.each(PAGES)("%s", (page) => {
  const { links, headings } = read(page)
  const anchors = (target: string) => read(target).headings.map(anchorOf)

  test("links to files and headings that are there", () => {
    const wrong = links.flatMap((link) => {
      if (/^https?:/.test(link)) return []
      const [path = "", anchor] = link.split("#")
      const target = path === "" ? page : join(dirname(page), path)
      if (!existsSync(join(ROOT, target))) return `${link}: there is no file ${target}`
      if (anchor === undefined || anchors(target).includes(anchor)) return []
      return `${link}: ${target} has no heading "#${anchor}", but #${anchors(target).join(", #")}`
    })
    expect(wrong).toEqual([])
  })

  test("names files of the project that are there", () => {
    const text = readFileSync(join(ROOT, page), "utf8")
    const named = [...text.matchAll(/(?<![\w./])((?:src|test|scripts|docs|drizzle)\/[\w./-]*\w)/g)].map(
      ([, path]) => path!,
    )
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  test("has each heading once, so that links are clear", () => {
    const all = headings.map(anchorOf)
    expect(all.filter((anchor, i) => all.indexOf(anchor) !== i)).toEqual([])
  })
})
