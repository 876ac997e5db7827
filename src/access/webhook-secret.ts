const STANDARD = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/

/** True for a secret of that form that lacks the padding of its base64: no library decodes it. */
export function lacksPadding(secret: string): boolean {
  return /^whsec_[A-Za-z0-9+/]+=*$/.test(secret) && !STANDARD.test(secret)
}

/**
 * The bytes of a secret `whsec_<base64>`, which libraries of Standard Webhooks take as it is; undefined for any other,
 * and for a rest that is empty or lacks its padding, which none of them decodes.
 */
export function standardSecret(secret: string): Uint8Array | undefined {
  const [, encoded] = STANDARD.exec(secret) ?? []
  return encoded ? Buffer.from(encoded, "base64") : undefined
}
