// A raw API key: `ldb_`, 32 random base62 characters, 6 check characters. The check tells a
// mistyped key from a revoked one without asking the database, and lets secret scanners be sure.
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const RANDOM_LENGTH = 32
const CHECK_LENGTH = 6

/** How much of a key is shown in lists: enough to recognise it. */
export const PREFIX_LENGTH = 12

export function newApiKey(): string {
  let random = ""
  while (random.length < RANDOM_LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(64))) {
      // 248 is the largest multiple of 62 in a byte: every character is equally likely.
      if (byte < 248 && random.length < RANDOM_LENGTH) random += ALPHABET[byte % 62]
    }
  }
  return `ldb_${random}${check(random)}`
}

/** False for a text that cannot be a key. */
export function looksLikeApiKey(key: string): boolean {
  const body = /^ldb_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/.exec(key)
  return body !== null && check(body[1]!) === body[2]
}

/** The SHA-256 of a raw key, the only form that is kept. */
export function hashApiKey(key: string): Uint8Array {
  return Bun.SHA256.hash(key) as Uint8Array
}

/** The CRC-32 of the random part in base62. */
function check(random: string): string {
  let rest = Bun.hash.crc32(random)
  let text = ""
  for (let i = 0; i < CHECK_LENGTH; i++) {
    text = ALPHABET[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}
