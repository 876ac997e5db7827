import type { CallToolResult } from "@modelcontextprotocol/server"
import { AppError } from "../../core/errors.ts"
import { type Download, FileLink, JsonText } from "../../core/json-text.ts"
import type { Answer } from "../../domain/operation.ts"
import { type ToolError, toolError } from "./errors.ts"
import { ANSWER_BYTES, fitted } from "./fit.ts"
import type { Splices } from "./splices.ts"

/** Bytes of an export that an answer to a client may carry; REST streams any size. */
const EXPORT_MAX = 16 * 1024 * 1024
/** Bytes of a file that goes along with the answer that tells of it. */
const SMALL = 8 * 1024

/** Arguments of a call that its answer depends on. */
interface Called {
  id?: unknown
  cursor?: unknown
}

/**
 * The result of a call: `{data}` as text and as structured content, cut where it would not fit, with a link
 * for an export. `splices` takes JSON that is text already, where the transport can put it in as it is.
 */
export async function toolResult(
  answer: Answer,
  input: Called,
  splices: Splices | undefined,
): Promise<CallToolResult> {
  if (answer instanceof FileLink) return linkResult(answer)
  if (answer instanceof JsonText) {
    // No character of the text takes more than three bytes.
    const isSmall = answer.text.length * 3 <= ANSWER_BYTES || Buffer.byteLength(answer.text) <= ANSWER_BYTES
    if (!isSmall) return dataResult(JSON.parse(answer.text), input)
    const text = `{"data":${answer.text}}`
    if (!splices) return result(text, JSON.parse(text))
    return result(splices.hold(JSON.stringify(text)), { data: splices.hold(answer.text) })
  }
  return dataResult(answer === undefined ? { id: input.id, deleted: true } : answer, input)
}

/** An answer without `data` around it. */
export function bareResult(answer: Answer): CallToolResult {
  const { data } = fitted(answer)
  return result(JSON.stringify(data), data as Record<string, unknown>)
}

function dataResult(whole: object, { cursor }: Called): CallToolResult {
  const { data, shown, message } = fitted(whole)
  const before = typeof cursor === "string" ? Number(cursor) : 0
  const structured = {
    data,
    ...(shown !== undefined && Number.isInteger(before) && { next_cursor: String(before + shown) }),
    ...(message !== undefined && { message }),
  }
  return result(JSON.stringify(structured), structured)
}

/** `{error}`, marked as an error. */
export function errorResult(error: AppError): CallToolResult {
  const structured: { error: ToolError } = { error: toolError(error) }
  return { ...result(JSON.stringify(structured), structured), isError: true }
}

function result(text: string, structuredContent: Record<string, unknown>): CallToolResult {
  return { content: [{ type: "text", text }], structuredContent }
}

/** The data about a file, a link to it, and the file itself where it is small. */
async function linkResult({ data, uri, fileName, contentType, open }: FileLink): Promise<CallToolResult> {
  const { content, structuredContent } = result(JSON.stringify({ data }), { data })
  const small = await readAll((await open()).stream, SMALL)
  const link = { type: "resource_link", uri, name: fileName, mimeType: contentType } as const
  const embedded = small ? [{ type: "resource", resource: contentsOf(uri, contentType, small) } as const] : []
  return { content: [...content, ...embedded, link], structuredContent }
}

/** A file as a client reads it: text as text, anything else as a blob. Throws `too_large`. */
export async function fileContents(uri: string, { contentType, stream }: Download) {
  const bytes = await readAll(stream, EXPORT_MAX)
  if (!bytes) throw tooLarge()
  return contentsOf(uri, contentType.split(";", 1)[0]!, bytes)
}

function contentsOf(uri: string, mimeType: string, bytes: Buffer) {
  const isText = mimeType.startsWith("text/") || mimeType === "application/json"
  return isText
    ? { uri, mimeType, text: bytes.toString("utf8") }
    : { uri, mimeType, blob: bytes.toString("base64") }
}

/** Undefined for a stream of more than so many bytes, which is then read no further. */
async function readAll(stream: ReadableStream<Uint8Array>, most: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > most) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLarge(): AppError {
  return new AppError(
    "too_large",
    `The export is larger than ${EXPORT_MAX / 1024 / 1024} MiB: add filters, or download it from its url`,
  )
}
