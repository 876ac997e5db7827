import { characters } from "../text/characters.ts"
import { checkTree, type Node } from "./check.ts"
import { describeRefusal, type ExpressionError, ExpressionRefusal } from "./refusal.ts"
import { readTree } from "./tree.ts"

export const EXPRESSION_MAX = 4_000

/** An expression that is ready to be evaluated. */
export interface CheckedExpression {
  readonly text: string
  readonly root: Node
}

export type Checked = { ok: true; expression: CheckedExpression } | { ok: false; error: ExpressionError }

/** Reads an expression of the scoring language. Never throws, whatever the text. */
export function checkExpression(text: string): Checked {
  if (characters(text) > EXPRESSION_MAX)
    return refused("text longer than 4,000 characters", EXPRESSION_MAX + 1)
  if (text.trim() === "") return refused("the expression is empty", 1)
  try {
    return { ok: true, expression: { text, root: checkTree(readTree(text)) } }
  } catch (thrown) {
    if (thrown instanceof ExpressionRefusal) return { ok: false, error: describeRefusal(thrown, text) }
    throw thrown
  }
}

function refused(message: string, position: number): Checked {
  return { ok: false, error: { message, position } }
}
