// Starts an executable of a release on its own system: it answers, keeps a lead, and ends.
//   node scripts/release/smoke.js FILE
import { spawn, spawnSync } from "node:child_process"
import { chmodSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const file = resolve(process.argv[2])
if (process.platform !== "win32") chmodSync(file, 0o755)
const data = mkdtempSync(join(tmpdir(), "leaddb-smoke-"))
const version = spawnSync(file, ["--version"], { encoding: "utf8" })
if (version.status !== 0) throw new Error(`--version failed: ${version.error ?? version.stderr}`)
console.log(version.stdout.trim())

const service = spawn(file, ["serve", "--data", data, "--port", "0", "--mcp-port", "0"], {
  stdio: ["ignore", "pipe", "inherit"],
})
let said = ""
const ready = new Promise((done, failed) => {
  service.stdout.on("data", (chunk) => {
    said += chunk
    const key = /ldb_\w+/.exec(said)?.[0]
    const url = /http:\/\/[\w.]+:\d+\/api\/v1/.exec(said)?.[0]
    if (key && url) done({ key, url })
  })
  service.once("exit", (code) => failed(new Error(`it ended with ${code}: ${said}`)))
})
const { key, url } = await ready
const call = async (method, path, body) => {
  const answer = await fetch(url + path, {
    method,
    headers: { "X-API-Key": key, "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}
const lead = await call("POST", "/leads", { name: "Ada Lovelace", source: "smoke", email: "ada@example.com" })
const page = await call("GET", "/leads?q=lovelace")
if (page.leads[0]?.id !== lead.id) throw new Error("the lead is not found again")
const ended = new Promise((done) => service.once("exit", done))
service.kill("SIGTERM")
await ended
console.log("it answers, keeps a lead, and ends")
