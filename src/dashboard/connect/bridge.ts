// The program in the bundle for desktop clients. They bring Node along, so that it needs nothing else.

/** Passes lines of JSON-RPC from standard input to LEADDB_MCP_URL, and the answers back. */
export const BRIDGE = `"use strict"
const { env, stdin, stdout } = require("node:process")
const { LEADDB_MCP_URL: url, LEADDB_API_KEY: key } = env
let session, version

function write(message) {
  const agreed = message.result && message.result.protocolVersion
  if (agreed) version = agreed
  stdout.write(JSON.stringify(message) + "\\n")
}

async function pass(line) {
  const { id } = JSON.parse(line)
  try {
    const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" }
    headers.Authorization = "Bearer " + key
    if (session) headers["Mcp-Session-Id"] = session
    if (version) headers["MCP-Protocol-Version"] = version
    const answer = await fetch(url, { method: "POST", headers, body: line })
    session = answer.headers.get("mcp-session-id") || session
    const isStream = (answer.headers.get("content-type") || "").startsWith("text/event-stream")
    const text = await answer.text()
    const parts = isStream ? text.split(/\\r?\\n/).filter((one) => one.startsWith("data:")).map((one) => one.slice(5)) : [text]
    const messages = parts.filter((one) => one.trim() !== "").map((one) => JSON.parse(one))
    if (answer.ok || messages.some((one) => one.jsonrpc)) messages.forEach(write)
    else throw new Error(messages[0] && messages[0].message ? messages[0].message : "leaddb answered " + answer.status)
  } catch (error) {
    if (id !== undefined) write({ jsonrpc: "2.0", id, error: { code: -32000, message: "leaddb at " + url + ": " + error.message } })
  }
}

require("node:readline").createInterface({ input: stdin }).on("line", (line) => {
  if (line.trim() !== "") pass(line)
})
`
