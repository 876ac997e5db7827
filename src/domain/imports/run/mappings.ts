// Saved mappings: by name, and by the header of the file that they were made for.

import { createHash } from "node:crypto"
import * as v from "valibot"
import { described, named } from "../../../lead/described.ts"
import { RequiredLine, seconds } from "../../../lead/fields.ts"
import type { Json } from "../../../lead/lead.ts"
import { AppError, notFound } from "../../../runtime/errors.ts"
import type { ImportMapping } from "../../../store/contract/store.ts"
import { closest, excerpt } from "../../../text/text.ts"
import { NOW } from "../../examples.ts"
import { type Context, operation } from "../../operation.ts"
import { parseMapValue } from "../cells/mapped-values.ts"
import { parseMap } from "../detect/mapping.ts"
import {
  type ImportOptions,
  type MappingOptions,
  mappingEntries,
  mappingIn,
  withMapping,
} from "../reader/options.ts"

const exampleMapping = { name: "fair", options: { map: ["Firm:name"] }, created_at: NOW, used_at: NOW }

/** Named mappings of an account at most. */
const MAPPINGS_MAX = 1_000

/** The mapping that an import uses. */
export interface UsedMapping {
  /** Null for a mapping that is only remembered by its header. */
  name: string | null
  /** True when the request named no mapping: the same header was imported with it before. */
  is_reused: boolean
  /** Columns and values of the file. */
  options: MappingOptions
}

/** Merges the named mapping into the options. Throws `not_found`. */
export async function withNamed(ctx: Context, options: ImportOptions): Promise<ImportOptions> {
  const { mapping: name } = options
  if (name === undefined) return options
  const { imports } = ctx.store.read
  const mapping = await imports.mapping(ctx.caller.account.key, name)
  if (!mapping) {
    const names = (await imports.mappings(ctx.caller.account.key)).map((one) => one.name ?? "")
    const near = closest(name, names)
    const others =
      names.length > 0 ? `; there are ${names.slice(0, 20).join(", ")}` : " yet: save one with save_mapping"
    const hint = near ? `; did you mean "${near}"?` : others
    throw new AppError("not_found", `There is no mapping "${excerpt(name)}"${hint}`)
  }
  return withMapping(options, mapping.options as MappingOptions)
}

/** Options of a mapping that say nothing of columns. */
const OF_LEADS = ["source", "on_duplicate", "tags", "keep", "on_suppressed"]

/** Merges the mapping of an earlier import with the same header into options that say nothing of columns. */
export async function withRemembered(
  ctx: Context,
  options: ImportOptions,
  names: readonly string[] | undefined,
): Promise<{ options: ImportOptions; used: UsedMapping | null }> {
  if (options.mapping !== undefined)
    return { options, used: { name: options.mapping, is_reused: false, options: mappingIn(options) } }
  const isSaid = Object.keys(mappingIn(options)).some((key) => !OF_LEADS.includes(key))
  if (!names || isSaid) return { options, used: null }
  const mapping = await ctx.store.read.imports.mappingOf(ctx.caller.account.key, headerKey(names))
  if (!mapping) return { options, used: null }
  return {
    options: withMapping(options, mapping.options as MappingOptions),
    used: { name: mapping.name, is_reused: true, options: mapping.options as MappingOptions },
  }
}

/** Saves the mapping of an import: under its name, else for the next file with the same header. */
export async function rememberMapping(
  ctx: Context,
  options: ImportOptions,
  names: readonly string[] | undefined,
): Promise<void> {
  const said = mappingIn(options)
  const header = names ? headerKey(names) : null
  const name = options.save_mapping ?? options.mapping ?? null
  // Only a named mapping says that doubtful merges are asked about: programs that send the same header do not expect it.
  if (name === null && said.on_duplicate === "ask") delete said.on_duplicate
  if (name === null && (header === null || !(said.map?.length || said.map_value?.length || said.unknown)))
    return
  await save(ctx, { name, header, options: said as Json })
}

function headerKey(names: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(names)).digest("hex")
}

/** Saves a mapping and replaces the one of the same name or header. Throws `conflict` for one too many with a name. */
async function save(
  ctx: Context,
  said: Pick<ImportMapping, "name" | "header" | "options">,
): Promise<ImportMapping> {
  const account = ctx.caller.account.key
  const mapping = { ...said, created_at: ctx.now, used_at: ctx.now }
  await ctx.store.write(account, async (tx) => {
    const named = said.name === null ? [] : await tx.imports.mappings(account)
    if (named.length >= MAPPINGS_MAX && !named.some(({ name }) => name === said.name))
      throw new AppError("conflict", `An account keeps at most ${MAPPINGS_MAX} mappings: delete one first`)
    await tx.imports.saveMapping(account, mapping)
  })
  return mapping
}

