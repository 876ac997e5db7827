// The files in docs/deploy, held against what leaddb and HAProxy know.
import { describe, expect, test } from "bun:test"
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { readConfig, unknownSettings } from "../src/surfaces/cli/config.ts"
import { type Code, readMarkdown } from "./support/markdown.ts"
import { isMissing } from "./support/missing.ts"
import { chosenPort } from "./support/port.ts"
import { hasPostgres, newDatabase, runOnce, startPostgres } from "./support/postgres.ts"
import { openPlace, PROGRAM } from "./support/service.ts"
import { until } from "./support/until.ts"

await startPostgres()

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

test.each(["one", "two", "three"])("instance %s of compose.yml starts with the .env of the guide", (name) => {
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
  const { one, two, three, proxy, ...others } = COMPOSE.services
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
    ["three", "8080"],
    ["one", "8081"],
    ["two", "8081"],
    ["three", "8081"],
  ])
  expect([one, two, three]).not.toContain(undefined)
})

const haproxy = Bun.which("haproxy", { PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` })
describe.skipIf(isMissing("HAProxy's settings", haproxy, "there is no haproxy"))("HAProxy takes", () => {
  // No name of a container means anything here.
  const here = HAPROXY.replaceAll(/ (one|two|three):/g, " 127.0.0.1:")
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

/** Six ports in a row and two more that are free at the moment. */
function freePorts(): Record<"FIRST_PORT" | "REST_PORT" | "MCP_PORT", string> {
  for (;;) {
    const first = chosenPort()
    try {
      for (let i = 0; i < 6; i++)
        Bun.listen({ hostname: "127.0.0.1", port: first + i, socket: { data() {} } }).stop(true)
      const [rest, mcp] = [chosenPort(), chosenPort()]
      return { FIRST_PORT: String(first), REST_PORT: String(rest), MCP_PORT: String(mcp) }
    } catch {
      // Another program has one of them.
    }
  }
}

describe.skipIf(!hasPostgres || isMissing("three.sh", haproxy, "there is no haproxy"))("three.sh", () => {
  test("serves one database by three instances, and goes on when one of them is killed", async () => {
    await using place = openPlace()
    const bin = join(place.folder, "bin")
    mkdirSync(bin)
    const quoted = PROGRAM.map((part) => `'${part}'`).join(" ")
    writeFileSync(join(bin, "leaddb"), `#!/bin/sh\nexec ${quoted} "$@"\n`)
    chmodSync(join(bin, "leaddb"), 0o755)
    const database = await newDatabase()
    const made = await place.run(["accounts", "create", "--name", "a", "--json"], {
      LEADDB_DATABASE: database,
    })
    const ports = freePorts()
    const child = Bun.spawn(["/bin/sh", join(DOCS, "deploy/three.sh")], {
      cwd: place.folder,
      env: {
        ...ports,
        PATH: `${bin}:${process.env.PATH}:/usr/sbin:/usr/local/sbin`,
        LEADDB_DATABASE: database,
        LEADDB_SECRET_KEY: "0123456789abcdef",
      },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    })
    try {
      const base = `http://localhost:${ports.REST_PORT}`
      const ready = async (port: number) =>
        (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status === 200
      const own = [0, 2, 4].map((i) => Number(ports.FIRST_PORT) + i)
      for (const port of own) await until(`${port} is ready`, () => ready(port))
      await until("the proxy leads to one", async () => {
        return (await fetch(`${base}/readyz`).catch(() => undefined))?.status === 200
      })
      const headers = { "X-API-Key": made.json.api_key, "Content-Type": "application/json" }
      const create = async (i: number) => {
        const body = JSON.stringify({ name: `n${i}`, source: "s" })
        const sent = fetch(`${base}/api/v1/leads`, { method: "POST", headers, body })
        // A write that meets the end of an instance is not repeated by the proxy.
        return (await sent.catch(() => undefined))?.status
      }
      expect(await Promise.all(Array.from({ length: 12 }, (_, i) => create(i)))).toEqual(Array(12).fill(201))
      const [row] = await runOnce(
        database,
        "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'leaddb%'",
      )
      expect(Number(row!.n)).toBeLessThanOrEqual(36)
      const found = Bun.spawnSync(["/bin/sh", "-c", `pgrep -P ${child.pid}`])
        .stdout.toString()
        .trim()
        .split("\n")
      expect(found).toHaveLength(4)
      process.kill(Number(found[0]), "SIGKILL")
      await until("the proxy has seen it", async () => (await create(100)) === 201)
      for (const i of [101, 102, 103, 104]) await until("it serves", async () => (await create(i)) === 201)
    } finally {
      child.kill("SIGTERM")
      await child.exited
    }
  })
})
