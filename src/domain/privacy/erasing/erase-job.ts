// Erases again, behind a restore, those leads that were erased since its backup was made.
import { AppError } from "../../../runtime/errors.ts"
import { ERASE_AGAIN } from "../../../store/contract/store.ts"
import type { JobKind } from "../../job-kind.ts"
import { eraseLead } from "./erase.ts"

interface Input {
  ids: string[]
}

/** Progress is the number of leads done. */
export const eraseAgainJob: JobKind = {
  name: ERASE_AGAIN,
  async run({ ctx, input, progress, isEnough, commit }) {
    const { ids } = input as unknown as Input
    const from = Number(progress ?? 0)
    let next = from
    for (; next < ids.length; next++) {
      if (next > from && (await isEnough())) break
      await eraseLead(ctx, ids[next]!).catch((error: unknown) => {
        // It was removed meanwhile, with its trail.
        if (!(error instanceof AppError) || error.kind !== "not_found") throw error
      })
    }
    await commit(async () => ({ done: next - from, progress: next, isOver: next >= ids.length }))
  },
}
