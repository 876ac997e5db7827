import { closest, excerpt } from "../text/text.ts"
import { FIELD_KINDS, type FieldName, isFieldName } from "./fields.ts"
import { countProblem, FUNCTIONS, type FunctionName, isFunctionName, type ValueKind } from "./functions.ts"
import { ExpressionRefusal } from "./refusal.ts"
import type { ChainOperator, Tree } from "./tree.ts"

/** A tree whose every name is known and whose every value has a kind. `kind` is that of the whole node. */
export type Node = { kind: ValueKind } & (
  | { type: "number"; value: number }
  | { type: "text"; value: string }
  | { type: "field"; name: FieldName }
  | { type: "attribute"; name: string }
  | { type: "nothing" }
  | { type: "call"; name: FunctionName; args: Node[] }
  | { type: "unary"; operator: "-" | "!"; operand: Node }
  | { type: "chain"; first: Node; rest: { operator: ChainOperator; operand: Node }[] }
  | { type: "logic"; operator: "&&" | "||"; operands: Node[] }
  | { type: "choice"; cases: { condition: Node; value: Node }[]; otherwise: Node }
)

const ATTRIBUTE = "attr_"
/** The function that names an attribute whose name is not made of letters, digits and `_`. */
const ATTRIBUTE_CALL = "attr"
/** Names of the empty value, which is 0 in arithmetic and "" as a text. */
const NOTHING: ReadonlySet<string> = new Set(["null", "nil"])
const CONSTANTS: ReadonlyMap<string, string> = new Map([
  ["true", "write 1 for true"],
  ["false", "write 0 for false"],
  ["null", "write null for an empty value"],
  ["nil", "write null for an empty value"],
  ["none", "write null for an empty value"],
  ["undefined", "write null for an empty value"],
])

/** Resolves names and infers kinds. Throws Refusal at the first name or call that is wrong. */
export function checkTree(tree: Tree): Node {
  switch (tree.type) {
    case "number":
      return { type: "number", kind: "number", value: tree.value }
    case "text":
      return { type: "text", kind: "text", value: tree.value }
    case "name":
      return checkName(tree.name, tree.at)
    case "call":
      return checkCall(tree.name, tree.args, tree.at)
    case "unary":
      return {
        type: "unary",
        kind: tree.operator === "!" ? "bool" : "number",
        operator: tree.operator,
        operand: checkTree(tree.operand),
      }
    case "logic":
      return { type: "logic", kind: "bool", operator: tree.operator, operands: tree.operands.map(checkTree) }
    case "chain":
      return checkChain(tree)
    case "choice":
      return checkChoice(tree)
  }
}

function checkName(name: string, at: number): Node {
  if (isFieldName(name)) {
    const kind = FIELD_KINDS.get(name)!
    return { type: "field", kind: kind === "time" ? "number" : kind, name }
  }
  if (NOTHING.has(name)) return { type: "nothing", kind: "any" }
  if (!name.startsWith(ATTRIBUTE)) throw unknownField(name, at)
  const attribute = name.slice(ATTRIBUTE.length)
  if (attribute === "")
    throw new ExpressionRefusal('expected the name of an attribute behind "attr_"', at, ", as in attr_budget")
  return { type: "attribute", kind: "any", name: attribute }
}

function unknownField(name: string, at: number): ExpressionRefusal {
  if (/^score$/i.test(name))
    return new ExpressionRefusal(`"${name}"`, at, " cannot be used: a rule on the score would be circular")
  if (/^id$/i.test(name))
    return new ExpressionRefusal(`"${name}"`, at, " cannot be used: it says nothing about a lead")
  if (isFunctionName(name) || name === ATTRIBUTE_CALL)
    return new ExpressionRefusal(`expected "(" after the function "${name}"`, at)
  const constant = CONSTANTS.get(name.toLowerCase())
  const shown = excerpt(name, 40)
  const near = closest(name, FIELD_KINDS.keys())
  const hint = constant ?? (near ? `did you mean ${near}?` : `write attr_${shown} for a custom attribute`)
  return new ExpressionRefusal(`unknown field "${shown}"`, at, `; ${hint}`)
}

/** `attr("Team Size (FTE)")`: the name is a text as it is written, since rules are compiled once for all leads. */
function checkAttributeCall(args: Tree[], at: number): Node {
  const [name, more] = args
  if (name?.type !== "text" || more !== undefined || name.value.trim() === "")
    throw new ExpressionRefusal(
      "attr takes the name of an attribute in quotes",
      name?.at ?? at,
      ', as in attr("Team size")',
    )
  return { type: "attribute", kind: "any", name: name.value.trim() }
}

function checkCall(name: string, args: Tree[], at: number): Node {
  if (name === ATTRIBUTE_CALL) return checkAttributeCall(args, at)
  if (!isFunctionName(name)) throw unknownFunction(name, at)
  const problem = countProblem(name, args.length)
  if (problem !== undefined) throw new ExpressionRefusal(problem, at)
  const { result, refuses } = FUNCTIONS.get(name)!
  const checked = args.map(checkTree)
  const kind = checked[0]!.kind
  if (refuses?.kinds.includes(kind)) {
    throw new ExpressionRefusal(`${name} cannot take a ${kind}`, args[0]!.at, `: ${refuses.because}`)
  }
  return { type: "call", kind: result, name, args: checked }
}

function unknownFunction(name: string, at: number): ExpressionRefusal {
  const near = closest(name, [...FUNCTIONS.keys(), ATTRIBUTE_CALL])
  const hint = near
    ? `did you mean ${near}?`
    : `available: ${[...FUNCTIONS.keys(), ATTRIBUTE_CALL].join(", ")}`
  return new ExpressionRefusal(`unknown function "${excerpt(name, 40)}"`, at, `; ${hint}`)
}

function checkChain(tree: Tree & { type: "chain" }): Node {
  const first = checkTree(tree.first)
  const rest = tree.rest.map(({ operator, operand }) => ({ operator, operand: checkTree(operand) }))
  return { type: "chain", kind: chainKind(tree.rest[0]!.operator), first, rest }
}

/** The kind that an operator gives; operators of one precedence give the same. */
export function chainKind(operator: ChainOperator): ValueKind {
  return "+-*/%".includes(operator) ? "number" : "bool"
}

function checkChoice(tree: Tree & { type: "choice" }): Node {
  const cases = tree.cases.map(({ condition, value }) => ({
    condition: checkTree(condition),
    value: checkTree(value),
  }))
  const otherwise = checkTree(tree.otherwise)
  const kinds = new Set([...cases.map(({ value }) => value.kind), otherwise.kind])
  return { type: "choice", kind: commonKind(kinds), cases, otherwise }
}

function commonKind(kinds: ReadonlySet<ValueKind>): ValueKind {
  if (kinds.size === 1) return kinds.values().next().value!
  return kinds.size === 2 && kinds.has("number") && kinds.has("bool") ? "number" : "any"
}
