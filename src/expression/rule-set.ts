import { type CheckedExpression, checkExpression } from "./expression.ts"
import type { ScoreInput } from "./fields.ts"
import { type CompiledRules, generate, load } from "./generate.ts"
import { contribution } from "./values.ts"

export interface ScoredRule {
  id: string
  name: string
  expression: string
  weight: number
}

/** One rule's part of a score; all numbers are finite. */
export interface RuleContribution {
  id: string
  name: string
  value: number
  weight: number
  /** Value by weight, 0 where that overflows. Their sum, clamped to 0..100, is the score. */
  contribution: number
}

/** Rules compiled into one function. `now` is in Unix seconds. */
export interface RuleSet {
  /** Standard fields that any rule reads. */
  readonly fields: ReadonlySet<string>
  /** Names of the attributes that any rule reads. */
  readonly attributes: ReadonlySet<string>
  /** From 0 to 100, not rounded; 0 without rules. */
  score(lead: ScoreInput, now: number): number
  /** In the order of the rules. */
  explain(lead: ScoreInput, now: number): RuleContribution[]
}

/** Compiles saved rules. Throws Error for one whose expression or weight could not have been saved. */
export function compileRules(rules: readonly ScoredRule[]): RuleSet {
  const generated = generate(rules.map(checkRule))
  const program = load(generated)
  return {
    fields: generated.fields,
    attributes: new Set(generated.attributes.keys()),
    score: program.score,
    explain: (lead, now) => {
      const values = program.values(lead, now)
      return rules.map(({ id, name, weight }, i) => {
        const value = values[i]!
        return { id, name, value, weight, contribution: contribution(value, weight) }
      })
    },
  }
}

function checkRule({ id, expression, weight }: ScoredRule) {
  const checked = checkExpression(expression)
  if (!checked.ok) throw new Error(`Scoring rule ${id} does not compile: ${checked.error.message}`)
  if (!Number.isFinite(weight)) throw new Error(`Scoring rule ${id} has the weight ${weight}`)
  return { root: checked.expression.root, weight }
}

const programs = new WeakMap<CheckedExpression, CompiledRules>()

/** The value of one expression for a lead: always finite. `now` is in Unix seconds. Compiled at the first call. */
export function evaluate(expression: CheckedExpression, lead: ScoreInput, now: number): number {
  let program = programs.get(expression)
  if (program === undefined) {
    program = load(generate([{ root: expression.root, weight: 1 }]))
    programs.set(expression, program)
  }
  return program.values(lead, now)[0]!
}
