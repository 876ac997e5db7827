import { systemClock } from "../../runtime/clock.ts"
import { type AppError, badRequest } from "../../runtime/errors.ts"
import { createEventLoop } from "../../runtime/event-loop.ts"

/** Bytes of a body that takes a millisecond or more to be read as JSON. */
const LARGE = 64 * 1024

const { nextMacrotask } = createEventLoop(systemClock)

/**
 * The bytes of a request's body. Large bodies come one in a turn of the event loop, since reading what is in them holds the
 * thread: small requests are answered between them, however many were sent at once. Throws what `tooLarge` makes for more
 * than `most`, and `bad_request` for a body that breaks off.
 */
export async function readBody(
  request: Request,
  most: number,
  tooLarge: () => AppError,
): Promise<Uint8Array<ArrayBuffer>> {
  const announced = Number(request.headers.get("content-length") ?? Number.NaN)
  if (announced > most) throw tooLarge()
  const body = announced >= 0 ? request.bytes() : readChunks(request, most)
  // The connection is gone, so this error is not sent; it keeps the case from being logged as a defect.
  const bytes = await body.catch(() => {
    throw badRequest("The body ended before it was complete")
  })
  if (bytes === undefined) throw tooLarge()
  if (bytes.length >= LARGE) await nextMacrotask()
  return bytes
}

/** Undefined for more than `most`. */
async function readChunks(request: Request, most: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    // Too much is read to its end all the same, so that the client reads the answer: see `discard` in listen.ts.
    if (size <= most) chunks.push(chunk)
  }
  return size > most ? undefined : Buffer.concat(chunks)
}
