import { version } from "../../../package.json"
import type { FetchedDocument, NoDocument } from "../../runtime/document.ts"
import { type AddressPolicy, type Lookup, resolveTarget, type Target } from "./address-guard.ts"
import {
  fromFetch,
  isNetworkFailure,
  networkFailure,
  startDeadline,
  unlessAborted,
} from "./network-failure.ts"

/** Only public addresses, whatever webhooks may reach: who names these documents is not signed in. */
const PUBLIC_ONLY: AddressPolicy = { allowPrivate: false, allowCidrs: [], ownPorts: [] }

/** Limits of the document that a client's id points to (draft-ietf-oauth-client-id-metadata-document, MCP). */
const BYTES_MAX = 5 * 1024
const WITHIN_MS = 10_000

interface DocumentOptions {
  policy?: AddressPolicy
  /** Instead of the system's resolver. */
  lookup?: Lookup
  /** For everything, from the lookup to the last byte. */
  timeoutMs?: number
  /** PEM of the only authorities to trust, instead of the system's. */
  ca?: string
}

/**
 * Fetches a JSON document over https from an address that the policy allows, public ones if none is given: at most
 * 5 KiB within 10 seconds, redirects not followed, proxies ignored. Only a defect throws.
 */
export async function fetchDocument(
  url: string,
  options: DocumentOptions = {},
): Promise<FetchedDocument | NoDocument> {
  if (URL.parse(url)?.protocol !== "https:") return { ok: false, reason: "it is not an https URL" }
  const deadline = startDeadline(options.timeoutMs ?? WITHIN_MS)
  try {
    const { policy = PUBLIC_ONLY, lookup } = options
    const target = await unlessAborted(resolveTarget(url, policy, lookup), deadline.signal)
    if (!target.ok) return target
    return await read(await get(target, options, deadline.signal))
  } catch (thrown) {
    const failure = fromFetch(thrown)
    if (isNetworkFailure(failure)) return { ok: false, reason: failure.message }
    throw failure
  } finally {
    deadline.end()
  }
}

/** Asks one address after the other until one answers. */
async function get(
  { url, addresses }: Target,
  options: DocumentOptions,
  signal: AbortSignal,
): Promise<Response> {
  const serverName = url.hostname.replace(/\.$/, "")
  const { ca } = options
  const headers = {
    Host: url.host,
    Accept: "application/json",
    "Accept-Encoding": "identity",
    "User-Agent": `leaddb/${version}`,
  }
  const tls = { rejectUnauthorized: true, serverName, ...(ca !== undefined && { ca }) }
  for (const [i, { address, family }] of addresses.entries()) {
    const pinned = new URL(url)
    pinned.hostname = family === 6 ? `[${address}]` : address
    try {
      return await fetch(pinned, {
        headers,
        tls,
        redirect: "manual",
        proxy: false,
        decompress: false,
        signal,
      })
    } catch (thrown) {
      const failure = fromFetch(thrown)
      if (!isNetworkFailure(failure) || !failure.again || i === addresses.length - 1) throw failure
    }
  }
  throw networkFailure("host not found")
}

async function read(response: Response): Promise<FetchedDocument | NoDocument> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    // Leaving the loop cancels the rest.
    if (size > BYTES_MAX) return { ok: false, reason: `it is larger than ${BYTES_MAX / 1024} KiB` }
    chunks.push(chunk)
  }
  const { status, headers } = response
  return {
    ok: true,
    status,
    contentType: headers.get("content-type") ?? "",
    cacheControl: headers.get("cache-control") ?? "",
    text: new TextDecoder().decode(Buffer.concat(chunks)),
  }
}
