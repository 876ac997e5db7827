import type { Parameter, Ref } from "./types.ts"

/** Headers of answers, as shared components. */
export const HEADERS = {
  "X-RateLimit-Limit": {
    description: "Requests that the account may make in 10 minutes, over REST and tools together.",
    schema: { type: "string", pattern: "^(\\d+|unlimited)$" },
  },
  "X-RateLimit-Remaining": {
    description: "Requests that are left.",
    schema: { type: "string", pattern: "^(\\d+|unlimited)$" },
  },
  "X-RateLimit-Reset": {
    description: "Unix second in which a request frees up; 0 without a limit.",
    schema: { type: "integer" },
  },
  "X-Request-Id": {
    description: "Names this request in the service's log; the one that was sent, if it was well-formed.",
    schema: { type: "string" },
  },
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" } },
}

const refTo = (name: string): Ref => ({ $ref: `#/components/headers/${name}` })
const ALWAYS = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"]

/** The headers of an answer. */
export function headersOf(isLater = false): Record<string, Ref> {
  const names = isLater ? [...ALWAYS, "Retry-After"] : ALWAYS
  return Object.fromEntries(names.map((name) => [name, refTo(name)]))
}

/** What a dashboard proxy may send with every request (SPEC "Authentication", 5). */
export const PROXY_PARAMETERS: Record<string, Parameter> = {
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
    description: "From a dashboard proxy: the member who acts, written to the audit trail as `actor_id`.",
    schema: { type: "string", maxLength: 200 },
  },
}

export const PROXY_REFS: Ref[] = Object.keys(PROXY_PARAMETERS).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}))
