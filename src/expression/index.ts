// The scoring language: text -> tokens -> tree -> checked tree -> one JavaScript function for a whole set of rules.
export { type Checked, type CheckedExpression, checkExpression, EXPRESSION_MAX } from "./expression.ts"
export {
  FIELD_KINDS,
  type FieldKind,
  type FieldName,
  type ScoreAttribute,
  type ScoreInput,
} from "./fields.ts"
export { FUNCTIONS, type FunctionName } from "./functions.ts"
export type { ExpressionError } from "./refusal.ts"
export { compileRules, evaluate, type RuleContribution, type RuleSet, type ScoredRule } from "./rule-set.ts"
