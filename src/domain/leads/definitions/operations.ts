// Definitions of attributes: what all attributes of a name are, their names, and merging two names.

import * as v from "valibot"
import type { AttributeDefinition } from "../../../lead/attribute-definition.ts"
import { described } from "../../../lead/described.ts"
import {
  AttributeName,
  AttributeTypeField,
  Flag,
  Line,
  OptionalFlag,
  RequiredLine,
  type Said,
  whole,
} from "../../../lead/fields.ts"
import { AppError, badRequest, notFound } from "../../../runtime/errors.ts"
import type { Reads } from "../../../store/contract/store.ts"
import type { JsonText } from "../../../text/json-text.ts"
import { excerpt, fold } from "../../../text/text.ts"
import { BATCH_ID, JOB_ID, NOW } from "../../examples.ts"
import { workAnswer } from "../../job-kind.ts"
import { type Context, operation } from "../../operation.ts"
import { workThrough } from "../bulk/bulk.ts"
import { type AttributeChange, CHANGE_ATTRIBUTE } from "../bulk/change-attribute.ts"
import { idsOf } from "../list/whole.ts"
import {
  DefinitionOutput,
  definitionOutput,
  definitionWords,
  misfitsQuestion,
  outputWords,
} from "./output.ts"

export const DEFINITIONS_MAX = 500
export const OPTIONS_MAX = 200
export const OPTION_MAX = 200
const UNIT_MAX = 40

const Options = v.pipe(
  v.array(RequiredLine, "must be a list of texts"),
  v.maxLength(OPTIONS_MAX, `must hold at most ${OPTIONS_MAX} options`),
  v.check(
    (options) => options.every((option) => option.length <= OPTION_MAX),
    `must hold texts of at most ${OPTION_MAX} characters`,
  ),
  v.check((options) => new Set(options.map(fold)).size === options.length, "must hold each option once"),
)

const exampleDefinition = {
  name: "budget",
  type: "number",
  options: null,
  required: false,
  unit: "EUR",
  position: 1,
  description: "What they can spend a year.",
  created_at: NOW,
  updated_at: NOW,
} as const

const exampleBegun = { ...exampleDefinition, job: JOB_ID, matched: 3_918, batch_id: BATCH_ID }

const definitionEntries = {
  name: v.optional(AttributeName),
  type: v.optional(AttributeTypeField),
  options: v.nullish(Options),
  required: v.nullish(Flag),
  unit: v.nullish(v.pipe(Line, v.maxLength(UNIT_MAX, `must be at most ${UNIT_MAX} characters`))),
  position: v.nullish(whole(0, 100_000)),
  description: v.nullish(Line),
}
type Definition = Partial<Said<typeof definitionEntries>>

export const updateAttributeDefinition = operation({
  name: "update_attribute_definition",
  about: "Define an attribute for all leads: type, options, required, unit; rename it",
  tag: "Attributes",
  errors: ["conflict"],
  note: "Adds the definition where there is none; what the body leaves out stays. Leads are changed when the name or the type becomes another, or options are set: up to 1,000 in the request, more as a job, each with its record in the trail. Values that do not fit stay as they are and are counted in `failed`; `dry_run` counts them before. From then on values that do not fit are refused with 400; imports leave them out with a warning.",
  example: {
    body: { type: "number", unit: "EUR", position: 1, description: "What they can spend a year." },
    answers: { 200: exampleDefinition, 202: exampleBegun },
  },
  access: "write",
  http: "PUT /attributes/:attribute",
  tool: {
    set: "attributes",
    words: {
      attribute: "Its name now",
      name: "Its new name, on all leads",
      type: "Type of all values",
      options: "Texts that values may be",
      required: "New leads must have it",
      unit: "Such as EUR",
      position: "Place on screens",
      description: "For people",
      dry_run: "Count leads and misfits only",
    },
  },
  input: described(
    v.strictObject({ attribute: AttributeName, ...definitionEntries, dry_run: OptionalFlag }),
    {
      ...definitionWords,
      attribute: "The attribute's name now.",
      name: "Its new name, on all leads that have it. Merge it into a name that there is already.",
      type: "The type of its values; those that leads have are converted where they fit.",
      options:
        "The texts that a value, or an item of a list, may be, ignoring case: at most 200; null for any.",
      position: "Its place on screens, the least first.",
      dry_run: "Changes nothing; counts the leads that have it, and the values that do not fit.",
    },
  ),
  output: described(DefinitionOutput, outputWords),
  otherStatuses: [202],
  run: (ctx, { attribute, dry_run = false, ...said }) => define(ctx, attribute, said, dry_run),
})

