import { parseLoginCode } from "../../access/login-code.ts"
import type { Role } from "../../access/roles.ts"
import { checkLoginCode } from "../../domain/access/login-codes.ts"
import { AppError } from "../../runtime/errors.ts"
import type { OAuth, SignInVisit } from "./parts.ts"

/** Tries of one code from one place: others behind the same address go on. */
const LOGIN_CODE_TRIES_PER_TEN_MINUTES = 10
/** Tries of any code from one place: each is a write. */
const LOGIN_TRIES_PER_TEN_MINUTES = 300

/** The rights that a person has proved. */
export interface Signer {
  account: number
  /** The most that it can pass on. */
  role: Role
  /** The key that signed in, and when that ends; what it grants ends with it. */
  keyId: string | null
  expiresAt: number | null
  /** The one-time code that signed in, still to be used up. */
  selector?: string
}

/** Why a sign-in was refused, for the page, with the status of the answer. */
interface NotSignedIn {
  problem: string
  status: 400 | 403 | 429
  headers?: Readonly<Record<string, string>>
}

/** Signs in with an account key or a one-time code, whichever was typed. */
export async function signIn(
  oauth: OAuth,
  visit: SignInVisit,
  typed: string | undefined,
): Promise<Signer | NotSignedIn> {
  const text = typed?.trim() ?? ""
  if (text === "") return { status: 400, problem: "Enter an API key or a one-time code." }
  if (text.startsWith("ldb_")) return byKey(oauth, visit, text)
  if (parseLoginCode(text)) return byLoginCode(oauth, visit, text)
  return { status: 400, problem: "This is neither an API key nor a one-time code." }
}

async function byKey({ auth }: OAuth, { address }: SignInVisit, key: string): Promise<Signer | NotSignedIn> {
  try {
    const { account, key: row } = await auth.identify({ key, headers: new Headers(), address })
    const { id: keyId, role, expires_at: expiresAt, segment } = row
    if (segment !== null)
      return { status: 403, problem: "This API key is bound to a segment: send it as the bearer token." }
    return { account: account.key, role, keyId, expiresAt }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    const { headers } = thrown
    if (thrown.kind === "rate_limit_exceeded") return { status: 429, problem: `${thrown.message}.`, headers }
    return { status: 403, problem: `${thrown.message}.` }
  }
}

async function byLoginCode(
  { services, limits }: OAuth,
  { address, now }: SignInVisit,
  typed: string,
): Promise<Signer | NotSignedIn> {
  // Taken before it is looked at: a right guess must not get past the limit either.
  const ofCode = await limits.loginCodes.take(
    `${address} ${parseLoginCode(typed)?.selector}`,
    LOGIN_CODE_TRIES_PER_TEN_MINUTES,
  )
  const { allowed, headers } = ofCode.allowed
    ? await limits.loginCodes.take(address, LOGIN_TRIES_PER_TEN_MINUTES)
    : ofCode
  if (!allowed) {
    const minutes = Math.ceil(Number(headers["Retry-After"]) / 60)
    return { status: 429, problem: `Too many one-time codes were tried. Wait ${minutes} min.`, headers }
  }
  const login = await checkLoginCode(services.store, typed, now)
  if (!login)
    return { status: 403, problem: "This code is wrong, used or older than 10 minutes. Make a new one." }
  const { account, role, selector } = login
  return { account, role, keyId: null, expiresAt: null, selector }
}
