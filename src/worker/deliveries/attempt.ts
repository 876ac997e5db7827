import { createHmac } from "node:crypto"
import { version } from "../../../package.json"
import { standardSecret } from "../../access/webhook-secret.ts"
import { type Clock, unixSeconds } from "../../runtime/clock.ts"
import type { AttemptRecord, Lease, Outgoing } from "../../store/contract/store.ts"
import type { AddressPolicy, Lookup } from "../net/address-guard.ts"
import { STOPPED } from "../net/network-failure.ts"
import { nextAttempt, parseRetryAfter } from "./schedule.ts"
import { type Outcome, send } from "./send.ts"

export interface Sending {
  clock: Clock
  policy: AddressPolicy
  /** Evenly spread over [0, 1), such as `Math.random`. */
  random: () => number
  /** Instead of the system's resolver. */
  lookup?: Lookup
  /** Milliseconds that a receiver has for its whole answer; 5,000 by default. */
  answerWithinMs?: number
  /** Told of what must not happen. */
  defect: (error: unknown) => void
}

/** A defect counts as a failed attempt, so that it comes round as seldom as one. */
const UNSENT: Outcome = {
  ok: false,
  code: null,
  error: "could not be sent: unexpected error",
  milliseconds: 0,
  answer: "",
  isPublic: true,
  retryAfter: null,
}

/**
 * Makes the next attempt of a delivery and says what is to be recorded of it; undefined when `signal` stopped it, as
 * it does not count then.
 */
export async function makeAttempt(
  sending: Sending,
  lease: Lease,
  outgoing: Outgoing,
  signal: AbortSignal,
): Promise<AttemptRecord | undefined> {
  const { clock, policy, lookup, answerWithinMs: timeoutMs } = sending
  const { id, event, body, secret, url } = outgoing
  const timestamp = unixSeconds(clock.now())
  const isBoth = (outgoing.previous_until ?? 0) > timestamp
  const previous = isBoth ? (outgoing.previous_secret ?? null) : null
  const headers = signatureHeaders({ id, event, body, secret, previous, timestamp })
  const request = {
    url,
    headers,
    body,
    policy,
    clock,
    ...(lookup && { lookup }),
    ...(timeoutMs && { timeoutMs }),
  }
  const outcome = await send(request, signal).catch((error: unknown) => {
    sending.defect(error)
    return UNSENT
  })
  if (outcome.error === STOPPED) return undefined
  return { ...lease, url, ...recordOf(sending, outgoing.attempts + 1, outcome) }
}

/** The delivery's new state after an attempt. */
function recordOf(
  { clock, random }: Sending,
  attempt: number,
  { ok, code, error, milliseconds, answer, isPublic, retryAfter }: Outcome,
): Omit<AttemptRecord, keyof Lease | "url"> {
  const at = clock.now()
  // Answers from a private network are not shown: any account may name an address in it.
  const told = { code, error, milliseconds, answer: isPublic ? answer : "", at }
  if (ok) return { ...told, status: "succeeded", due_at: null }
  const due = nextAttempt({ attempt, now: at, retryAfter: parseRetryAfter(retryAfter, at), random })
  return due === undefined
    ? { ...told, status: code === null ? "expired" : "failed", due_at: null }
    : { ...told, status: "pending", due_at: due }
}

/** One attempt of a delivery. */
interface DeliveryAttempt {
  /** Id of the delivery, the same at every attempt. */
  id: string
  /** Event name, such as `lead.created`. */
  event: string
  /** Unix seconds of this attempt: receivers of Standard Webhooks refuse one more than five minutes off. */
  timestamp: number
  /** The bytes that are sent. */
  body: string | Uint8Array
  /** The webhook's secret; null or empty means no signatures. */
  secret: string | null
  /** The secret before, while what is sent is signed with it, too. */
  previous?: string | null
}

/**
 * The headers of an attempt. `X-Service-Signature` is the hex HMAC-SHA256 of the body keyed by the secret.
 * The `webhook-...` trio follows Standard Webhooks 1.0; `standardKey` says with which key.
 */
export function signatureHeaders(attempt: DeliveryAttempt): Record<string, string> {
  const { id, event, timestamp, body, secret, previous } = attempt
  const secrets = [secret, previous].filter((one) => one)
  const standard = secrets.map((one) => `v1,${standardSignature(attempt, standardKey(one!))}`)
  return {
    "Content-Type": "application/json",
    "User-Agent": `leaddb/${version}`,
    "X-Service-Event": event,
    "X-Service-Delivery": id,
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    ...(secret && {
      "X-Service-Signature": createHmac("sha256", secret).update(body).digest("hex"),
      "webhook-signature": standard.join(" "),
    }),
    ...(secret &&
      previous && {
        "X-Service-Signature-Previous": createHmac("sha256", previous).update(body).digest("hex"),
      }),
  }
}

function standardSignature({ id, timestamp, body }: DeliveryAttempt, key: Uint8Array): string {
  return createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")
}

/**
 * The key of `webhook-signature`: the decoded rest of a secret of the form `whsec_<base64>`, which a receiver passes
 * to its Standard Webhooks library as it is; else the secret's UTF-8 bytes, so that a receiver passes the base64 of
 * the secret. A rest that is not padded base64 counts as such a plain secret, as no library would decode it.
 */
function standardKey(secret: string): Uint8Array {
  return standardSecret(secret) ?? Buffer.from(secret, "utf8")
}
