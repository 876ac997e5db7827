/** Seconds by which the time of an attempt may differ from ours. */
const TOLERANCE = 300

/** True for a request that leaddb has signed with this secret over these bytes, a short while ago (Standard Webhooks). */
export async function isSigned(
  secret: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): Promise<boolean> {
  const id = headers["webhook-id"] ?? ""
  const timestamp = headers["webhook-timestamp"] ?? ""
  if (id === "" || !(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE)) return false
  const { subtle } = crypto
  const text = new TextEncoder()
  const key = await subtle.importKey("raw", text.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "verify",
  ])
  const head = text.encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  for (const signature of (headers["webhook-signature"] ?? "").split(" ")) {
    if (!signature.startsWith("v1,")) continue
    const made = Uint8Array.from(atob(signature.slice(3)), (letter) => letter.charCodeAt(0))
    if (await subtle.verify("HMAC", key, made, signed)) return true
  }
  return false
}
