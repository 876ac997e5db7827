// Work that is too long for a request is a job; a tool waits for it a while, so that an agent need not ask again.

import { getJob, stopJob } from "../../domain/jobs/jobs.ts"
import { type Answer, type Caller, execute, type Services } from "../../domain/operation.ts"
import { AppError } from "../../runtime/errors.ts"
import type { Job } from "../../store/contract/store.ts"
import { JsonText } from "../../text/json-text.ts"
import { grouped } from "../../text/text.ts"

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

type JobAnswer = Job & { merge_ids?: string[] }

/** What became of a job so far. */
export function outcomeOf({ state, done, of, errors, merge_ids }: JobAnswer) {
  return {
    ...(merge_ids && { merge_ids }),
    ...(state === "done" && { success: done - errors.length, failed: errors.length }),
    errors: errors.slice(0, TOLD),
    ...{ state, done, of },
  }
}

const STOPPED = "It was stopped: what was done stays, and batch_id undoes it"

export const howFar = ({ done, of }: Pick<Job, "done" | "of">) =>
  of === null ? `${grouped(done)} done` : `${grouped(done)} of ${grouped(of)} done`

export const PROGRESS = "notifications/progress"

/** The parameters of a progress notification of a call, but its token. */
export interface Progress {
  progress: number
  total?: number
  message: string
}

export type ProgressListener = ((progress: Progress) => void) | undefined

/** Stops a job; one that has ended stays as it is. */
export async function stopIfOpen(services: Services, caller: Caller, id: string): Promise<void> {
  try {
    await execute(services, stopJob, caller, { id })
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.kind !== "conflict") throw thrown
  }
}

/**
 * An answer that began a job, with what became of the job, or how to see that. A call that is cancelled meanwhile stops its
 * job at the next slice: what was done is a batch that can be undone. `progressed` is told how far it is.
 */
export async function awaitJob(
  services: Services,
  caller: Caller,
  answer: Answer,
  { cancelled, progressed }: { cancelled?: AbortSignal | undefined; progressed?: ProgressListener },
): Promise<Answer> {
  const id = jobBegunBy(answer)
  if (id === undefined) return answer
  const began = JSON.parse((answer as JsonText).text) as object
  const until = services.clock.monotonic() + PATIENCE_MS
  let last = -1
  for (let isStopped = false; ; ) {
    if (cancelled?.aborted && !isStopped) {
      isStopped = true
      await stopIfOpen(services, caller, id)
    }
    const job = (await execute(services, getJob, caller, { id })) as JobAnswer
    if (job.done > last) {
      last = job.done
      progressed?.({ progress: last, ...(job.of !== null && { total: job.of }), message: howFar(job) })
    }
    const isOver = job.state !== "waiting" && job.state !== "running"
    if (!isOver && services.clock.monotonic() < until) {
      await Bun.sleep(LOOK_EVERY_MS)
      continue
    }
    if (job.state === "stopped") return { ...began, ...outcomeOf(job), message: STOPPED }
    const message = `It goes on: read the resource ${JOB_URI}${id} to see how far it is`
    return { ...began, ...outcomeOf(job), ...(!isOver && { message }) }
  }
}
