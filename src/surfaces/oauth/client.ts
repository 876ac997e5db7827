import * as v from "valibot"
import { isRedirectUri } from "./redirects.ts"
import { type OAuthRefusal, oauthRefusal } from "./refusal.ts"

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
    return oauthRefusal("invalid_client_metadata", message)
  }
  const { grant_types, response_types } = output
  if (grant_types && !grant_types.includes("authorization_code")) {
    return oauthRefusal("invalid_client_metadata", "grant_types must include authorization_code")
  }
  if (response_types && !response_types.includes("code")) {
    return oauthRefusal("invalid_client_metadata", "response_types must include code")
  }
  const redirect_uris = output.redirect_uris.filter(isRedirectUri)
  if (redirect_uris.length === 0) {
    const allowed =
      "https, http on localhost, 127.0.0.1 or [::1], or the app's own scheme with a dot (com.example.app:), without fragment"
    return oauthRefusal("invalid_redirect_uri", `none of redirect_uris is allowed: use ${allowed}`)
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
