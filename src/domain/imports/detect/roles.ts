// Detects the role of each column that no mapping names. The preset of the program that wrote the file is asked first,
// then the header, both as far as the contents agree, and the contents alone for columns with unknown names.

import { leadField } from "../../../lead/lead-fields.ts"
import { ownersAmong } from "../../../lead/owner-names.ts"
import {
  areDegrees,
  areHonorifics,
  type Contents,
  canBe,
  contentsOf,
  roleByContents,
} from "../cells/contents.ts"
import type { FileColumn, Sample } from "../cells/file-columns.ts"
import {
  type ColumnRole,
  listOfRole,
  type Preset,
  plainName,
  type StageOf,
  type StatusOf,
} from "../cells/vocabulary.ts"
import { AMBIGUOUS_TITLES, type Claim, claimsOf, presetClaims, presetOf } from "./header.ts"
import type { ColumnTarget } from "./mapping.ts"

export interface DetectedRoles {
  preset: Preset | undefined
  /** The columns of each role, best first: a row is read from the first one that is not empty. */
  roles: Map<ColumnRole, FileColumn[]>
  /** Roles whose column nothing but its contents tells. */
  byContents: Set<ColumnRole>
}

/** Roles that fall back to the next column where the best one is empty. */
const WITH_FALLBACKS: ReadonlySet<ColumnRole> = new Set<ColumnRole>([
  ...(["email", "phone", "website", "source_id", "address", "city", "state", "country"] as const),
  ...(["postal_code", "company", "name", "linkedin_url", "latitude", "longitude"] as const),
])

/** Roles with a recognizable form, strictest first: of two roles with one name, their contents decide. */
const BY_STRICTNESS: readonly ColumnRole[] = [
  ...(["stage", "status", "coordinates", "rating", "review_count"] as const),
  ...(["latitude", "longitude", "phone", "email"] as const),
]

/** Names that mean the first or last name when the other one has its own column, the surest first. */
const HALF_FIRST = ["nombre", "nome", "nombres", "이름", "name"].map(plainName)
const HALF_LAST = ["name", "nom", "naam", "nome"]
/** Ranks within one level are equally strong: strictness decides between them. */
const RANKS_PER_LEVEL = 1_000

interface RoleQuestion {
  columns: readonly FileColumn[]
  sample: Sample
  /** What the mapping makes of columns. */
  mapped: ReadonlyMap<FileColumn, ColumnTarget>
  /** Names of the account's members. */
  members: readonly string[]
  statusOf: StatusOf
  stageOf: StageOf
}

/** Columns that say whose lead it is, whoever that is: an `Owner` alone may be that of a restaurant. */
const OWNERS: ReadonlySet<string> = new Set(leadField("owner").synonyms)

/** Detects the roles of all columns but those that the mapping names. */
export function detectRoles(question: RoleQuestion): DetectedRoles {
  const { columns, sample, mapped, members, statusOf, stageOf } = question
  const preset = presetOf(new Set(columns.map(({ name }) => plainName(name))))
  const known = preset && presetClaims(preset)
  const contents = new Map(columns.map((column) => [column, contentsOf(sample.cellsOf(column))]))
  const names = new Set([...mapped.keys()].map(({ name }) => name))
  const open = columns.filter(({ name }) => name !== "" && !names.has(name))
  const taken = new Set<ColumnRole | undefined>()
  for (const target of mapped.values()) {
    const role = target.kind === "field" ? (target.field as ColumnRole) : undefined
    if (role === undefined || !listOfRole(role)) taken.add(role)
  }
  const claims = new Map<FileColumn, Claim[]>()
  const ownerOf = ownersAmong(members.map((name) => ({ id: name, name })))
  for (const column of open) {
    const name = plainName(column.name)
    const isOwner = (text: string) => OWNERS.has(name) || ownerOf(text) !== undefined
    if (known?.attributes.has(name)) continue
    const ofPreset = known?.claims.get(name) ?? []
    const all = ofPreset.length > 0 ? ofPreset : claimsOf(column.name).toSorted(strictFirst)
    const possible = all.filter(({ role }) =>
      canBe(role, contents.get(column)!, { statusOf, stageOf, isOwner }),
    )
    if (possible.length > 0) claims.set(column, possible)
  }
  const roles = assignRoles(claims, taken)
  assignHalfName(roles, open, contents)
  if (!preset) assignTitle(roles, open, contents, taken)
  const said = new Set(roles.keys())
  assignByContents(roles, open, contents, taken, known?.attributes)
  const byContents = new Set([...roles.keys()].filter((role) => !said.has(role)))
  nameByCompany(roles, taken)
  return { preset, roles, byContents }
}

function strictFirst(a: Claim, b: Claim): number {
  const level = (claim: Claim) => Math.floor(claim.rank / RANKS_PER_LEVEL)
  const strictness = ({ role }: Claim) =>
    BY_STRICTNESS.includes(role) ? BY_STRICTNESS.indexOf(role) : BY_STRICTNESS.length
  return level(a) - level(b) || strictness(a) - strictness(b) || a.rank - b.rank
}

