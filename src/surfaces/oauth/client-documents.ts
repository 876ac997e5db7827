// Clients whose id is the address of a document about them (draft-ietf-oauth-client-id-metadata-document).

import type { Clock } from "../../runtime/clock.ts"
import type { FetchDocument, FetchedDocument } from "../../runtime/document.ts"
import { type Client, cleanName, parseClientMetadata } from "./client.ts"
import { OAuthRefusal, parseJson } from "./parameters.ts"

/** Milliseconds that a document is kept: what its host allows, within these. */
const KEEP = { least: 60_000, normally: 300_000, most: 600_000 }
const KEPT_MAX = 200

/** `detail` is for our own log: it tells of the network that we stand in. */
export type LoadedClient = { client: Client } | { problem: string; detail?: string }

export interface ClientDocuments {
  /** The client that a document describes. `mayFetch` is asked before anything leaves the machine. */
  load(clientId: string, mayFetch: () => Promise<boolean>): Promise<LoadedClient>
}

/** Whether a client id is such an address: https, with a path, nothing hidden in it. */
export function isDocumentUrl(clientId: string): boolean {
  const url = URL.parse(clientId)
  // Only in the one way that URLs are written, or two ids could mean one document.
  if (url?.protocol !== "https:" || url.href !== clientId) return false
  return url.pathname !== "/" && url.username === "" && url.password === "" && !clientId.includes("#")
}

export function createClientDocuments(fetchDocument: FetchDocument, clock: Clock): ClientDocuments {
  const loaded = new Map<string, { client: Client; until: number }>()
  const coming = new Map<string, Promise<LoadedClient>>()

  async function fetchClient(clientId: string): Promise<LoadedClient> {
    const fetched = await fetchDocument(clientId)
    if (!fetched.ok) return { problem: "it could not be fetched", detail: fetched.reason }
    const read = readDocument(clientId, fetched)
    if ("client" in read) keep(clientId, read.client, lifetime(fetched.cacheControl))
    return read
  }

  function keep(clientId: string, client: Client, milliseconds: number): void {
    if (loaded.size >= KEPT_MAX) loaded.delete(loaded.keys().next().value!)
    loaded.set(clientId, { client, until: clock.monotonic() + milliseconds })
  }

  async function load(clientId: string, mayFetch: () => Promise<boolean>): Promise<LoadedClient> {
    const cached = loaded.get(clientId)
    if (cached && cached.until > clock.monotonic()) return { client: cached.client }
    const underWay = coming.get(clientId)
    if (underWay) return underWay
    if (!(await mayFetch())) return { problem: "too many such addresses were asked for; wait a little" }
    const fetching = fetchClient(clientId).finally(() => coming.delete(clientId))
    coming.set(clientId, fetching)
    return fetching
  }

  return { load }
}

function readDocument(clientId: string, { status, contentType, text }: FetchedDocument): LoadedClient {
  if (status !== 200) return { problem: `its host answered ${status}` }
  if (!/^application\/([\w.-]+\+)?json\b/i.test(contentType)) return { problem: "it is not JSON" }
  const json = parseJson(text)
  const isObject = typeof json === "object" && json !== null
  if (!isObject || !("client_id" in json) || json.client_id !== clientId) {
    return { problem: "its client_id is not its own address" }
  }
  if ("client_secret" in json) return { problem: "it holds a secret" }
  const metadata = parseClientMetadata(json)
  if (metadata instanceof OAuthRefusal) return { problem: metadata.message }
  // A secret that is not shared with us cannot be checked (draft, 4).
  if (metadata.token_endpoint_auth_method?.startsWith("client_secret"))
    return { problem: "it relies on a secret" }
  const { host } = new URL(clientId)
  const { redirect_uris, client_name } = metadata
  return {
    client: {
      id: clientId,
      name: cleanName(client_name, host),
      redirectUris: redirect_uris,
      vouchedBy: host,
    },
  }
}

function lifetime(cacheControl: string): number {
  if (/no-store|no-cache/i.test(cacheControl)) return KEEP.least
  const [, seconds] = /max-age=(\d{1,9})/i.exec(cacheControl) ?? []
  if (seconds === undefined) return KEEP.normally
  return Math.min(KEEP.most, Math.max(KEEP.least, Number(seconds) * 1000))
}