export const mergeAttributes = operation({
  name: "merge_attributes",
  about: "Merge an attribute into another: its values go under the other's name",
  tag: "Attributes",
  errors: ["not_found"],
  note: "On a lead with both, the other's value stays unless it is empty. Up to 1,000 leads in the request, more as a job, each with its record in the trail. The definition of the merged name goes.",
  example: {
    body: { into: "budget" },
    answers: {
      200: { ...exampleDefinition, matched: 2, success: 2, failed: 0, errors: [], batch_id: BATCH_ID },
      202: exampleBegun,
    },
  },
  access: "write",
  http: "POST /attributes/:attribute/merge",
  tool: {
    set: "attributes",
    words: { attribute: "The name that goes", into: "The name that stays", dry_run: "Count leads only" },
  },
  input: described(v.strictObject({ attribute: AttributeName, into: AttributeName, dry_run: OptionalFlag }), {
    attribute: "The name that goes.",
    into: "The name that stays.",
    dry_run: "Changes nothing; counts the leads, and the values that do not fit the other's definition.",
  }),
  output: described(DefinitionOutput, outputWords),
  otherStatuses: [202],
  run: (ctx, { attribute, into, dry_run = false }) => merge(ctx, attribute, into, dry_run),
})

export const deleteAttributeDefinition = operation({
  name: "delete_attribute_definition",
  about: "Remove the definition of an attribute; values on leads stay",
  tag: "Attributes",
  errors: ["not_found"],
  access: "write",
  http: "DELETE /attributes/:attribute",
  input: described(v.strictObject({ attribute: AttributeName }), { attribute: "The attribute's name." }),
  async run(ctx, { attribute }) {
    const account = ctx.caller.account.key
    const removed = await ctx.store.write(account, (tx) => tx.attributeDefinitions.remove(account, attribute))
    if (!removed) throw notFound("Attribute definition")
    return undefined
  },
})

async function define(ctx: Context, name: string, said: Definition, isDryRun: boolean): Promise<JsonText> {
  const account = ctx.caller.account.key
  const { read } = ctx.store
  const to = said.name ?? name
  const before = (await read.attributeDefinitions.list(account)).find((one) => one.name === name)
  const type = before?.type ?? said.type ?? (await oldestType(ctx, name))
  const after = withSaid(before, { name: to, type }, said, ctx.now)
  if (to !== name) await refuseTaken(ctx, read, to)
  const isRetyped = said.type !== undefined || (said.options ?? null) !== null
  const definition = isRetyped ? { type: after.type, options: after.options } : undefined
  if (isDryRun) return preview(ctx, after, { name, ...(definition && { definition }) })
  await ctx.store.write(account, async (tx) => {
    const all = await tx.attributeDefinitions.list(account)
    if (!all.some((one) => one.name === name) && all.length >= DEFINITIONS_MAX)
      throw badRequest(`An account keeps at most ${DEFINITIONS_MAX} definitions of attributes`)
    if (to !== name) await refuseTaken(ctx, tx, to)
    if (to !== name) await tx.attributeDefinitions.remove(account, name)
    await tx.attributeDefinitions.put(account, after)
  })
  if (to === name && !definition) return workAnswer(definitionOutput(after))
  return changeAll(ctx, after, { name, to, definition })
}

