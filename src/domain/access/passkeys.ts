// Passkeys of members (WebAuthn). Browsers support them on HTTPS and on localhost names, never on bare IP addresses.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server"
import * as v from "valibot"
import { AppError, badRequest } from "../../core/errors.ts"
import type { FoundMember, Passkey } from "../../store/contract/store.ts"
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
type Signed = v.InferOutput<typeof PasskeyAnswer>

/** Options for `navigator.credentials`, which clients pass on unread. */
export const PasskeyOptions = v.record(v.string(), v.unknown())

/** True when browsers allow passkeys at this origin. */
export function allowsPasskeys({ origin }: Visit): boolean {
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
  const options = await generateRegistrationOptions({
    rpName: `leaddb · ${member.account_name}`,
    rpID: new URL(visit.origin).hostname,
    userName: member.name,
    userID: new TextEncoder().encode(member.id),
    attestationType: "none",
    authenticatorSelection: { residentKey: "required", userVerification: "preferred" },
  })
  await remember(ctx, options.challenge)
  return options
}

/** The challenge that a browser signs to prove its passkey. */
export async function authenticationOptions(ctx: Context, visit: Visit): Promise<object> {
  if (!allowsPasskeys(visit)) {
    throw badRequest("Passkeys work only on HTTPS and on names such as leaddb.localhost: use a password here")
  }
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server")
  const options = await generateAuthenticationOptions({
    rpID: new URL(visit.origin).hostname,
    userVerification: "preferred",
  })
  await remember(ctx, options.challenge)
  return options
}

async function remember({ store, now }: Context, challenge: string): Promise<void> {
  await store.writeAcross((tx) => tx.members.insertChallenge(challenge, now + CHALLENGE_LIFETIME, now))
}

/** Verifies a new passkey. Throws `bad_request` when it is invalid. */
export async function checkRegistration(ctx: Context, visit: Visit, answer: Signed): Promise<Passkey> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server")
  const { verified, registrationInfo } = await refusing(() =>
    verifyRegistrationResponse({
      response: answer as unknown as RegistrationResponseJSON,
      expectedChallenge: (challenge) => take(ctx, challenge),
      expectedOrigin: visit.origin,
      expectedRPID: new URL(visit.origin).hostname,
      requireUserVerification: false,
    }),
  )
  if (!verified || !registrationInfo) throw badRequest("passkey was not made for this service")
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  return { id, public_key: publicKey, counter, transports }
}

/** Verifies a signature and returns its passkey with the new counter. Throws `unauthorized` when it is invalid. */
export async function checkAuthentication(
  ctx: Context,
  visit: Visit,
  answer: Signed,
): Promise<{ member: FoundMember; passkey: Passkey }> {
  const found = await ctx.store.read.members.findByPasskey(answer.id)
  if (!found)
    throw new AppError("unauthorized", "This passkey is not known here: ask an owner for a new invitation")
  const { passkey, ...member } = found
  const { id, public_key: publicKey, counter } = passkey
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server")
  const { verified, authenticationInfo } = await refusing(() =>
    verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge: (challenge) => take(ctx, challenge),
      expectedOrigin: visit.origin,
      expectedRPID: new URL(visit.origin).hostname,
      credential: { id, publicKey, counter },
      requireUserVerification: false,
    }),
  )
  if (!verified) throw new AppError("unauthorized", "The passkey's signature does not hold")
  return { member, passkey: { ...passkey, counter: authenticationInfo.newCounter } }
}

function take({ store, now }: Context, challenge: string): Promise<boolean> {
  return store.writeAcross((tx) => tx.members.takeChallenge(challenge, now))
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
