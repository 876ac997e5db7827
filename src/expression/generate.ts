import type { Node } from "./check.ts"
import { type Code, emptyCode, literal, numberCode } from "./code.ts"
import { emit } from "./emit.ts"
import { FIELD_KINDS, type FieldName, type ScoreInput } from "./fields.ts"
import { contains, equal, folded, has, lengthOf, numberOf, numberOfText, truthOf } from "./values.ts"

const HELPERS = { contains, equal, folded, has, lengthOf, numberOf, numberOfText, truthOf, none: [] }

export interface WeightedNode {
  root: Node
  /** Finite. */
  weight: number
}

/** Compiled rules: both functions run the same statements. `now` is in Unix seconds. */
export interface Program {
  /** The clamped sum of value by weight. */
  score(lead: ScoreInput, now: number): number
  /** The value of each rule. */
  values(lead: ScoreInput, now: number): number[]
}

export interface Generated {
  /** The body of a function of `helpers`, `constants` and `attributes` that makes the Program. */
  source: string
  /** Texts that the source reaches as `c0`, `c1`... */
  constants: readonly string[]
  fields: ReadonlySet<FieldName>
  /** Attribute names, each with the number under which the source knows it. */
  attributes: ReadonlyMap<string, number>
}

/** Writes one program for all rules. */
export function generate(rules: readonly WeightedNode[]): Generated {
  const code = emptyCode()
  const values = rules.map(({ root }, i) => {
    const value = numberCode(emit(code, root))
    code.lines.push(`const v${i} = ${value};`)
    return `v${i}`
  })
  const body = [...loads(code), ...code.lines]
  const source = [
    `const { ${Object.keys(HELPERS).join(", ")} } = helpers;`,
    ...Array.from(code.constants.values(), (index) => `const c${index} = constants[${index}];`),
    "return {",
    "score(lead, now) {",
    ...body,
    ...total(rules),
    "},",
    "values(lead, now) {",
    ...body,
    `return [${values.map((value) => `${value} + 0`).join(", ")}];`,
    "},",
    "};",
  ].join("\n")
  return {
    source,
    constants: [...code.constants.keys()],
    fields: new Set(code.fields.keys()),
    attributes: code.attributes,
  }
}

/** Turns generated source into functions. */
export function load({ source, constants, attributes }: Generated): Program {
  const make = new Function("helpers", "constants", "attributes", `"use strict";\n${source}`)
  return make(HELPERS, constants, attributes) as Program
}

/** Reads every field and attribute once, giving it the type that the rest of the code relies on. */
function loads(code: Code): string[] {
  const lines = Array.from(
    code.fields,
    ([field, name]) => `let ${name} = lead.${field}; ${settle(field, name)}`,
  )
  if (code.folds.size > 0) lines.push(`let ${[...code.folds.values()].join(", ")};`)
  if (code.attributes.size === 0) return lines
  const indexes = [...code.attributes.values()]
  return [
    ...lines,
    `let ${indexes.map((index) => `a${index}`).join(", ")};`,
    "const list = lead.attributes ?? none;",
    "for (let i = 0; i < list.length; i++) {",
    "switch (attributes.get(list[i].name)) {",
    ...indexes.map((index) => `case ${index}: a${index} = list[i].value; break;`),
    "}",
    "}",
  ]
}

function settle(field: FieldName, name: string): string {
  const kind = FIELD_KINDS.get(field)!
  if (kind === "text") return `if (typeof ${name} !== "string") ${name} = "";`
  if (kind === "list") return `if (!Array.isArray(${name})) ${name} = none;`
  // The product makes the engine keep integers as doubles, as the other numbers are: 1.9x for ten rules.
  return `${name} = typeof ${name} === "number" ? ${name} * 1 : 0; if (${name} - ${name} !== 0) ${name} = 0;`
}

function total(rules: readonly WeightedNode[]): string[] {
  const lines = ["let sum = 0;"]
  for (const [i, { weight }] of rules.entries()) {
    const overflow = Math.abs(weight) > 1 ? `if (w${i} - w${i} === 0) ` : ""
    lines.push(`const w${i} = v${i} * ${literal(weight)};`, `${overflow}sum += w${i};`)
  }
  return [...lines, "return sum > 0 ? (sum < 100 ? sum : 100) : 0;"]
}
