// Apart from what answers there, so that naming a path does not load the tool server.
export const MCP_PATH = "/mcp"
export const SSE_PATH = "/sse"
export const MESSAGES_PATH = "/messages"
