// The provider of OpenID Connect that people sign in with: discovery, authorization code with PKCE, state and nonce.
import type { Configuration, IDToken } from "openid-client"
import { isObject } from "../../lead/parse.ts"
import { AppError } from "../../runtime/errors.ts"

export interface OidcSettings {
  /** The provider's issuer, such as `https://login.example.com`. */
  issuer: string
  clientId: string
  /** Without one the client is public. */
  clientSecret?: string | undefined
  /** The claim that names the role; dots lead into objects. */
  roleClaim: string
}

/** State that finishes a sign-in; the browser keeps it meanwhile. */
interface BegunSignIn {
  state: string
  nonce: string
  verifier: string
}

export type Claims = Readonly<Record<string, unknown>>

interface OidcProvider {
  /** The address at the provider that begins a sign-in. Throws `unavailable`. */
  begin(redirectUri: string): Promise<{ url: URL; begun: BegunSignIn }>
  /** The checked claims of the person who came back to `url`. Throws `unauthorized` and `unavailable`. */
  finish(url: URL, begun: BegunSignIn): Promise<Claims>
}

const SCOPE = "openid email profile"
const TIMEOUT_S = 10
/** Milliseconds for which the provider's description is used. */
const DESCRIPTION_MS = 60 * 60_000

const library = () => import("openid-client")

export function createOidcProvider(settings: OidcSettings, now: () => number): OidcProvider {
  let known: { at: number; description: Promise<Configuration> } | undefined

  function describe(): Promise<Configuration> {
    if (known && now() - known.at < DESCRIPTION_MS) return known.description
    const description = discover(settings)
    known = { at: now(), description }
    // The next sign-in asks again.
    description.catch(() => (known = undefined))
    return description
  }

  return {
    async begin(redirectUri) {
      const client = await library()
      const config = await reached(describe())
      const begun = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: SCOPE,
        code_challenge: await client.calculatePKCECodeChallenge(begun.verifier),
        code_challenge_method: "S256",
        state: begun.state,
        nonce: begun.nonce,
      })
      return { url, begun }
    },
    async finish(url, { state, nonce, verifier }) {
      const client = await library()
      const config = await reached(describe())
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
      const tokens = await client
        .authorizationCodeGrant(config, url, { ...checks, idTokenExpected: true })
        .catch((error: unknown) => {
          throw refusedBy(error, client)
        })
      const claims = tokens.claims()
      if (!claims) throw refused("it named nobody")
      return { ...(await moreAbout(config, tokens.access_token, claims, settings)), ...claims }
    },
  }
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const client = await library()
  const url = new URL(issuer)
  const auth = clientSecret === undefined ? client.None() : undefined
  // Settings take http for this machine alone.
  const execute = url.protocol === "http:" ? [client.allowInsecureRequests] : []
  return client.discovery(url, clientId, clientSecret, auth, {
    execute: [...execute, client.enableNonRepudiationChecks],
    timeout: TIMEOUT_S,
  })
}

/** Claims that the provider gives only when it is asked: none where it cannot be, as these are no more than the token's. */
async function moreAbout(
  config: Configuration,
  token: string,
  claims: IDToken,
  { roleClaim }: OidcSettings,
): Promise<Claims> {
  const isComplete = claimAt(claims, roleClaim) !== undefined && claims.email !== undefined
  if (isComplete || config.serverMetadata().userinfo_endpoint === undefined) return {}
  const client = await library()
  return reached(client.fetchUserInfo(config, token, claims.sub))
}

/** A claim by its name, or by the names that lead to it with dots between them. */
export function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let found: unknown = claims
  for (const part of name.split(".")) {
    if (!isObject(found) || !Object.hasOwn(found, part)) return undefined
    found = found[part]
  }
  return found
}

async function reached<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (cause) {
    const message = "The sign-in provider did not answer as it should: try again in a moment"
    throw new AppError("unavailable", message, { cause })
  }
}

function refusedBy(error: unknown, client: Awaited<ReturnType<typeof library>>): AppError {
  if (error instanceof client.AuthorizationResponseError)
    return refused(error.error === "access_denied" ? "it was cancelled there" : error.error, error)
  if (error instanceof client.ResponseBodyError) return refused(error.error, error)
  return refused("its answer does not belong to this sign-in, or has expired", error)
}

function refused(reason: string, cause?: unknown): AppError {
  return new AppError("unauthorized", `The provider did not sign you in: ${reason}`, { cause })
}
