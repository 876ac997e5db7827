import type { CallToolResult } from "@modelcontextprotocol/server"
import { AppError } from "../../core/errors.ts"
import { Download, JsonText } from "../../core/json-text.ts"
import type { Answer } from "../../core/operation.ts"
import { type ToolError, toolError } from "./errors.ts"
import type { Splices } from "./splices.ts"

/** Bytes of an export that a tool's answer may carry; REST streams any size. */
const EXPORT_MAX = 16 * 1024 * 1024

/**
 * What a call answers: `{data}` as text and the same as structured content, with a file beside it for an export.
 * `splices` takes JSON that is text already, where the transport can put it in as it is.
 */
export async function toolResult(
  answer: Answer,
  input: { id?: unknown },
  splices: Splices | undefined,
): Promise<CallToolResult> {
  if (answer instanceof Download) return fileResult(answer)
  if (answer instanceof JsonText) {
    const text = `{"data":${answer.text}}`
    if (!splices) return result(text, JSON.parse(text))
    return result(splices.hold(JSON.stringify(text)), { data: splices.hold(answer.text) })
  }
  const structured = { data: answer === undefined ? { id: input.id, deleted: true } : answer }
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

/** The file as an embedded resource: text as text, anything else as a blob. */
async function fileResult({ contentType, fileName, stream }: Download): Promise<CallToolResult> {
  const bytes = await readAll(stream)
  const mimeType = contentType.split(";", 1)[0]!
  const isText = mimeType.startsWith("text/") || mimeType === "application/json"
  const uri = `export://${fileName}`
  const data = {
    file_name: fileName,
    mime_type: mimeType,
    bytes: bytes.length,
    resource: uri,
    message: `All matching leads are in the resource ${uri} of this answer`,
  }
  const base = { uri, mimeType }
  const resource = isText
    ? { ...base, text: bytes.toString("utf8") }
    : { ...base, blob: bytes.toString("base64") }
  const { content, structuredContent } = result(JSON.stringify({ data }), { data })
  return { content: [...content, { type: "resource", resource }], structuredContent }
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > EXPORT_MAX) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLarge(): AppError {
  return new AppError(
    "too_large",
    `The export is larger than ${EXPORT_MAX / 1024 / 1024} MiB: add filters, or download it over REST from GET /leads/export`,
  )
}
