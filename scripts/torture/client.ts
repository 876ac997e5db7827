// A client of a service that may be killed at any moment.
import type { Answer } from "../../test/support/answer.ts"
import { ask } from "../../test/support/ask.ts"

/** Undefined when no answer came, or when the service says that it has too much to do. */
export async function attempt(...asked: Parameters<typeof ask>): Promise<Answer | undefined> {
  const answer = await ask(...asked).catch(() => undefined)
  return answer?.status === 503 ? undefined : answer
}
