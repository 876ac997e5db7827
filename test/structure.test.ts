// Holds the source to docs/architecture.md, by reading its files.
import { describe, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import type * as v from "valibot"
import { operations } from "../src/domain/operations/index.ts"

const SRC = join(import.meta.dir, "../src")
const FILES = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(SRC)]
  .filter((file) => !file.endsWith(".d.ts"))
  .toSorted()
const text = (file: string) => readFileSync(join(SRC, file), "utf8")

interface Import {
  from: string
  /** A path under src/, or a package. */
  to: string
  isType: boolean
}

/** Every import and re-export, with relative paths made relative to src/. */
const IMPORTS: Import[] = FILES.flatMap((from) =>
  [
    ...text(from).matchAll(
      /^\s*(?:import|export)\s+(type\s)?[^;'"`()]*?from\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm,
    ),
  ].map(([, type, named, bare, dynamic]) => {
    const path = named ?? bare ?? dynamic ?? ""
    return {
      from,
      to: path.startsWith(".") ? normalize(join(dirname(from), path)) : path,
      isType: type !== undefined,
    }
  }),
)
const own = IMPORTS.filter(({ to }) => !to.startsWith("..") && existsSync(join(SRC, to)))

/** Files of a folder that import each other in a circle, also where it is for types alone; each circle as a line. */
function circlesIn(root: string): string[] {
  const files = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(root)].filter(
    (file) => !file.includes("node_modules"),
  )
  const left = new Map(
    files.map((file) => {
      const source = readFileSync(join(root, file), "utf8")
      const paths = source.matchAll(
        /^\s*(?:import|export)\s[^;'"`()]*?from\s+"(\.[^"]+)"|^import\s+"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gm,
      )
      const found = [...paths].map(([, one, two, three]) => one ?? two ?? three ?? "")
      return [file, found.map((path) => normalize(join(dirname(file), path)))]
    }),
  )
  // Whoever imports nobody that is left is in no circle; neither is whoever nobody that is left imports.
  for (let size = Number.POSITIVE_INFINITY; left.size < size; ) {
    size = left.size
    for (const [file, paths] of left) if (!paths.some((path) => left.has(path))) left.delete(file)
    const imported = new Set([...left.values()].flat())
    for (const file of left.keys()) if (!imported.has(file)) left.delete(file)
  }
  return [...left].map(
    ([file, paths]) => `${file} imports ${paths.filter((path) => left.has(path)).join(", ")}`,
  )
}

/** The imports that a rule forbids, as lines to read. */
function offenders(isForbidden: (one: Import) => boolean): string[] {
  return own.filter(isForbidden).map(({ from, to }) => `${from} imports ${to}`)
}
const folder = (path: string) => (path.includes("/") ? path.split("/")[0]! : "")

/** Rooms that everything else stands on. */
const BASE = ["runtime", "access", "text", "lead"]

describe("imports", () => {
  test("are found at all", () => {
    expect(own.length).toBeGreaterThan(100)
    expect(own).toContainEqual({ from: "parts.ts", to: "store/open.ts", isType: false })
  })

  test.each([
    ["runtime", []],
    ["access", ["runtime"]],
    ["text", ["runtime"]],
    ["lead", ["runtime", "text"]],
    ["expression", BASE],
    ["formats", BASE],
    ["matching", BASE],
    ["filters", BASE],
  ])("%s stands on %p alone", (room, rooms) => {
    expect(
      offenders(({ from, to }) => folder(from) === room && ![room, ...rooms].includes(folder(to))),
    ).toEqual([])
  })

  test("domain takes from the base, filters, formats, matching, the expression language and the store's contract", () => {
    expect(
      offenders(
        ({ from, to }) =>
          folder(from) === "domain" &&
          !["domain", ...BASE, "expression", "filters", "formats", "matching"].includes(folder(to)) &&
          to !== "store/contract/store.ts",
      ),
    ).toEqual([])
  })

  test("an engine takes from the base, filters, the contract and itself", () => {
    expect(
      offenders(
        ({ from, to, isType }) =>
          folder(from) === "store" &&
          !["store", ...BASE, "filters"].includes(folder(to)) &&
          !(isType && folder(to) === "expression"),
      ),
    ).toEqual([])
  })

  test("only store/open.ts and the move between engines name the SQLite engine", () => {
    const may = (from: string) => from === "store/open.ts" || /^store\/(sqlite|move\/sqlite)\//.test(from)
    expect(offenders(({ from, to }) => to.startsWith("store/sqlite/") && !may(from))).toEqual([])
  })

  test("nothing imports a surface but app.ts, its parts, main.ts and surfaces", () => {
    const may = (from: string) =>
      ["app.ts", "parts.ts", "main.ts"].includes(from) || folder(from) === "surfaces"
    expect(offenders(({ from, to }) => folder(to) === "surfaces" && !may(from))).toEqual([])
  })

  test("main.ts imports app.ts, which imports parts.ts, and nothing else does", () => {
    const importer: Record<string, string> = { "app.ts": "main.ts", "parts.ts": "app.ts", "main.ts": "" }
    expect(offenders(({ from, to }) => to in importer && importer[to] !== from)).toEqual([])
  })

  test("go round in no circle, neither here nor in scripts and tests", () => {
    const circles = ["../src", "../scripts", "."].flatMap((folder) =>
      circlesIn(join(import.meta.dir, folder)),
    )
    expect(circles).toEqual([])
  })

  test.each(["hono", "drizzle-orm", "valibot", "write-excel-file", "csv-stringify", "p-retry"])(
    "name %s, one of the packages that leaddb is built with",
    (name) => expect(IMPORTS.some(({ to }) => to === name || to.startsWith(`${name}/`))).toBe(true),
  )

  test("go between folders one way", () => {
    const between = new Set(
      own
        .map(({ from, to }) => [dirname(from), dirname(to)] as const)
        .filter(([from, to]) => from !== to && !from.startsWith("clients/"))
        .map((pair) => pair.join(" > ")),
    )
    const both = [...between].filter((pair) => between.has(pair.split(" > ").toReversed().join(" > ")))
    expect(both).toEqual([])
  })

  test("SQL and drizzle stay in the store's engines, its schema and the move between them", () => {
    const used = IMPORTS.filter(({ to }) => to === "bun:sqlite" || to.startsWith("drizzle-orm"))
    const outside = used.filter(({ from }) => !/^store\/(sqlite|sql\/schema|move|overlay)\//.test(from))
    expect(outside.map(({ from, to }) => `${from} imports ${to}`)).toEqual([])
  })

  test("HTTP stays in the surfaces and the worker, tools in surfaces/mcp", () => {
    const hono = IMPORTS.filter(({ from, to }) => to.startsWith("hono") && folder(from) !== "surfaces")
    const tools = IMPORTS.filter(
      ({ from, to }) =>
        to.startsWith("@modelcontextprotocol/") &&
        !from.startsWith("surfaces/mcp/") &&
        !from.startsWith("surfaces/cli/"),
    )
    expect([...hono, ...tools].map(({ from, to }) => `${from} imports ${to}`)).toEqual([])
  })
})

describe("source files", () => {
  /** A file without comments and texts. */
  const code = (file: string) =>
    text(file)
      .replace(/\/\*[\s\S]*?\*\//g, "")
      .replace(/^\s*\/\/.*$/gm, "")
      .replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '""')

  test("filters mean the same: each file that takes some has its surface in test/rest/filter-agrees.test.ts", () => {
    const judging = (call: RegExp) =>
      FILES.filter((file) => call.test(text(file).replace(/function \w+/g, ""))).map((file) =>
        file.replace("domain/", ""),
      )
    expect(judging(/\bparseFilters\(/)).toEqual([
      "bounds/membership.ts",
      "duplicates/list.ts",
      "duplicates/merge-many.ts",
      "leads/list/list.ts",
      "leads/list/selection.ts",
      "leads/list/whole.ts",
      "leads/segments/segments.ts",
      "leads/segments/transitions.ts",
      "privacy/retention-run.ts",
      "privacy/retention.ts",
    ])
    // Of a lead at hand: everything else asks the store.
    expect(judging(/\bcompileFilter\(/)).toEqual(["bounds/membership.ts", "leads/segments/transitions.ts"])
  })

  test("only main.ts touches process and the environment", () => {
    const touching = FILES.filter((file) =>
      /(?<![\w.$])process\.|\bBun\.env\b|\bimport\.meta\.env\b/.test(code(file)),
    )
    expect(touching.filter((file) => file !== "main.ts")).toEqual([])
  })

  test("none writes to the console", () => {
    expect(FILES.filter((file) => /(?<![\w.$])console\./.test(code(file)))).toEqual([])
  })

  test("the base, domain and expression know no time but what they are given", () => {
    const inside = FILES.filter(
      (file) =>
        [...BASE, "domain", "expression", "filters"].includes(folder(file)) && file !== "runtime/clock.ts",
    )
    const telling = inside.filter((file) =>
      /\bDate\.now\(\)|\bnew Date\(\)|\bperformance\.now\(\)|\bsetTimeout\(/.test(code(file)),
    )
    expect(telling).toEqual([])
  })

  test("wait for the event loop in runtime/event-loop.ts alone", () => {
    const waiting = FILES.filter((file) => /Promise[^\n]*\bsetImmediate\b|timers\/promises/.test(text(file)))
    expect(waiting.filter((file) => !file.startsWith("dashboard/"))).toEqual(["runtime/event-loop.ts"])
  })
})

describe("wording", () => {
  /** Phrases that were riddles to readers, with the plain words that replaced them. */
  const RIDDLES: readonly (readonly [phrase: RegExp, plain: string])[] = [
    [/as many as you like/i, "no limit"],
    [/were written lately and cannot be searched/i, "Still indexing N leads"],
    [/rows that have none/i, "Default source"],
    [/a row that repeats a lead/i, "If the lead already exists"],
    [/tags of such a row/i, "Tags on existing leads"],
    [/columns that no field takes/i, "Unmatched columns"],
    [/save the mapping as/i, "Save this mapping (optional)"],
    [/rows that do not go in/i, "Skipped rows"],
    [/is no status: kept/i, "unknown status, saved as an attribute"],
    [/the row has no name/i, "No name; using the email"],
    [/any filter marked so/i, "Match any of the marked filters"],
    [/leads that it created go/i, "Leads this import created will be deleted"],
    [/get back what they had/i, "will be restored"],
    [/can be taken back/i, "You can undo this."],
    [/(["'`>])\s*Go on\s*(["'`<])/, "Continue"],
    [/as HubSpot takes them/i, "HubSpot format"],
    [/as Excel wants it/i, "Add a BOM for Excel"],
    [/stands beside what they change/i, "Shown next to their changes."],
    [/merge what is sure/i, "Merge likely duplicates"],
    [/(["'`>])\s*Leads that go\s*(["'`<])/, "Leads removed"],
    [/, as \S+ leads have it/i, "shared by N leads"],
    [/make one for each program/i, "Create one key per app"],
    [/(["'`>])\s*Told apart/, "Not duplicates"],
    [/whoever has the machine/i, "An administrator"],
    [/numbers that name none/i, "Default country for phone numbers"],
    [/take everything along/i, "Export everything"],
  ]
  const root = join(import.meta.dir, "..")
  const texts = ["src/**/*.{ts,tsx}", "docs/**/*.md", "*.md"].flatMap((glob) => [
    ...new Bun.Glob(glob).scanSync(root),
  ])

  test("has no phrase that a stranger must guess at, in the source and the guides", () => {
    const found = texts.flatMap((file) => {
      const text = readFileSync(join(root, file), "utf8").replaceAll(/\s+/g, " ")
      return RIDDLES.filter(([phrase]) => phrase.test(text)).map(
        ([phrase, plain]) => `${file}: ${phrase.source}; write "${plain}"`,
      )
    })
    expect(found).toEqual([])
  })
})

describe("operations", () => {
  const routes = operations.flatMap(({ http, ...rest }) =>
    [http ?? []].flat().map((route) => {
      const [method = "", path = ""] = route.split(" ")
      return { ...rest, route, method, path }
    }),
  )
  const entries = (schema: v.GenericSchema) =>
    (schema as unknown as { entries?: Record<string, unknown> }).entries ?? {}

  test("have names of their own on each surface, in snake_case", () => {
    for (const surface of ["http", "tool"] as const) {
      const names = operations.filter((operation) => operation[surface]).map(({ name }) => name)
      expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
      expect(names.filter((name) => !/^[a-z]+(_[a-z]+)*$/.test(name))).toEqual([])
    }
  })

  test("say what they do in 1 to 80 characters, without a full stop", () => {
    expect(
      operations
        .filter(({ about }) => about.length < 1 || about.length > 80 || about.endsWith("."))
        .map(({ about }) => about),
    ).toEqual([])
  })

  test("have an access that agrees with their method: GET reads, all others write or are the owner's", () => {
    // A question whose leads do not fit into an address.
    const asked = routes.filter(({ route }) => route !== "POST /leads/match")
    const wrong = asked.filter(({ method, access, files }) =>
      access === "self" || access === "open"
        ? method === "GET" && !files
        : method === "GET"
          ? !["read", "owner"].includes(access)
          : !["write", "owner"].includes(access),
    )
    expect(wrong.map(({ route, access }) => `${route} is ${access}`)).toEqual([])
  })

  test("under /api-keys are the owner's", () => {
    const keys = routes.filter(({ path }) => path.startsWith("/api-keys"))
    expect(keys).toHaveLength(3)
    expect(keys.every(({ access }) => access === "owner")).toBe(true)
  })

  test("have a route each, or are a tool alone", () => {
    expect(
      operations.filter(({ http, tool }) => http === undefined && !tool).map(({ name }) => name),
    ).toEqual([])
    const all = routes.map(({ route }) => route.replaceAll(/:\w+/g, ":"))
    expect(new Set(all).size).toBe(all.length)
    expect(
      routes.filter(({ route }) => !/^(GET|POST|PUT|PATCH|DELETE) (\/:?[a-z_-]+)+$/.test(route)),
    ).toEqual([])
  })

  test("take every name in their path as an input, and nothing but known names from the query", () => {
    for (const { route, path, input, query = [] } of routes) {
      const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!)
      for (const name of [...names, ...query])
        expect([route, Object.keys(entries(input))]).toEqual([route, expect.arrayContaining([name])])
    }
  })

  test("refuse what they do not know: every input is a strict object", () => {
    const loose = operations.filter(({ input }) => {
      const { type, pipe } = input as unknown as { type: string; pipe?: { type: string }[] }
      return (pipe?.[0]?.type ?? type) !== "strict_object"
    })
    expect(loose.map(({ name }) => name)).toEqual([])
  })

  test("of every endpoint in the specification there is one", () => {
    const endpoints = `GET /leads, POST /leads, GET /leads/:, PUT /leads/:, DELETE /leads/:, GET /leads/:/changes,
      POST /leads/batch, PUT /leads/batch, DELETE /leads/batch, POST /leads/:/score, POST /leads/score/batch,
      GET /leads/export, GET /leads/:/attributes, POST /leads/:/attributes, PUT /leads/:/attributes/:,
      DELETE /leads/:/attributes/:, GET /leads/:/notes, POST /leads/:/notes, PUT /notes/:, DELETE /notes/:,
      GET /scoring-rules, POST /scoring-rules, GET /scoring-rules/:, PUT /scoring-rules/:, DELETE /scoring-rules/:,
      GET /webhooks, POST /webhooks, DELETE /webhooks/:, GET /api-keys, POST /api-keys, DELETE /api-keys/:`
    const there = routes.map(({ route }) => route.replaceAll(/:\w+/g, ":"))
    expect(
      endpoints
        .split(",")
        .map((endpoint) => endpoint.trim())
        .filter((endpoint) => !there.includes(endpoint)),
    ).toEqual([])
  })
})
