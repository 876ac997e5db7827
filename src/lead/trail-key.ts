// The API key of a change as the trail keeps it: with a mark where the dashboard's proxy named the actor.

/** No id of a key ends so. */
export const BY_PROXY = "/proxy"

/** What the trail keeps of the key of a caller. */
export const trailKey = ({ keyId, isProxied }: { keyId: string; isProxied?: true }): string =>
  isProxied ? keyId + BY_PROXY : keyId

/** The key of a kept text, and whether the proxy named the actor. */
export function fromTrailKey(text: string): { keyId: string; isProxied?: true } {
  return text.endsWith(BY_PROXY)
    ? { keyId: text.slice(0, -BY_PROXY.length), isProxied: true }
    : { keyId: text }
}

/** The texts under which changes with a key are kept. */
export const trailKeysOf = (keyId: string): [string, string] => [keyId, keyId + BY_PROXY]
