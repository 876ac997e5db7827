// One-time codes for signing in, made by whoever has the machine.

import type { Role } from "../../core/access.ts"
import {
  isLinkCode,
  type LoginCode,
  linkText,
  newLinkCode,
  newLoginCode,
  parseLoginCode,
  showLoginCode,
} from "../../core/login-code.ts"
import type { OAuthLogin, Store } from "../../store/contract/store.ts"

/** Seconds that a code is good for. */
export const LOGIN_CODE_LIFETIME = 600
/** A slow hash: 40 bits would be found out from a fast one while the code is still good. About 30 ms. */
const HASH = { algorithm: "argon2id", memoryCost: 12_288, timeCost: 3 } as const
/** Wrong tries after which a code is worthless. */
const TRIES = 5

/** Makes a code for an account. It is in the answer and nowhere else; times are Unix seconds. */
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

/** Makes a code for a link to the dashboard, as `issueLoginCode`; at once, for one that is printed while it is kept. */
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
 * The login that a typed code stands for; undefined for a wrong one, which costs the login a try. Good once: the
 * transaction that uses it must still win `removeLogin`.
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
