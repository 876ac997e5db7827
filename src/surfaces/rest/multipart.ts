// The file in a form (RFC 7578), read while it comes: the platform's own `formData()` would hold all of it in memory.
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { BusboyFileStream, BusboyInstance } from "@fastify/busboy"
import { AppError, badRequest } from "../../runtime/errors.ts"
import { excerpt } from "../../text/text.ts"

const ONE = "send the file as the only part of the form, and options in the query string"

interface FilePart {
  bytes: AsyncGenerator<Uint8Array>
  contentType?: string
  fileName?: string
}

/** The first part of a form, which must be the file and the last. Throws `bad_request`. */
export async function filePart(body: AsyncGenerator<Uint8Array>, contentType: string): Promise<FilePart> {
  const source = Readable.from(body)
  const form = await reader(contentType)
  const part = Promise.withResolvers<FilePart>()
  let file: BusboyFileStream | undefined
  const refuse = (message: string) => source.destroy(badRequest(message))
  form.on("field", (name) =>
    refuse(file ? more() : `The form's field "${excerpt(name)}" is not a file: ${ONE}`),
  )
  form.on("file", (_, stream, fileName, _encoding, type) => {
    // `read` reports problems of the form; a stream without a listener would throw them.
    stream.on("error", () => undefined)
    if (file) return refuse(more())
    file = stream
    part.resolve({
      bytes: bytesOf(stream, read, source),
      ...(type && { contentType: type.toLowerCase() }),
      ...(fileName !== undefined && { fileName }),
    })
  })
  const read = pipeline(source, form).catch((error: unknown) => {
    const failure = asRefusal(error)
    file?.destroy(failure)
    part.reject(failure)
    throw failure
  })
  read.then(
    () => part.reject(badRequest(`The form has no part: ${ONE}`)),
    () => undefined,
  )
  return part.promise
}

function asRefusal(error: unknown): AppError {
  return error instanceof AppError ? error : badRequest("The form ended before its last boundary")
}

const more = () => `The form has more than one part: ${ONE}`

/** Throws `bad_request` where the header names no boundary. */
async function reader(contentType: string): Promise<BusboyInstance> {
  const { default: Busboy } = await import("@fastify/busboy")
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      isPartAFile: (name, _, fileName) => fileName !== undefined || name === "file",
    })
  } catch {
    throw badRequest("The form has no boundary in its Content-Type")
  }
}

async function* bytesOf(
  file: BusboyFileStream,
  read: Promise<void>,
  source: Readable,
): AsyncGenerator<Uint8Array> {
  try {
    yield* file as AsyncIterable<Uint8Array>
    await read
  } catch (error) {
    throw asRefusal(error)
  } finally {
    source.destroy()
  }
}

/** The file name in a Content-Disposition header. */
export function nameIn(header: string): string | undefined {
  const name = /filename="((?:[^"\\]|\\.)*)"/i.exec(header)?.[1] ?? /filename=([^\s;"]+)/i.exec(header)?.[1]
  return name === undefined ? undefined : name.replaceAll(/\\(.)/g, "$1")
}
