// The fields of a form: which there may be, and what is posted as the lead that it becomes.
import * as v from "valibot"
import type { AttributeDefinition, AttributeDefinitions } from "../../lead/attribute-definition.ts"
import { type AttributeInput, AttributeName, LeadInput, Line } from "../../lead/fields.ts"
import type { AttributeType, AttributeValue } from "../../lead/lead.ts"
import type { LeadFieldName } from "../../lead/lead-fields.ts"
import { parse } from "../../lead/parse.ts"
import { AppError, badRequest, type FieldProblem } from "../../runtime/errors.ts"
import type { Form, FormField } from "../../store/contract/store.ts"
import { closest, excerpt } from "../../text/text.ts"
import { valueAs } from "../leads/bulk/change-attribute.ts"
import { definitionsOf } from "../leads/write/account-settings.ts"
import type { Context } from "../operation.ts"

// A form as it is asked: fields of defined attributes follow their definitions.

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

/** Lead fields that people say of themselves. */
const FORM_LEAD_FIELDS: readonly string[] = [
  ...(["name", "email", "phone", "company", "job_title", "website", "linkedin_url"] as const),
  ...(["address", "city", "state", "country", "postal_code", "category", "description"] as const),
] satisfies readonly LeadFieldName[]
/** One of them tells a lead from others. */
const NAMING = ["name", "email", "phone", "company"]
export const FORM_FIELDS_MAX = 50
/** Posted beside the fields of a form. */
export const CONSENT = "consent"
export const TOKEN = "_token"
export const CAPTCHA_ANSWERS = ["cf-turnstile-response", "h-captcha-response"] as const

const LABELS: Readonly<Record<string, string>> = {
  email: "Email",
  job_title: "Job title",
  linkedin_url: "LinkedIn",
  postal_code: "Postal code",
  description: "Message",
}

const NAMES = `${FORM_LEAD_FIELDS.join(", ")}, or attr: and the name of an attribute`
const FieldName = v.pipe(
  Line,
  v.check(
    (name) => FORM_LEAD_FIELDS.includes(name) || v.is(AttributeName, attributeOf(name) ?? ""),
    `must be one of ${NAMES}`,
  ),
)
const FIELD = `must be the name of a field, or {name, label, required, type}; a name is one of ${NAMES}; a type is text, number or bool`

/** A field as a name alone, or with what is set on it. */
const FieldInput = v.union(
  [
    FieldName,
    v.strictObject({
      name: FieldName,
      label: v.nullish(Line),
      required: v.optional(v.boolean()),
      type: v.nullish(v.picklist(["text", "number", "bool"])),
    }),
  ],
  FIELD,
)

export const FormFields = v.pipe(
  v.array(FieldInput, "must be a list of fields"),
  v.nonEmpty("must hold at least one field"),
  v.maxLength(FORM_FIELDS_MAX, `must hold at most ${FORM_FIELDS_MAX} fields`),
)
export const RequiredNames = v.pipe(
  v.array(Line, "must be a list of names of fields"),
  v.maxLength(FORM_FIELDS_MAX, `must hold at most ${FORM_FIELDS_MAX} names`),
)

export const DEFAULT_FIELDS = ["name", { name: "email", required: true }]

/** The fields of a form with their defaults. Throws `bad_request` for some that do not fit together. */
export function fieldsOf(
  sent: v.InferOutput<typeof FormFields>,
  required: readonly string[],
  { double_opt_in }: { double_opt_in: boolean },
): FormField[] {
  const fields = sent.map((one) => fieldOf(typeof one === "string" ? { name: one } : one))
  const names = fields.map(({ name }) => name)
  const twice = names.find((name, i) => names.indexOf(name) < i)
  if (twice) throw badRequest(`fields names ${twice} twice`)
  const unknown = required.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw badRequest(
      `required names "${excerpt(unknown)}", which is none of the form's fields: ${names.join(", ")}`,
    )
  if (!NAMING.some((name) => names.includes(name)))
    throw badRequest(`fields must hold one of ${NAMING.join(", ")}, by which a lead is known`)
  if (double_opt_in && !names.includes("email"))
    throw badRequest("fields must hold email, as double_opt_in has the address confirmed")
  return fields.map((field) => ({
    ...field,
    required: field.required || required.includes(field.name) || (double_opt_in && field.name === "email"),
  }))
}

type FieldSent = Exclude<v.InferOutput<typeof FieldInput>, string>

