// What each column of a file is: by its name, by the program that wrote the file, by what is in it.
import type { ImportRow } from "../../../formats/rows.ts"
import { areDegrees, areHonorifics, type Contents, canBe, contentsOf, roleByContents } from "./contents.ts"
import { type FileColumn, rowReader } from "./file-columns.ts"
import { type Claim, claimsOf, presetClaims, presetOf, TITLES } from "./names.ts"
import { plainName } from "./plain-name.ts"
import type { Preset, Role } from "./presets.ts"
import type { StatusOf } from "./statuses.ts"

export interface Recognised {
  preset: Preset | undefined
  /** The columns of each role, the best first: a row takes the first that has something in it. */
  roles: Map<Role, FileColumn[]>
}

/** Roles that take the next column where the best one is empty. */
const COALESCED: ReadonlySet<Role> = new Set<Role>([
  ...(["email", "phone", "website", "source_id", "address", "city", "state", "country"] as const),
  ...(["postal_code", "company", "name", "linkedin_url", "latitude", "longitude"] as const),
])

/** Of what a name means twice the stricter comes first: its contents tell. */
const STRICT: readonly Role[] = [
  "status",
  "coordinates",
  "rating",
  "review_count",
  "latitude",
  "longitude",
  "phone",
  "email",
]

/** Names that are the first or last name when the other one has a column of its own. */
const HALF_FIRST = new Set(["nombre", "nome", "name", "nombres"])
const HALF_LAST = new Set(["name", "nom", "naam", "nome"])
const LEVEL = 1_000

/**
 * What the columns are. `fixed` are those that somebody said; they are none of its business. `statusOf` tells which
 * words stand for a status.
 */
export function recognise(
  columns: readonly FileColumn[],
  sample: readonly ImportRow[],
  fixed: ReadonlyMap<string, Role | undefined>,
  statusOf: (preset: Preset | undefined) => StatusOf,
): Recognised {
  const plain = new Set(columns.map(({ name }) => plainName(name)))
  const preset = presetOf(plain)
  const known = preset && presetClaims(preset)
  const mapped = statusOf(preset)
  const contents = lookInto(columns, sample)
  const open = columns.filter(({ name }) => name !== "" && !fixed.has(name))
  const taken = new Set([...fixed.values()])
  const claims = new Map<FileColumn, Claim[]>()
  for (const column of open) {
    const name = plainName(column.name)
    if (known?.attributes.has(name)) continue
    const said = known?.claims.get(name) ?? []
    const all = said.length > 0 ? said : claimsOf(column.name).toSorted(strictFirst)
    const possible = all.filter(({ role }) =>
      canBe(role, contents.get(column)!, (text) => mapped(text) !== undefined),
    )
    if (possible.length > 0) claims.set(column, possible)
  }
  const roles = assign(claims, taken)
  splitNames(roles, open, contents)
  if (!preset) takeTitle(roles, open, contents, taken)
  byContents(roles, open, contents, taken, known?.attributes)
  nameFirms(roles, taken)
  return { preset, roles }
}

function strictFirst(a: Claim, b: Claim): number {
  const level = (claim: Claim) => Math.floor(claim.rank / LEVEL)
  const strictness = ({ role }: Claim) => (STRICT.includes(role) ? STRICT.indexOf(role) : STRICT.length)
  return level(a) - level(b) || strictness(a) - strictness(b) || a.rank - b.rank
}

function lookInto(columns: readonly FileColumn[], sample: readonly ImportRow[]): Map<FileColumn, Contents> {
  const readers = sample.filter(({ problem }) => problem === undefined).map(({ values }) => rowReader(values))
  return new Map(
    columns.map((column) => [
      column,
      contentsOf(
        (function* () {
          for (const read of readers) yield read(column)
        })(),
      ),
    ]),
  )
}

/** Each column has the role that it claims first; each role its columns in the order of their claims. */
function assign(
  claims: ReadonlyMap<FileColumn, Claim[]>,
  taken: ReadonlySet<Role | undefined>,
): Map<Role, FileColumn[]> {
  const byRole = new Map<Role, { column: FileColumn; rank: number }[]>()
  for (const [column, all] of claims) {
    const claim = all.find(({ role }) => !taken.has(role))
    if (!claim) continue
    byRole.set(claim.role, [...(byRole.get(claim.role) ?? []), { column, rank: claim.rank }])
  }
  return new Map(
    [...byRole].map(([role, list]) => {
      const sorted = list.toSorted((a, b) => a.rank - b.rank).map(({ column }) => column)
      return [role, COALESCED.has(role) ? sorted : sorted.slice(0, 1)]
    }),
  )
}

/** "Name" beside a first name is the last name, "Nombre" beside a last name the first. */
function splitNames(
  roles: Map<Role, FileColumn[]>,
  open: readonly FileColumn[],
  contents: ReadonlyMap<FileColumn, Contents>,
): void {
  const named = (names: ReadonlySet<string>) =>
    open.find(
      (column) =>
        names.has(plainName(column.name)) && roles.get("name")?.includes(column) && contents.get(column),
    )
  const [hasFirst, hasLast] = [roles.has("first_name"), roles.has("last_name")]
  if (hasFirst === hasLast) return
  const role: Role = hasFirst ? "last_name" : "first_name"
  const column = named(hasFirst ? HALF_LAST : HALF_FIRST)
  if (!column) return
  roles.set(role, [column])
  const rest = roles.get("name")!.filter((one) => one !== column)
  if (rest.length > 0) roles.set("name", rest)
  else roles.delete("name")
}

/** A title is what a person does where there are persons, and what a thing is called where nothing else is. */
function takeTitle(
  roles: Map<Role, FileColumn[]>,
  open: readonly FileColumn[],
  contents: ReadonlyMap<FileColumn, Contents>,
  taken: ReadonlySet<Role | undefined>,
): void {
  const title = open.find(({ name }) => TITLES.has(plainName(name)))
  if (!title || areHonorifics(contents.get(title)!)) return
  const hasName = (["name", "first_name", "last_name", "company"] as const).some(
    (role) => roles.has(role) || taken.has(role),
  )
  const role: Role = hasName ? "job_title" : "name"
  if (!roles.has(role) && !taken.has(role)) roles.set(role, [title])
}

/** In a file without persons the firm is the name. */
function nameFirms(roles: Map<Role, FileColumn[]>, taken: ReadonlySet<Role | undefined>): void {
  const firms = roles.get("company")
  const hasPerson = (["name", "first_name", "last_name"] as const).some(
    (role) => roles.has(role) || taken.has(role),
  )
  if (!firms || hasPerson) return
  roles.delete("company")
  roles.set("name", firms)
}

/** Columns that nobody knows by name, by what is in them. */
function byContents(
  roles: Map<Role, FileColumn[]>,
  open: readonly FileColumn[],
  contents: ReadonlyMap<FileColumn, Contents>,
  taken: ReadonlySet<Role | undefined>,
  attributes: ReadonlySet<string> | undefined,
): void {
  const used = new Set([...roles.values()].flat())
  const free = open.filter(
    (column) => !used.has(column) && !column.path && !attributes?.has(plainName(column.name)),
  )
  for (const column of free) {
    const role = roleByContents(column.name, contents.get(column)!)
    if (role && !roles.has(role) && !taken.has(role)) {
      roles.set(role, [column])
      used.add(column)
    }
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
