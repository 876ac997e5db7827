import type { McpApp } from "./mcp.ts"

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
