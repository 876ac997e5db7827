// The language of a page: the one that a person chose, else the first that their browser asks for.
const COOKIE = /(?:^|;\s*)leaddb-language=([a-z]{2})(?:;|$)/

/** English, or one of the others that there are. */
export function languageOf(headers: Headers, others: readonly string[]): string {
  const known = ["en", ...others]
  const chosen = COOKIE.exec(headers.get("cookie") ?? "")?.[1] ?? ""
  if (known.includes(chosen)) return chosen
  return wanted(headers.get("accept-language") ?? "").find((code) => known.includes(code)) ?? "en"
}

/** The languages of an Accept-Language header, the most wanted first. */
function wanted(header: string): string[] {
  return header
    .split(",")
    .slice(0, 20)
    .map((part) => {
      const [name = "", ...more] = part.trim().toLowerCase().split(";")
      const quality = more.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find(Boolean)
      return { code: name.split("-")[0]!, quality: Number(quality ?? 1) }
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ code }) => code)
}
