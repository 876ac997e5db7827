// A one-time code for signing in: 12 characters of Crockford's base32, which has no letters that look like digits.
// The first 4 only say which code it is, so that wrong tries can be counted; the other 8 are the secret (40 bits). One
// that nobody types, since it stands in a link, is longer: 8 and 24 characters.
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const SELECTOR_LENGTH = 4
const LENGTH = 12
const LINK_SELECTOR_LENGTH = 8
const LINK_LENGTH = 32

export interface LoginCode {
  selector: string
  secret: string
}

export function newLoginCode(): LoginCode {
  return split(random(LENGTH))
}

/** A code for a link, too long to be guessed from a fast hash. */
export function newLinkCode(): LoginCode {
  return split(random(LINK_LENGTH))
}

/** The code in a link. */
export function linkText({ selector, secret }: LoginCode): string {
  return selector + secret
}

/** Whether a code is one of a link. */
export function isLinkCode({ selector }: LoginCode): boolean {
  return selector.length === LINK_SELECTOR_LENGTH
}

function random(length: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => ALPHABET[byte % 32]).join("")
}

/** The code as a person reads it: `K7QM-2XVP-9RTW`. */
export function showLoginCode({ selector, secret }: LoginCode): string {
  return [selector, secret.slice(0, 4), secret.slice(4)].join("-")
}

/** Reads what a person typed: any case, any separators, O for 0, I and L for 1. Undefined when it is no code. */
export function parseLoginCode(text: string): LoginCode | undefined {
  const typed = text.toUpperCase().replace(/[\s\p{Pd}._]/gu, "")
  const read = typed.replaceAll("O", "0").replace(/[IL]/g, "1")
  const isWhole = read.length === LENGTH || read.length === LINK_LENGTH
  return isWhole && [...read].every((letter) => ALPHABET.includes(letter)) ? split(read) : undefined
}

function split(text: string): LoginCode {
  const length = text.length === LINK_LENGTH ? LINK_SELECTOR_LENGTH : SELECTOR_LENGTH
  return { selector: text.slice(0, length), secret: text.slice(length) }
}
