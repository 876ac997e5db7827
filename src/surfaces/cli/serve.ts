import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Config, isLoopbackHost, OPTIONS, toConfig, unknownSettings } from "../../core/config.ts"
import { createLog, type Log } from "../../core/log.ts"
import { command, type Io, type Started } from "./command.ts"
import { greeting, greetingEvent } from "./greeting.ts"

type Running = Started & { stop(): Promise<void> }

export const serve = command({
  name: "serve",
  about: "Start the REST API and the MCP server (the default)",
  options: OPTIONS,
  examples: ["leaddb serve --host 0.0.0.0 --public-url https://leads.example.com"],
  async run(io, values) {
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
