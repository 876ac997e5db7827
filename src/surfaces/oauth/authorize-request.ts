import { type Client, matchesRedirect } from "./client.ts"
import { findClient } from "./clients.ts"
import { parseResource } from "./origin.ts"
import type { Parameters } from "./parameters.ts"
import type { OAuth, SignInVisit } from "./parts.ts"

/** An authorization request, checked. */
export interface AuthorizeRequest {
  client: Client
  redirectUri: string
  state: string | undefined
  challenge: string
  /** The server that it named, null when it named none. */
  resource: string | null
}

/** A mistake that the client can be told of at its own address. */
export interface AuthorizeMistake {
  client: Client
  redirectUri: string
  state: string | undefined
  error: "invalid_request" | "unsupported_response_type" | "invalid_target"
  description: string
}

/** A mistake that is shown to the person only, since the redirect address is not verified. */
interface Unanswerable {
  problem: string
}

/** Checks an authorization request, who asks and the address for the answer first (RFC 6749, 4.1.2.1). */
export async function parseAuthorize(
  oauth: OAuth,
  visit: SignInVisit,
  sent: Parameters,
): Promise<AuthorizeRequest | AuthorizeMistake | Unanswerable> {
  if (sent.repeated === "client_id" || sent.repeated === "redirect_uri") {
    return { problem: `The app sent ${sent.repeated} more than once.` }
  }
  const clientId = sent.get("client_id")
  if (clientId === undefined) return { problem: "The app did not say which one it is: client_id is missing." }
  const answer = await findClient(oauth, visit, clientId)
  if ("problem" in answer) return answer
  const { client } = answer
  const redirectUri = sent.get("redirect_uri")
  if (redirectUri === undefined || !matchesRedirect(redirectUri, client.redirectUris)) {
    const where =
      redirectUri === undefined ? "nowhere: redirect_uri is missing" : "an address that is not its own"
    return { problem: `${client.name} wants the answer sent to ${where}. Nothing was sent.` }
  }
  return parseRest(sent, { client, redirectUri }, visit.origin)
}

function parseRest(
  sent: Parameters,
  visitor: { client: Client; redirectUri: string },
  origin: string,
): AuthorizeRequest | AuthorizeMistake {
  const state = sent.get("state")
  const answerable = { ...visitor, state: isState(state) ? state : undefined }
  const mistake = (error: AuthorizeMistake["error"], description: string) => ({
    ...answerable,
    error,
    description,
  })
  const problem = requestProblem(sent, state)
  if (problem !== undefined) return mistake("invalid_request", problem)
  if (sent.get("response_type") !== "code")
    return mistake("unsupported_response_type", "response_type must be code")
  const named = sent.get("resource")
  const resource = named === undefined ? null : parseResource(named, origin)
  if (resource === undefined) return mistake("invalid_target", `resource must be ${origin}/mcp`)
  return { ...answerable, challenge: sent.get("code_challenge")!, resource }
}

function requestProblem(sent: Parameters, state: string | undefined): string | undefined {
  if (sent.repeated !== undefined) return "a parameter was sent more than once"
  if (!isState(state)) return "state must be at most 8000 printable ASCII characters"
  if (sent.get("response_type") === undefined) return "response_type is missing"
  const challenge = sent.get("code_challenge")
  if (challenge === undefined) return "code_challenge is missing: PKCE is required"
  // Left out, the method means plain (RFC 7636, 4.3).
  if (sent.get("code_challenge_method") !== "S256") return "code_challenge_method must be S256"
  if (!/^[\w-]{43}$/.test(challenge))
    return "code_challenge must be the base64url of a SHA-256, 43 characters"
  const mode = sent.get("response_mode")
  return mode === undefined || mode === "query" ? undefined : "response_mode must be query"
}

/** RFC 6749, appendix A.5; a form would not carry anything else unchanged. */
function isState(state: string | undefined): boolean {
  return state === undefined || /^[ -~]{1,8000}$/.test(state)
}

/** The parameters by which the same can be asked again. */
export function requestFields(asked: AuthorizeRequest): Record<string, string> {
  const { client, redirectUri, state, challenge, resource } = asked
  const fields = {
    response_type: "code",
    client_id: client.id,
    redirect_uri: redirectUri,
    state,
    code_challenge: challenge,
    code_challenge_method: "S256",
    resource,
  }
  const given = Object.entries(fields).filter(
    (field): field is [string, string] => typeof field[1] === "string",
  )
  return Object.fromEntries(given)
}
