import type { Random } from "../../seed/random.ts"

/** A redirect URI that somebody might take for another. */
export function mutated(uri: string, random: Random): string {
  const at = random.between(0, uri.length)
  const odd = () =>
    random.pick(["/", ".", "@", "\\", "%2e", "%00", "#", "?", "x", ":", "//", "..", ";", "\t", "ü", "%2f"])
  const changed = random.pick([
    () => uri.slice(0, at) + odd() + uri.slice(at),
    () => uri + odd() + random.pick(["", "evil.example", "callback", ".."]),
    () =>
      uri.replace(
        "localhost",
        random.pick([
          "localhost.evil.example",
          "evil.example",
          "127.0.0.1",
          "0.0.0.0",
          "[::1]",
          "localhost@evil.example",
          "evil.example\\@localhost",
          "LOCALHOST.",
          "xn--localhost",
        ]),
      ),
    () =>
      uri.replace(
        "http:",
        random.pick(["https:", "javascript:", "data:", "file:", "ftp:", "", "http:/", "HTTP:x"]),
      ),
    () =>
      uri.replace(
        "/callback",
        random.pick([
          "/Callback",
          "/callback/",
          "/call%62ack",
          "/./callback",
          "/x/../callback",
          "",
          "/callback;x",
        ]),
      ),
  ])()
  // A port of one's own is allowed on loopback (RFC 8252, 7.3), and so is what says the same in other letters.
  const isSame =
    URL.parse(changed)?.href.replace(/:\d+\//, "/") === uri && !/[\\\t#?]|\.\.|\/\.\/|%/.test(changed)
  return isSame ? `${uri}/x` : changed
}
