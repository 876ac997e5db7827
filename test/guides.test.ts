// What the guides in docs/ show works: filters and rules are read by the code, receivers get a real delivery.
import { describe, expect, test } from "bun:test"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { checkExpression } from "../src/expression/index.ts"
import { openTestAccount } from "./support/app.ts"
import { parseFilters } from "./support/filters.ts"
import { type Code, readMarkdown } from "./support/markdown.ts"
import { isMissing } from "./support/missing.ts"
import { chosenPort } from "./support/port.ts"
import { openPlace } from "./support/service.ts"
import { until } from "./support/until.ts"

const guide = (name: string) =>
  readMarkdown(readFileSync(join(import.meta.dir, `../docs/${name}.md`), "utf8")).code
const lines = ({ text }: Code) => text.split("\n").filter((line) => line !== "")
const shown = (name: string, language: string) =>
  guide(name)
    .filter((code) => code.language === language)
    .flatMap(lines)

test.each(shown("filters", "filter"))("the filter %s is one", (filter) => {
  expect(() => parseFilters([filter])).not.toThrow()
})

test.each(shown("scoring", "rule"))("the rule %s is one", (rule) => {
  expect(checkExpression(rule)).toMatchObject({ ok: true })
})

test("pushes as in the guide to deduplication are merged as it says", async () => {
  const { call } = await openTestAccount()
  const bodies = shown("deduplication", "sh").flatMap((line) => {
    const body = line.match(/\/leads" .*-d '(.+)'$/)?.[1]
    return body === undefined ? [] : JSON.parse(body)
  })
  const [first, second] = [await call("POST", "/leads", bodies[0]), await call("POST", "/leads", bodies[1])]
  expect([first.status, second.status]).toEqual([201, 200])
  expect(second.body).toMatchObject({ id: first.body.id, duplicate: true, phone: "030 1", city: "Berlin" })
})

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true))
    socket.on("error", () => resolve(false)).on("connect", () => socket.destroy())
  })

describe("receivers of the guide to webhooks", () => {
  const programs: Record<string, (file: string, port: number) => string[]> = {
    js: (file) => ["node", file],
    python: (file) => ["python3", file],
    php: (file, port) => ["php", "-S", `127.0.0.1:${port}`, file],
  }
  for (const { heading, language, text } of guide("webhooks").filter((code) => code.language in programs)) {
    const [program = ""] = programs[language]!("", 0)
    test.skipIf(isMissing(`${heading} of the guide`, Bun.which(program), `there is no ${program}`))(
      `${heading} takes what is signed and refuses the rest`,
      async () => {
        await using place = openPlace()
        const port = chosenPort()
        const file = join(place.folder, language === "js" ? "receiver.mjs" : `receiver.${language}`)
        writeFileSync(file, text)
        const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: "a long random text" }
        const receiver = Bun.spawn(programs[language]!(file, port), { env, stdout: "pipe", stderr: "ignore" })
        try {
          await until("the receiver listens", () => answers(port))
          const url = `http://127.0.0.1:${port}/leaddb`
          expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(401)
          const { call } = await openTestAccount()
          const { body: webhook } = await call("POST", "/webhooks", { url, secret: "a long random text" })
          await call("POST", "/leads", { name: "Nino", source: "web" })
          await until("it has taken the event", async () => {
            const { body } = await call("GET", `/webhooks/${webhook.id}/deliveries`)
            return body.deliveries[0]?.status === "succeeded"
          })
        } finally {
          receiver.kill()
          await receiver.exited
        }
      },
    )
  }
})

test("each test that the page on security names is there", () => {
  const root = join(import.meta.dir, "..")
  const [, table = ""] = readFileSync(join(root, "docs/security.md"), "utf8").split(
    "\n## Which test holds what\n",
  )
  const rows = table
    .split("\n## ")[0]!
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| Promise"))
  expect(rows.length).toBeGreaterThan(20)
  const named = rows.map((row) => [row, ...row.matchAll(/`(test\/[\w/.-]+)`/g).map(([, file]) => file!)])
  expect(named.filter(([, ...files]) => files.length === 0)).toEqual([])
  const missing = named.flatMap(([, ...files]) => files.filter((file) => !existsSync(join(root, file))))
  expect(missing).toEqual([])
})
