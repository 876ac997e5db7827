import * as v from "valibot"
import type { Caller } from "../../domain/operation.ts"
import { systemClock, unixSeconds } from "../../runtime/clock.ts"
import { createLog } from "../../runtime/log.ts"
import type { Store } from "../../store/contract/store.ts"
import { command } from "./command.ts"
import { flag, OPTIONS, option, readOptions, toConfig } from "./config.ts"
import { chooseAccount } from "./database.ts"

export const mcp = command({
  name: "mcp",
  about: "Serve one AI client over standard input and output",
  options: {
    data: OPTIONS.data,
    database: OPTIONS.database,
    apiKey: option(
      "KEY",
      "acts with this key's rights; the account's owner when left out",
      v.optional(v.string()),
      { secret: true, env: "LEADDB_API_KEY" },
    ),
    account: option(
      "ID",
      "without a key, whose leads: an id or name; the only account when left out",
      v.optional(v.string()),
    ),
    toolsets: option(
      "NAMES",
      "more tools: audit, duplicates, imports, search, segments, webhooks, or all",
      v.string(),
      { default: "", env: "LEADDB_TOOLSETS" },
    ),
    tools: option("NAMES", "these tools alone, with commas between them", v.string(), { default: "" }),
    exclude: option("NAMES", "without these tools", v.string(), { default: "" }),
    preset: option("NAME", "safe: no webhooks, no keys, no links", v.string(), { default: "" }),
    guard: option(
      "GUARD",
      "plan: shows what a call would do before it does harm; off: does it at once",
      v.string(),
      { default: "plan" },
    ),
    readOnly: flag("only tools that read"),
    secretKey: OPTIONS.secretKey,
    webhookPrivate: OPTIONS.webhookPrivate,
    webhookAllowCidrs: OPTIONS.webhookAllowCidrs,
  },
  examples: ["claude mcp add leaddb -- leaddb mcp --data ~/leads"],
  async run({ apiKey, account, toolsets, tools, exclude, preset, guard, readOnly, ...settings }, _, io) {
    const config = toConfig({ ...readOptions(OPTIONS, {}, {}), ...settings })
    // Standard output belongs to the protocol.
    const log = createLog("pretty", io.err)
    const [{ openParts }, { makeMcp }, { serveStdio }, { operations }, { nameTools, parseView }] =
      await Promise.all([
        io.program(),
        import("../mcp/call.ts"),
        import("../mcp/stdio.ts"),
        import("../../domain/operations/index.ts"),
        import("../mcp/tools.ts"),
      ])
    const view = parseView(nameTools(operations), {
      toolsets: [toolsets],
      tools: [tools],
      exclude: [exclude],
      readOnly: readOnly ? "true" : "",
      preset,
      guard,
    })
    const { store, services, auth, rateLimit, deliver, close } = await openParts(config, log)
    deliver([config.port, config.mcpPort])
    try {
      const withKey = { key: apiKey, headers: new Headers(), address: "stdio" }
      const owner = apiKey === undefined ? await ownerOf(store, account) : undefined
      const callerOf = async () => owner ?? auth.authenticate(withKey)
      await callerOf()
      const pipes = { input: io.input(), output: io.out }
      const served = serveStdio(makeMcp({ services, operations, rateLimit, log }), callerOf, pipes, view)
      await Promise.race([served, io.stopRequested()])
      return 0
    } finally {
      await close()
    }
  },
})

/** The owner of an account: access to the file gives all rights. The very first run makes an account. */
async function ownerOf(store: Store, named: string | undefined): Promise<Caller> {
  if (named === undefined && (await store.read.accounts.list()).length === 0) await makeAccount(store)
  const account = await chooseAccount(store.read.accounts, named)
  return { account, keyId: "local", role: "owner", actorId: "local" }
}

async function makeAccount(store: Store): Promise<void> {
  const created_at = unixSeconds(systemClock.now())
  await store.writeAcross(async (tx) => {
    if ((await tx.accounts.list()).length > 0) return
    await tx.accounts.insert({ id: tx.newId("acc_"), name: "default", plan: "enterprise", created_at })
  })
}
