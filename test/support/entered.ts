// Counts the files that the work of one request enters on the first thread: `bun test/support/entered.ts [push filter csv tool]`.
// A path is run many times in a test with coverage, and the files count whose lines ran as often; the rest ran without it, too.
import { test } from "bun:test"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openTestApp, type TestApp } from "./app.ts"
import { LEAST } from "./lead.ts"

const TIMES = 100

type Path = (service: TestApp, times: number) => Promise<unknown>

async function each(times: number, once: (nth: number) => Promise<unknown>): Promise<void> {
  for (let nth = 0; nth < times; nth++) await once(nth)
}

const PATHS: Readonly<Record<string, Path>> = {
  push: ({ call }, times) =>
    each(times, (nth) => call("POST", "/leads", { ...LEAST, email: `${nth}@push.example`, city: "Bonn" })),
  filter: ({ call }, times) => each(times, () => call("GET", "/leads?filter=and.eq.city.Bonn")),
  async csv({ app, key }, times) {
    const rows = Array.from({ length: times }, (_, nth) => `Lead ${nth},${nth}@csv.example,Bonn\n`)
    const form = new FormData()
    form.set("file", new File(["name,email,city\n", ...rows], "leads.csv", { type: "text/csv" }))
    const sent = { method: "POST", headers: { "X-API-Key": key }, body: form }
    const { status } = await fetch(`${app.url}/leads/import`, sent)
    if (status !== 200) throw new Error(`the import was answered with ${status}`)
  },
  tool: ({ app, key }, times) =>
    each(times, async () => {
      const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" }
      const params = { name: "list_leads", arguments: { limit: 1 } }
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
      await (await fetch(app.mcpUrl, { method: "POST", headers, body })).text()
    }),
}

/** How often each line of each source ran while a path was run so often. */
async function linesOf(path: string, times: number): Promise<Map<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), "leaddb-entered-"))
  const coverage = ["--coverage", "--coverage-reporter=lcov", `--coverage-dir=${folder}`]
  const argv = [process.execPath, "test", "--timeout", "60000", ...coverage, import.meta.path]
  const env = { ...process.env, LEADDB_PATH: path, LEADDB_TIMES: String(times) }
  const child = Bun.spawn(argv, { env, stdout: "ignore", stderr: "pipe" })
  const said = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(said)
  const lines = new Map<string, number>()
  let file = ""
  for (const line of readFileSync(join(folder, "lcov.info"), "utf8").split("\n")) {
    const [kind, what = ""] = line.split(":")
    const [number, count] = what.split(",")
    if (kind === "SF") file = what
    else if (kind === "DA" && file.startsWith("src/")) lines.set(`${file} ${number}`, Number(count))
  }
  rmSync(folder, { recursive: true })
  return lines
}

async function show(path: string): Promise<void> {
  const [few, many] = [await linesOf(path, 1), await linesOf(path, TIMES + 1)]
  const ran = [...many].filter(([line, count]) => count - (few.get(line) ?? 0) >= TIMES * 0.9)
  const files = Map.groupBy(ran, ([line]) => line.split(" ")[0]!)
  const said = [...files].map(([file, { length }]) => `  ${String(length).padStart(4)} ${file}\n`)
  process.stdout.write(`${path}: ${files.size} files, ${ran.length} lines\n${said.join("")}`)
}

const { LEADDB_PATH, LEADDB_TIMES } = process.env
if (LEADDB_PATH !== undefined)
  test(LEADDB_PATH, async () => PATHS[LEADDB_PATH]!(await openTestApp(), Number(LEADDB_TIMES)))
else for (const path of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PATHS)) await show(path)
