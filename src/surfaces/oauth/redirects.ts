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
