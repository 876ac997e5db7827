import type { Attack } from "./attack.ts"
import { batches } from "./batches.ts"
import { files } from "./files.ts"
import { questions } from "./questions.ts"

export const ATTACKS: readonly Attack[] = [...files, ...questions, ...batches]
