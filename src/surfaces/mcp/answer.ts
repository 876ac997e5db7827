import type { CallToolResult } from "@modelcontextprotocol/server"
import type { Answer, Operation } from "../../domain/operation.ts"
import type { ApiChapter } from "../../domain/tags.ts"
import { isObject } from "../../lead/parse.ts"
import { AppError } from "../../runtime/errors.ts"
import { type Download, FileLink, JsonText } from "../../text/json-text.ts"
import { type Lacks, type ToolError, toolError } from "./errors.ts"
import { fitted, isFitting } from "./fit.ts"
import { markOf } from "./marks.ts"
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
  if (operation.tool?.isSparse && answer !== undefined) {
    const body = answer instanceof JsonText ? JSON.parse(answer.text) : answer
    return dataResult(withoutNulls(body) as object, input)
  }
  if (answer instanceof JsonText) {
    if (!isFitting(answer.text)) return dataResult(JSON.parse(answer.text), input)
    const text = `{"data":${answer.text}}`
    if (!splices) return marked(text, JSON.parse(text))
    return marked(text, { data: splices.hold(answer.text) }, splices.hold(JSON.stringify(text)))
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
  return isOwn ? plainResult(structured) : marked(JSON.stringify(structured), structured)
}

/** Chapters whose answers hold texts of the account's own people alone. */
const OWN_TEXTS: ReadonlySet<ApiChapter> = new Set<ApiChapter>(["Scoring", "API keys"])

/** An answer without texts of leads. */
function plainResult(structured: Record<string, unknown>): CallToolResult {
  return result(JSON.stringify(structured), structured)
}

/** `{error}`, marked as an error. */
export function errorResult(error: AppError, lacks?: Lacks): CallToolResult {
  const structured: { error: ToolError } = { error: toolError(error, lacks) }
  return { ...result(JSON.stringify(structured), structured), isError: true }
}

function result(text: string, structuredContent: Record<string, unknown>): CallToolResult {
  return { content: [{ type: "text", text }], structuredContent }
}

/** An answer whose JSON may hold texts from outside: a block behind it says where. `sent` stands for the text on its way. */
function marked(json: string, structuredContent: Record<string, unknown>, sent = json): CallToolResult {
  const answer = result(sent, structuredContent)
  const mark = markOf(json)
  return mark === undefined
    ? answer
    : { ...answer, content: [...answer.content, { type: "text", text: mark }] }
}

/** Leads in an answer without their fields that are null; in their changes null is a value. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isObject(value)) return value
  const isLead = typeof value.id === "string" && "last_interaction_at" in value
  if (!isLead)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutNulls(one)]))
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null))
}

/** The data about a file, the file itself where it is small, and a link to it. */
async function linkResult({ data, uri, fileName, contentType, open }: FileLink): Promise<CallToolResult> {
  const { content, structuredContent } = marked(JSON.stringify({ data }), { data })
  const [json, ...marks] = content
  const small = await readAll((await open()).stream, SMALL)
  const file = small && ({ type: "resource", resource: contentsOf(uri, contentType, small) } as const)
  const link = { type: "resource_link", uri, name: fileName, mimeType: contentType } as const
  return { content: [json!, ...(file ? [file] : []), ...marks, link], structuredContent }
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
