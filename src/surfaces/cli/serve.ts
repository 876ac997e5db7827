import { OPTIONS, toConfig, unknownSettings } from "../../config.ts"
import { createLog } from "../../core/log.ts"
import { command } from "./command.ts"
import { greeting, greetingEvent } from "./greeting.ts"

export const serve = command({
  name: "serve",
  about: "Start the REST API and the MCP server (the default)",
  options: OPTIONS,
  examples: ["leaddb serve --host 0.0.0.0 --public-url https://leads.example.com"],
  async run(io, values) {
    const config = toConfig(values)
    for (const warning of unknownSettings(io.env)) io.err(`leaddb: warning: ${warning}\n`)
    const stop = io.stopRequested()
    const { openApp } = await io.program()
    const app = await openApp(config, createLog(config.log, io.log))
    io.out(config.log === "json" ? greetingEvent(app) : greeting(app, config.file))
    await stop
    await app.stop()
    if (config.log === "json") createLog("json", io.log).info("stopped")
    return 0
  },
})
