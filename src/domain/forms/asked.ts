// A form as it is asked: fields of defined attributes follow their definitions.
import type { AttributeDefinition, AttributeDefinitions } from "../../lead/attribute-definition.ts"
import type { AttributeType } from "../../lead/lead.ts"
import type { Form, FormField } from "../../store/contract/store.ts"
import { definitionsOf } from "../leads/definitions/fitting.ts"
import type { Context } from "../operation.ts"

const ATTRIBUTE = "attr:"

/** A field with the definition of its attribute, where the account has one. */
export interface AskedField extends FormField {
  definition?: AttributeDefinition
}

export interface AskedForm extends Form {
  fields: AskedField[]
}

/** The name of the attribute that a field fills; undefined for a lead field. */
export function attributeOf(name: string): string | undefined {
  return name.startsWith(ATTRIBUTE) ? name.slice(ATTRIBUTE.length) : undefined
}

/** The form with the account's current definitions. */
export async function askedForm(ctx: Context, form: Form): Promise<AskedForm> {
  const hasAttributes = form.fields.some(({ name }) => attributeOf(name) !== undefined)
  return hasAttributes ? withDefinitions(form, await definitionsOf(ctx, ctx.store.read)) : form
}

function withDefinitions(form: Form, definitions: AttributeDefinitions): AskedForm {
  if (definitions.size === 0) return form
  const fields = form.fields.map((field) => {
    const definition = definitions.get(attributeOf(field.name) ?? "")
    if (!definition) return field
    // A person who leaves a box unticked has answered.
    const required = field.required || (definition.required && definition.type !== "bool")
    return { ...field, required, definition }
  })
  return { ...form, fields }
}

/** The type of a field's attribute; null for a lead field. */
export function typeOf({ type, definition }: AskedField): AttributeType | null {
  return definition?.type ?? type
}

/** The texts that a field offers; undefined where any may be given. */
export function optionsOf({ definition }: AskedField): readonly string[] | undefined {
  return definition?.options ?? undefined
}

/** The field's label with the unit of its numbers. */
export function labelOf({ label, definition }: AskedField): string {
  return definition?.unit ? `${label} (${definition.unit})` : label
}

/** The names of fields with a box for each option: what is ticked comes by the same name each time. */
export function listNames({ fields }: AskedForm): ReadonlySet<string> {
  return new Set(
    fields.filter((field) => typeOf(field) === "list" && optionsOf(field)).map(({ name }) => name),
  )
}