/** Gives each column its strongest free claim, and each role its columns in the order of their ranks. */
function assignRoles(
  claims: ReadonlyMap<FileColumn, Claim[]>,
  taken: ReadonlySet<ColumnRole | undefined>,
): Map<ColumnRole, FileColumn[]> {
  const byRole = new Map<ColumnRole, { column: FileColumn; rank: number }[]>()
  for (const [column, all] of claims) {
    const claim = all.find(({ role }) => !taken.has(role))
    if (!claim) continue
    const ofRole = byRole.get(claim.role) ?? []
    ofRole.push({ column, rank: claim.rank })
    byRole.set(claim.role, ofRole)
  }
  return new Map(
    [...byRole].map(([role, list]) => {
      const sorted = list.toSorted((a, b) => a.rank - b.rank).map(({ column }) => column)
      return [role, WITH_FALLBACKS.has(role) ? sorted : sorted.slice(0, 1)]
    }),
  )
}

/** Makes "Name" next to a first name the last name, and "Nombre" next to a last name the first. */
function assignHalfName(
  roles: Map<ColumnRole, FileColumn[]>,
  open: readonly FileColumn[],
  contents: ReadonlyMap<FileColumn, Contents>,
): void {
  const candidates = open.filter((column) => roles.get("name")?.includes(column) && contents.get(column))
  const named = (names: readonly string[]) =>
    names.flatMap((name) => candidates.filter((column) => plainName(column.name) === name))[0]
  const [hasFirst, hasLast] = [roles.has("first_name"), roles.has("last_name")]
  if (hasFirst === hasLast) return
  const role: ColumnRole = hasFirst ? "last_name" : "first_name"
  const column = named(hasFirst ? HALF_LAST : HALF_FIRST)
  if (!column) return
  roles.set(role, [column])
  const rest = roles.get("name")!.filter((one) => one !== column)
  if (rest.length > 0) roles.set("name", rest)
  else roles.delete("name")
}

/** Makes a title the job title in a file of people, and the name in a file without names. */
function assignTitle(
  roles: Map<ColumnRole, FileColumn[]>,
  open: readonly FileColumn[],
  contents: ReadonlyMap<FileColumn, Contents>,
  taken: ReadonlySet<ColumnRole | undefined>,
): void {
  const title = open.find(({ name }) => AMBIGUOUS_TITLES.has(plainName(name)))
  if (!title || areHonorifics(contents.get(title)!)) return
  const hasName = (["name", "first_name", "last_name", "company"] as const).some(
    (role) => roles.has(role) || taken.has(role),
  )
  const role: ColumnRole = hasName ? "job_title" : "name"
  if (!roles.has(role) && !taken.has(role)) roles.set(role, [title])
}

/** Makes the company the name in a file without people. */
function nameByCompany(
  roles: Map<ColumnRole, FileColumn[]>,
  taken: ReadonlySet<ColumnRole | undefined>,
): void {
  const companies = roles.get("company")
  const hasPerson = (["name", "first_name", "last_name"] as const).some(
    (role) => roles.has(role) || taken.has(role),
  )
  if (!companies || hasPerson) return
  roles.delete("company")
  roles.set("name", companies)
}

/** Names of columns with emails. */
const MAIL = /mail|correo|courriel|poczta|posta|почт|メール|邮|邮箱|이메일|البريد/iu
/** Names of columns with the emails of people who are not the lead. */
const OF_OTHERS =
  /owner|manager|agent|assign|creat|modif|updat|by|from|sender|\brep\b|besitzer|betreuer|zust[äa]ndig|respons|propri|vendedor|commercial|\bcc\b/i

/** Gives columns with unknown names a role by their contents alone; of emails all whose names say so. */
function assignByContents(
  roles: Map<ColumnRole, FileColumn[]>,
  open: readonly FileColumn[],
  contents: ReadonlyMap<FileColumn, Contents>,
  taken: ReadonlySet<ColumnRole | undefined>,
  attributes: ReadonlySet<string> | undefined,
): void {
  const used = new Set([...roles.values()].flat())
  const free = open.filter(
    (column) => !used.has(column) && !column.path && !attributes?.has(plainName(column.name)),
  )
  for (const column of free) {
    const role = roleByContents(column.name, contents.get(column)!)
    if (!role || taken.has(role)) continue
    const columns = roles.get(role)
    // One more email, whatever it is for, must be looked up in the do-not-contact list.
    if (columns && (role !== "email" || !MAIL.test(column.name) || OF_OTHERS.test(column.name))) continue
    roles.set(role, [...(columns ?? []), column])
    used.add(column)
  }
  if (roles.has("latitude") || roles.has("longitude") || roles.has("coordinates") || taken.has("latitude"))
    return
  const at = free.findIndex(
    (column, i) =>
      areDegrees(contents.get(column)!, 90) &&
      free[i + 1] !== undefined &&
      areDegrees(contents.get(free[i + 1]!)!, 180),
  )
  if (at < 0) return
  roles.set("latitude", [free[at]!])
  roles.set("longitude", [free[at + 1]!])
}
