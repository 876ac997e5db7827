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

/** The id of the job that an answer began; undefined for any other answer. */
export function jobBegunBy(answer: Answer): string | undefined {
  if (!(answer instanceof JsonText) || answer.status !== 202) return undefined
  return (JSON.parse(answer.text) as { job?: string }).job
}

/** What became of a job so far. */
export function outcomeOf({ state, done, of, errors }: Job) {
  return {
    ...(state === "done" && { success: done - errors.length, failed: errors.length }),
    errors: errors.slice(0, TOLD),
    ...{ state, done, of },
  }
}

/** An answer that began a job, with what became of the job, or how to see that. */
export async function awaitJob(services: Services, caller: Caller, answer: Answer): Promise<Answer> {
  const id = jobBegunBy(answer)
  if (id === undefined) return answer
  const began = JSON.parse((answer as JsonText).text) as object
  const until = services.clock.monotonic() + PATIENCE_MS
  for (;;) {
    const job = (await execute(services, getJob, caller, { id })) as Job
    const isOver = job.state !== "waiting" && job.state !== "running"
    if (!isOver && services.clock.monotonic() < until) {
      await Bun.sleep(LOOK_EVERY_MS)
      continue
    }
    const message = `It goes on: read the resource ${JOB_URI}${id} to see how far it is`
    return { ...began, ...outcomeOf(job), ...(!isOver && { message }) }
  }
}
