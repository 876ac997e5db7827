// The fields of a schema as a list to read.
import { LINE_MAX } from "../../lead/fields.ts"
import type { Schema } from "../openapi/types.ts"
import { type Html, html } from "./html.ts"
import { inline } from "./markdown.ts"

export type Schemas = Readonly<Record<string, Schema>>

/** The name of the shared schema that is referred to. */
export function refName({ $ref = "" }: { $ref?: string }): string {
  return $ref.slice($ref.lastIndexOf("/") + 1)
}

/** A schema itself, where it is only referred to. */
export function resolve(schemas: Schemas, schema: Schema): Schema {
  return schema.$ref ? { ...schemas[refName(schema)] } : schema
}

/** The fields of an object that clients send or read, without those that a request carries to no effect. */
export function fieldList(schemas: Schemas, schema: Schema): Html {
  const { properties = {}, required = [], additionalProperties } = together(resolve(schemas, schema))
  // Only schemas of requests say so. Fields of answers are nearly always there: the others are marked.
  const isSent = additionalProperties !== undefined
  const note = (name: string) => (required.includes(name) !== isSent ? "" : isSent ? "required" : "sometimes")
  const shown = Object.entries(properties).filter(([, field]) => !field.readOnly)
  return html`<dl class="fields">
${shown.map(([name, field]) => fieldItem(schemas, name, field, note(name)))}
</dl>`
}

/**
 * Merges objects that differ in a field or two into one, whose field may be what it is in any of them. Picks the
 * object where something simpler may stand for it.
 */
function together(schema: Schema): Schema {
  const object = schema.anyOf?.find(({ properties }) => properties)
  if (object) return object
  const [first, ...more] = schema.oneOf ?? []
  if (!first?.properties) return schema
  const properties = Object.entries(first.properties).map(([name, field]): [string, Schema] => {
    const kinds = [field, ...more.map((other) => other.properties![name]!)]
    if (kinds.every((kind) => JSON.stringify(kind) === JSON.stringify(field))) return [name, field]
    if (field.enum) return [name, { ...field, enum: kinds.flatMap((kind) => kind.enum ?? []) }]
    return [name, { description: field.description ?? "", anyOf: kinds }]
  })
  return { ...first, properties: Object.fromEntries(properties) }
}

function fieldItem(schemas: Schemas, name: string, field: Schema, note: string): Html {
  const inner = innerObject(field)
  return html`<div><dt><code>${name}</code> <span class="type">${typeOf(field)}</span>${
    note ? html` <span class="${note}">${note}</span>` : ""
  }</dt><dd>${about(field)}${inner ? html`<details><summary>Fields</summary>${fieldList(schemas, inner)}</details>` : ""}</dd></div>\n`
}

/** An object within a field that has no name of its own to look up. */
function innerObject({ items, properties, ...rest }: Schema): Schema | undefined {
  if (properties) return { properties, ...rest }
  return items?.properties ? items : undefined
}

/** The description of a parameter or field, with its limits. */
export function about({ description = "", enum: choices, ...limits }: Schema): Html {
  const names = choices?.filter((choice) => choice !== null)
  return html`${description ? inline(description) : ""} ${
    names
      ? html`<span class="choices">${names.map((choice) => html`<code>${String(choice)}</code> `)}</span>`
      : ""
  }<span class="limits">${limitsOf(limits)}</span>`
}

/** The limits of a schema; the usual length of texts is stated once, at the start. */
function limitsOf({ default: usual, minimum, maximum, maxLength, maxItems }: Schema): string {
  const count = (n: unknown) => Number(n).toLocaleString("en-US")
  const range = minimum !== undefined && maximum !== undefined ? `${count(minimum)} to ${count(maximum)}` : ""
  const parts = [
    range,
    maxLength === undefined || maxLength === LINE_MAX ? "" : `at most ${count(maxLength)} characters`,
    maxItems === undefined ? "" : `at most ${count(maxItems)}`,
    usual === undefined ? "" : `default ${String(usual)}`,
  ]
  return parts.filter(Boolean).join(", ")
}

/** A schema's type in a word or two, with a link to where a shared one is described. */
export function typeOf({ $ref, type, items, anyOf, additionalProperties }: Schema): Html {
  if ($ref) return html`<a href="#schema-${refName({ $ref })}">${breakable(refName({ $ref }))}</a>`
  if (anyOf) return html`${anyOf.map((kind, i) => html`${i > 0 ? " or " : ""}${typeOf(kind)}`)}`
  const types = [type ?? "anything"].flat()
  const isOptional = types.includes("null")
  const main = types.find((one) => one !== "null")
  const shown =
    main === "array" && items ? html`list of ${typeOf(items)}` : html`${WORDS[main ?? ""] ?? main}`
  const map = typeof additionalProperties === "object" ? html` of ${typeOf(additionalProperties)}s` : ""
  return html`${shown}${map}${isOptional ? " or null" : ""}`
}

/** A name that may break between its words. */
function breakable(name: string): Html {
  return html`${name.split(/(?<=[a-z])(?=[A-Z])/).map((word, i) => html`${i > 0 ? html`<wbr>` : ""}${word}`)}`
}

const WORDS: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  boolean: "true or false",
}
