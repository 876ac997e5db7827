// Owners of leads as people and agents name them: `me`, the name of a member, or the email that is one.

import { listed } from "../lead/filter-parts.ts"
import { isMemberId } from "../lead/owner-names.ts"
import { isObject } from "../lead/parse.ts"
import { badRequest } from "../runtime/errors.ts"
import type { MemberRow } from "../store/contract/store.ts"
import { excerpt, fold } from "../text/text.ts"

/** Who names an owner. */
export interface Naming {
  /** The caller, as an id or a name; undefined where no person is behind the request. */
  me: string | undefined
  /** Why `me` has no one meaning, where what is named is kept for all. */
  refusesMe: boolean
  members(): Promise<MemberRow[]>
}

const FILTER = /^((?:and|or)\.(eq|neq|in|not_in)\.owner\.)(.*)$/s
const ID = /^mem_[0-9a-f-]{36}$/

/**
 * The input with the ids of members in place of other words for them. A name that is no member's stays, as imports leave such.
 * Throws `bad_request` for a "me" that is nobody.
 */
export async function withOwnerIds(input: unknown, naming: Naming): Promise<unknown> {
  if (!isObject(input)) return input
  const idOf = idsAmong(await naming.members(), naming)
  const owned = (holder: unknown, at = ""): unknown => {
    if (!isObject(holder) || !isNamed(holder.owner)) return holder
    const idAt = (text: unknown) => idOf(text, `${at}owner`)
    return { ...holder, owner: Array.isArray(holder.owner) ? holder.owner.map(idAt) : idAt(holder.owner) }
  }
  const filtered = (holder: unknown): unknown =>
    isObject(holder) && isFiltered(holder.filter)
      ? { ...holder, filter: [holder.filter].flat().map((one) => withIds(one, idOf)) }
      : holder
  const { data, values, leads, segment } = input
  return {
    ...(filtered(owned(input)) as object),
    ...(data !== undefined && { data: owned(data, "data.") }),
    ...(values !== undefined && { values: owned(values, "values.") }),
    ...(leads !== undefined && {
      leads: Array.isArray(leads) ? leads.map((one, i) => owned(one, `leads[${i}].`)) : leads,
    }),
    ...(segment !== undefined && { segment: filtered(segment) }),
  }
}

/** Whether a request names an owner by another word than an id: asked of each. */
export function namesOwner(input: unknown): boolean {
  if (!isObject(input)) return false
  const { owner, filter, data, values, leads, segment } = input
  return (
    isNamed(owner) ||
    isFiltered(filter) ||
    (isObject(data) && isNamed(data.owner)) ||
    (isObject(values) && isNamed(values.owner)) ||
    (isObject(segment) && isFiltered(segment.filter)) ||
    (Array.isArray(leads) && leads.some((lead) => isObject(lead) && isNamed(lead.owner)))
  )
}

function isNamed(owner: unknown): boolean {
  if (Array.isArray(owner)) return owner.some(isNamed)
  return typeof owner === "string" && owner.trim() !== "" && !owner.trim().startsWith("mem_")
}

function isFiltered(filter: unknown): boolean {
  if (Array.isArray(filter)) return filter.some(isFiltered)
  const [, , , value = ""] = (typeof filter === "string" && FILTER.exec(filter)) || []
  return value !== "" && !ID.test(value)
}

function withIds(filter: unknown, idOf: IdOf): unknown {
  const [, head = "", operator = "", value = ""] = (typeof filter === "string" && FILTER.exec(filter)) || []
  if (value === "") return filter
  const at = `filter "${excerpt(String(filter), 80)}"`
  const ids = operator.endsWith("in") ? listed(value).map((one) => idOf(one, at)) : [idOf(value, at)]
  return `${head}${ids.join(",")}`
}

/** The id of the member whom a text at a place of the request names; anything else as it was sent. */
type IdOf = (text: unknown, at: string) => unknown

function idsAmong(members: readonly MemberRow[], { me, refusesMe }: Naming): IdOf {
  const find = (text: string) => members.find(({ id, name }) => id === text || fold(name) === fold(text))?.id
  return (sent, at) => {
    const text = typeof sent === "string" ? sent.trim() : ""
    if (text === "" || text.startsWith("mem_")) return sent
    if (fold(text) !== "me") return find(text) ?? text
    if (refusesMe) fail(at, '"me" is somebody else for each who reads it')
    if (me === undefined) fail(at, '"me" is nobody here, as no member made this key')
    return find(me) ?? fail(at, `"me" is "${excerpt(me)}", who is no member`)
  }
}

/** Throws `bad_request` for an owner who is no member: only imports leave names. */
export function refuseOwnerName(owner: string | null | undefined): void {
  if (owner && !isMemberId(owner)) fail("owner", `there is no member "${excerpt(owner)}"`)
}

function fail(at: string, why: string): never {
  throw badRequest(
    `${at}: ${why}: give the id, the name or the email of a member, as GET /members lists them`,
  )
}
