// Scoring rules as trees, which the tests' own interpreter works out.

import type { ScoreInput } from "../../../src/expression/index.ts"
import { type Expr, interpret, print } from "../../expression/interpreter.ts"
import type { ModelLead } from "../model.ts"

const number = (value: number): Expr => ({ type: "number", value })
const text = (value: string): Expr => ({ type: "text", value, mark: '"' })
const field = (name: string): Expr => ({ type: "field", name })
const attribute = (name: string): Expr => ({ type: "attribute", name })
const binary = (left: Expr, operator: string, right: Expr): Expr => ({
  type: "binary",
  operator,
  left,
  right,
})
const call = (name: string, ...args: Expr[]): Expr => ({ type: "call", name, args })
const choice = (condition: Expr, yes: number, no: number): Expr => ({
  type: "choice",
  condition,
  yes: number(yes),
  no: number(no),
})

export const RULES: readonly Expr[] = [
  number(7),
  binary(field("rating"), "*", number(5)),
  binary(attribute("size"), "+", number(1)),
  binary(call("len", field("tags")), "*", number(3)),
  choice(binary(field("status"), "==", text("qualified")), 30, -2),
  choice(field("email"), 12.5, 0),
  call("contains", field("name"), text("anna")),
  binary(call("has", field("tags"), text("hot")), "*", number(4)),
  call("days_since", field("updated_at")),
  call("days_since", field("last_interaction_at")),
  binary(call("len", attribute("kind")), "/", number(3)),
  binary(field("review_count"), "%", number(2)),
  call("min", field("latitude"), field("longitude"), number(40)),
]

export interface ModelRule {
  id: string
  name: string
  rule: Expr
  weight: number
  priority: number
  created_at: number
  updated_at: number
}

/** The rules in the order they are listed and summed up: by priority, then age. */
export function ordered(rules: readonly ModelRule[]): ModelRule[] {
  return rules.toSorted((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1))
}

/** What each rule gives a lead, and the sum in its bounds. */
export function worthOf(rules: readonly ModelRule[], lead: ModelLead, now: number) {
  const parts = ordered(rules).map(({ id, rule, weight }) => {
    const value = interpret(rule, lead as ScoreInput, now)
    return { id, value, weight, contribution: value * weight + 0 }
  })
  const sum = parts.reduce((sum, { contribution }) => sum + contribution, 0)
  return { parts, score: Math.min(100, Math.max(0, sum)) + 0 }
}

/** A rule as it is shown. */
export function shownRule({ rule, ...rest }: ModelRule) {
  return { ...rest, expression: print(rule) }
}
