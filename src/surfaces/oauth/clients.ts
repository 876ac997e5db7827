// Finds the client that an id stands for, and registers new ones.
import { type Client, type ClientMetadata, cleanName, parseClientMetadata } from "./client.ts"
import { isDocumentUrl, type LoadedClient } from "./client-documents.ts"
import { NO_STORE, OAuthRefusal, parseJson, readBytes } from "./parameters.ts"
import type { OAuth, SignInVisit } from "./parts.ts"

const BODY_MAX = 16 * 1024
const REGISTRATIONS_PER_HOUR = 20
const DOCUMENTS_PER_TEN_MINUTES = 30
const CLIENTS_MAX = 10_000
const HOUR = 3_600
const DAY = 24 * HOUR
/** Seconds that a registration lasts: until the first sign-in with it, and from then on. */
const LIFETIME = { unused: DAY, used: 90 * DAY }

const UNKNOWN =
  "This app is not registered here, or no longer: registrations end when nobody signs in for 90 days. " +
  "Remove the connection in the app and add it anew."

export async function findClient(
  { services, documents, limits, log }: OAuth,
  visit: SignInVisit,
  id: string,
): Promise<LoadedClient> {
  if (!isDocumentUrl(id)) {
    const row = await services.store.read.oauth.findClient(id, visit.now)
    if (!row) return { problem: UNKNOWN }
    return { client: { id, name: row.name, redirectUris: row.redirect_uris } }
  }
  const mayFetch = async () => (await limits.documents.take(visit.address, DOCUMENTS_PER_TEN_MINUTES)).allowed
  const loaded = await documents.load(id, mayFetch)
  if ("client" in loaded) return loaded
  log.info("a client's metadata document is of no use", { url: id, problem: loaded.detail ?? loaded.problem })
  return { problem: `The app says that it is described at ${id}, and that is of no use: ${loaded.problem}.` }
}

/** Whether the token endpoint need not turn this client away. What a document says was checked before its code. */
export async function isKnownClient({ services }: OAuth, id: string, now: number): Promise<boolean> {
  return isDocumentUrl(id) || (await services.store.read.oauth.findClient(id, now)) !== undefined
}

/** When a registration ends that was used for a sign-in just now. */
export function usedUntil(now: number): number {
  return now + LIFETIME.used
}

/** Registers a client (RFC 7591). It gets no secret: what it is sent goes to its own address only. */
export async function register(
  { services, limits }: OAuth,
  { request, address, now }: SignInVisit,
): Promise<Response> {
  const { allowed, headers } = await limits.registrations.take(address, REGISTRATIONS_PER_HOUR)
  const wait = { "Retry-After": headers["Retry-After"] ?? "60" }
  if (!allowed) throw new OAuthRefusal("too_many_requests", "too many registrations; try again later", wait)
  const body = new TextDecoder().decode(await readBytes(request, BODY_MAX))
  const metadata = parseClientMetadata(parseJson(body))
  if (metadata instanceof OAuthRefusal) throw metadata
  const client = newClient(metadata)
  const row = { id: client.id, name: client.name, redirect_uris: [...client.redirectUris], created_at: now }
  const isSaved = await services.store.writeAcross((tx) =>
    tx.oauth.insertClient({ ...row, expires_at: now + LIFETIME.unused }, CLIENTS_MAX),
  )
  if (!isSaved) throw new OAuthRefusal("temporarily_unavailable", "too many clients are registered here")
  return Response.json(registered(client, now), { status: 201, headers: NO_STORE })
}

function newClient({ client_name, redirect_uris }: ClientMetadata): Client {
  return { id: crypto.randomUUID(), name: cleanName(client_name, "MCP client"), redirectUris: redirect_uris }
}

function registered({ id, name, redirectUris }: Client, now: number): object {
  return {
    client_id: id,
    client_id_issued_at: now,
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ["authorization_code"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  }
}
