// Inputs of an operation, made from its schema: mostly right, then spoilt.
import type { Random } from "../../seed/random.ts"
import { trickyLead } from "../lists/data.ts"
import { anything, key, number, text } from "./values.ts"

/** The part of a valibot schema that tells what it takes. */
export interface Node {
  type: string
  entries?: Record<string, Node>
  item?: Node
  wrapped?: Node
  options?: unknown
  literal?: unknown
}

/** Ids that are there, by the beginning of their names; the fuzz collects them as they come. */
export type Known = Map<string, string[]>

const PREFIXES = ["cl_", "note_", "rule_", "wh_", "key_", "dlv_", ""] as const
const EVENTS = ["lead.created", "lead.updated", "note.created", "leads.scored", "lead.exploded", ""]
const URLS = [
  ...[
    "http://127.0.0.1:1/hook",
    "https://127.0.0.1:1/",
    "http://[::1]:1/",
    "http://169.254.169.254/",
    "http://0x7f.1:1/",
  ],
  ...[
    "ftp://127.0.0.1/",
    "javascript:alert(1)",
    "http://user:pw@127.0.0.1:1/",
    "//127.0.0.1",
    "http://",
    "http://127.0.0.1:99999/",
  ],
]
const EXPRESSIONS = [
  ...[
    "rating * 2",
    "attr_size > 1 ? 5 : 0",
    "len(tags)",
    "1/0",
    "rating +",
    "((((",
    "nope",
    "days_since(created_at)",
    "'x",
    "-".repeat(100),
  ],
  ...[
    "1".repeat(500),
    "contains(name, 'a')",
    "has(tags, 'VIP')",
    "rating ? ".repeat(70),
    "__proto__",
    "attr___proto__",
    "min()",
    "max(1,2,3)",
  ],
]
const FILTERS = [
  ...[
    "and.eq.city.Ulm",
    "or.contains.name.an",
    "and.gt.rating.3",
    "and.within_radius.location.0,0,5",
    "and.eq.attr:size.1",
  ],
  ...[
    "and.is_empty.email",
    "and.in.status.new,contacted",
    "and.eq",
    "..",
    "and.eq.nope.x",
    'and.eq.attr:"a',
    "and.between.score.5,1",
  ],
]
const EMAILS = ["a@x.y", "b@x.y", "İ@x.y", "no", "@", "a@b@c", " a@x.y "]
const SORTS = ["created_at", "score", "name", "attr:size", "id", "nope", "attr:"]
const TIMES = [0, 1_800_000_000, 4_000_000_000, -1, 1e15]

/** What fields of some names hold when they are right. */
const BY_NAME: Record<string, (random: Random, known: Known) => unknown> = {
  url: (random) => random.pick(URLS),
  events: (random) => [random.pick(EVENTS), random.pick(EVENTS)],
  expression: (random) => random.pick(EXPRESSIONS),
  filter: (random) => Array.from({ length: random.below(4) }, () => random.pick(FILTERS)),
  email: (random) => random.pick(EMAILS),
  sort_by: (random) => random.pick(SORTS),
  sort: (random) => random.pick(SORTS),
  sort_order: (random) => random.pick(["ASC", "DESC", "asc", "up"]),
  cursor: (random, known) => idOf(random, known, "cursor"),
  expires_at: (random) => random.pick(TIMES),
  role: (random) => random.pick(["owner", "editor", "viewer", "root"]),
  format: (random) => random.pick(["csv", "json", "xlsx", "pdf"]),
  limit: (random) => random.pick([1, 2, 50, 100, 1_000, 0, -1, 1.5, 1_001]),
  id: (random, known) => idOf(random, known),
  lead_id: (random, known) => idOf(random, known, "cl_"),
  delivery_id: (random, known) => idOf(random, known, "dlv_"),
  ids: (random, known) => Array.from({ length: random.below(4) }, () => idOf(random, known, "cl_")),
  leads: (random, known) => Array.from({ length: random.below(4) }, () => leadOf(random, known)),
  lead: (random, known) => leadOf(random, known),
  data: (random, known) => leadOf(random, known),
}

export function idOf(random: Random, known: Known, prefix: string = random.pick(PREFIXES)): string {
  const ids = known.get(prefix) ?? []
  return ids.length > 0 && random.chance(0.85) ? random.pick(ids) : text(random)
}

function leadOf(random: Random, known: Known): unknown {
  const lead = { ...trickyLead(random, random.below(40)) } as Record<string, unknown>
  for (const name of Object.keys(lead)) if (random.chance(0.5)) delete lead[name]
  if (random.chance(0.8)) Object.assign(lead, { name: text(random), source: "fuzz" })
  return random.chance(0.15) ? spoil(random, lead, known) : lead
}

/** An input for a schema, by name where the name says more. */
export function inputFor(random: Random, node: Node, known: Known, name = ""): unknown {
  const named = BY_NAME[name]
  if (named && Object.hasOwn(BY_NAME, name) && random.chance(0.9)) return named(random, known)
  switch (node.type) {
    case "optional":
    case "nullish":
    case "nullable":
    case "exact_optional":
      if (random.chance(0.5)) return random.chance(0.8) ? undefined : null
      return inputFor(random, node.wrapped!, known, name)
    case "string":
      return text(random)
    case "number":
      return number(random)
    case "boolean":
      return random.chance(0.5)
    case "picklist":
      return random.chance(0.9) ? random.pick(node.options as unknown[]) : text(random)
    case "array":
      return Array.from({ length: random.below(4) }, () => inputFor(random, node.item!, known))
    case "strict_object":
    case "object":
    case "loose_object":
      return objectFor(random, node, known)
    case "union":
      return inputFor(random, random.pick(node.options as Node[]), known, name)
    default:
      return anything(random)
  }
}

function objectFor(random: Random, { entries = {} }: Node, known: Known): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (const [name, node] of Object.entries(entries)) {
    if (name in entries && random.chance(0.97)) made[name] = inputFor(random, node, known, name)
  }
  return made
}

/** The same with something in it that does not belong there. */
export function spoil(random: Random, input: Record<string, unknown>, known: Known): unknown {
  const spoilt = { ...input }
  const names = Object.keys(spoilt)
  const name = names.length > 0 ? random.pick(names) : "name"
  const how = random.below(6)
  if (how === 0) delete spoilt[name]
  else if (how === 1) spoilt[name] = anything(random)
  else if (how === 2)
    Object.defineProperty(spoilt, key(random), { value: anything(random), enumerable: true })
  else if (how === 3) spoilt[name] = [spoilt[name]]
  else if (how === 4) spoilt[name] = { [name]: spoilt[name] }
  else return random.chance(0.5) ? anything(random) : [spoilt, idOf(random, known)]
  return spoilt
}
