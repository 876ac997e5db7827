import * as v from "valibot"
import { badRequest } from "../../runtime/errors.ts"
import { command } from "./command.ts"
import { flag, OPTIONS } from "./config.ts"

/** Milliseconds to wait for the answer. */
const PATIENCE_MS = 5_000

const Answer = v.object({ status: v.string(), reasons: v.optional(v.array(v.string()), []) })

export const health = command({
  name: "health",
  about: "Ask a running service whether it can do its work; exits 1 when not",
  options: {
    host: OPTIONS.host,
    port: OPTIONS.port,
    json: flag("print one JSON document"),
  },
  examples: ["leaddb health --port 9000"],
  async run({ host, port, json: isForPrograms }, _, io) {
    if (port === 0) throw badRequest("--port must be the one that the service listens on, not 0")
    const url = `http://${reachable(host)}:${port}/readyz`
    const { ok, reasons } = await ask(url)
    if (!ok && !isForPrograms) io.err(`leaddb: ${url}: ${reasons.join("; ")}\n`)
    return { json: { url, ok, reasons }, text: ok ? `${url}: ready\n` : "", exitCode: ok ? 0 : 1 }
  },
})

/** An address that means "every one of this machine" is asked at its loopback. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1"
  if (/^[0:]+$/.test(host)) return "[::1]"
  return host.includes(":") ? `[${host}]` : host
}

interface Health {
  ok: boolean
  /** Why not. */
  reasons: string[]
}

async function ask(url: string): Promise<Health> {
  try {
    // The service is here: a proxy that the environment names has nothing to do with it.
    const response = await fetch(url, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      proxy: false,
      redirect: "manual",
    })
    const { output, success } = v.safeParse(Answer, await response.json().catch(() => undefined))
    if (!success || !["ready", "not_ready"].includes(output.status)) {
      return { ok: false, reasons: [`what answers there is not leaddb (status ${response.status})`] }
    }
    return { ok: response.status === 200, reasons: output.reasons }
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === "TimeoutError"
    return {
      ok: false,
      reasons: [isTimeout ? `no answer within ${PATIENCE_MS / 1000} s` : "nothing listens there"],
    }
  }
}
