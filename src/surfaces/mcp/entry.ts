// What is known of the tool server before it is loaded: its paths, its name, and how its first request loads it.
import { version } from "../../../package.json"
import type { RestBindings } from "../ops/observer.ts"

/** The server's name, title and version. */
export const INFO = {
  name: "leaddb",
  title: "leaddb",
  version,
}

/** The beginning of a segment's address as a resource. */
export const SEGMENT_URI = "segments://"

export const MCP_PATH = "/mcp"
export const SSE_PATH = "/sse"
export const MESSAGES_PATH = "/messages"

/** The tool server as its port asks it. */
export interface McpApp {
  fetch(request: Request, bindings: RestBindings): Response | Promise<Response>
  /** Ends the streams that are open, which would keep a listener from stopping. */
  close(): Promise<void>
}

/**
 * A tool server that its first request loads: the SDK would be a quarter of every start and 10 MB, and who uses the
 * REST API alone never needs it.
 */
export function mcpOnDemand(load: () => Promise<McpApp>): McpApp {
  let app: McpApp | undefined
  let loading: Promise<McpApp> | undefined
  async function loaded(): Promise<McpApp> {
    loading ??= load()
    app = await loading
    return app
  }
  return {
    fetch(request, bindings) {
      return app ? app.fetch(request, bindings) : loaded().then(({ fetch }) => fetch(request, bindings))
    },
    close: async () => (await loading?.catch(() => undefined))?.close(),
  }
}
