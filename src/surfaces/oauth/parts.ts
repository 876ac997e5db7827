import { isSigned } from "../../access/sealed.ts"
import type { Services } from "../../domain/operation.ts"
import type { Log } from "../../runtime/log.ts"
import type { Auth } from "../http/auth.ts"
import type { SlidingWindows } from "../http/limits.ts"
import type { ClientDocuments } from "./client-documents.ts"

export function hashSecret(secret: string): Uint8Array {
  return Bun.SHA256.hash(secret) as Uint8Array
}

/** Whether a verifier is the one that a challenge was made from, by S256 (RFC 7636, 4.6). */
export function fitsChallenge(verifier: string, challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  return isSigned(challenge, Buffer.from(hashSecret(verifier)).toString("base64url"))
}

/** Everything that the handlers share; made once. */
export interface OAuth {
  services: Services
  auth: Auth
  log: Log
  documents: ClientDocuments
  limits: Record<"registrations" | "documents" | "loginCodes", SlidingWindows<string>>
  /** The dashboard's origin for a browser that sees us at `origin`; undefined where nothing serves it. */
  dashboardOf(origin: string): string | undefined
  /** Whether clients may come with a document. */
  takesDocuments(): Promise<boolean>
}

/** One request, as far as it matters. */
export interface SignInVisit {
  request: Request
  /** Our own address, as clients see it. */
  origin: string
  /** Where the request comes from, as limits count it. */
  address: string
  /** Unix seconds. */
  now: number
}
