// Options of an import: over REST, on the command line, and in saved mappings.

import * as v from "valibot"
import { IMPORT_FORMATS } from "../../../formats/kinds.ts"
import { Line, OptionalFlag, oneOf, RequiredLine } from "../../../lead/fields.ts"
import { ON_SUPPRESSED } from "../../leads/write/account-settings.ts"
import { NamesByPhone } from "../../leads/write/ask.ts"
import { type MergePolicy, ON_DUPLICATE, TAG_POLICIES } from "../../leads/write/lead-data.ts"
import { DATE_ORDERS, DECIMALS } from "../cells/numbers.ts"
import { IMPORT_FIELDS } from "../detect/mapping.ts"
import { UNKNOWN } from "../detect/plan.ts"

/** Fields that a merge must not change: names separated by commas, or one in each text. */
export const Keep = v.pipe(
  v.array(Line),
  v.transform((texts) =>
    texts.flatMap((text) => text.split(",").map((name) => name.trim())).filter((name) => name !== ""),
  ),
  v.check(
    (names) => names.every((name) => IMPORT_FIELDS.includes(name) || name.startsWith("attr:")),
    `must be lead fields, or attr:NAME: ${IMPORT_FIELDS.join(", ")}`,
  ),
)

/** Policies of an import; `ask` overwrites, but opens a pair for a person to decide on where a merge is doubtful. */
export const ON_IMPORT_DUPLICATE = [...ON_DUPLICATE, "ask"] as const

/** Options that a mapping saves. */
export const mappingEntries = {
  map: v.optional(v.array(Line)),
  map_value: v.optional(v.array(Line)),
  unknown: v.optional(oneOf(UNKNOWN)),
  source: v.optional(RequiredLine),
  sheet: v.optional(RequiredLine),
  header: OptionalFlag,
  encoding: v.optional(RequiredLine),
  decimal: v.optional(oneOf(DECIMALS)),
  date_order: v.optional(oneOf(DATE_ORDERS)),
  on_duplicate: v.optional(oneOf(ON_IMPORT_DUPLICATE)),
  tags: v.optional(oneOf(TAG_POLICIES)),
  keep: v.optional(Keep),
  on_suppressed: v.optional(oneOf(ON_SUPPRESSED)),
}
const MappingOptions = v.strictObject(mappingEntries)
export type MappingOptions = v.InferOutput<typeof MappingOptions>
const MAPPING_KEYS = Object.keys(mappingEntries) as (keyof MappingOptions)[]

export const importEntries = {
  format: v.optional(oneOf(IMPORT_FORMATS)),
  ...mappingEntries,
  /** The import's name; the default is the name of its file. */
  name: v.optional(RequiredLine),
  mapping: v.optional(RequiredLine),
  save_mapping: v.optional(RequiredLine),
  dry_run: OptionalFlag,
  /** A dry run also tells values, groups of warnings and the mapping's options. */
  details: OptionalFlag,
}
const ImportOptions = v.strictObject(importEntries)
export type ImportOptions = v.InferOutput<typeof ImportOptions>

/** The options of a request that a mapping saves. */
export function mappingIn(options: ImportOptions): MappingOptions {
  const said = MAPPING_KEYS.filter((key) => isSaid(options[key]))
  return Object.fromEntries(said.map((key) => [key, options[key]]))
}

function isSaid(value: unknown): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0)
}

/** Fills the options of an import with those of a mapping. */
export function withMapping(options: ImportOptions, mapping: MappingOptions): ImportOptions {
  const said = Object.entries(options).filter(([, value]) => isSaid(value))
  return { ...mapping, ...Object.fromEntries(said) }
}

/** The merge policy of an import. */
export function importPolicy({
  on_duplicate = "overwrite",
  tags = "add",
  keep = [],
  on_suppressed,
}: MappingOptions): MergePolicy {
  const policy = { tags, keep, onSuppressed: on_suppressed }
  if (on_duplicate !== "ask") return { ...policy, onDuplicate: on_duplicate }
  return { ...policy, onDuplicate: "overwrite", asks: new NamesByPhone() }
}
