import type { CallToolResult } from "@modelcontextprotocol/server"
import { AppError } from "../../core/errors.ts"
import { type Download, FileLink, JsonText } from "../../core/json-text.ts"
import { isObject } from "../../core/parse.ts"
import type { Answer, Operation } from "../../domain/operation.ts"
import type { ApiChapter } from "../../domain/tags.ts"
import { type ToolError, toolError } from "./errors.ts"
import { fitted, isFitting } from "./fit.ts"
import { marked } from "./marks.ts"
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
  operation: Pick<Operation, "tag" | "tool">,
): Promise<CallToolResult> {
  if (answer instanceof FileLink) return linkResult(answer)
  const told = operation.tool?.told
  const body = told && (answer instanceof JsonText ? JSON.parse(answer.text) : answer)
  if (told && isObject(body)) {
    const { data, message } = fitted(body)
    const cut = message !== undefined && { message }
    const text = JSON.stringify({ data: told(data as Record<string, unknown>), ...cut })
    return result(marked(text), { data, ...cut })
  }
  if (answer instanceof JsonText) {
    if (!isFitting(answer.text)) return dataResult(JSON.parse(answer.text), input)
    const text = `{"data":${answer.text}}`
    if (!splices) return result(marked(text), JSON.parse(text))
    return result(splices.hold(JSON.stringify(marked(text))), { data: splices.hold(answer.text) })
  }
  if (answer === undefined) return plainResult({ data: { id: input.id, deleted: true } })
  const isOwn = OWN_TEXTS.has(operation.tag) && !("sample" in answer)
  return dataResult(answer, input, isOwn)
}

/** An answer without `data` around it. */
export function bareResult(answer: Answer): CallToolResult {
  const { data } = fitted(answer)
  return result(JSON.stringify(data), data as Record<string, unknown>)
}

function dataResult(whole: object, { cursor }: Called, isOwn = false): CallToolResult {
  const { data, shown, message } = fitted(whole)
  const before = typeof cursor === "string" ? Number(cursor) : 0
  const structured = {
    data,
    ...(shown !== undefined && Number.isInteger(before) && { next_cursor: String(before + shown) }),
    ...(message !== undefined && { message }),
  }
  return isOwn ? plainResult(structured) : result(marked(JSON.stringify(structured)), structured)
}

/** Chapters whose answers hold texts of the account's own people alone. */
const OWN_TEXTS: ReadonlySet<ApiChapter> = new Set<ApiChapter>(["Scoring", "API keys"])

/** An answer without texts of leads. */
function plainResult(structured: Record<string, unknown>): CallToolResult {
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
  // One address is enough in the text, as the link below has the resource's.
  const { resource: _, ...told } = data as { resource?: string }
  const text = JSON.stringify({ data: "url" in data ? told : data })
  const { content, structuredContent } = result(marked(text), { data })
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
