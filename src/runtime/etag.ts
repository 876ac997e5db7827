// Entity tags (RFC 9110, 8.8.3): a tag changes with the text that it stands for.

/** Of a tag in a header: whether it is weak, and its text without the coding in which the answer was sent. */
const TAG = /^\s*(W\/)?"([\x21\x23-\x7e]*?)(?:-(?:gzip|zstd))?"\s*$/

/** The tag of a JSON text or its UTF-8, without quotes. */
export function tagOf(text: string | Uint8Array): string {
  return Bun.hash(text).toString(36)
}

/**
 * True when the value of `If-Match` or `If-None-Match` names this tag, or `*`. By the `strong` comparison weak tags name
 * nothing.
 */
export function namesTag(header: string, tag: string, comparison: "strong" | "weak"): boolean {
  if (header.trim() === "*") return true
  return header.split(",", 100).some((part) => {
    const [, weak, named] = TAG.exec(part) ?? []
    return named === tag && (weak === undefined || comparison === "weak")
  })
}
