// The code of the documentation that uses the client: it type checks strictly, and the main examples run.
import { describe, expect, test } from "bun:test"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openTestAccountForReading } from "../support/app.ts"
import { readMarkdown } from "../support/markdown.ts"

const ROOT = join(import.meta.dir, "../..")
const EXAMPLES = ["docs/client.md"].flatMap((page) =>
  readMarkdown(readFileSync(join(ROOT, page), "utf8"))
    .code.filter(({ language, text }) => language === "ts" && text.includes('from "leaddb-client"'))
    .map(({ text }, i) => ({ page, text, file: `${page.replaceAll(/\W/g, "-")}-${i}.ts` })),
)

/** A folder in which `leaddb-client` is the source of the client, with files in it. */
async function openFolder(files: { file: string; text: string }[]) {
  const folder = mkdtempSync(join(tmpdir(), "leaddb-examples-"))
  const tsconfig = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: {
      paths: { "leaddb-client": [join(ROOT, "src/client/index.ts")] },
      typeRoots: [join(ROOT, "node_modules")],
    },
    include: ["*.ts"],
  }
  await Bun.write(join(folder, "tsconfig.json"), JSON.stringify(tsconfig))
  for (const { file, text } of files) await Bun.write(join(folder, file), text)
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

/** Runs a program of Bun to its end and answers with what it printed. */
async function run(argv: string[], cwd: string): Promise<string> {
  const child = Bun.spawn([process.execPath, ...argv], { cwd, stdout: "pipe", stderr: "pipe" })
  const [code, out, err] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  if (code !== 0) throw new Error(`${argv.join(" ")} ended with ${code}:\n${out}${err}`)
  return out
}

test("all examples type check", async () => {
  expect(EXAMPLES.map(({ page }) => page)).toEqual(["docs/client.md", "docs/client.md"])
  using place = await openFolder(EXAMPLES)
  await run([join(ROOT, "node_modules/typescript/bin/tsc"), "--noEmit", "-p", place.folder], place.folder)
})

describe("the example that talks to a service", () => {
  const service = openTestAccountForReading(async ({ call }) => {
    await call("POST", "/leads", { name: "Ada", source: "test", rating: 5 })
  })
  const talking = EXAMPLES.filter(({ text }) => text.includes("createLeaddbClient({"))

  test.each(talking.map((example) => [example.page, example] as const))(
    "in %s prints what it says",
    async (_, { file, text }) => {
      const { app, key } = service()
      const real = text.replace("http://127.0.0.1:8080", new URL(app.url).origin).replace("ldb_...", key)
      expect(real).toContain(key)
      using place = await openFolder([{ file, text: real }])
      const lines = (await run([file], place.folder)).trim().split("\n")
      expect(lines).toContain("Ada 5")
      expect(lines.some((line) => line.endsWith("Nino 4.6"))).toBe(true)
      expect(lines.at(-1)).toBe("404 not_found Lead not found")
    },
  )
})
