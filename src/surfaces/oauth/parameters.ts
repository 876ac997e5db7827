import { AppError } from "../../runtime/errors.ts"
import { readBody } from "../http/body.ts"

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
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";")
  if (type.trim().toLowerCase() !== "application/x-www-form-urlencoded") return undefined
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
