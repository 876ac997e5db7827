import { chainKind, type Node } from "./check.ts"
import {
  type Code,
  constant,
  define,
  defineFinite,
  defineOverflowing,
  foldedCode,
  knownNumber,
  literal,
  newName,
  numberCode,
  truthCode,
  type Value,
} from "./code.ts"
import type { FieldName } from "./fields.ts"
import type { ChainOperator } from "./tree.ts"

type Of<T extends Node["type"]> = Node & { type: T }

/**
 * Writes the statements that compute a node, and gives where its value is. Numbers are always finite. Rows become
 * statements behind each other, so the nesting of the code is that of the tree.
 */
export function emit(code: Code, node: Node): Value {
  switch (node.type) {
    case "number":
      return { code: literal(node.value), kind: "number", number: node.value }
    case "text":
      return { code: constant(code, node.value), kind: "text", text: node.value }
    case "field":
      return fieldValue(code, node)
    case "nothing":
      return { code: "undefined", kind: "any", isNothing: true }
    case "attribute":
      return { code: attributeVariable(code, node.name), kind: "any" }
    case "unary":
      return emitUnary(code, node)
    case "chain":
      return node.rest.reduce(
        (left, { operator, operand }) => emitOperator(code, left, operator, emit(code, operand)),
        emit(code, node.first),
      )
    case "logic":
      return emitLogic(code, node)
    case "choice":
      return emitChoice(code, node)
    case "call":
      return emitCall(code, node)
  }
}

/** A missing number is 0 as a value; only a comparison with `null` tells the two apart. */
function fieldValue(code: Code, { name, kind }: Of<"field">): Value {
  const value = { code: fieldVariable(code, name), kind }
  return kind === "number" ? { ...value, emptyCode: `typeof lead.${name} !== "number"` } : value
}

function fieldVariable(code: Code, field: FieldName): string {
  const name = code.fields.get(field) ?? `f${code.fields.size}`
  code.fields.set(field, name)
  return name
}

function attributeVariable(code: Code, attribute: string): string {
  const index = code.attributes.get(attribute) ?? code.attributes.size
  code.attributes.set(attribute, index)
  return `a${index}`
}

function emitUnary(code: Code, { operator, operand }: Of<"unary">): Value {
  const value = emit(code, operand)
  if (operator === "!") return define(code, "bool", `!(${truthCode(value)})`)
  return define(code, "number", `-${numberCode(value)}`)
}

function emitOperator(code: Code, left: Value, operator: ChainOperator, right: Value): Value {
  if (operator === "==") return define(code, "bool", equalCode(left, right))
  if (operator === "!=") return define(code, "bool", `!(${equalCode(left, right)})`)
  const expression = `${numberCode(left)} ${operator} ${numberCode(right)}`
  if (chainKind(operator) === "bool") return define(code, "bool", expression)
  if ("+-*".includes(operator)) return defineOverflowing(code, expression)
  const divisor = knownNumber(right)
  if (!divisor) return defineFinite(code, expression)
  const canOverflow = operator === "/" && Math.abs(divisor) < 1
  return canOverflow ? defineOverflowing(code, expression) : define(code, "number", expression)
}

function equalCode(left: Value, right: Value): string {
  if (left.isNothing) return emptyCode(right)
  if (right.isNothing) return emptyCode(left)
  const kinds = [left.kind, right.kind]
  if (kinds.includes("any")) return `equal(${left.code}, ${right.code})`
  if (left.kind === "text" && right.kind === "text") return `${left.code} === ${right.code}`
  if (kinds.includes("text") && kinds.includes("list")) return "false"
  return `${numberCode(left)} === ${numberCode(right)}`
}

/** Whether a value is empty; a computed number or truth never is. */
function emptyCode({ code, kind, emptyCode, isNothing }: Value): string {
  if (isNothing) return "true"
  if (emptyCode !== undefined) return emptyCode
  if (kind === "any") return `isEmpty(${code})`
  return kind === "text" ? `${code} === ""` : kind === "list" ? `${code}.length === 0` : "false"
}

function emitLogic(code: Code, { operator, operands }: Of<"logic">): Value {
  const isAnd = operator === "&&"
  const [name, label] = [newName(code, "t"), newName(code, "l")]
  code.lines.push(`let ${name} = ${!isAnd};`, `${label}: {`)
  for (const operand of operands) {
    const truth = truthCode(emit(code, operand))
    code.lines.push(`if (${isAnd ? `!(${truth})` : truth}) break ${label};`)
  }
  code.lines.push(`${name} = ${isAnd};`, "}")
  return { code: name, kind: "bool" }
}

function emitChoice(code: Code, { kind, cases, otherwise }: Of<"choice">): Value {
  const [name, label] = [newName(code, "t"), newName(code, "l")]
  const assign = (node: Node) => {
    const value = emit(code, node)
    code.lines.push(`${name} = ${kind === "number" ? numberCode(value) : value.code};`)
  }
  code.lines.push(`let ${name};`, `${label}: {`)
  for (const { condition, value } of cases) {
    code.lines.push(`if (${truthCode(emit(code, condition))}) {`)
    assign(value)
    code.lines.push(`break ${label};`, "}")
  }
  assign(otherwise)
  code.lines.push("}")
  return { code: name, kind }
}

function emitCall(code: Code, { name, args }: Of<"call">): Value {
  const values = args.map((arg) => emit(code, arg))
  const first = values[0]!
  switch (name) {
    case "min":
    case "max":
      return emitExtreme(code, name === "min" ? "<" : ">", values)
    case "abs":
    case "round":
    case "floor":
    case "ceil":
      return define(code, "number", `Math.${name}(${numberCode(first)})`)
    case "log":
    case "sqrt":
      return defineFinite(code, `Math.${name}(${numberCode(first)})`)
    case "contains":
    case "has": {
      const [inside, part] = [foldedCode(code, first), foldedCode(code, values[1]!)]
      return define(code, "bool", `${name}(${inside}, ${part})`)
    }
    case "len":
      return define(code, "number", `lengthOf(${first.code})`)
    case "days_since": {
      const time = define(code, "number", numberCode(first)).code
      return define(code, "number", `${time} === 0 ? 0 : (now - ${time}) / 86400`)
    }
  }
}

function emitExtreme(code: Code, better: "<" | ">", values: Value[]): Value {
  const best = newName(code, "t")
  code.lines.push(`let ${best} = ${numberCode(values[0]!)};`)
  for (const value of values.slice(1)) {
    const other = define(code, "number", numberCode(value)).code
    code.lines.push(`if (${other} ${better} ${best}) ${best} = ${other};`)
  }
  return { code: best, kind: "number" }
}
