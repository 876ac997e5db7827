// What a column's name says it is.
import { LEAD_FIELD_NAMES, leadField } from "../../../core/lead-fields.ts"
import { plainName, wordsOf } from "./plain-name.ts"
import { AROUND, NEVER, PRESETS, type Preset, ROLES, type Role, SECOND, WORDS } from "./presets.ts"

/** What a column may be, and how good a claim it has: the lower the better. */
export interface Claim {
  role: Role
  rank: number
}

const words = (text: string) => text.split(/\s+/).filter((word) => word !== "")

/** Names whose meaning hangs on what else is in the file. */
export const TITLES: ReadonlySet<string> = new Set(["title", "titre", "titolo", "titulo", "jobtitel"])

/** Roles by name with the place of the name among the role's. What one name means twice is in the order of ROLES. */
const BY_NAME = new Map<string, Claim[]>()
for (const role of ROLES) {
  const more = LEAD_FIELD_NAMES.flatMap((field) =>
    field === role ? (leadField(field).synonyms ?? []) : [],
  ).filter((name) => !TITLES.has(name))
  for (const [rank, name] of [...new Set([...words(WORDS[role]), ...more])].entries()) {
    const claims = BY_NAME.get(name) ?? []
    claims.push({ role, rank })
    BY_NAME.set(name, claims)
  }
}
/** Names of ours are what they say, before anybody else's. */
const OWN: ReadonlySet<string> = new Set(
  LEAD_FIELD_NAMES.filter((field) => (ROLES as readonly string[]).includes(field)),
)
const AROUND_WORDS = new Set(words(AROUND))
const SECOND_WORDS = new Set(words(SECOND))
const NEVER_NAMES = new Set(words(NEVER))

const PER_WORD = 100
const PER_SECOND = 1_000
/** More words are left out of no name. */
const LEFT_OUT_MAX = 6

/** Roles that a name claims by what it is called in any file, the best first. */
export function claimsOf(name: string): Claim[] {
  const plain = plainName(name)
  if (NEVER_NAMES.has(plain)) return []
  if (OWN.has(name)) return [{ role: name as Role, rank: -1 }, ...(BY_NAME.get(plain) ?? [])]
  const exact = BY_NAME.get(plain)
  if (exact) return exact
  return decorated(wordsOf(name))
}

/** Claims of a name with words around it that change nothing: those left after as few as possible are gone. */
function decorated(all: readonly string[]): Claim[] {
  const loose = all.flatMap((word, i) => (AROUND_WORDS.has(word) || SECOND_WORDS.has(word) ? [i] : []))
  if (loose.length === 0 || loose.length > LEFT_OUT_MAX) return []
  const subsets = Array.from({ length: 2 ** loose.length - 1 }, (_, i) => i + 1).toSorted(
    (a, b) => bits(a) - bits(b),
  )
  for (const subset of subsets) {
    const left = new Set(loose.filter((_, i) => subset & (1 << i)))
    const rest = all.filter((_, i) => !left.has(i)).join("")
    const claims = rest === "" || NEVER_NAMES.has(rest) ? undefined : BY_NAME.get(rest)
    if (!claims) continue
    const seconds = [...left].filter((i) => SECOND_WORDS.has(all[i]!)).length
    const more = bits(subset) * PER_WORD + seconds * PER_SECOND
    return claims
      .map(({ role, rank }) => ({ role, rank: rank + more }))
      .filter(({ role }) => !EXACT_ONLY.has(role))
  }
  return []
}

/** What a name must say outright: an id of something else is none of the lead. */
const EXACT_ONLY: ReadonlySet<Role> = new Set<Role>(["source_id", "coordinates"])

function bits(n: number): number {
  let count = 0
  for (let rest = n; rest > 0; rest >>= 1) count += rest & 1
  return count
}

/** Whether a cell is what columns are called: for finding the header of a file. */
export function isKnownName(name: string): boolean {
  const plain = plainName(name)
  return BY_NAME.has(plain) || PRESET_NAMES.has(plain) || OWN.has(name) || name.startsWith("attr:")
}

const PRESET_NAMES: ReadonlySet<string> = new Set(
  PRESETS.flatMap(({ columns, signs, attributes = "" }) =>
    [...Object.values(columns), ...signs, attributes].flatMap(words),
  ),
)

/** The preset of a file with columns of these plain names. */
export function presetOf(plain: ReadonlySet<string>): Preset | undefined {
  return PRESETS.find(({ signs }) => signs.some((sign) => words(sign).every((name) => plain.has(name))))
}

/** Claims of names in the files of a preset; `attributes` claim nothing. */
export function presetClaims(preset: Preset): {
  claims: ReadonlyMap<string, Claim[]>
  attributes: ReadonlySet<string>
} {
  const claims = new Map<string, Claim[]>()
  for (const role of ROLES) {
    for (const [i, name] of words(preset.columns[role] ?? "").entries()) {
      claims.set(name, [...(claims.get(name) ?? []), { role, rank: i - PRESET_FIRST }])
    }
  }
  return { claims, attributes: new Set(words(preset.attributes ?? "")) }
}

const PRESET_FIRST = 10_000
