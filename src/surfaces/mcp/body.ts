import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server"
import { AppError } from "../../runtime/errors.ts"
import { parseExact } from "../../text/exact-json.ts"
import { readBody } from "../http/body.ts"

/** Bytes of a message: a batch as large as REST takes it, with room for its envelope. */
const MESSAGE_MAX = 8 * 1024 * 1024 + 64 * 1024

const tooLarge = () => new AppError("too_large", "The message is larger than 8 MiB; send less at a time")

interface Body {
  json: unknown
  bytes: number
}

/** The JSON of a posted message. Throws `too_large` and ProtocolError. */
export async function readMessage(request: Request): Promise<Body> {
  const bytes = await readBody(request, MESSAGE_MAX, tooLarge)
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    return { json: parseExact(text), bytes: bytes.length }
  } catch (error) {
    const message = error instanceof AppError ? error.message : "The body is not valid JSON in UTF-8"
    throw new ProtocolError(ProtocolErrorCode.ParseError, message)
  }
}
