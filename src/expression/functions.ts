/**
 * The type of a value at compile time. A `bool` is 1 or 0 in arithmetic; `any` is an attribute, or a
 * choice between values of different kinds.
 */
export type ValueKind = "number" | "bool" | "text" | "list" | "any"

export type FunctionName =
  | "min"
  | "max"
  | "abs"
  | "round"
  | "floor"
  | "ceil"
  | "log"
  | "sqrt"
  | "contains"
  | "has"
  | "len"
  | "days_since"

interface Signature {
  least: number
  most: number
  result: ValueKind
  /** Kinds that the first argument cannot sensibly have, and what to say then. */
  refuses?: { kinds: readonly ValueKind[]; because: string }
}

const one: Signature = { least: 1, most: 1, result: "number" }
const many: Signature = { least: 1, most: Number.POSITIVE_INFINITY, result: "number" }

/** The functions of the scoring language. */
export const FUNCTIONS: ReadonlyMap<string, Signature> = new Map<FunctionName, Signature>([
  ["min", many],
  ["max", many],
  ["abs", one],
  ["round", one],
  ["floor", one],
  ["ceil", one],
  ["log", one],
  ["sqrt", one],
  ["contains", { least: 2, most: 2, result: "bool" }],
  [
    "has",
    {
      least: 2,
      most: 2,
      result: "bool",
      refuses: {
        kinds: ["number", "bool", "text"],
        because: "it looks into a list; use contains(text, part) for text",
      },
    },
  ],
  [
    "len",
    {
      ...one,
      refuses: { kinds: ["number", "bool"], because: "it counts a text, a list or an object" },
    },
  ],
  [
    "days_since",
    {
      ...one,
      refuses: {
        kinds: ["text", "list", "bool"],
        because: "it takes a time in Unix seconds, such as created_at",
      },
    },
  ],
])

/** True for the name of a function. */
export function isFunctionName(name: string): name is FunctionName {
  return FUNCTIONS.has(name)
}

/** The problem of a number of arguments, such as `contains takes 2 arguments, got 1`; undefined when it fits. */
export function countProblem(name: FunctionName, count: number): string | undefined {
  const { least, most } = FUNCTIONS.get(name)!
  if (count >= least && count <= most) return undefined
  const takes = least === most ? `${least}` : `at least ${least}`
  return `${name} takes ${takes} argument${least === 1 ? "" : "s"}, got ${count}`
}
