// What a merged push said, in as few bytes as a change has.
import type { LeadData } from "../../../core/lead.ts"
import type { PushedFields } from "../../contract/changes.ts"
import { packFields, unpackFields } from "../../shared/lead-diff.ts"
import type { Entry } from "./chunk.ts"

const ATTRIBUTE = "attr:"

/** `after` is the lead that it went into. */
export function packPushed({ same, rest }: PushedFields, after: LeadData): Pick<Entry, "same" | "pushed"> {
  const names = same.filter((name) => name.startsWith(ATTRIBUTE)).map((name) => name.slice(ATTRIBUTE.length))
  const said = new Set(names)
  const places = after.attributes.flatMap(({ name }, i) => (said.has(name) ? [i] : []))
  // All of them is what a scraper that comes again says.
  const isAll = places.length > 0 && places.length === after.attributes.length
  const fields = same.filter((name) => !name.startsWith(ATTRIBUTE))
  const set = packFields(isAll ? ["attributes", ...fields] : fields)
  const some = isAll || places.length === 0 ? 0 : places
  const hasRest = Object.keys(rest).length > 0
  return {
    same: set,
    ...((some !== 0 || hasRest) && { pushed: hasRest ? [some, rest] : [some] }),
  }
}

/** Undefined where nothing was kept: every push names something that the lead then has. */
export function unpackPushed({ same, pushed }: Entry, after: LeadData): PushedFields | undefined {
  if (same === undefined) return undefined
  const [places, rest = {}] = pushed ?? [0]
  const fields = unpackFields(same)
  const isAll = fields.includes("attributes")
  const said = isAll ? after.attributes : (places || []).flatMap((i) => after.attributes[i] ?? [])
  return {
    same: [...fields.filter((name) => name !== "attributes"), ...said.map(({ name }) => ATTRIBUTE + name)],
    rest,
  }
}
