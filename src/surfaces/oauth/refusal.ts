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

/** A refusal; the description is for the client's developer. */
export interface OAuthRefusal {
  error: keyof typeof STATUS
  description: string
}

export function oauthRefusal(error: OAuthRefusal["error"], description: string): OAuthRefusal {
  return { error, description }
}

export function isRefusal(value: object): value is OAuthRefusal {
  return "error" in value && "description" in value
}

/** Never kept by anything between us and the client (RFC 6749, 5.1). */
export const NO_STORE = { "Cache-Control": "no-store", Pragma: "no-cache" }

export function refuse({ error, description }: OAuthRefusal, headers: Record<string, string> = {}): Response {
  return Response.json(
    { error, error_description: description },
    { status: STATUS[error], headers: { ...NO_STORE, ...headers } },
  )
}
