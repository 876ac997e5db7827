// Every command that the documentation shows is run: blocks of shell by a shell, codes within texts by their options.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { writeXlsx } from "hucre"
import { commands, parseArgv } from "../src/surfaces/cli/cli.ts"
import { flagOf, type Options, readOptions } from "../src/surfaces/cli/config.ts"
import { ask } from "./support/ask.ts"
import { codesIn, PAGES } from "./support/markdown.ts"
import { openPlace, type Place, PROGRAM, type Running } from "./support/service.ts"

const ROOT = join(import.meta.dir, "..")
/** What a page shows for whoever has the things that it speaks of. */
const ELSEWHERE: readonly (readonly [RegExp, why: string])[] = [
  [/\bleaddb (serve|webhooks tail)\b/, "goes on until it is stopped"],
  [/\bleaddb move\b/, "moves to PostgreSQL: its own tests do"],
  [/^(sudo )?(cp|mv|install|systemctl|npx|npm|docker|podman|claude) /, "another program"],
  [/localhost\/readyz|spam\/\$SPAM/, "needs what the page sets up by hand"],
]

/** Blocks of shell, also those within lists. */
function blocksOf(page: string): string[] {
  const text = readFileSync(join(ROOT, page), "utf8")
  return [...text.matchAll(/^( *)```sh\n([\s\S]*?)^\1```$/gm)].map(([, , block]) => block!)
}

