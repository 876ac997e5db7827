// One-time codes for signing in, created on the machine itself.

import {
  isLinkCode,
  type LoginCode,
  linkText,
  newLinkCode,
  newLoginCode,
  parseLoginCode,
  showLoginCode,
} from "../../access/login-code.ts"
import type { Role } from "../../access/rights.ts"
import type { OAuthLogin, Store } from "../../store/contract/store.ts"

/** Seconds for which a code is valid. */
export const LOGIN_CODE_LIFETIME = 600
/** A slow hash of about 30 ms: with a fast one, 40 bits could be searched while the code is valid. */
const HASH = { algorithm: "argon2id", memoryCost: 12_288, timeCost: 3 } as const
/** Wrong attempts after which a code is void. */
const TRIES = 5

/** Creates a code for an account. The code is only in this answer; times are Unix seconds. */
export async function issueLoginCode(
  store: Store,
  { account, role }: { account: number; role: Role },
  now: number,
): Promise<{ code: string; expires_at: number }> {
  const expires_at = now + LOGIN_CODE_LIFETIME
  for (;;) {
    const code = newLoginCode()
    const hash = await Bun.password.hash(code.secret, HASH)
    const login = { selector: code.selector, account, hash, role, expires_at }
    const isNew = await store.writeAcross((tx) => tx.oauth.insertLogin(login, TRIES, now))
    if (isNew) return { code: showLoginCode(code), expires_at }
  }
}

/**
 * Like `issueLoginCode`, for a link to the dashboard: returns at once, since the link is printed while the code is
 * stored.
 */
export function issueLinkCode(
  store: Store,
  { account, role }: { account: number; role: Role },
  now: number,
): { code: string; kept: Promise<void> } {
  const code = newLinkCode()
  const expires_at = now + LOGIN_CODE_LIFETIME
  const login = { selector: code.selector, account, hash: fastHash(code), role, expires_at }
  const kept = store.writeAcross((tx) => tx.oauth.insertLogin(login, TRIES, now)).then(() => {})
  return { code: linkText(code), kept }
}

function fastHash({ secret }: LoginCode): string {
  return `sha256:${new Bun.CryptoHasher("sha256").update(secret).digest("hex")}`
}

/**
 * The login of a typed code; undefined for a wrong code, which costs the login an attempt. Valid once: the
 * transaction that uses it must also succeed in `removeLogin`.
 */
export async function checkLoginCode(
  store: Store,
  typed: string,
  now: number,
): Promise<OAuthLogin | undefined> {
  const code = parseLoginCode(typed)
  if (!code) return undefined
  const login = await store.writeAcross((tx) => tx.oauth.tryLogin(code.selector, now))
  if (!login) return undefined
  if (isLinkCode(code)) return fastHash(code) === login.hash ? login : undefined
  return (await Bun.password.verify(code.secret, login.hash)) ? login : undefined
}
