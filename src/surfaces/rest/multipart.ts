// The file in a form (RFC 7578), read while it comes: the platform's own `formData()` would hold all of it in memory.
import { badRequest } from "../../core/errors.ts"
import { excerpt } from "../../core/text.ts"

const HEADERS_MAX = 16 * 1024
const ONE = "send the file as the only part of the form, and options in the query string"

export interface FilePart {
  bytes: AsyncGenerator<Uint8Array>
  contentType?: string
  fileName?: string
}

/** The boundary in a Content-Type header. Throws `bad_request` when it has none. */
export function boundaryOf(header: string): string {
  const boundary = /boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(header)
  const text = boundary?.[1] ?? boundary?.[2]
  if (!text || text.length > 200) throw badRequest("The form has no boundary in its Content-Type")
  return text
}

/** The first part of a form, which must be the file and the last. Throws `bad_request`. */
export async function filePart(body: AsyncGenerator<Uint8Array>, boundary: string): Promise<FilePart> {
  const opening = Buffer.from(`--${boundary}`)
  let buffer = Buffer.alloc(0)
  let end = -1
  while (end < 0) {
    const next = await body.next()
    if (next.done) throw badRequest(`The form has no part: ${ONE}`)
    buffer = Buffer.concat([buffer, next.value])
    end = buffer.indexOf("\r\n\r\n")
    if (end < 0 && buffer.length > HEADERS_MAX) await refuse(body, "The headers of the form's part never end")
  }
  const start = buffer.indexOf(opening)
  if (start < 0 || start > end) await refuse(body, "The form does not begin with its boundary")
  const headers = buffer.subarray(start + opening.length, end).toString("utf-8")
  const disposition = /^content-disposition:(.{0,2000})/im.exec(headers)?.[1] ?? ""
  const fileName = nameIn(disposition)
  const name = /\bname="([^"]*)"/i.exec(disposition)?.[1] ?? ""
  if (fileName === undefined && name !== "file") {
    await refuse(body, `The form's field "${excerpt(name)}" is not a file: ${ONE}`)
  }
  const contentType = /^content-type:\s*([^\s;]+)/im.exec(headers)?.[1]?.toLowerCase()
  return {
    bytes: untilBoundary(buffer.subarray(end + 4), body, Buffer.from(`\r\n--${boundary}`)),
    ...(contentType !== undefined && { contentType }),
    ...(fileName !== undefined && { fileName }),
  }
}

/** The file name in a Content-Disposition header. */
export function nameIn(header: string): string | undefined {
  const name = /filename="((?:[^"\\]|\\.)*)"/i.exec(header)?.[1] ?? /filename=([^\s;"]+)/i.exec(header)?.[1]
  return name === undefined ? undefined : name.replaceAll(/\\(.)/g, "$1")
}

async function refuse(body: AsyncGenerator<Uint8Array>, message: string): Promise<never> {
  await body.return(undefined)
  throw badRequest(message)
}

async function* untilBoundary(
  first: Buffer,
  body: AsyncGenerator<Uint8Array>,
  boundary: Buffer,
): AsyncGenerator<Uint8Array> {
  let buffer = first
  try {
    for (;;) {
      const at = buffer.indexOf(boundary)
      if (at >= 0) {
        if (at > 0) yield buffer.subarray(0, at)
        await refuseMore(buffer.subarray(at + boundary.length), body)
        return
      }
      // The boundary may have begun in the last bytes.
      const safe = buffer.length - boundary.length
      if (safe > 0) {
        yield buffer.subarray(0, safe)
        buffer = buffer.subarray(safe)
      }
      const next = await body.next()
      if (next.done) throw badRequest("The form ended before its last boundary")
      buffer = Buffer.concat([buffer, next.value])
    }
  } finally {
    await body.return(undefined)
  }
}

/** Throws unless the boundary was the last: `--` follows it. */
async function refuseMore(after: Buffer, body: AsyncGenerator<Uint8Array>): Promise<void> {
  let rest = after
  while (rest.length < 2) {
    const next = await body.next()
    if (next.done) throw badRequest("The form ended before its last boundary")
    rest = Buffer.concat([rest, next.value])
  }
  if (rest.subarray(0, 2).toString() !== "--") throw badRequest(`The form has more than one part: ${ONE}`)
}
