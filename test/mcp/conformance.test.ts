import { expect, test } from "bun:test"
import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { openTestAccount } from "../support/app.ts"
import { temporaryFolder } from "../support/folder.ts"
import { isMissing } from "../support/missing.ts"

/** The protocol's own conformance runner, where it is installed. */
const RUNNER =
  process.env.MCP_CONFORMANCE ??
  join(import.meta.dir, "../../node_modules/@modelcontextprotocol/conformance/dist/index.js")

/** The runner can send no key: this adds it. Its Host is rewritten on the way, its Origin is not. */
function openProxy(target: string, key: string) {
  return Bun.serve({
    hostname: "localhost",
    port: 0,
    idleTimeout: 0,
    fetch({ url, method, headers: sent, body }) {
      const headers = new Headers(sent)
      headers.set("authorization", `Bearer ${key}`)
      headers.delete("host")
      const { pathname, search } = new URL(url)
      return fetch(new URL(pathname + search, target), { method, headers, body })
    },
  })
}

const isNoRunner = isMissing("conformance to MCP", existsSync(RUNNER), `there is no ${RUNNER}: npm ci`)

test.skipIf(isNoRunner).each(["2026-07-28", "2025-11-25"])(
  "conforms to protocol %s",
  async (revision) => {
    const { app, key } = await openTestAccount()
    const proxy = openProxy(app.mcpUrl, key)
    const home = temporaryFolder()
    const url = `http://localhost:${proxy.port}/mcp`
    const expected = join(import.meta.dir, `conformance/${revision}.yml`)
    const runner = Bun.spawn(
      [
        process.execPath,
        RUNNER,
        "server",
        "--url",
        url,
        "--requirements",
        revision,
        "--expected-failures",
        expected,
      ],
      { cwd: home, env: { HOME: home, PATH: process.env.PATH }, stdout: "pipe", stderr: "pipe" },
    )
    const [out, code] = await Promise.all([new Response(runner.stdout).text(), runner.exited])
    await proxy.stop(true)
    rmSync(home, { recursive: true })
    // The end of the report names what was not expected.
    expect([code, code === 0 ? "" : out.slice(-2_000)]).toEqual([0, ""])
  },
  300_000,
)
