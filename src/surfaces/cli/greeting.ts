// The message that a person sees when the service has started.
import { json } from "./columns.ts"
import type { Started } from "./command.ts"
import { VERSION } from "./help.ts"

/**
 * The dashboard's link first, bold where `isBold` says that a terminal shows it, then the other addresses; on the very
 * first run also the key and what to do with it.
 */
export function greeting(
  { url, mcpUrl, firstKey, appUrl, network }: Started,
  file: string,
  isBold = false,
): string {
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
export function greetingEvent({ url, mcpUrl, firstKey }: Started): string {
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
