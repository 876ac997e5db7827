// Passkeys of members (WebAuthn). Browsers support them on HTTPS and on localhost names, never on bare IP addresses.
import { timingSafeEqual } from "node:crypto"
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server"
import * as v from "valibot"
import { AppError, badRequest } from "../../runtime/errors.ts"
import type { FoundMember, Passkey, Transaction } from "../../store/contract/store.ts"
import type { Context, Visit } from "../operation.ts"

/** Seconds that a person has to touch the device. */
const CHALLENGE_LIFETIME = 300

/** A browser's answer, unchecked: the library validates every part of it. */
export const PasskeyAnswer = v.looseObject({
  id: v.pipe(v.string("must be text"), v.maxLength(2_000, "is too long")),
  rawId: v.string("must be text"),
  type: v.string("must be text"),
  response: v.looseObject({ clientDataJSON: v.string("must be text") }),
})
/** Words for an input `passkey`. */
export const passkeyWords = {
  "passkey.id": "Id of the passkey.",
  "passkey.rawId": "Id of the passkey again.",
  "passkey.type": "`public-key`.",
  "passkey.response.clientDataJSON": "The browser's client data, in base64url.",
  "passkey.response": "The signed data.",
  passkey: "The answer of the browser's passkey, unchanged.",
}
type Signed = v.InferOutput<typeof PasskeyAnswer>

/** Options for `navigator.credentials`, which clients pass on unread. */
export const PasskeyOptions = v.record(v.string(), v.unknown())

/** True when browsers allow passkeys at this origin. */
function allowsPasskeys({ origin }: Visit): boolean {
  const { protocol, hostname } = new URL(origin)
  const isAddress = hostname.startsWith("[") || /^[\d.]+$/.test(hostname)
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost")
  return !isAddress && (protocol === "https:" || isLocal)
}

/** The options for creating a passkey; undefined at an origin without passkeys. */
export async function registrationOptions(
  ctx: Context,
  visit: Visit,
  member: FoundMember,
): Promise<object | undefined> {
  if (!allowsPasskeys(visit)) return undefined
  const { generateRegistrationOptions } = await import("@simplewebauthn/server")
  return generateRegistrationOptions({
    rpName: `leaddb · ${member.account_name}`,
    rpID: new URL(visit.origin).hostname,
    userName: member.name,
    userID: new TextEncoder().encode(member.id),
    challenge: newChallenge(ctx),
    attestationType: "none",
    authenticatorSelection: { residentKey: "required", userVerification: "preferred" },
  })
}

/** The challenge that a browser signs to prove its passkey. */
export async function authenticationOptions(ctx: Context, visit: Visit): Promise<object> {
  if (!allowsPasskeys(visit)) {
    throw badRequest("Passkeys work only on HTTPS and on names such as leaddb.localhost: use a password here")
  }
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server")
  return generateAuthenticationOptions({
    rpID: new URL(visit.origin).hostname,
    challenge: newChallenge(ctx),
    userVerification: "preferred",
  })
}

/** Bytes of a challenge: random ones, when it ends in Unix seconds, and a code over both that only we can make. */
const RANDOM = 16
const EXPIRY = 4
const CODE = 16

/**
 * A challenge that carries its own proof, so that nothing is kept of it until it is answered: anybody may ask for as many
 * as they like.
 */
function newChallenge({ secret, now }: Context): Uint8Array<ArrayBuffer> {
  const challenge = new Uint8Array(RANDOM + EXPIRY + CODE)
  crypto.getRandomValues(challenge.subarray(0, RANDOM))
  new DataView(challenge.buffer).setUint32(RANDOM, now + CHALLENGE_LIFETIME)
  challenge.set(codeOf(secret, challenge.subarray(0, RANDOM + EXPIRY)), RANDOM + EXPIRY)
  return challenge
}

function codeOf(secret: Uint8Array, bytes: Uint8Array): Uint8Array {
  return new Bun.CryptoHasher("sha256", secret)
    .update("passkey challenge:")
    .update(bytes)
    .digest()
    .subarray(0, CODE)
}

/** When a challenge of ours ends, in Unix seconds; undefined for one that is not ours or has ended. */
function endOfChallenge({ secret, now }: Context, text: string): number | undefined {
  const bytes = Buffer.from(text, "base64url")
  if (bytes.length !== RANDOM + EXPIRY + CODE) return undefined
  const end = bytes.readUInt32BE(RANDOM)
  const code = codeOf(secret, bytes.subarray(0, RANDOM + EXPIRY))
  return end > now && timingSafeEqual(code, bytes.subarray(RANDOM + EXPIRY)) ? end : undefined
}

/** Tells whether a challenge is ours and has not ended, and keeps it for `use`. */
function expectChallenge(ctx: Context) {
  let answered: { text: string; end: number } | undefined
  return {
    check(text: string): boolean {
      const end = endOfChallenge(ctx, text)
      if (end === undefined) return false
      answered = { text, end }
      return true
    },
    /** False when the challenge was used before. */
    use: (tx: Transaction) =>
      answered ? tx.members.useChallenge(answered.text, answered.end, ctx.now) : Promise.resolve(false),
  }
}

/** What a browser must have signed. */
function expectedOf({ origin }: Visit, { check }: ReturnType<typeof expectChallenge>) {
  return {
    ...{ expectedChallenge: check, expectedOrigin: origin, expectedRPID: new URL(origin).hostname },
    requireUserVerification: false,
  }
}

/** Uses a challenge up, in the transaction that relies on its answer. False when it was used before. */
type UseChallenge = (tx: Transaction) => Promise<boolean>

/** Verifies a new passkey. Throws `bad_request` when it is invalid. */
export async function checkRegistration(
  ctx: Context,
  visit: Visit,
  answer: Signed,
): Promise<{ passkey: Passkey; use: UseChallenge }> {
  const challenge = expectChallenge(ctx)
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server")
  const { verified, registrationInfo } = await refusing(() =>
    verifyRegistrationResponse({
      response: answer as unknown as RegistrationResponseJSON,
      ...expectedOf(visit, challenge),
    }),
  )
  if (!verified || !registrationInfo) throw badRequest("passkey was not made for this service")
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  return { passkey: { id, public_key: publicKey, counter, transports }, use: challenge.use }
}

/** Verifies a signature and returns its passkey with the new counter. Throws `unauthorized` when it is invalid. */
export async function checkAuthentication(
  ctx: Context,
  visit: Visit,
  answer: Signed,
): Promise<{ member: FoundMember; passkey: Passkey; use: UseChallenge }> {
  const challenge = expectChallenge(ctx)
  const holder = await ctx.store.read.members.findByPasskey(answer.id)
  if (!holder)
    throw new AppError("unauthorized", "This passkey is not known here: ask an owner for a new invitation")
  const { passkey, ...member } = holder
  const { id, public_key: publicKey, counter } = passkey
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server")
  const { verified, authenticationInfo } = await refusing(() =>
    verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
      ...expectedOf(visit, challenge),
      credential: { id, publicKey, counter },
    }),
  )
  if (!verified) throw new AppError("unauthorized", "The passkey's signature does not hold")
  return { member, passkey: { ...passkey, counter: authenticationInfo.newCounter }, use: challenge.use }
}

/** The library throws an Error for any invalid part. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError) throw error
    throw badRequest(`passkey does not hold: ${error instanceof Error ? error.message : error}`)
  }
}
