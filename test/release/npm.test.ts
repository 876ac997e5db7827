// The npm packages with a stand-in for the executable, which is 116 MB, by the npm of this machine and a registry that
// serves them.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { TARGETS } from "../../scripts/build/targets.ts"
import { factsOf } from "../../scripts/release/facts.ts"
import {
  npmPack,
  platformManifest,
  platformPackage,
  shimManifest,
  writePlatformPackage,
  writeShimPackage,
} from "../../scripts/release/npm.ts"
import { serveRegistry } from "../../scripts/release/registry.ts"
import { temporaryFolder } from "../support/folder.ts"
import { isMissing } from "../support/missing.ts"
import { until } from "../support/until.ts"
import { words } from "../support/words.ts"

const FACTS = factsOf({ GITHUB_REPOSITORY: "acme/leaddb" })
const OWN = TARGETS.find(
  ({ name, system }) => system === process.platform && name.endsWith(`-${process.arch}`),
)!
const folder = temporaryFolder()
let registry: ReturnType<typeof serveRegistry>

/** Says what it was started with, and ends by a signal, by `fail` with 7, or at the end of its input. */
const STAND_IN = `#!/usr/bin/env node
const { writeFileSync } = require("node:fs")
const [command, file] = process.argv.slice(2)
if (command === "fail") process.exit(7)
if (command === "serve") {
  process.on("SIGTERM", () => process.exit(0))
  writeFileSync(file, process.pid + " " + process.ppid)
  setInterval(() => {}, 1000)
} else if (command === "mcp") process.stdin.on("end", () => console.log("ended")).resume()
else console.log(JSON.stringify(process.argv.slice(2)))
`

beforeAll(() => {
  const executable = join(folder, "stand-in")
  writeFileSync(executable, STAND_IN)
  const packed = [
    writePlatformPackage(OWN, executable, FACTS, folder),
    writeShimPackage(FACTS, folder, "leaddb\n", TARGETS),
  ].map((path) => ({
    manifest: JSON.parse(readFileSync(join(path, "package.json"), "utf8")),
    file: npmPack(path, folder),
  }))
  registry = serveRegistry(packed)
})
afterAll(() => registry.stop())

/** npm with folders of its own, that knows this registry alone. */
function npm(args: string[], home: string) {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    npm_config_registry: registry.url,
    npm_config_cache: join(home, "cache"),
    npm_config_prefix: join(home, "prefix"),
    npm_config_update_notifier: "false",
  }
  return Bun.spawn({ cmd: args, cwd: home, env, stdin: "pipe", stdout: "pipe", stderr: "pipe" })
}

async function outcome(child: ReturnType<typeof npm>) {
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { out, err, code: await child.exited }
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch {
    return false
  }
}

describe("the packages", () => {
  test("are one for each machine, told apart by system, processor and C library", () => {
    const names = TARGETS.map(platformPackage)
    expect(names).toEqual(
      words(`
      @leaddb/linux-x64 @leaddb/linux-arm64 @leaddb/darwin-x64 @leaddb/darwin-arm64 @leaddb/win32-x64
      @leaddb/win32-arm64 @leaddb/linux-x64-musl @leaddb/linux-arm64-musl
    `),
    )
    const manifests = TARGETS.map((target) => platformManifest(target, FACTS)) as Record<string, unknown>[]
    const kinds = manifests.map(({ os, cpu, libc }) => JSON.stringify([os, cpu, libc]))
    expect(new Set(kinds).size).toBe(TARGETS.length)
    for (const manifest of manifests)
      expect(manifest).toMatchObject({ version: FACTS.version, preferUnplugged: true })
  })

  test("are locked to one version, run no scripts, and name the MCP server", () => {
    const shim = shimManifest(FACTS) as { optionalDependencies: Record<string, string> }
    expect(shim).toMatchObject({
      version: FACTS.version,
      mcpName: "io.github.acme/leaddb",
      bin: { leaddb: "bin/leaddb.js" },
    })
    expect(Object.keys(shim.optionalDependencies)).toEqual(TARGETS.map(platformPackage))
    for (const version of Object.values(shim.optionalDependencies)) expect(version).toBe(FACTS.version)
    for (const manifest of [shim, ...TARGETS.map((target) => platformManifest(target, FACTS))])
      expect(manifest).not.toHaveProperty("scripts")
  })
})

const skipped =
  process.platform === "win32" ||
  isMissing("npm packages", OWN && Bun.which("npx"), "npx runs them, on a machine that has an executable")

describe.skipIf(skipped)("npx leaddb", () => {
  /** One for all, so that the packages are fetched once. */
  const home = temporaryFolder()
  const npx = (...args: string[]) => ["npx", "-y", "leaddb", ...args]

  test("runs the executable with its arguments, and ends as it does", async () => {
    const run = (...args: string[]) => outcome(npm(npx(...args), home))
    expect(await run("accounts", "list", "--json")).toMatchObject({
      out: '["accounts","list","--json"]\n',
      code: 0,
    })
    expect((await run("fail")).code).toBe(7)
  })

  test("mcp ends with its input", async () => {
    const child = npm(npx("mcp"), home)
    child.stdin.end()
    expect(await outcome(child)).toMatchObject({ out: "ended\n", code: 0 })
  })

  test.each([
    ["npx", ["npx", "-y"]],
    ["npm exec", ["npm", "exec", "-y", "--"]],
  ])("SIGTERM to %s leaves nothing running", async (name, exec) => {
    const ids = join(home, `ids of ${name}`)
    const child = npm([...exec, "leaddb", "serve", ids], home)
    const running = await until("it runs", () =>
      existsSync(ids) ? /^(\d+) (\d+)$/.exec(readFileSync(ids, "utf8"))?.slice(1).map(Number) : undefined,
    )
    child.kill("SIGTERM")
    await child.exited
    await until("the executable and what started it have ended", () => !running.some(isRunning))
  })

  test("says in plain words that the executable was left out", async () => {
    const { err, code } = await outcome(npm(["npx", "-y", "--omit=optional", "leaddb"], temporaryFolder()))
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`leaddb: ${platformPackage(OWN)} is not installed.`),
    ])
    expect(err).toContain("without --omit=optional")
  })

  test("installs without scripts, as npm i -g does", async () => {
    const install = ["npm", "i", "-g", "--ignore-scripts", "--no-audit", "--no-fund", "leaddb"]
    expect((await outcome(npm(install, home))).code).toBe(0)
    const run = npm([join(home, "prefix/bin/leaddb"), "version"], home)
    expect(await outcome(run)).toMatchObject({ out: '["version"]\n', code: 0 })
  })
})
