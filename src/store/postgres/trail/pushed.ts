// The values of merged pushes as the trail keeps them: fields by their numbers, as each merge names most of them again.
import type { PushedFields } from "../../contract/changes.ts"
import { type NameSet, packNames, unpackNames } from "../../tables/trail/change-facts.ts"

/** As JSON. Before 29 November 2026 it was that of `PushedFields`. */
type StoredPush =
  | (Partial<NameSet> & Pick<NameSet, "fields"> & Partial<Pick<PushedFields, "rest">>)
  | PushedFields

export function pushText({ same, rest }: PushedFields): string {
  const { fields, attributes } = packNames(same)
  const stored: StoredPush = {
    fields,
    ...(attributes.length > 0 && { attributes }),
    ...(Object.keys(rest).length > 0 && { rest }),
  }
  return JSON.stringify(stored)
}

export function pushIn(text: string): PushedFields {
  const stored: StoredPush = JSON.parse(text)
  if ("same" in stored) return stored
  const { fields, attributes = [], rest = {} } = stored
  return { same: unpackNames({ fields, attributes }), rest }
}
