// Answers that go on as a stream of events.
import { EVENT_STREAM } from "../http/request.ts"

const KEEP_ALIVE_MS = 15_000

export interface EventStream {
  response: Response
  /** Sends a message of the protocol. */
  tell(message: object): void
  end(): void
}

/**
 * `gone` is called when the client goes away, or when so many bytes wait for one that does not read; `opening` is sent before
 * all messages.
 */
export function eventStream(gone: () => void, waitingMax: number, opening = ""): EventStream {
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
        if (opening !== "") write(opening)
      },
      cancel() {
        stop()
        gone()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: waitingMax }),
  )
  return {
    response: new Response(body, { headers: EVENT_STREAM }),
    tell: (message) => write(`event: message\ndata: ${JSON.stringify(message)}\n\n`),
    end() {
      controller?.close()
      stop()
    },
  }
}
