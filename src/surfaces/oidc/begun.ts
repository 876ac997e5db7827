// What a browser keeps while a person is at the provider: a signed cookie for the way back alone.
import { timingSafeEqual } from "node:crypto"
import * as v from "valibot"
import type { Visit } from "../../domain/operation.ts"

/** Seconds that a person may take at the provider. */
const LIFETIME_S = 10 * 60
const NAME = "leaddb-oidc"
export const OIDC_PATH = "/oidc"

const Kept = v.strictObject({
  state: v.string(),
  nonce: v.string(),
  verifier: v.string(),
  /** The page of the dashboard that was asked for. */
  to: v.string(),
  /** The secret of the invitation whose link was opened. */
  invite: v.optional(v.string()),
  /** Unix seconds. */
  until: v.number(),
})
type KeptSignIn = v.InferOutput<typeof Kept>

/** The value of Set-Cookie that keeps a begun sign-in. Lax, since the way back is a link of the provider's. */
export function keptCookie(
  secret: Uint8Array,
  begun: Omit<KeptSignIn, "until">,
  { origin }: Visit,
  now: number,
): string {
  const payload = Buffer.from(JSON.stringify({ ...begun, until: now + LIFETIME_S })).toString("base64url")
  return cookie(`${payload}.${signatureOf(secret, payload)}`, LIFETIME_S, origin)
}

/** The value of Set-Cookie that forgets it. */
export const forgottenCookie = ({ origin }: Visit) => cookie("", 0, origin)

function cookie(value: string, seconds: number, origin: string): string {
  const secure = origin.startsWith("https:") ? "; Secure" : ""
  return `${NAME}=${value}; Path=${OIDC_PATH}; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`
}

/** The sign-in that a browser began; undefined for none, an old one, and one that is not of this service. */
export function keptIn(secret: Uint8Array, headers: Headers, now: number): KeptSignIn | undefined {
  const cookies = headers.get("cookie")?.split(";") ?? []
  const found = cookies.map((one) => one.trim()).find((one) => one.startsWith(`${NAME}=`))
  const [payload = "", signature = ""] = found?.slice(NAME.length + 1).split(".") ?? []
  const [sent, expected] = [Buffer.from(signature), Buffer.from(signatureOf(secret, payload))]
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return undefined
  const kept = v.safeParse(Kept, JSON.parse(Buffer.from(payload, "base64url").toString()))
  return kept.success && kept.output.until > now ? kept.output : undefined
}

function signatureOf(secret: Uint8Array, payload: string): string {
  return new Bun.CryptoHasher("sha256", secret).update(`oidc ${payload}`).digest("base64url")
}
