import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { createLog, type Log } from "../../runtime/log.ts"
import { command, type Io, json, type Started } from "./command.ts"
import { type Config, isLoopbackHost, OPTIONS, toConfig, unknownSettings } from "./config.ts"
import { VERSION } from "./help.ts"

type Running = Started & { stop(): Promise<void> }

export const serve = command({
  name: "serve",
  about: "Start the REST API and the MCP server (the default)",
  options: OPTIONS,
  examples: ["leaddb serve --host 0.0.0.0 --public-url https://leads.example.com"],
  async run(values, _, io) {
    let config = toConfig(values)
    for (const warning of unknownSettings(io.env)) io.err(`leaddb: warning: ${warning}\n`)
    const stop = io.stopRequested().then(() => "stop" as const)
    const log = createLog(config.log, io.log)
    const canSwitch = isLeftToTheDashboard(config)
    if (canSwitch && existsSync(choiceFile(config))) config = toConfig({ ...values, lan: true })
    let { app, chosen } = await start(io, config, log, canSwitch)
    io.out(config.log === "json" ? greetingEvent(app) : greeting(app, config.file, io.isTerminal.out))
    for (;;) {
      const next = await Promise.race([stop, chosen])
      await app.stop()
      if (next === "stop") break
      // The same ports: pages that are open find the service again.
      const ports = { port: portOf(app.url), mcpPort: portOf(app.mcpUrl) }
      const wanted = toConfig({ ...values, ...ports, lan: next })
      const before = { ...config, ...ports }
      const started = await start(io, wanted, log, canSwitch).catch((error: Error) => {
        log.error(
          "the service cannot listen where it was told to, and listens where it did before",
          {},
          error,
        )
        return undefined
      })
      if (started) keepChoice(wanted, next)
      config = started ? wanted : before
      ;({ app, chosen } = started ?? (await start(io, config, log, canSwitch)))
      log.info("listens again", { addresses: app.network.join(" ") || "this machine alone" })
    }
    if (config.log === "json") log.info("stopped")
    return 0
  },
})

/** Opens the service; `chosen` resolves when the dashboard asks for another choice of the network. */
async function start(
  io: Io,
  config: Config,
  log: Log,
  canSwitch: boolean,
): Promise<{ app: Running; chosen: Promise<boolean> }> {
  const { openApp } = await io.program()
  let choose: (isOn: boolean) => void = () => {}
  const chosen = new Promise<boolean>((resolve) => {
    choose = resolve
  })
  const lan = canSwitch ? { isOn: !isLoopbackHost(config.host), set: choose } : undefined
  return { app: await openApp(config, log, undefined, lan), chosen }
}

/** Whether nothing in the settings says where the service listens, or that it serves others than its machine's owner. */
function isLeftToTheDashboard(config: Config): boolean {
  const { host, publicUrl, mcpPublicUrl, proxySecret, oidcIssuer, database, workers } = config
  const named = [publicUrl, mcpPublicUrl, proxySecret, oidcIssuer, database]
  const listed = [...config.trustedProxies, ...config.allowedHosts]
  return isLoopbackHost(host) && named.every((one) => one === undefined) && listed.length + workers === 0
}

/** Where the choice is kept: while the file is there, the service listens on the network. */
const choiceFile = ({ file }: Config) => join(dirname(file), "listen-on-lan")

function keepChoice(config: Config, isOn: boolean): void {
  if (!isOn) {
    rmSync(choiceFile(config), { force: true })
    return
  }
  mkdirSync(dirname(config.file), { recursive: true })
  writeFileSync(
    choiceFile(config),
    "The dashboard was told to listen on the local network. Delete this file to end that.\n",
  )
}

const portOf = (url: string) => Number(new URL(url).port || 80)

// The message that a person sees when the service has started.

/**
 * The dashboard's link first, bold where `isBold` says that a terminal shows it, then the other addresses; on the very
 * first run also the key and what to do with it.
 */
function greeting({ url, mcpUrl, firstKey, appUrl, network }: Started, file: string, isBold = false): string {
  const dashboard = appUrl.includes("#")
    ? [
        "Open the dashboard with this link. It signs you in once, within 10 minutes; leaddb open prints another.\n\n",
        `  ${isBold ? `\x1b[1m${appUrl}\x1b[0m` : appUrl}\n\n`,
      ]
    : [`  Dashboard ${appUrl}\n`]
  const addresses = [
    `${VERSION} is running. Stop it with Ctrl-C.\n\n`,
    ...dashboard,
    ...network.map((origin) => `  Network   ${origin}/app\n`),
    `  REST API  ${url}\n  MCP       ${mcpUrl}\n  Data      ${file}\n`,
  ].join("")
  if (firstKey === undefined) return addresses
  return [
    addresses,
    "\nYour API key, shown only once: keep it now.\n",
    `\n  ${firstKey}\n`,
    "\nCreate a lead:\n\n",
    curl(url, firstKey),
    "\nConnect an AI client, with this entry in its MCP settings:\n\n",
    json(mcpEntry(mcpUrl, firstKey)),
  ].join("")
}

function curl(url: string, key: string): string {
  const lead = JSON.stringify({ name: "Ada Lovelace", source: "curl", email: "ada@example.com" })
  return [
    `curl ${url}/leads \\`,
    `  -H "X-API-Key: ${key}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d '${lead}'\n`,
  ].join("\n")
}

function mcpEntry(url: string, key: string): object {
  return { mcpServers: { leaddb: { type: "http", url, headers: { Authorization: `Bearer ${key}` } } } }
}

/** The greeting as one line of JSON. It is not logged, since it contains the key. */
function greetingEvent({ url, mcpUrl, firstKey }: Started): string {
  const first = firstKey && { api_key: firstKey, api_key_note: "shown only once: keep it now" }
  const event = {
    time: new Date().toISOString(),
    level: "info",
    msg: "started",
    url,
    mcp_url: mcpUrl,
    ...first,
  }
  return `${JSON.stringify(event)}\n`
}
