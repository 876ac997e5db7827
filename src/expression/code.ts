import { fold } from "../text/text.ts"
import type { FieldName } from "./fields.ts"
import type { ValueKind } from "./functions.ts"
import { numberOfText } from "./values.ts"

/**
 * The JavaScript under construction. What users wrote never enters it: texts and attribute names are reached
 * through `constants` and `attributes` by number, fields are names of FIELD_KINDS, everything else is made up here.
 */
export interface Code {
  lines: CodeLine[]
  /** How many names were made up. */
  names: number
  constants: Map<string, number>
  fields: Map<FieldName, string>
  attributes: Map<string, number>
  /** Variables that keep the folded form of a field or an attribute, by the variable of the latter. */
  folds: Map<string, string>
}

/** A statement, or the place behind one where a number has just been computed that may have overflowed. */
export type CodeLine = string | { overflows: string }

/** A value in the generated code: `code` is a variable or a literal that stands anywhere and costs nothing. */
export interface Value {
  code: string
  kind: ValueKind
  /** The text or the number that this is, when it is known already. */
  text?: string
  number?: number
  /** Code that tells whether there is no value, where the value itself cannot tell. */
  emptyCode?: string
  /** It is `null`. */
  isNothing?: true
}

export function emptyCode(): Code {
  return {
    lines: [],
    names: 0,
    constants: new Map(),
    fields: new Map(),
    attributes: new Map(),
    folds: new Map(),
  }
}

/** Makes up a name that nothing else has. */
export function newName(code: Code, prefix: string): string {
  return `${prefix}${code.names++}`
}

/** Computes something once. */
export function define(code: Code, kind: ValueKind, expression: string): Value {
  const name = newName(code, "t")
  code.lines.push(`const ${name} = ${expression};`)
  return { code: name, kind }
}

/** Computes a number; 0 where it is none or infinite. For what happens to ordinary leads: divisions by 0, roots. */
export function defineFinite(code: Code, expression: string): Value {
  const name = newName(code, "t")
  code.lines.push(`let ${name} = ${expression};`, zeroUnlessFinite(name))
  return { code: name, kind: "number" }
}

/** Computes a number; 0 where it overflows. For what only absurdly large numbers do. */
export function defineOverflowing(code: Code, expression: string): Value {
  const name = newName(code, "t")
  code.lines.push(`let ${name} = ${expression};`, { overflows: name })
  return { code: name, kind: "number" }
}

export function zeroUnlessFinite(name: string): string {
  return `if (${name} - ${name} !== 0) ${name} = 0;`
}

/** The variable of a constant. */
export function constant(code: Code, text: string): string {
  const index = code.constants.get(text) ?? code.constants.size
  code.constants.set(text, index)
  return `c${index}`
}

/** The number that a value is in arithmetic, when it is known already. */
export function knownNumber(value: Value): number | undefined {
  return value.text === undefined ? value.number : numberOfText(value.text)
}

export function numberCode(value: Value): string {
  const fixed = knownNumber(value)
  if (fixed !== undefined) return literal(fixed)
  switch (value.kind) {
    case "number":
      return value.code
    case "bool":
      return `(${value.code} ? 1 : 0)`
    case "text":
      return `numberOfText(${value.code})`
    case "list":
      return `${value.code}.length`
    case "any":
      return `numberOf(${value.code})`
  }
}

export function truthCode(value: Value): string {
  switch (value.kind) {
    case "number":
      return `${value.code} !== 0`
    case "bool":
      return value.code
    case "text":
      return `${value.code} !== ""`
    case "list":
      return `${value.code}.length !== 0`
    case "any":
      return `truthOf(${value.code})`
  }
}

/** The folded form of a value; that of a field or an attribute is made at most once per lead. */
export function foldedCode(code: Code, value: Value): string {
  if (value.text !== undefined) return constant(code, fold(value.text))
  if (!/^[fa]/.test(value.code)) return `folded(${value.code})`
  const name = code.folds.get(value.code) ?? newName(code, "g")
  code.folds.set(value.code, name)
  code.lines.push(`if (${name} === undefined) ${name} = folded(${value.code});`)
  return name
}

/** A number as JavaScript that stands anywhere. */
export function literal(number: number): string {
  return number < 0 ? `(${number})` : String(number + 0)
}
