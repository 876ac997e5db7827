// Subscriptions over streamable HTTP: each is a stream of events that stays open until its client goes away.
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server"
import { beginListening, type Listening, type ListenRequest } from "./listen.ts"
import type { KnownVisit, Mcp } from "./visit.ts"

const KEEP_ALIVE_MS = 15_000
/** Bytes that may wait for a client that does not read. */
const WAITING_MAX = 1024 * 1024

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
  let beat: Timer | undefined
  let isGone = false
  const stream = new ReadableStream<Uint8Array>(
    {
      async start(controller) {
        const write = (text: string) => {
          if (isGone) return
          controller.enqueue(Buffer.from(text))
          if ((controller.desiredSize ?? 1) <= 0) end.abort()
        }
        const tell = (message: object) => write(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
        tell(acknowledged)
        beat = setInterval(() => write(": keepalive\n\n"), KEEP_ALIVE_MS)
        // Not awaited: a stream is read from once its start is over.
        void follow(tell, end.signal)
          .then(
            (last) => {
              tell(last)
              over()
            },
            (failed) => over(failed),
          )
          .finally(() => {
            clearInterval(beat)
            if (!isGone) controller.close()
          })
      },
      cancel() {
        isGone = true
        clearInterval(beat)
        end.abort()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: WAITING_MAX }),
  )
  return new Response(stream, {
    headers: {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-cache, no-transform",
      "X-Accel-Buffering": "no",
    },
  })
}