const MappingOutput = named(
  "ImportMapping",
  v.strictObject({
    name: v.string(),
    options: v.record(v.string(), v.any()),
    ...{ created_at: seconds, used_at: seconds },
  }),
  { name: "Unique in the account.", options: "Options of the mapping.", used_at: "Unix seconds." },
)

const mappingOutput = ({ name, options, created_at, used_at }: ImportMapping) => ({
  ...{ name, options, created_at, used_at },
})

export const listMappings = operation({
  name: "list_import_mappings",
  about: "Saved mappings of columns, by name",
  tag: "Imports",
  note: "An import takes one by `mapping=NAME`.",
  example: { answers: { 200: [exampleMapping] } },
  access: "read",
  http: "GET /import-mappings",
  output: v.array(MappingOutput),
  run: async (ctx) => (await ctx.store.read.imports.mappings(ctx.caller.account.key)).map(mappingOutput),
})

export const getMapping = operation({
  name: "get_import_mapping",
  about: "One saved mapping of columns",
  tag: "Imports",
  note: "What an import with `mapping=NAME` does with each column.",
  errors: ["not_found"],
  example: { answers: { 200: exampleMapping } },
  access: "read",
  http: "GET /import-mappings/:name",
  input: v.strictObject({ name: v.string() }),
  output: MappingOutput,
  async run(ctx, { name }) {
    const mapping = await ctx.store.read.imports.mapping(ctx.caller.account.key, name)
    if (!mapping) throw notFound("Mapping")
    return mappingOutput(mapping)
  },
})

/** Saves a mapping and replaces the one of the same name. Throws `bad_request` for options that no import accepts. */
async function put(ctx: Context, name: string, options: MappingOptions) {
  parseMap(options.map ?? [])
  parseMapValue(options.map_value ?? [])
  return mappingOutput(await save(ctx, { name, header: null, options: options as Json }))
}

/** Descriptions of what a mapping keeps. */
export const mappingWords = {
  map: "`COLUMN:FIELD`, `COLUMN:attr:NAME:TYPE`, or `COLUMN:-` to skip the column.",
  map_value:
    "`WORD=STATUS` maps a word of the file to a status, `COLUMN:WORD=VALUE` a value of a column (a tag, a number, a status) to another; an empty one leaves it out.",
  unknown: "Unmatched columns: kept as attributes, left out, or the import is refused.",
  source: "Default source.",
  sheet: "Sheet of a workbook, by name.",
  header: "Whether the first row names the columns.",
  encoding: "Encoding of a text file, such as `windows-1252`.",
  decimal: "Decimal separator.",
  date_order: "What comes first in dates such as 03/04/2024.",
  on_duplicate: "If the lead already exists: overwrite it, fill empty fields, or skip the row.",
  tags: "Tags on existing leads: add or replace.",
  keep: "Fields that a merge must not touch.",
  on_suppressed: "If the lead is on the do-not-contact list: skip the row, or save and mark the lead.",
}

export const createMapping = operation({
  name: "create_import_mapping",
  about: "Save a mapping of columns under a name",
  tag: "Imports",
  errors: ["conflict"],
  example: { body: { name: "fair", map: ["Firm:name"] }, answers: { 201: exampleMapping } },
  access: "write",
  http: "POST /import-mappings",
  input: described(v.strictObject({ name: RequiredLine, ...mappingEntries }), {
    name: "Unique in the account.",
    ...mappingWords,
  }),
  output: MappingOutput,
  status: 201,
  async run(ctx, { name, ...options }) {
    if (await ctx.store.read.imports.mapping(ctx.caller.account.key, name))
      throw new AppError("conflict", `There is a mapping "${excerpt(name)}" already: change it with PUT`)
    return put(ctx, name, options)
  },
})

export const updateMapping = operation({
  name: "update_import_mapping",
  about: "Replace a saved mapping of columns, or save it anew",
  tag: "Imports",
  errors: ["conflict"],
  example: { body: { map: ["Firm:name"] }, answers: { 200: exampleMapping } },
  access: "write",
  http: "PUT /import-mappings/:name",
  input: described(v.strictObject({ name: RequiredLine, ...mappingEntries }), mappingWords),
  output: MappingOutput,
  run: (ctx, { name, ...options }) => put(ctx, name, options),
})

export const deleteMapping = operation({
  name: "delete_import_mapping",
  about: "Delete a saved mapping of columns",
  tag: "Imports",
  errors: ["not_found"],
  access: "write",
  http: "DELETE /import-mappings/:name",
  input: v.strictObject({ name: v.string() }),
  async run(ctx, { name }) {
    const account = ctx.caller.account.key
    if (!(await ctx.store.write(account, (tx) => tx.imports.removeMapping(account, name))))
      throw notFound("Mapping")
    return undefined
  },
})
