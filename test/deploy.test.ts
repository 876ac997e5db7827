// The files in docs/deploy, held against what leaddb and HAProxy know.
import { describe, expect, test } from "bun:test"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { readConfig, unknownSettings } from "../src/config.ts"
import { type Code, readMarkdown } from "./support/markdown.ts"
import { isMissing } from "./support/missing.ts"
import { openPlace } from "./support/service.ts"

interface Service {
  environment?: Record<string, string>
  ports?: string[]
  depends_on?: object
}

const DOCS = join(import.meta.dir, "../docs")
const read = (file: string) => readFileSync(join(DOCS, file), "utf8")
const SCALE = readMarkdown(read("scale.md")).code
const block = (start: string) => SCALE.find(({ text }: Code) => text.startsWith(start))!.text
const COMPOSE = Bun.YAML.parse(read("deploy/compose.yml")) as { services: Record<string, Service> }
const HAPROXY = read("deploy/haproxy.cfg")
/** What the guide writes into .env; a command's output is some text. */
const DOTENV = Object.fromEntries(
  [...block("docker build").matchAll(/^([A-Z_]+)=(.+)$/gm)].map(([, name, value]) => [
    name!,
    value!.replace(/^\$\(.+\)$/, "0123456789abcdef"),
  ]),
)

test.each(["one", "two"])("instance %s of compose.yml starts with the .env of the guide", (name) => {
  const env = Object.fromEntries(
    Object.entries(COMPOSE.services[name]!.environment!).map(([key, value]) => [
      key,
      value.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, variable: string) => {
        expect(Object.keys(DOTENV)).toContain(variable)
        return DOTENV[variable]!
      }),
    ]),
  )
  expect(unknownSettings(env)).toEqual([])
  expect(readConfig({}, env)).toMatchObject({
    database: "postgres://leaddb:0123456789abcdef@db/leaddb",
    publicUrl: "http://localhost",
  })
})

test("settings of the Dockerfile are settings", () => {
  const line = read("deploy/Dockerfile").match(/^ENV (.+)$/m)![1]!
  const env = Object.fromEntries(line.split(" ").map((pair) => pair.split("=") as [string, string]))
  expect(unknownSettings(env)).toEqual([])
  expect(readConfig({}, env)).toMatchObject({ data: "/data", host: "0.0.0.0", bootstrap: false })
})

test("HAProxy leads from the ports that compose.yml publishes to its instances", () => {
  const { one, two, proxy, ...others } = COMPOSE.services
  expect(Object.keys(others)).toEqual(["db"])
  const bound = [...HAPROXY.matchAll(/^ {2}bind :(\d+)$/gm)].map(([, port]) => port)
  expect(proxy!.ports!.map((pair) => pair.split(":")[1])).toEqual(bound)
  const asked = [...HAPROXY.matchAll(/^ {2}server (\w+) (\w+):(\d+) check/gm)].map(([, , host, port]) => [
    host,
    port,
  ])
  expect(asked).toEqual([
    ["one", "8080"],
    ["two", "8080"],
    ["one", "8081"],
    ["two", "8081"],
  ])
  expect([one, two]).not.toContain(undefined)
})

const haproxy = Bun.which("haproxy", { PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` })
describe.skipIf(isMissing("HAProxy's settings", haproxy, "there is no haproxy"))("HAProxy takes", () => {
  // No name of a container means anything here.
  const here = HAPROXY.replaceAll(/ (one|two):/g, " 127.0.0.1:")
  test.each([
    ["deploy/haproxy.cfg", here],
    ["what the guide shows before PostgreSQL", block("# haproxy.cfg before PostgreSQL")],
  ])("%s without a warning", async (_, text) => {
    await using place = openPlace()
    const file = join(place.folder, "haproxy.cfg")
    writeFileSync(file, text)
    const { exitCode, stderr } = Bun.spawnSync([haproxy!, "-dW", "-c", "-f", file])
    expect([exitCode, stderr.toString()]).toEqual([0, expect.not.stringContaining("WARNING")])
  })
})
