// Plays the packages of dist/release as people install them: npx from a registry that serves them, and install.sh.
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { serveRegistry } from "./registry.ts"

/** Ways to start what is published; the first one fetches it. */
const STARTS = [
  ["npx leaddb, cold", ["npx", "-y"]],
  ["npx leaddb, warm", ["npx", "-y"]],
  ["npm exec leaddb", ["npm", "exec", "-y", "--"]],
] as const

/** Milliseconds within which a stopped service is gone. */
const STOPS_WITHIN = 2_000
/** Milliseconds within which a start answers or fails, wherever this runs. */
const STARTS_WITHIN = 120_000

/** The manifest in a packed package. */
function manifestOf(file: string) {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["tar", "xzOf", file, "package/package.json"])
  if (exitCode !== 0) throw new Error(`${file}: ${stderr}`)
  return JSON.parse(stdout.toString())
}

/** Plays what lies in a folder of a release. Throws an Error that says what does not hold. */
export async function playPackages(release: string): Promise<void> {
  const npm = join(release, "npm")
  const files = readdirSync(npm).map((name) => join(npm, name))
  const registry = serveRegistry(files.map((file) => ({ manifest: manifestOf(file), file })))
  const home = mkdtempSync(join(tmpdir(), "leaddb-play-"))
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    npm_config_registry: registry.url,
    npm_config_cache: join(home, "cache"),
    npm_config_update_notifier: "false",
  }
  try {
    for (const [start, cmd] of STARTS) console.log(`${start}: ${await playStart(cmd, home, start, env)}`)
    const mcp = Bun.spawn(["npx", "-y", "leaddb", "mcp"], { cwd: home, env, stdin: "ignore", stderr: "pipe" })
    if ((await mcp.exited) !== 0) throw new Error(`npx leaddb mcp: ${await new Response(mcp.stderr).text()}`)
    console.log("npx leaddb mcp ends with its input")
    await playInstaller(release, home)
  } finally {
    await registry.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

/** Starts the service in a new folder, takes its first answer, and stops npm. Returns how long each took. */
async function playStart(
  exec: readonly string[],
  home: string,
  start: string,
  env: Record<string, string>,
): Promise<string> {
  const began = performance.now()
  const args = ["serve", "--data", join(home, start), "--port", "0", "--mcp-port", "0"]
  const npm = Bun.spawn([...exec, "leaddb", ...args], { cwd: home, env, stdout: "pipe", stderr: "pipe" })
  const timer = setTimeout(() => npm.kill(), STARTS_WITHIN)
  const url = await addressIn(npm.stdout)
  clearTimeout(timer)
  if (!url) throw new Error(`${start} did not start: ${await new Response(npm.stderr).text()}`)
  const health = new URL("/healthz", url)
  if (!(await fetch(health)).ok) throw new Error(`${health} is not well`)
  const answered = performance.now()
  npm.kill("SIGTERM")
  await npm.exited
  // npm does not pass signals on: the service is gone once nothing answers at its port.
  while (await fetch(health).catch(() => undefined)) {
    if (performance.now() - answered > STOPS_WITHIN)
      throw new Error(`${start}: SIGTERM leaves the service running`)
    await Bun.sleep(50)
  }
  const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`
  return `answers after ${seconds(began, answered)}, gone ${seconds(answered, performance.now())} after SIGTERM`
}

/** The address of the API in what a service says; undefined when that ends first. */
async function addressIn(stdout: ReadableStream<Uint8Array>): Promise<string | undefined> {
  let said = ""
  const decoder = new TextDecoder()
  for await (const chunk of stdout) {
    said += decoder.decode(chunk, { stream: true })
    const url = /http:\/\/[\w.]+:\d+\/api\/v1/.exec(said)?.[0]
    if (url) return url
  }
  return undefined
}

async function playInstaller(release: string, home: string): Promise<void> {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch({ url }) {
      const file = join(release, new URL(url).pathname)
      return existsSync(file) ? new Response(Bun.file(file)) : new Response("", { status: 404 })
    },
  })
  try {
    const { exitCode, stderr } = await runInstaller(release, home, server.url.origin)
    if (exitCode !== 0) throw new Error(`install.sh: ${stderr}`)
    const installed = Bun.spawnSync([join(home, "bin/leaddb"), "--version"])
    console.log(`install.sh: ${installed.stdout.toString().trim()}`)
  } finally {
    await server.stop(true)
  }
}

async function runInstaller(release: string, home: string, downloads: string) {
  const child = Bun.spawn(["sh", join(release, "install.sh")], {
    env: {
      PATH: process.env.PATH ?? "",
      HOME: home,
      LEADDB_BIN: join(home, "bin"),
      LEADDB_DOWNLOADS: downloads,
    },
    stderr: "pipe",
  })
  const stderr = await new Response(child.stderr).text()
  return { exitCode: await child.exited, stderr }
}
