// A one-time code for signing in: 12 characters of Crockford's base32, which has no letters that look like digits.
// The first 4 only say which code it is, so that wrong tries can be counted; the other 8 are the secret (40 bits).
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const SELECTOR_LENGTH = 4
const LENGTH = 12

export interface LoginCode {
  selector: string
  secret: string
}

export function newLoginCode(): LoginCode {
  const characters = Array.from(crypto.getRandomValues(new Uint8Array(LENGTH)), (byte) => ALPHABET[byte % 32])
  return split(characters.join(""))
}

/** The code as a person reads it: `K7QM-2XVP-9RTW`. */
export function showLoginCode({ selector, secret }: LoginCode): string {
  return [selector, secret.slice(0, 4), secret.slice(4)].join("-")
}

/** Reads what a person typed: any case, any separators, O for 0, I and L for 1. Undefined when it is no code. */
export function parseLoginCode(text: string): LoginCode | undefined {
  const typed = text.toUpperCase().replace(/[\s\p{Pd}._]/gu, "")
  const read = typed.replaceAll("O", "0").replace(/[IL]/g, "1")
  return read.length === LENGTH && [...read].every((letter) => ALPHABET.includes(letter))
    ? split(read)
    : undefined
}

function split(text: string): LoginCode {
  return { selector: text.slice(0, SELECTOR_LENGTH), secret: text.slice(SELECTOR_LENGTH) }
}