function withSaid(
  before: AttributeDefinition | undefined,
  { name, type }: Pick<AttributeDefinition, "name" | "type">,
  said: Definition,
  now: number,
): AttributeDefinition {
  const saidOrBefore = <K extends "options" | "unit" | "position" | "description">(key: K) =>
    (said[key] === undefined
      ? (before?.[key] ?? null)
      : said[key] || said[key] === 0
        ? said[key]
        : null) as AttributeDefinition[K]
  const after: AttributeDefinition = {
    name,
    type: said.type ?? type,
    options: saidOrBefore("options"),
    required: said.required ?? before?.required ?? false,
    unit: saidOrBefore("unit"),
    position: saidOrBefore("position"),
    description: saidOrBefore("description"),
    created_at: before?.created_at ?? now,
    updated_at: now,
  }
  if (after.options?.length === 0) after.options = null
  if (after.options && after.type !== "text" && after.type !== "list")
    throw badRequest(`options are of text and list attributes, and this one is ${after.type}`)
  return after
}

/** The type that the oldest lead has it with; text where none has. */
async function oldestType(ctx: Context, name: string): Promise<AttributeDefinition["type"]> {
  const { rows } = await ctx.store.read.leads.list(ctx.caller.account.key, {
    filter: { all: [{ on: "attribute", not: false, name, present: true }], any: [] },
    sort: { key: { on: "id" }, descending: false },
    limit: 1,
  })
  return rows[0]?.data().attributes.find((one) => one.name === name)?.type ?? "text"
}

/** Throws `conflict` when the name is another attribute's. */
async function refuseTaken(
  ctx: Context,
  { attributeDefinitions, leads }: Pick<Reads, "attributeDefinitions" | "leads">,
  name: string,
): Promise<void> {
  const account = ctx.caller.account.key
  const isDefined = (await attributeDefinitions.list(account)).some((one) => one.name === name)
  if (isDefined || (await leads.hasAttribute(account, name)))
    throw new AppError(
      "conflict",
      `Duplicate name: there is an attribute "${excerpt(name)}" already; POST /attributes/{name}/merge puts two into one`,
    )
}

async function merge(ctx: Context, name: string, into: string, isDryRun: boolean): Promise<JsonText> {
  if (name === into) throw badRequest("into must be the name of another attribute")
  const account = ctx.caller.account.key
  const { read } = ctx.store
  const definitions = await read.attributeDefinitions.list(account)
  const isKnown = async (one: string) =>
    definitions.some((definition) => definition.name === one) || (await read.leads.hasAttribute(account, one))
  if (!(await isKnown(name))) throw notFound("Attribute")
  if (!(await isKnown(into))) throw badRequest(`into names an attribute that no lead has: "${excerpt(into)}"`)
  const target = definitions.find((definition) => definition.name === into)
  const shown = target ?? withSaid(undefined, { name: into, type: await oldestType(ctx, into) }, {}, ctx.now)
  const definition = target && { type: target.type, options: target.options }
  if (isDryRun) return preview(ctx, shown, { name, ...(definition && { definition }) })
  await ctx.store.write(account, (tx) => tx.attributeDefinitions.remove(account, name))
  return changeAll(ctx, shown, { name, to: into, isMerge: true, definition })
}

async function preview(
  ctx: Context,
  after: AttributeDefinition,
  asked: Pick<AttributeChange, "name" | "definition">,
): Promise<JsonText> {
  const { name, definition } = asked
  const counted = await ctx.questions.ask(misfitsQuestion, ctx, { name, ...(definition && { definition }) })
  return workAnswer({ ...definitionOutput(after), ...counted, dry_run: true })
}

/** Changes the attribute on every lead that has it. */
async function changeAll(
  ctx: Context,
  after: AttributeDefinition,
  change: AttributeChange,
): Promise<JsonText> {
  const ids = await idsOf(ctx, { attribute: change.name })
  const done = await workThrough(ctx, { action: CHANGE_ATTRIBUTE, data: change, ids })
  return workAnswer({ ...definitionOutput(after), ...done })
}