function fieldOf({ name, label, required = false, type }: FieldSent): FormField {
  const attribute = attributeOf(name)
  if (attribute === undefined && type)
    throw badRequest(`fields gives ${name} a type: only attributes have one to choose`)
  const words = attribute ?? name.replaceAll("_", " ")
  const usualLabel = LABELS[name] ?? words.charAt(0).toUpperCase() + words.slice(1)
  return {
    name,
    label: label || usualLabel,
    required,
    type: attribute === undefined ? null : (type ?? "text"),
  }
}

/** Posted values by the names of their parts. */
export type Posted = Readonly<Record<string, unknown>>

/** Posted where a box is ticked. */
const TICKED: ReadonlySet<unknown> = new Set([true, "true", "on", "1", 1, "yes"])
export const isTicked = (value: unknown) =>
  TICKED.has(typeof value === "string" ? value.toLowerCase() : value)

/**
 * The lead that a post becomes. Throws `bad_request` that names each field that is missing or wrong, with `isStrict` also
 * one that the form has not.
 */
export function leadOf(form: AskedForm, posted: Posted, now: number, isStrict: boolean): LeadInput {
  const problems: FieldProblem[] = isStrict ? unknownParts(form, posted) : []
  const lead: Record<string, unknown> = {}
  const attributes: AttributeInput[] = []
  for (const field of form.fields) {
    const value = Object.hasOwn(posted, field.name) ? trimmed(posted[field.name]) : undefined
    if (value === undefined) {
      if (field.required) problems.push({ field: field.name, message: "is required" })
      continue
    }
    const attribute = attributeOf(field.name)
    if (attribute === undefined) lead[field.name] = value
    else {
      const { problem, ...made } = attributeValue(field, value)
      if (problem !== undefined) problems.push({ field: field.name, message: problem })
      else attributes.push({ name: attribute, ...made } as AttributeInput)
    }
  }
  if (form.consent_text !== null) {
    if (isTicked(posted[CONSENT]))
      Object.assign(lead, { lawful_basis: "consent", consent: form.consent_text, consent_at: now })
    else problems.push({ field: CONSENT, message: "is required" })
  }
  if (problems.length === 0) {
    const name = lead.name ?? lead.email ?? lead.phone ?? lead.company
    if (name !== undefined) return checked(form, { ...lead, name }, attributes)
    problems.push({
      field: form.fields.find((one) => NAMING.includes(one.name))!.name,
      message: "is required",
    })
  }
  throw new AppError("bad_request", problems.map(({ field, message }) => `${field} ${message}`)[0]!, {
    details: problems,
  })
}

function checked(form: AskedForm, lead: object, attributes: readonly AttributeInput[]): LeadInput {
  return parse(LeadInput, {
    ...lead,
    source: form.source,
    ...(form.tags.length > 0 && { tags: form.tags }),
    ...(attributes.length > 0 && { attributes }),
  })
}

/** Undefined for what says nothing. */
function trimmed(value: unknown): unknown {
  if (value === null || value === undefined) return undefined
  return typeof value === "string" ? value.trim() || undefined : value
}

/** The type and value of an attribute: as its definition wants them, else as the form says. Or what is wrong with the value, as a predicate. */
function attributeValue(
  { type, definition }: AskedField,
  sent: unknown,
): { type?: AttributeType; value?: AttributeValue; problem?: string } {
  if (!definition) return { type: type!, ...plainValue(type, sent) }
  // Browsers send "on" for a ticked box without a value.
  const value = definition.type === "bool" && isTicked(sent) ? true : sent
  return { type: definition.type, ...valueAs(definition, value as AttributeValue) }
}

function plainValue(
  type: FormField["type"],
  value: unknown,
): { value: AttributeValue } | { problem: string } {
  if (type === "bool") {
    if (typeof value === "boolean") return { value }
    if (isTicked(value)) return { value: true }
    const isFalse = value === "false" || value === "0" || value === "no"
    return isFalse ? { value: false } : { problem: "must be true or false" }
  }
  if (type === "number") {
    const number = typeof value === "number" ? value : Number(value)
    return typeof value !== "object" && Number.isFinite(number)
      ? { value: number }
      : { problem: "must be a number" }
  }
  return typeof value === "object" ? { problem: "must be text" } : { value: String(value) }
}

/** Parts of a post that the form has no use for. */
function unknownParts(form: AskedForm, posted: Posted): FieldProblem[] {
  const names = form.fields.map(({ name }) => name)
  const taken = new Set([...names, form.honeypot, CONSENT, TOKEN, ...CAPTCHA_ANSWERS])
  return Object.keys(posted)
    .filter((name) => !taken.has(name))
    .slice(0, 20)
    .map((name) => {
      const near = closest(name, names)
      const hint = near ? `Did you mean "${near}"? ` : ""
      return { field: excerpt(name), message: `is no field of this form. ${hint}Valid: ${names.join(", ")}` }
    })
}
