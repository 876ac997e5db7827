import type { Parameter, Ref } from "./types.ts"

/** Headers of answers, as shared components. */
export const HEADERS = {
  "X-RateLimit-Limit": {
    description:
      "Requests that the account may make in 10 minutes, over REST and tools together; not sent without a limit.",
    schema: { type: "integer" },
  },
  "X-RateLimit-Remaining": {
    description: "Requests that are left; not sent without a limit.",
    schema: { type: "integer" },
  },
  "X-RateLimit-Reset": {
    description: "Unix second in which a request frees up; not sent without a limit.",
    schema: { type: "integer" },
  },
  "X-Request-Id": {
    description: "Names this request in the service's log; the one that was sent, if it was well-formed.",
    schema: { type: "string" },
  },
  "Idempotency-Replayed": {
    description: "There, and true, when this answers a request that was sent before.",
    schema: { type: "string", enum: ["true"] },
  },
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" } },
  ETag: {
    description: "Names this state of the lead, for `If-Match` and `If-None-Match`.",
    schema: { type: "string" },
  },
  "Content-Disposition": { description: "The name of the file.", schema: { type: "string" } },
}

const refTo = (name: string): Ref => ({ $ref: `#/components/headers/${name}` })
const ALWAYS = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"]

/** The headers of an answer: those of every one, and these. */
export function headersOf(...more: (keyof typeof HEADERS)[]): Record<string, Ref> {
  return Object.fromEntries([...ALWAYS, ...more].map((name) => [name, refTo(name)]))
}

/** Optional headers of every request; only a dashboard proxy with the shared secret may send the first two. */
export const SHARED_PARAMETERS: Record<string, Parameter> = {
  MemberRole: {
    name: "X-Member-Role",
    in: "header",
    description:
      "From a dashboard proxy: the member's role. The lower of this and the key's role counts; anything else is owner.",
    schema: { type: "string", enum: ["owner", "editor", "viewer"] },
  },
  ActorId: {
    name: "X-Actor-Id",
    in: "header",
    description:
      "From a dashboard proxy: the member who acts, written to the audit trail as `actor_id`. Counts with the proxy's secret or an owner's key.",
    schema: { type: "string", maxLength: 200 },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "On requests that write: any text that names this one request, such as a UUID. Sent again with the same key within 24 hours, the request is not done again: the first answer is given again.",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
  ListStyle: {
    name: "X-List-Style",
    in: "header",
    description:
      "`object` answers `{notes: [...]}`, `attributes`, `rules` and `webhooks`, and gives times of webhooks as ISO texts; `array` is the default. It comes before the style of the key.",
    schema: { type: "string", enum: ["array", "object"] },
  },
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    description:
      "Names the request in the service's log and in its answer; one is made up when it is left out.",
    schema: { type: "string", maxLength: 128 },
  },
}

/** Headers that make a request depend on the state of a thing. */
export const IF_MATCH: Parameter = {
  name: "If-Match",
  in: "header",
  description: "The ETag of the lead as it was read: 412 where it has changed since.",
  schema: { type: "string" },
}
export const IF_NONE_MATCH: Parameter = {
  name: "If-None-Match",
  in: "header",
  description: "The ETag of the lead as it is known: 304 without a body where it is still the same.",
  schema: { type: "string" },
}

export const SHARED_REFS: Ref[] = Object.keys(SHARED_PARAMETERS).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}))
