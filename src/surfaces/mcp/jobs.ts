// Work that is too long for a request is a job; a tool waits for it a while, so that an agent need not ask again.
import { JsonText } from "../../core/json-text.ts"
import { getJob } from "../../domain/jobs/jobs.ts"
import { type Answer, type Caller, execute, type Services } from "../../domain/operation.ts"
import type { Job } from "../../store/contract/store.ts"

const PATIENCE_MS = 20_000
const LOOK_EVERY_MS = 150
/** Failures that an answer names. */
const TOLD = 20
/** Where clients of tools see how far a job is. */
export const JOB_URI = "jobs://"

/** An answer that began a job, with what became of the job, or how to see that. */
export async function awaitJob(services: Services, caller: Caller, answer: Answer): Promise<Answer> {
  if (!(answer instanceof JsonText) || answer.status !== 202) return answer
  const began = JSON.parse(answer.text) as { job?: string; matched?: number }
  if (began.job === undefined) return answer
  const until = services.clock.monotonic() + PATIENCE_MS
  for (;;) {
    const job = (await execute(services, getJob, caller, { id: began.job })) as Job
    const isOver = job.state !== "waiting" && job.state !== "running"
    if (!isOver && services.clock.monotonic() < until) {
      await Bun.sleep(LOOK_EVERY_MS)
      continue
    }
    const { state, done, of, errors } = job
    return {
      ...began,
      ...(state === "done" && { success: done - errors.length, failed: errors.length }),
      errors: errors.slice(0, TOLD),
      state,
      done,
      of,
      ...(!isOver && {
        message: `It goes on: read the resource ${JOB_URI}${began.job} to see how far it is`,
      }),
    }
  }
}
