// An answer over streamable HTTP that is a stream of messages.

const KEEP_ALIVE_MS = 15_000
/** Bytes that may wait for a client that does not read. */
const WAITING_MAX = 1024 * 1024

export interface MessageStream {
  response: Response
  /** Sends a message, as JSON. */
  tell(json: string): void
  /** Ends the stream, with a last message where there is one. */
  end(json?: string): void
}

/** `gone` is called when the client goes away or does not read. */
export function messageStream(gone: () => void): MessageStream {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const write = (text: string) => {
    controller?.enqueue(Buffer.from(text))
    if ((controller?.desiredSize ?? 1) <= 0) gone()
  }
  const beat = setInterval(() => write(": keepalive\n\n"), KEEP_ALIVE_MS)
  const stop = () => {
    clearInterval(beat)
    controller = undefined
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start(opened) {
        controller = opened
      },
      cancel() {
        stop()
        gone()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: WAITING_MAX }),
  )
  const tell = (json: string) => write(`event: message\ndata: ${json}\n\n`)
  return {
    response: new Response(body, {
      headers: {
        "Content-Type": "text/event-stream",
        "Cache-Control": "no-cache, no-transform",
        "X-Accel-Buffering": "no",
      },
    }),
    tell,
    end(json) {
      if (json !== undefined) tell(json)
      controller?.close()
      stop()
    },
  }
}
