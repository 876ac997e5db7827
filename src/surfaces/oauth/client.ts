import * as v from "valibot"
import { OAuthRefusal } from "./parameters.ts"

// The addresses that answers go back to.

/** An app's own scheme is a domain turned round, `com.example.app:` (RFC 8252, 7.1): no other scheme has a dot. */
const PRIVATE_USE = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=[/?]|$)\/?(.*)$/i

/** Whether a client may register it: https, http on this computer, or an app's own scheme. */
export function isRedirectUri(uri: string): boolean {
  // Browsers read a backslash as a slash, so that the host would be another than it seems.
  if (uri.length > 2_000 || !/^[!-~]+$/.test(uri) || /[\\<>"#]/.test(uri)) return false
  const url = URL.parse(uri)
  if (url?.username !== "" || url.password !== "") return false
  if (url.protocol === "https:") return true
  return url.protocol === "http:" ? LOOPBACK.test(uri) : PRIVATE_USE.test(url.protocol)
}

/** Exact, but for the port on this computer: apps take whichever is free (RFC 8252, 7.3). */
export function matchesRedirect(uri: string, registered: readonly string[]): boolean {
  if (registered.includes(uri)) return true
  const portless = withoutPort(uri)
  return (
    portless !== undefined && isRedirectUri(uri) && registered.some((one) => withoutPort(one) === portless)
  )
}

function withoutPort(uri: string): string | undefined {
  const [, host, rest] = LOOPBACK.exec(uri) ?? []
  return host && `${host.toLowerCase()}/${rest}`
}

/** Whether it leads to an app on the person's own computer. */
export function isLoopback(uri: string): boolean {
  return LOOPBACK.test(uri)
}

/** Where an address leads, as a person may recognise it. */
export function describePlace(uri: string): { place: string; meaning: string } {
  const url = new URL(uri)
  if (isLoopback(uri)) return { place: url.host, meaning: "an app on this computer" }
  if (url.protocol === "https:") return { place: url.host, meaning: "a website" }
  return { place: `${url.protocol}//`, meaning: "the app on this computer that opens such links" }
}

/** The address with the answer in its query. */
export function answerUrl(uri: string, answer: Record<string, string | undefined>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) query.set(name, value)
  return `${uri}${uri.includes("?") ? "&" : "?"}${query}`
}

/** An app that asks to be let in. */
export interface Client {
  id: string
  /** Its own name for itself. */
  name: string
  redirectUris: readonly string[]
  /** The host that vouches for it, when its id is the address of a document there. */
  vouchedBy?: string
}

const NAME_MAX = 100
const URIS_MAX = 50

/** Client metadata (RFC 7591, 2) that is used here. Many clients send null for fields that they leave out. */
const Metadata = v.object({
  redirect_uris: v.pipe(v.array(v.string()), v.maxLength(URIS_MAX)),
  client_name: v.nullish(v.string()),
  grant_types: v.nullish(v.array(v.string())),
  response_types: v.nullish(v.array(v.string())),
  token_endpoint_auth_method: v.nullish(v.string()),
})
export type ClientMetadata = v.InferOutput<typeof Metadata>

/** Checks what a client says of itself; of its redirect addresses those that are allowed are kept. */
export function parseClientMetadata(json: unknown): ClientMetadata | OAuthRefusal {
  const { success, output } = v.safeParse(Metadata, json)
  if (!success) {
    const message = `the metadata must be an object with redirect_uris, a list of at most ${URIS_MAX} addresses`
    return new OAuthRefusal("invalid_client_metadata", message)
  }
  const { grant_types, response_types } = output
  if (grant_types && !grant_types.includes("authorization_code")) {
    return new OAuthRefusal("invalid_client_metadata", "grant_types must include authorization_code")
  }
  if (response_types && !response_types.includes("code")) {
    return new OAuthRefusal("invalid_client_metadata", "response_types must include code")
  }
  const redirect_uris = output.redirect_uris.filter(isRedirectUri)
  if (redirect_uris.length === 0) {
    const allowed =
      "https, http on localhost, 127.0.0.1 or [::1], or the app's own scheme with a dot (com.example.app:), without fragment"
    return new OAuthRefusal("invalid_redirect_uri", `none of redirect_uris is allowed: use ${allowed}`)
  }
  return { ...output, redirect_uris }
}

/** A name that shows what it is: nothing invisible, nothing that turns the direction of the text. */
export function cleanName(name: string | null | undefined, fallback: string): string {
  const clean = (name ?? "")
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
    .replace(/\s+/gu, " ")
    .trim()
  return (clean.length > NAME_MAX ? `${clean.slice(0, NAME_MAX - 1).toWellFormed()}…` : clean) || fallback
}
