// Clients of others, as pinned in scripts/mcp-clients, do with the tools what agents do. docs/ai-clients.md has their table.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { dependencies } from "../../scripts/mcp-clients/package.json" with { type: "json" }
import tools from "../golden/tools.json" with { type: "json" }
import { canceller } from "../mcp/cancelled.ts"
import { startTestApp, type TestApp } from "../support/app.ts"
import { environmentOf } from "../support/database.ts"
import { temporaryFolder } from "../support/folder.ts"
import { isMissing } from "../support/missing.ts"
import { PROGRAM } from "../support/service.ts"

const FOLDER = join(import.meta.dir, "../../scripts/mcp-clients")

interface Client {
  /** What a call's answer is to whoever asked; `inner` is `data` without its frame. */
  passes: "text and structure" | "text" | "inner"
  /** Passes questions on to its user; a client that does not gets a plan. */
  asks: boolean
  /** Throws errors of tools, with their texts. */
  throws?: true
  /** Calls listed tools alone. */
  onlyListed?: true
}

const CLIENTS: Record<string, Client> = {
  "SDK 1": { passes: "text and structure", asks: true },
  "SDK 1, stdio": { passes: "text and structure", asks: true },
  "SDK 2, 2025-11-25": { passes: "text and structure", asks: true },
  "SDK 2, 2026-07-28": { passes: "text and structure", asks: true },
  "SDK 2, 2026-07-28, stdio": { passes: "text and structure", asks: true },
  "mcp-remote": { passes: "text and structure", asks: true },
  mcporter: { passes: "inner", asks: false },
  "AI SDK": { passes: "text", asks: true, onlyListed: true },
  LangChain: { passes: "text", asks: false, throws: true, onlyListed: true },
  "OpenAI Agents": { passes: "text", asks: false, onlyListed: true },
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into, of whatever shape
type Data = any

/** What a player writes about a job. */
interface Outcome {
  id: number
  tools?: string[]
  texts?: string[]
  structure?: object
  inner?: object
  thrown?: string
}

/** A client at work. */
interface Player {
  tools(): Promise<string[]>
  /** The data of a call's answer, or its error, after what the client passes on was compared with the table. */
  call(name: string, args: object): Promise<{ data?: Data; error?: Data }>
  /** Begins a call; returns what cancels it. */
  begin(name: string, args: object): () => void
  /** Questions that its user was asked. */
  asked: string[]
  close(): Promise<void>
}

async function openPlayer(name: string, { app, key, config }: TestApp): Promise<Player> {
  const folder = temporaryFolder()
  const child = Bun.spawn([Bun.which("node")!, join(FOLDER, "player.js"), name], {
    stdio: ["pipe", "pipe", "inherit"],
  })
  const say = (line: object) => {
    child.stdin.write(`${JSON.stringify(line)}\n`)
    child.stdin.flush()
  }
  const waiting = new Map<number, PromiseWithResolvers<Outcome>>()
  const asked: string[] = []
  async function listen(): Promise<void> {
    let rest = ""
    for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + part).split("\n")
      rest = lines.pop()!
      for (const line of lines.map((text) => JSON.parse(text)))
        if (line.asked) asked.push(line.asked)
        else waiting.get(line.id)?.resolve(line)
    }
    for (const { reject } of waiting.values()) reject(new Error(`${name} ended`))
  }
  const heard = listen()
  let jobs = 0
  function begin(job: object): { id: number; outcome: Promise<Outcome> } {
    const id = ++jobs
    const outcome = Promise.withResolvers<Outcome>()
    outcome.promise.catch(() => undefined)
    waiting.set(id, outcome)
    say({ id, ...job })
    return { id, outcome: outcome.promise }
  }
  say({
    ...{ folder, url: `${app.mcpUrl}?guard=plan`, headers: { Authorization: `Bearer ${key}` } },
    stdio: {
      command: PROGRAM[0],
      args: [...PROGRAM.slice(1), "mcp", "--data", config.data],
      env: { ...(await environmentOf(config.data)), LEADDB_API_KEY: key },
    },
  })
  return {
    asked,
    async tools() {
      return (await begin({ list: true }).outcome).tools ?? []
    },
    async call(tool, args) {
      return read(CLIENTS[name]!, await begin({ call: tool, args }).outcome)
    },
    begin(tool, args) {
      const { id } = begin({ call: tool, args })
      return () => say({ cancel: id })
    },
    async close() {
      child.stdin.end()
      await child.exited
      await heard
      rmSync(folder, { recursive: true })
    },
  }
}

