// Every question there is, by which reader threads find what they are asked.
import { aggregateQuestion } from "./leads/groups/aggregate.ts"
import type { Question } from "./operation.ts"

export const questions: readonly Question<never, unknown>[] = [aggregateQuestion]
