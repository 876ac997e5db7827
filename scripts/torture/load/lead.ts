// What the load knows of a lead: enough to tell whether a stored document is the one that was acknowledged.
import type { Random } from "../../seed/random.ts"

/** What was sent of a lead and must be found again. `description` and `mark` together are never the same twice. */
export interface LeadState {
  name: string
  email: string | null
  source_id: string | null
  city: string | null
  rating: number
  tags: readonly string[]
  /** Changes with every push and update. */
  description: string
  /** The value of the attribute `mark`, which is changed by itself. */
  mark?: string
}

export interface Lead {
  account: Account
  /** Known once its creation has been acknowledged or seen. */
  id: string
  /** Undefined before it is created and after it is deleted. */
  state: LeadState | undefined
  markId?: string
  /** Contents by note id. */
  notes: Map<string, string>
}

export interface Account {
  /** The row in `accounts`. */
  key: number
  id: string
  apiKey: string
  /** Whether a webhook hears of everything; without one nothing is put into the outbox. */
  hasWebhook: boolean
  /** Whether it has the rule `rating * 10`. */
  hasRule: boolean
}

/** Somebody who writes, only to leads of its own. */
export interface Client {
  account: Account
  /** Those that are there. */
  leads: Lead[]
  random: Random
}

let counter = 0

/** A text that was never used before, in any run. */
const run = Date.now().toString(36)
export function token(): string {
  return `${run}-${++counter}`
}

const CITIES = ["Berlin", "Łódź", "Zürich", "København", "東京"]
const TAGS = ["vip", "cold", "eu", "retry", "trade fair"]

export function newState(random: Random): LeadState {
  const description = token()
  return {
    name: `Lead ${description}`,
    email: random.chance(0.8) ? `${description}@example.com` : null,
    source_id: random.chance(0.5) ? `s-${description}` : null,
    city: random.chance(0.6) ? random.pick(CITIES) : null,
    rating: random.below(11),
    tags: TAGS.filter(() => random.chance(0.2)),
    description,
    ...(random.chance(0.15) && { mark: token() }),
  }
}

/** Changes that an update or a merge can carry. */
export function newChanges(random: Random): Partial<LeadState> & { description: string } {
  return {
    description: token(),
    ...(random.chance(0.5) && { rating: random.below(11) }),
    ...(random.chance(0.3) && { tags: [random.pick(TAGS)] }),
    ...(random.chance(0.3) && { city: random.pick(CITIES) }),
  }
}

/** The body that creates a lead of this state. */
export function asInput({ mark, ...fields }: LeadState): object {
  const attributes = mark === undefined ? [] : [{ name: "mark", type: "text", value: mark }]
  return { ...fields, source: "torture", attributes }
}

export function scoreOf(account: Account, state: LeadState | undefined): number {
  return account.hasRule && state ? Math.min(100, state.rating * 10) : 0
}

// biome-ignore lint/suspicious/noExplicitAny: a document as it was stored
export type Stored = any

export function markOf(document: Stored): string | undefined {
  return document.attributes.find((attribute: { name: string }) => attribute.name === "mark")?.value
}

/** What of a stored document is not as it must be; undefined when all is. */
export function differenceOf(document: Stored, state: LeadState): string | undefined {
  for (const field of ["name", "email", "source_id", "city", "rating", "description"] as const) {
    if (document[field] !== state[field])
      return `${field} is ${JSON.stringify(document[field])}, not ${state[field]}`
  }
  if (document.tags.join() !== state.tags.join())
    return `tags are ${document.tags.join()}, not ${state.tags.join()}`
  if (markOf(document) !== state.mark) return `mark is ${markOf(document)}, not ${state.mark}`
  return undefined
}