/** Reads what a client passed on, which has to be of the form that the table says. */
function read(client: Client, { id: _, thrown, ...passed }: Outcome): { data?: Data; error?: Data } {
  if (thrown !== undefined) {
    if (!client.throws) throw new Error(thrown)
    return JSON.parse(thrown.slice(thrown.indexOf("{")))
  }
  const { texts, structure, inner } = passed
  if (client.passes === "inner") {
    expect(Object.keys(passed)).toEqual(["inner"])
    return inner && "error" in inner ? inner : { data: inner }
  }
  expect(Object.keys(passed)).toEqual(client.passes === "text" ? ["texts"] : ["texts", "structure"])
  const said = JSON.parse(texts![0]!)
  if (structure) expect(said).toEqual(structure)
  return said
}

const NAME = 'Zoë "東京" Ōno\n\u2028'

/** What each client does, in this order: later jobs need the lead of `writes`. */
const JOBS: Record<string, (player: Player, use: Use) => Promise<void>> = {
  async lists({ tools: list }) {
    expect((await list()).toSorted()).toEqual(tools.map(({ name }) => name).toSorted())
  },
  async writes({ call }, use) {
    const { data } = await call("create_lead", { name: NAME, source: use.source, tags: ["a"], rating: 4.5 })
    expect(data).toMatchObject({ name: NAME.trim(), status: "new", rating: 4.5 })
    use.lead = data.id
    const changed = await call("update_lead", { id: use.lead, status: "contacted", add_tags: ["b"] })
    expect(changed.data).toMatchObject({ status: "contacted", tags: ["a", "b"] })
  },
  async reads({ call }, { source, lead }) {
    const { data } = await call("get_lead", { id: lead })
    expect(data).toMatchObject({ id: lead, name: NAME.trim(), status: "contacted" })
    const listed = await call("list_leads", { filter: [`and.eq.source.${source}`], fields: ["name"] })
    expect(listed.data).toMatchObject({ count: 1, leads: [{ id: lead, name: NAME.trim() }] })
  },
  async errs({ call }, { lead }) {
    const { error } = await call("update_lead", { id: lead, email: "no address" })
    expect(error).toMatchObject({ code: "VALIDATION_ERROR", status: 400 })
    expect(error.message).toStartWith("email must")
    expect((await call("get_lead", { id: "cl_nothing" })).error.code).toBe("RESOURCE_NOT_FOUND")
  },
  async finds({ call }, { onlyListed }) {
    const found = call("find_tool", { query: "rename a tag" })
    if (onlyListed) return expect(found).rejects.toThrow()
    const { data } = await found
    expect(JSON.stringify(data)).toContain("batch_update_leads")
    const used = await call("use_tool", { name: "list_members", arguments: {} })
    expect(used.data).toEqual([])
  },
  async asks(player, { source, lead, asks }) {
    const remove = { filter: [`and.eq.source.${source}`], confirm: true }
    const args = asks ? remove : await planned(player, "batch_delete_leads", remove)
    expect((await player.call("batch_delete_leads", args)).data).toMatchObject({ matched: 1, success: 1 })
    expect(player.asked).toEqual(asks ? [expect.stringContaining("Batch delete leads: 1 in all")] : [])
    expect((await player.call("get_lead", { id: lead })).error.code).toBe("RESOURCE_NOT_FOUND")
  },
  async cancels(player, { asks, cancelled }) {
    await cancelled(async ({ name, arguments: args }) =>
      player.begin(name, asks ? args : await planned(player, name, args)),
    )
  },
}

/** The arguments of a call with its plan, which a client gets that cannot ask. */
async function planned({ call }: Player, name: string, args: object): Promise<object> {
  const { plan } = (await call(name, args)).data
  expect(plan).toStartWith("pl_")
  return { ...args, plan }
}

/** What the jobs of a client share. */
interface Use {
  source: string
  lead: string
  asks: boolean
  onlyListed: boolean
  cancelled: ReturnType<typeof canceller>
}

const areThere = existsSync(join(FOLDER, "node_modules/mcporter/package.json"))
const skipped = isMissing("pinned clients of tools", areThere, "npm ci --prefix scripts/mcp-clients")

test("the table in the guide names the versions that are pinned", async () => {
  const guide = await Bun.file(join(import.meta.dir, "../../docs/ai-clients.md")).text()
  const named = [...guide.matchAll(/^\| `([^`]+)` \| ([\d.]+) \|/gm)].map(([, name, version]) => [
    name,
    version,
  ])
  expect(Object.fromEntries(named)).toEqual(dependencies)
})

describe.skipIf(skipped)("a client of tools", () => {
  let service: TestApp
  let cancelled: ReturnType<typeof canceller>
  beforeAll(async () => {
    service = await startTestApp()
    cancelled = canceller(service)
  })
  afterAll(() => service.close())

  describe.each(Object.entries(CLIENTS))("%s", (name, { asks, onlyListed = false }) => {
    let player: Player
    let use: Use
    beforeAll(async () => {
      player = await openPlayer(name, service)
      use = { source: `matrix ${name}`, lead: "", asks, onlyListed, cancelled }
    })
    afterAll(() => player.close())

    test.each(Object.entries(JOBS))("%s", (_, job) => job(player, use))
  })
})
