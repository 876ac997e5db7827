// Detects roles by the header: by column names that are common everywhere, and by those of a preset.

import type { Linked } from "../../../formats/header.ts"
import { LEAD_FIELD_NAMES, leadField } from "../../../lead/lead-fields.ts"
import {
  COLUMN_NAMES,
  COLUMN_ROLES,
  type ColumnRole,
  DECORATION,
  MISLEADING,
  nameWords,
  type Preset,
  plainName,
  SECONDARY,
} from "../cells/vocabulary.ts"
import { PRESETS } from "./presets.ts"

/** A role that a column may have. The lower the rank, the stronger the claim. */
export interface Claim {
  role: ColumnRole
  rank: number
}

const splitWords = (text: string) =>
  text
    .split(/\s+/)
    .filter((word) => word !== "")
    .map((word) => (/[^a-z\d]/.test(word) ? plainName(word) : word))

/** Names whose meaning depends on the other columns: a job title, or the name of a thing. */
export const AMBIGUOUS_TITLES: ReadonlySet<string> = new Set("title titre titolo titulo jobtitel".split(" "))

/** Claims by name, ranked by the name's place in its role's list. Claims of one name are in the order of COLUMN_ROLES. */
const CLAIMS_BY_NAME = new Map<string, Claim[]>()
for (const role of COLUMN_ROLES) {
  const more = LEAD_FIELD_NAMES.flatMap((field) =>
    field === role ? (leadField(field).synonyms ?? []) : [],
  ).filter((name) => !AMBIGUOUS_TITLES.has(name))
  const names = splitWords(COLUMN_NAMES[role] ?? plainName(role))
  for (const [rank, name] of [...new Set([...names, ...more])].entries()) {
    const claims = CLAIMS_BY_NAME.get(name) ?? []
    claims.push({ role, rank })
    CLAIMS_BY_NAME.set(name, claims)
  }
}
/** Our own field names: they take precedence over all others. */
const OWN_NAMES: ReadonlySet<string> = new Set(
  LEAD_FIELD_NAMES.filter((field) => (COLUMN_ROLES as readonly string[]).includes(field)),
)
const DECORATING = new Set(splitWords(DECORATION))
const SECONDARY_WORDS = new Set(splitWords(SECONDARY))
const MISLEADING_NAMES = new Set(splitWords(MISLEADING))

/** Ranks that each stripped word costs, and each one of a secondary value besides. */
const STRIPPED_COST = 100
const SECONDARY_COST = 1_000
/** Decorating words that are stripped at most: each one doubles the combinations. */
const STRIPPED_MAX = 6

/** The roles that a name claims in any file, strongest first. */
export function claimsOf(name: string): Claim[] {
  const plain = plainName(name)
  if (MISLEADING_NAMES.has(plain)) return []
  if (OWN_NAMES.has(name))
    return [{ role: name as ColumnRole, rank: -1 }, ...(CLAIMS_BY_NAME.get(plain) ?? [])]
  const exact = CLAIMS_BY_NAME.get(plain)
  if (exact) return exact
  return claimsWithoutDecoration(nameWords(name))
}

/** Strips decorating words from a name, as few as possible, until the rest claims a role. */
function claimsWithoutDecoration(all: readonly string[]): Claim[] {
  const loose = all.flatMap((word, i) => (DECORATING.has(word) || SECONDARY_WORDS.has(word) ? [i] : []))
  if (loose.length === 0 || loose.length > STRIPPED_MAX) return []
  const subsets = Array.from({ length: 2 ** loose.length - 1 }, (_, i) => i + 1).toSorted(
    (a, b) => bits(a) - bits(b),
  )
  for (const subset of subsets) {
    const left = new Set(loose.filter((_, i) => subset & (1 << i)))
    const rest = all.filter((_, i) => !left.has(i)).join("")
    const claims = rest === "" || MISLEADING_NAMES.has(rest) ? undefined : CLAIMS_BY_NAME.get(rest)
    if (!claims) continue
    const seconds = [...left].filter((i) => SECONDARY_WORDS.has(all[i]!)).length
    const more = bits(subset) * STRIPPED_COST + seconds * SECONDARY_COST
    return claims
      .map(({ role, rank }) => ({ role, rank: rank + more }))
      .filter(({ role }) => !EXACT_ONLY.has(role))
  }
  return []
}

/** Roles that need their exact name: the id of something else is not the lead's id. */
const EXACT_ONLY: ReadonlySet<ColumnRole> = new Set<ColumnRole>(["source_id", "coordinates"])

function bits(n: number): number {
  let count = 0
  for (let rest = n; rest > 0; rest >>= 1) count += rest & 1
  return count
}

/** Roles whose value a link may be. */
export const LINKABLE = ["linkedin_url", "email", "website"] as const

/** What the column of a name is for, where a link may tell it: by the mapping, such as `Profile:linkedin_url`, or its name. */
export function linkedBy(name: string, map: readonly string[] = []): Linked | undefined {
  const plain = plainName(name)
  const said = map.find((one) => plainName(one.replace(/:attr:.*|:[^:]*$/, "")) === plain)
  if (said !== undefined) return LINKABLE.find((role) => said.endsWith(`:${role}`))
  const roles = claimsOf(name).map(({ role }) => role)
  return LINKABLE.find((role) => roles.includes(role))
}

/** True for a text that some column is known by: used to find the header line of a file. */
export function isKnownName(name: string): boolean {
  const plain = plainName(name)
  return (
    CLAIMS_BY_NAME.has(plain) || PRESET_NAMES.has(plain) || OWN_NAMES.has(name) || name.startsWith("attr:")
  )
}

const PRESET_NAMES: ReadonlySet<string> = new Set(
  PRESETS.flatMap(({ columns, signs, attributes = "" }) =>
    [...Object.values(columns), signs.replaceAll(",", " "), attributes].flatMap(splitWords),
  ),
)

/** The preset that a file with these plain column names was written by. */
export function presetOf(plain: ReadonlySet<string>): Preset | undefined {
  return PRESETS.find(({ signs }) =>
    signs.split(",").some((group) => splitWords(group).every((name) => plain.has(name))),
  )
}

/** The claims of a preset by plain name, and the names that it keeps as attributes. */
export function presetClaims(preset: Preset): {
  claims: ReadonlyMap<string, Claim[]>
  attributes: ReadonlySet<string>
} {
  const claims = new Map<string, Claim[]>()
  for (const role of COLUMN_ROLES) {
    for (const [i, name] of splitWords(preset.columns[role] ?? "").entries()) {
      claims.set(name, [...(claims.get(name) ?? []), { role, rank: i - PRESET_FIRST }])
    }
  }
  return { claims, attributes: new Set(splitWords(preset.attributes ?? "")) }
}

const PRESET_FIRST = 10_000
