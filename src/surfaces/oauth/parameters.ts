import { AppError } from "../../runtime/errors.ts"
import { parseExact } from "../../text/json-text.ts"
import { mediaType, readBody } from "../http/request.ts"

// Error answers by RFC 6749, 5.2, RFC 7591, 3.2.2 and RFC 8707, 2.

const STATUS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_target: 400,
  invalid_client_metadata: 400,
  invalid_redirect_uri: 400,
  unsupported_grant_type: 400,
  unsupported_token_type: 400,
  temporarily_unavailable: 503,
  too_many_requests: 429,
} as const

/** Never kept by anything between us and the client (RFC 6749, 5.1). */
export const NO_STORE = { "Cache-Control": "no-store", Pragma: "no-cache" }

/** A refusal; the message is for the client's developer. */
export class OAuthRefusal extends Error {
  constructor(
    readonly error: keyof typeof STATUS,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
  }

  toResponse(): Response {
    const { error, message, headers } = this
    return Response.json(
      { error, error_description: message },
      { status: STATUS[error], headers: { ...NO_STORE, ...headers } },
    )
  }
}

const FORM_MAX = 32 * 1024

/** The parameters of a request: each at most once, empty ones left out (RFC 6749, 3.1). */
export interface Parameters {
  get(name: string): string | undefined
  /** A name that was given more than once. */
  repeated: string | undefined
}

export function readParameters(sent: URLSearchParams): Parameters {
  const values = new Map<string, string>()
  let repeated: string | undefined
  for (const [name, value] of sent) {
    if (values.has(name)) repeated ??= name
    values.set(name, value)
  }
  return { get: (name) => values.get(name) || undefined, repeated }
}

/** The fields of a posted form; undefined when the body is none. Throws `too_large`. */
export async function readForm(request: Request): Promise<Parameters | undefined> {
  if (mediaType(request.headers) !== "application/x-www-form-urlencoded") return undefined
  return readParameters(new URLSearchParams(new TextDecoder().decode(await readBytes(request, FORM_MAX))))
}

/** A body of at most `most` bytes. Throws `too_large`. */
export function readBytes(request: Request, most: number): Promise<Uint8Array> {
  return readBody(
    request,
    most,
    () => new AppError("too_large", `The body is larger than ${most / 1024} KiB`),
  )
}

/** The value of a JSON text; undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}
