// Reads posts to forms: JSON, or a browser's form without files.

import type { Posted } from "../../domain/forms/fields.ts"
import { isObject } from "../../lead/parse.ts"
import { AppError, badRequest } from "../../runtime/errors.ts"
import { parseHolding } from "../../text/json-text.ts"
import { mediaType, readBody } from "../http/request.ts"

/** Bytes of a post. */
export const POST_BYTES_MAX = 64 * 1024

/** How a post came: scripts send JSON and are answered so, browsers are shown pages. */
interface ReadPost {
  posted: Posted
  isJson: boolean
}

export function isFormPost(headers: Headers): boolean {
  const type = mediaType(headers)
  return type === "application/x-www-form-urlencoded" || type === "multipart/form-data"
}

/**
 * Reads a post of at most 64 KiB. Of a name that a browser sends again the last value counts, of one in `lists` all do.
 * Throws `bad_request` and `too_large`.
 */
export async function readPost(request: Request, lists: ReadonlySet<string>): Promise<ReadPost> {
  const { headers } = request
  const bytes = await readBody(request, POST_BYTES_MAX, tooLarge)
  if (isFormPost(headers)) return { posted: await formParts(bytes, headers, lists), isJson: false }
  let body: unknown
  try {
    body = parseHolding(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  } catch (error) {
    if (error instanceof AppError) throw error
    throw badRequest(
      "The body is not valid JSON: send JSON with Content-Type: application/json, or a form as browsers do",
    )
  }
  if (!isObject(body)) throw badRequest("The body must be a JSON object with the form's fields")
  return { posted: body, isJson: true }
}

async function formParts(
  bytes: Uint8Array<ArrayBuffer>,
  headers: Headers,
  lists: ReadonlySet<string>,
): Promise<Posted> {
  if (mediaType(headers) === "application/x-www-form-urlencoded")
    return collected(new URLSearchParams(new TextDecoder().decode(bytes)), lists)
  const type = headers.get("content-type") ?? ""
  const parts = await new Response(bytes, { headers: { "Content-Type": type } }).formData().catch(() => {
    throw badRequest("The form is not valid multipart/form-data")
  })
  const all = [...parts].map(([name, value]) => {
    if (typeof value === "string") return [name, value] as const
    if (value.size > 0) throw badRequest(`This form takes no files: ${name} is one`)
    return [name, ""] as const
  })
  return collected(all, lists)
}

function collected(parts: Iterable<readonly [string, string]>, lists: ReadonlySet<string>): Posted {
  const all = new Map<string, string | string[]>()
  for (const [name, value] of parts)
    all.set(name, lists.has(name) ? [all.get(name) ?? [], value].flat() : value)
  return Object.fromEntries(all)
}

function tooLarge(): AppError {
  return new AppError("too_large", `A post to a form is at most ${POST_BYTES_MAX / 1024} KiB`)
}