/** Single commands of a block: lines that go on are one. */
function commandsOf(block: string): string[] {
  const found: string[] = []
  let open = ""
  for (const line of block.split("\n")) {
    open = open === "" ? line.trim() : `${open}\n${line}`
    const quotes = open.replaceAll(/"[^"'{}]*"/g, "").split("'").length - 1
    if (open.endsWith("\\") || quotes % 2 === 1) continue
    found.push(open)
    open = ""
  }
  return found.filter((one) => /(^|[\s(/])(leaddb|curl)(\.\w+)? /.test(one) && !one.startsWith("#"))
}

const shown = PAGES.flatMap((page) => {
  const all = blocksOf(page).flatMap(commandsOf)
  const run = all.filter((command) => !ELSEWHERE.some(([kind]) => kind.test(command)))
  return run.length > 0 ? [[page, run] as const] : []
})

describe("blocks of shell", () => {
  let place: Place
  let service: Running
  const env: Record<string, string> = {}
  const call = async (path: string, body?: unknown): Promise<Record<string, string>> =>
    (await ask(service, service.key, body === undefined ? "GET" : "POST", path, body)).body

  beforeAll(async () => {
    place = openPlace()
    service = await place.serve()
    const leads = "Firm,Email,Seats\nNino,nino@example.com,40\n"
    for (const name of ["contacts.csv", "leads.csv", "fair.csv", "fair-june.csv"])
      writeFileSync(join(place.folder, name), leads)
    const rows = [
      ["Firm", "Seats"],
      ["Nino", 40],
    ]
    for (const name of ["scraped.xlsx", "large.xlsx"])
      await Bun.write(join(place.folder, name), await writeXlsx({ sheets: [{ name: "S", rows }] }))
    for (const folder of ["backups", "bin", ".config/fish/completions"])
      mkdirSync(join(place.folder, folder), { recursive: true })
    const program = join(place.folder, "bin/leaddb")
    writeFileSync(program, `#!/bin/sh\nexec ${PROGRAM.map((word) => `'${word}'`).join(" ")} "$@"\n`)
    chmodSync(program, 0o755)
    const lead = await call("/leads", {
      ...{ name: "Nino", source: "web", email: "nino@example.com" },
      attributes: ["Branche", "Umsatz", "revenue"].map((name) => ({ name, type: "text", value: "1" })),
    })
    await call("/members", { name: "Eva", role: "editor" })
    const segment = await call("/segments", { name: "Leads in Berlin", filter: ["and.eq.city.Berlin"] })
    const form = await call("/forms", { name: "Contact", fields: ["name", "email", "attr:budget"] })
    expect((await place.run(["import", "contacts.csv"])).code).toBe(0)
    expect((await place.run(["import", "fair.csv"])).code).toBe(0)
    const { json: imports } = await place.run(["imports", "--json"])
    const changes = await call("/changes?limit=1&order=asc")
    const { json: accounts } = await place.run(["accounts", "list", "--json"])
    await place.run(["accounts", "create", "--name", "Server", "--data", "server", "--plan", "enterprise"])
    Object.assign(env, {
      ...{ ID: lead.id, SEGMENT: segment.id, FORM: form.id, CURSOR: changes.next_cursor },
      ...{ IMPORT: imports.imports[0].id, OTHER: imports.imports[1].id, ACCOUNT: accounts.accounts[0].id },
      ...{ KEY: service.key, URL: service.url, HOME: place.folder, LEADDB_PORT: new URL(service.url).port },
      PATH: `${join(place.folder, "bin")}:${process.env.PATH}`,
    })
  }, 60_000)
  afterAll(() => place[Symbol.asyncDispose]())

  /** The command with this machine's folders, addresses and ids in place of those that the page shows. */
  const here = (command: string) =>
    [
      [/\/var\/lib\/leaddb\/leads-replaced-\w+\.db/g, "$(ls server/leads-replaced-*.db | tail -1)"],
      [/\/var\/lib\/leaddb/g, "server"],
      [/\/var\/backups\/leaddb/g, "backups"],
      [/\/tmp\/leaddb-trial/g, "trial"],
      [/http:\/\/127\.0\.0\.1:8080/g, new URL(service.url).origin],
      [/https:\/\/leads\.example\.com\/f\/form_…/g, `${new URL(service.url).origin}/f/$FORM`],
      [/\/usr\/local\/bin\/leaddb(\.\w+)?/g, "leaddb"],
      [/\bsudo /g, ""],
      [/source <\((leaddb completions \w+)\)/g, "$1"],
      [/imp_\.\.\./g, "$OTHER"],
      [/imp_019[\w-]+/g, "$IMPORT"],
      [/--account (Acme|ID)\b/g, '--account "$ACCOUNT"'],
      [/'([^']*)seg_019aa6f2-…([^']*)'/g, `'$1'"$SEGMENT"'$2'`],
    ].reduce((text, [pattern, with_]) => text.replaceAll(pattern as RegExp, with_ as string), command)

  test.each(shown)(
    "of %s",
    async (_, run) => {
      const wrong: string[] = []
      for (const command of run) {
        const script = `curl() { command curl --fail-with-body "$@"; }\n${here(command)}`
        const shell = Bun.spawn(["bash", "-c", script], {
          ...{ cwd: place.folder, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
        })
        const [code, out, err] = await Promise.all([
          shell.exited,
          new Response(shell.stdout).text(),
          new Response(shell.stderr).text(),
        ])
        if (code !== 0) wrong.push(`${command} ended with ${code}: ${out.slice(0, 500)} ${err}`)
      }
      expect(wrong).toEqual([])
    },
    60_000,
  )
})

/** What is wrong with a command line that a text shows; parts that it leaves out are not. */
function wrongIn(words: readonly string[], names: readonly string[]): string | undefined {
  const every: Options = Object.assign({}, ...commands.map(({ options }) => options))
  const last = Object.keys(every).find((key) => flagOf(key) === words.at(-1))
  const isNamed = last !== undefined && every[last]!.value !== undefined
  const line = parseArgv(isNamed ? words.slice(0, -1) : words, every)
  if (line.unknown.length > 0) return `unknown ${line.unknown}`
  const text = [...names, ...line.words].join(" ")
  const possible = commands.filter(
    ({ name }) => text === name || text.startsWith(`${name} `) || name.startsWith(`${text} `),
  )
  if (possible.length === 0 && !/^(help|version|completions)\b/.test(text)) return "no such command"
  const keys = [...Object.keys(line.given), ...(isNamed ? [last] : [])]
  const command = possible.find(({ options }) => keys.every((key) => key in options))
  if (!command && keys.length > 0) return `no command of these takes ${keys}`
  if (command) {
    const options = Object.entries(command.options).filter(([key]) => key in line.given)
    readOptions(Object.fromEntries(options), line.given, {})
  }
  return undefined
}

const wordsOf = (text: string) =>
  [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? (c === "N" ? "1" : c!))
const inline = PAGES.flatMap((page) =>
  [...new Set(codesIn(readFileSync(join(ROOT, page), "utf8").replaceAll(/^ *```[\s\S]*?^ *```$/gm, "")))]
    .filter((code) => /^leaddb [a-z]/.test(code) && !/\n/.test(code))
    .map((code) => [page, code] as const),
)
test.each(inline)("%s: `%s` is a command", (_, code) => {
  expect(wrongIn(wordsOf(code).slice(1), [])).toBeUndefined()
})

const flags = codesIn(readFileSync(join(ROOT, "docs/import.md"), "utf8")).filter((code) =>
  /^--[a-z]/.test(code),
)
test.each([...new Set(flags)])("docs/import.md: %s is an option", (code) => {
  const [flag = "", ...rest] = wordsOf(code)
  const tries = [["import"], ["export"]].map((names) =>
    wrongIn([flag, ...(rest.length > 0 ? rest : [])], names),
  )
  expect(tries).toContain(undefined)
})
