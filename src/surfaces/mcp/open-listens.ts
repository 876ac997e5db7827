// Subscriptions over streamable HTTP: each is a stream of events that stays open until its client goes away.
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server"
import { beginListening, type Listening, type ListenRequest } from "./listen.ts"
import { messageStream } from "./message-stream.ts"
import type { KnownVisit, Mcp } from "./visit.ts"

export interface OpenListens {
  /** The stream of a subscription, or the error that it cannot begin with. */
  open(visit: KnownVisit, request: ListenRequest): Promise<Response>
  /** Ends all streams with their closing message. */
  close(): void
}

export function createOpenListens(mcp: Mcp): OpenListens {
  const open = new Set<AbortController>()

  return {
    async open(visit, request) {
      const { id } = request
      try {
        const listening = await beginListening(mcp, visit, request)
        const end = new AbortController()
        open.add(end)
        return streamOf(listening, end, (failed) => {
          open.delete(end)
          if (failed !== undefined) mcp.log.error("A subscription failed", {}, failed)
        })
      } catch (thrown) {
        if (!(thrown instanceof ProtocolError)) throw thrown
        const { code, message, data } = thrown
        const error = { code, message, ...(data !== undefined && { data }) }
        // What a client lacks is a mistake in its request (SEP-2575).
        const status = code === ProtocolErrorCode.MissingRequiredClientCapability ? 400 : 200
        return Response.json({ jsonrpc: "2.0", id, error }, { status })
      }
    },
    close() {
      for (const end of open) end.abort()
    },
  }
}

function streamOf(
  { acknowledged, follow }: Listening,
  end: AbortController,
  over: (failed?: unknown) => void,
): Response {
  const { response, tell: send, end: close } = messageStream(() => end.abort())
  const tell = (message: object) => send(JSON.stringify(message))
  tell(acknowledged)
  void follow(tell, end.signal)
    .then((last) => {
      tell(last)
      over()
    }, over)
    .finally(close)
  return response
}
