// Apart from what answers there, so that naming a path does not load the tool server.
import { version } from "../../../package.json"

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
