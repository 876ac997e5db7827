import { characters } from "../text/characters.ts"

/** Why an expression is refused. `position` counts characters (code points) from 1. */
export interface ExpressionError {
  message: string
  position: number
}

/** Ends the reading of an expression; checkExpression turns it into an ExpressionError. */
export class ExpressionRefusal extends Error {
  /** The whole message is `before at N` plus `after`, N being the position of the UTF-16 offset `at`. */
  constructor(
    readonly before: string,
    readonly at: number,
    readonly after = "",
  ) {
    super(before)
  }
}

/** A refusal as clients read it, such as `expected a value after "*" at 9`; well-formed Unicode. */
export function describeRefusal(refusal: ExpressionRefusal, text: string): ExpressionError {
  const position = characters(text.slice(0, refusal.at)) + 1
  return { message: `${refusal.before} at ${position}${refusal.after}`.toWellFormed(), position }
}
