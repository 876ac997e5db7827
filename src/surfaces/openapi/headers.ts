import type { Parameter, Ref, Schema } from "./types.ts"

/** Headers of answers, as shared components. */
export const HEADERS = {
  "X-RateLimit-Limit": whole(
    "Requests that the account may make in 10 minutes, over REST and tools together; not sent without a limit.",
  ),
  "X-RateLimit-Remaining": whole("Requests that are left; not sent without a limit."),
  "X-RateLimit-Reset": whole("Unix second in which a request frees up; not sent without a limit."),
  "X-Request-Id": text(
    "Names this request in the service's log; the one that was sent, if it was well-formed.",
  ),
  "Idempotency-Replayed": {
    description: "There, and true, when this answers a request that was sent before.",
    schema: { type: "string", enum: ["true"] },
  },
  "Retry-After": whole("Seconds to wait."),
  ETag: text("Names this state of the lead, for `If-Match` and `If-None-Match`."),
  "Content-Disposition": text("The name of the file."),
}

function whole(description: string) {
  return { description, schema: { type: "integer" } }
}

function text(description: string) {
  return { description, schema: { type: "string" } }
}

const refTo = (name: string): Ref => ({ $ref: `#/components/headers/${name}` })
const ALWAYS = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"]

/** The headers of an answer: those of every one, and these. */
export function headersOf(...more: (keyof typeof HEADERS)[]): Record<string, Ref> {
  return Object.fromEntries([...ALWAYS, ...more].map((name) => [name, refTo(name)]))
}

/** Optional headers of every request; only a dashboard proxy with the shared secret may send the first two. */
export const SHARED_PARAMETERS: Record<string, Parameter> = {
  MemberRole: parameter(
    "X-Member-Role",
    "From a dashboard proxy: the member's role. The lower of this and the key's role counts; anything else is owner.",
    { enum: ["owner", "editor", "viewer"] },
  ),
  ActorId: parameter(
    "X-Actor-Id",
    "From a dashboard proxy: the member who acts, written to the audit trail as `actor_id`. Counts with the proxy's secret or an owner's key.",
    { maxLength: 200 },
  ),
  IdempotencyKey: parameter(
    "Idempotency-Key",
    "On requests that write: any text that names this one request, such as a UUID. Sent again with the same key within 24 hours, the request is not done again: the first answer is given again.",
    { minLength: 1, maxLength: 255 },
  ),
  ListStyle: parameter(
    "X-List-Style",
    "`object` answers `{notes: [...]}`, `attributes`, `rules` and `webhooks`, and gives times of webhooks as ISO texts; `array` is the default. It comes before the style of the key.",
    { enum: ["array", "object"] },
  ),
  RequestId: parameter(
    "X-Request-Id",
    "Names the request in the service's log and in its answer; one is made up when it is left out.",
    { maxLength: 128 },
  ),
}

/** Headers that make a request depend on the state of a thing. */
export const IF_MATCH = parameter(
  "If-Match",
  "The ETag of the lead as it was read: 412 where it has changed since.",
)
export const IF_NONE_MATCH = parameter(
  "If-None-Match",
  "The ETag of the lead as it is known: 304 without a body where it is still the same.",
)

function parameter(name: string, description: string, limits: Schema = {}): Parameter {
  return { name, in: "header", description, schema: { type: "string", ...limits } }
}

export const SHARED_REFS: Ref[] = Object.keys(SHARED_PARAMETERS).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}))
