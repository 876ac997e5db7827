// The clients in all languages play one table of calls against the running service.
import { describe, expect, test } from "bun:test"
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { CALLS } from "../../scripts/clients/model.ts"
import { generatedFiles } from "../../scripts/clients.ts"
import {
  createLeaddbClient,
  LeaddbError,
  verifyWebhook,
  WebhookVerificationError,
} from "../../src/client/index.ts"
import document from "../golden/openapi.json" with { type: "json" }
import { openTestApp, type TestApp } from "../support/app.ts"
import { temporaryFolder } from "../support/folder.ts"
import { isMissing } from "../support/missing.ts"
import { PLAYS, type Play } from "./calls.ts"
import { type Arrived, arrivedFrom, verifications } from "./webhooks.ts"

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

/** Verifies what webhooks receive: what the service sent, and what was made or changed. */
async function verifyAll(player: Player, service: TestApp): Promise<void> {
  for (const { body, ok, failed } of verifications(await arrivedFrom(service))) {
    const outcome = await player({ call: "verify_webhook", body })
    if (failed) expect([body, outcome]).toEqual([body, { failed: expect.stringMatching(failed) }])
    else expect([body, outcome]).toEqual([body, { ok }])
  }
}

/** Plays through a program that reads calls from its input, a line each, and writes their outcomes. */
async function playBy(cmd: string[]): Promise<void> {
  const service = await openTestApp()
  const { app, key } = service
  const child = Bun.spawn({ cmd: [...cmd, app.url, key], stdin: "pipe", stdout: "pipe", stderr: "inherit" })
  const lines = linesOf(child.stdout)
  try {
    const player: Player = async (play) => {
      child.stdin.write(`${JSON.stringify(play)}\n`)
      child.stdin.flush()
      const { value, done } = await lines.next()
      if (done) throw new Error("the player ended early")
      return JSON.parse(value)
    }
    await playAll(player)
    await verifyAll(player, service)
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

describe("forty calls, and events of webhooks", () => {
  test("in TypeScript", async () => {
    const service = await openTestApp()
    const { app, key } = service
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
    await verifyAll(async ({ body }) => {
      const { secret, headers, text } = body as Arrived
      try {
        return { ok: await verifyWebhook(secret, headers, text) }
      } catch (error) {
        if (!(error instanceof WebhookVerificationError)) throw error
        return { failed: error.message }
      }
    }, service)
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
