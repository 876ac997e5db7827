const STANDARD = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/

/**
 * The bytes of a secret `whsec_<base64>`, which libraries of Standard Webhooks take as it is; undefined for any other,
 * and for a rest that is empty or lacks its padding, which none of them decodes.
 */
export function standardSecret(secret: string): Uint8Array | undefined {
  const [, encoded] = STANDARD.exec(secret) ?? []
  return encoded ? Buffer.from(encoded, "base64") : undefined
}
