import { AppError, badRequest } from "../../runtime/errors.ts"
import { Upload } from "../../runtime/upload.ts"
import { excerpt } from "../../text/text.ts"
import { mediaType } from "../http/request.ts"
import { filePart, nameIn } from "./multipart.ts"

/** A body must bring so many bytes in each stretch of so many milliseconds, or come to its end. */
const LEAST = 32 * 1024
const STRETCH_MS = 10_000
/** Milliseconds for the rest of an unwanted body to arrive. */
const REST_MS = 2_000

/** The body of a request as a file: the body itself, or the file in a form. Throws `bad_request` when there is none. */
export async function readUpload(request: Request, most: number): Promise<Upload> {
  const { body } = request
  const type = mediaType(request.headers)
  const coding = request.headers.get("content-encoding")?.trim().toLowerCase()
  if (coding && coding !== "identity")
    throw badRequest(
      `Content-Encoding "${excerpt(coding)}" is not taken: a packed file is sent as it is, without this header`,
    )
  if (!body) throw badRequest("The body is empty: send the file as the body, or as the file of a form")
  const announced = Number(request.headers.get("content-length") ?? Number.NaN)
  if (announced > most) throw tooLarge(most)
  const size = Number.isNaN(announced) ? undefined : announced
  const bytes = bytesOf(body, most, announced)
  if (type !== "multipart/form-data") {
    return new Upload(
      bytes,
      type || undefined,
      nameIn((request.headers.get("content-disposition") ?? "").slice(0, 2_000)),
      undefined,
      size,
    )
  }
  const part = await filePart(bytes, request.headers.get("content-type")!)
  return new Upload(part.bytes, part.contentType, part.fileName, undefined, size)
}

/**
 * The body as it arrives. When its reader has enough, the rest is drained for a little while: a connection that is
 * closed on a client that is still sending takes the answer with it.
 */
async function* bytesOf(
  body: ReadableStream<Uint8Array>,
  most: number,
  announced: number,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  let size = 0
  let isOver = false
  let came = 0
  let left = STRETCH_MS
  try {
    for (;;) {
      // The reader's own time does not count against the sender.
      const began = performance.now()
      const chunk = await readIn(reader, left)
      left -= performance.now() - began
      if (chunk.done) {
        isOver = true
        if (size < announced) throw broken()
        return
      }
      size += chunk.value.length
      if (size > most) throw tooLarge(most)
      came += chunk.value.length
      if (came >= LEAST) [came, left] = [0, STRETCH_MS]
      yield chunk.value
    }
  } catch (error) {
    isOver ||= error instanceof AppError && error.kind === "bad_request"
    throw error
  } finally {
    if (!isOver) await readAway(reader)
  }
}

async function readIn(reader: ReadableStreamDefaultReader<Uint8Array>, patience: number) {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(tooSlow()), patience)
  try {
    return await Promise.race([reader.read().catch(() => Promise.reject(broken())), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

async function readAway(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const end = performance.now() + REST_MS
  try {
    while (!(await readIn(reader, Math.max(1, end - performance.now()))).done)
      if (performance.now() > end) break
  } catch {
    // The client is gone, or too slow.
  }
  await reader.cancel().catch(() => undefined)
}

/** Not sent when the connection is gone; what was read before is kept. */
function broken(): AppError {
  return badRequest("The body ended before it was complete")
}

/** The connection ends with the answer: what still dribbles in is not waited for. */
function tooSlow(): AppError {
  const headers = { Connection: "close" }
  return new AppError("bad_request", "The body came too slowly: less than 32 KiB in 10 s", { headers })
}

function tooLarge(most: number): AppError {
  return new AppError("too_large", `The body is larger than ${most / 1024 ** 3} GiB; send the file in parts`)
}
