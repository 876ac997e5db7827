/** A new secret of 256 bits as text that needs no escaping anywhere. */
export function newSecret(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url", omitPadding: true })
}
