/** Bytes that are the same for everyone while the service runs. */
interface Fixed {
  plain: Uint8Array<ArrayBuffer>
  packed: Uint8Array<ArrayBuffer>
  tag: string
}

/**
 * Answers with a text that is made at the first request: compressed for those who take it, and 304 for those who
 * have it already.
 */
export function fixedText(
  make: () => string | Promise<string>,
  headers: Readonly<Record<string, string>>,
): (request: Request) => Promise<Response> {
  let fixed: Fixed | undefined
  return async ({ headers: asked }) => {
    fixed ??= fix(await make())
    const isPacked = /\bgzip\b/.test(asked.get("accept-encoding") ?? "")
    const all: Record<string, string> = {
      "Cache-Control": "no-cache",
      ETag: isPacked ? `"${fixed.tag}-gzip"` : `"${fixed.tag}"`,
      Vary: "Accept-Encoding",
      ...headers,
    }
    if (asked.get("if-none-match")?.includes(all.ETag!))
      return new Response(null, { status: 304, headers: all })
    if (isPacked) all["Content-Encoding"] = "gzip"
    return new Response(isPacked ? fixed.packed : fixed.plain, { headers: all })
  }
}

function fix(text: string): Fixed {
  const plain = new TextEncoder().encode(text)
  const tag = new Bun.CryptoHasher("sha256").update(plain).digest("hex").slice(0, 16)
  return { plain, packed: Bun.gzipSync(plain, { level: 9 }), tag }
}
