// The clients in all languages play one table of calls against the running service.
import { describe, expect, test } from "bun:test"
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { CALLS } from "../../scripts/clients/model.ts"
import { generatedFiles } from "../../scripts/clients.ts"
import { createLeaddbClient, LeaddbError } from "../../src/client/index.ts"
import document from "../golden/openapi.json" with { type: "json" }
import { openTestApp } from "../support/app.ts"
import { temporaryFolder } from "../support/folder.ts"
import { isMissing } from "../support/missing.ts"
import { PLAYS, type Play } from "./calls.ts"

const CLIENTS = join(import.meta.dir, "../../src/clients")
type Outcome = { ok?: unknown; error?: { status: number; code: string }; failed?: string }
/** Milliseconds: thirty crates are compiled, on whatever else the machine does. */
const COMPILING = 170_000
type Player = (play: Play) => Promise<Outcome>

test("every call is played", () => {
  expect(CALLS).toHaveLength(40)
  const played = new Set(PLAYS.map(({ call }) => call))
  expect(CALLS.filter((call) => !played.has(call))).toEqual([])
})

test("what is generated is made from the document as it is", async () => {
  // gofmt changes the layout alone, and may be missing.
  const layoutless = (text: string) => text.replaceAll(/\s+/g, "")
  for (const [path, text] of generatedFiles())
    expect([path, layoutless(await Bun.file(join(CLIENTS, path)).text()) === layoutless(text)]).toEqual([
      path,
      true,
    ])
})

/** Plays all calls in order: each one may need what those before it have made. */
async function playAll(player: Player): Promise<void> {
  const saved = new Map<string, string>()
  const filled = <T>(value: T): T =>
    JSON.parse(
      JSON.stringify(value).replaceAll(/"\$(\w+)"/g, (_, name: string) => JSON.stringify(saved.get(name))),
    )
  for (const { save = {}, ok, error, ...asked } of PLAYS) {
    const outcome = await player(filled(asked))
    if (error) expect([asked, outcome]).toEqual([asked, { error }])
    else expect([asked, outcome]).toMatchObject([asked, { ok: ok === undefined ? outcome.ok : filled(ok) }])
    expect([asked, outcome.failed]).toEqual([asked, undefined])
    for (const [name, path] of Object.entries(save)) {
      const value = path
        .split(".")
        .reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], outcome.ok)
      saved.set(name, String(value))
    }
  }
}

/** Plays through a program that reads calls from its input, a line each, and writes their outcomes. */
async function playBy(cmd: string[]): Promise<void> {
  const { app, key } = await openTestApp()
  const child = Bun.spawn({ cmd: [...cmd, app.url, key], stdin: "pipe", stdout: "pipe", stderr: "inherit" })
  const lines = linesOf(child.stdout)
  try {
    await playAll(async (play) => {
      child.stdin.write(`${JSON.stringify(play)}\n`)
      child.stdin.flush()
      const { value, done } = await lines.next()
      if (done) throw new Error("the player ended early")
      return JSON.parse(value)
    })
  } finally {
    child.stdin.end()
    await child.exited
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  let rest = ""
  const decoder = new TextDecoder()
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true })
    for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
      yield rest.slice(0, end)
      rest = rest.slice(end + 1)
    }
  }
}

function build(cmd: string[], cwd: string, env: Record<string, string> = {}): void {
  const { exitCode, stderr } = Bun.spawnSync({ cmd, cwd, env: { ...process.env, ...env } })
  if (exitCode !== 0) throw new Error(`${cmd.join(" ")} failed:\n${stderr}`)
}

describe("forty calls", () => {
  test("in TypeScript", async () => {
    const { app, key } = await openTestApp()
    const client = createLeaddbClient({ baseUrl: app.url, apiKey: key })
    const routes = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        ...{ path, method },
        name: (operation as { operationId?: string }).operationId,
      })),
    )
    await playAll(async ({ call, path = [], query, body }) => {
      if (call === "iterate_leads")
        return { ok: (await Array.fromAsync(client.leads(query))).map(({ name }) => name) }
      const route = routes.find(({ name }) => name === call)!
      const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
      const params = { path: Object.fromEntries(names.map((name, i) => [name, path[i]])), query }
      const init = { params, ...(body && { body }), ...(call === "export_leads" && { parseAs: "text" }) }
      try {
        const ask = client[route.method as "get"] as (path: string, init: object) => Promise<unknown>
        return { ok: (await ask(route.path, init)) ?? null }
      } catch (error) {
        if (!(error instanceof LeaddbError)) throw error
        return { error: { status: error.status, code: error.code } }
      }
    })
  })

  const python = Bun.which("python3")
  test.skipIf(isMissing("the client in Python", python, "install python3"))("in Python", () =>
    playBy([python!, "-B", join(CLIENTS, "python/player.py")]),
  )

  const go = Bun.which("go")
  test.skipIf(isMissing("the client in Go", go, "install golang-go"))("in Go", async () => {
    const player = join(temporaryFolder(), "player")
    build([go!, "build", "-o", player, "./player"], join(CLIENTS, "go"))
    await playBy([player])
  })

  const cargo = Bun.which("cargo")
  const crates = ["/usr/share/cargo/registry"].find((folder) => existsSync(join(folder, "ureq-2.6.2")))
  const noRust = isMissing(
    "the client in Rust",
    cargo && crates,
    "install cargo, librust-ureq-dev and librust-serde-json-dev",
  )
  test.skipIf(noRust)(
    "in Rust, built offline from the crates that Debian has",
    async () => {
      const folder = join(temporaryFolder(), "rust")
      cpSync(join(CLIENTS, "rust"), folder, { recursive: true })
      mkdirSync(join(folder, ".cargo"))
      const source = `[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "${crates}"\n`
      writeFileSync(join(folder, ".cargo/config.toml"), source)
      const cmd = [cargo!, "build", "--offline", "--quiet", "--no-default-features", "--example", "player"]
      build(cmd, folder, { CARGO_PROFILE_DEV_DEBUG: "0", CARGO_INCREMENTAL: "0" })
      await playBy([join(folder, "target/debug/examples/player")])
    },
    COMPILING,
  )
})

describe("webhooks", () => {
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLMSw"
  const body = '{"event":"webhook.test","data":{"text":"ü"}}'
  const signed = (time: number) => {
    const mac = new Bun.CryptoHasher("sha256", Buffer.from(secret.slice(6), "base64"))
    return `v1,${mac.update(`msg_1.${time}.${body}`).digest("base64")}`
  }
  const python = Bun.which("python3")

  test.skipIf(isMissing("webhooks in Python", python, "install python3"))("are verified in Python", () => {
    const now = Math.floor(Date.now() / 1000)
    const verify = (time: number, signature: string, text = body) => {
      const code = `import sys, leaddb
try:
    print(leaddb.verify_webhook(${JSON.stringify(secret)}, {"Webhook-Id": "msg_1", "Webhook-Timestamp": "${time}", "Webhook-Signature": ${JSON.stringify(signature)}}, sys.argv[1])["event"])
except leaddb.WebhookVerificationError as error:
    print(error)`
      const { stdout, stderr } = Bun.spawnSync({
        cmd: [python!, "-B", "-c", code, text],
        cwd: join(CLIENTS, "python"),
      })
      return (stdout.toString() + stderr.toString()).trim()
    }
    expect(verify(now, `v1,AAAA ${signed(now)}`)).toBe("webhook.test")
    expect(verify(now - 900, signed(now - 900))).toContain("more than 300 s off")
    expect(verify(now, signed(now), `${body} `)).toContain("the signature is not of this body")
  })
})
