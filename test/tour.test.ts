// The commands of docs/guides/api.md, run by a shell as a reader would run them.
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { readMarkdown } from "./support/markdown.ts"
import { openPlace } from "./support/service.ts"

const PAGE = readMarkdown(readFileSync(join(import.meta.dir, "../docs/guides/api.md"), "utf8"))
const TOUR = PAGE.code.find(({ heading, language }) => heading.includes("With curl") && language === "sh")!

/** Runs commands in a folder and answers with what each printed as JSON, in order. */
async function runShell(commands: string, folder: string) {
  // Answers end without a line break: one after each tells them apart.
  const script = `set -eu\ncurl() { command curl --fail-with-body "$@"; echo; }\n${commands}`
  const shell = Bun.spawn(["bash", "-c", script], { cwd: folder, stdout: "pipe", stderr: "pipe" })
  const [code, out, err] = await Promise.all([
    shell.exited,
    new Response(shell.stdout).text(),
    new Response(shell.stderr).text(),
  ])
  if (code !== 0) throw new Error(`the tour ended with ${code}: ${err}${out}`)
  return out.split("\n").flatMap((line) => (line ? [JSON.parse(line)] : []))
}

test("the tour with curl does what the page says", async () => {
  await using place = openPlace()
  const { key, url } = await place.serve()
  const commands = TOUR.text
    .replace(/^export KEY=\S+/m, `export KEY=${key}`)
    .replace(/^export URL=\S+/m, `export URL=${url}`)
  expect(commands).toContain(key)
  expect(commands).toContain(url)

  const [pushed, merged, found, rule, scored, ...more] = await runShell(commands, place.folder)
  expect(more).toEqual([])
  expect(pushed).toMatchObject({ name: "Trattoria Da Nino", rating: 4.6, message: "Lead created" })
  expect(merged).toMatchObject({ id: pushed.id, duplicate: true, source: "webform", phone: "+49 30 1234567" })
  expect(found).toMatchObject({ count: 1, has_more: false, leads: [{ id: pushed.id }] })
  expect(rule).toMatchObject({ expression: "rating >= 4.5 ? 60 : rating * 5", weight: 1 })
  expect(scored).toEqual({ count: 1, changed: 1 })
  const file = await Bun.file(join(place.folder, "leads.csv")).text()
  expect(file.trim().split("\n")).toHaveLength(2)
  expect(file).toContain("Trattoria da Nino")
})
