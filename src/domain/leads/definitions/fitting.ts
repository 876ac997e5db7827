// Attributes of leads as the account's definitions want them. An account without definitions pays for none of it: they
// are kept at hand by the revision of its rules, which each write of a lead reads anyway.
import {
  type AttributeDefinition,
  type AttributeDefinitions,
  fitValue,
  isBlankValue,
  NO_DEFINITIONS,
} from "../../../lead/attribute-definition.ts"
import type { AttributeInput } from "../../../lead/fields.ts"
import type { Attribute } from "../../../lead/lead.ts"
import { badRequest } from "../../../runtime/errors.ts"
import type { AttributeDefinitionReads, PushTransaction } from "../../../store/contract/store.ts"
import { excerpt } from "../../../text/text.ts"
import type { Context } from "../../operation.ts"
import { keptByRevision } from "../../rule-sets.ts"

const keptDefinitions = keptByRevision(async (reads: AttributeDefinitionReads, account) => {
  const list = await reads.list(account)
  return list.length === 0 ? NO_DEFINITIONS : new Map(list.map((one) => [one.name, one]))
})

/** The account's definitions at the current revision of its rules. */
export async function definitionsAt(
  ctx: Context,
  reads: AttributeDefinitionReads,
  revision: number,
): Promise<AttributeDefinitions> {
  // No rule and no definition was ever written.
  return revision === 0 ? NO_DEFINITIONS : keptDefinitions(ctx, reads, revision)
}

/** The account's current definitions. */
export async function definitionsOf(
  ctx: Context,
  { rules, attributeDefinitions }: Pick<PushTransaction, "rules" | "attributeDefinitions">,
): Promise<AttributeDefinitions> {
  return definitionsAt(ctx, attributeDefinitions, await rules.revision(ctx.caller.account.key))
}

/** The attributes of a new lead. Throws `bad_request` naming one that does not fit, or that is required and missing. */
export function newAttributes(
  definitions: AttributeDefinitions,
  attributes: readonly AttributeInput[],
  isIncomplete: boolean,
): AttributeInput[] {
  const fitting = attributes.map((attribute) => fitted(definitions.get(attribute.name), attribute))
  if (!isIncomplete) refuseMissing(definitions.values(), fitting)
  return fitting
}

/**
 * A lead's attributes after a change. Throws `bad_request` naming one that changed and does not fit, or that is required
 * and was removed: those that stay may be of before their definition.
 */
export function changedAttributes(
  definitions: AttributeDefinitions,
  before: readonly Attribute[],
  after: Attribute[],
): Attribute[] {
  if (definitions.size === 0) return after
  const old = new Set(before)
  const fitting = after.map((attribute) =>
    old.has(attribute) ? attribute : fitted(definitions.get(attribute.name), attribute),
  )
  const had = new Map(before.map((attribute) => [attribute.name, attribute]))
  const removable = [...definitions.values()].filter(
    ({ name }) => had.has(name) && !isBlankValue(had.get(name)!.value),
  )
  refuseMissing(removable, fitting)
  return fitting
}

function fitted<T extends Pick<Attribute, "name" | "type" | "value">>(
  definition: AttributeDefinition | undefined,
  attribute: T,
): T {
  if (!definition) return attribute
  const { value, problem } = fitValue(definition, attribute.value)
  if (problem !== undefined) throw badRequest(`attribute "${excerpt(attribute.name)}" ${problem}`)
  return { ...attribute, type: definition.type, value }
}

function refuseMissing(
  definitions: Iterable<AttributeDefinition>,
  attributes: readonly Pick<Attribute, "name" | "value">[],
): void {
  for (const { name, required } of definitions) {
    if (!required) continue
    const sent = attributes.find((attribute) => attribute.name === name)
    if (!sent || isBlankValue(sent.value))
      throw badRequest(`attribute "${excerpt(name)}" is required: send it in attributes with a value`)
  }
}
