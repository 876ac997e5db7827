// The values of a merged push, recorded with the change, so that the push can be split off again.
import { isDeepStrictEqual } from "node:util"
import type { AttributeInput, LeadInput } from "../../../lead/fields.ts"
import type { Lead, LeadData } from "../../../lead/lead.ts"
import type { PushedFields } from "../../../store/contract/store.ts"

const ATTRIBUTE = "attr:"
type Fields = Record<string, unknown>

/** `after` is the lead after the merge. */
export function pushedFields(after: LeadData, { attributes, ...input }: LeadInput): PushedFields {
  const now = after as unknown as Fields
  const same: string[] = []
  const rest: Fields = {}
  const put = (name: string, isThere: boolean, value: unknown) => {
    if (isThere) same.push(name)
    else rest[name] = value
  }
  for (const [name, value] of Object.entries(input)) {
    if (value == null || value === "" || (Array.isArray(value) && value.length === 0)) continue
    put(name, now[name] === value || isDeepStrictEqual(now[name], value), value)
  }
  for (const { name, type, value } of attributes ?? []) {
    const there = after.attributes.find((one) => one.name === name)
    const isThere = there?.type === type && isDeepStrictEqual(there.value, value)
    put(ATTRIBUTE + name, isThere, { type, value })
  }
  return { same, rest }
}

/** The push as it was sent. */
export function pushedInput(after: Lead, { same, rest }: PushedFields) {
  const fields: Fields = {}
  const attributes: AttributeInput[] = []
  const now = after as unknown as Fields
  const there = new Map(after.attributes.map((one) => [one.name, one]))
  for (const [name, value] of [...same.map((name) => [name, now[name]] as const), ...Object.entries(rest)]) {
    if (!name.startsWith(ATTRIBUTE)) {
      fields[name] = value
      continue
    }
    const own = name.slice(ATTRIBUTE.length)
    const { type, value: is } = (value ?? there.get(own)) as AttributeInput
    attributes.push({ name: own, type, value: is } as AttributeInput)
  }
  return { fields, attributes }
}
