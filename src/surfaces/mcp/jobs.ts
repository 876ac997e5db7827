// Work that is too long for a request is a job; a tool waits for it a while, so that an agent need not ask again.

import {
  type CallToolResult,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server"
import * as v from "valibot"
import { getJob, stopJob } from "../../domain/jobs/jobs.ts"
import { type Answer, type Caller, execute, type Services } from "../../domain/operation.ts"
import { timeOfId } from "../../runtime/clock.ts"
import { AppError } from "../../runtime/errors.ts"
import type { Job } from "../../store/contract/store.ts"
import { JsonText } from "../../text/json-text.ts"
import { grouped } from "../../text/text.ts"
import { toolResult } from "./answer.ts"
import { protocolError } from "./errors.ts"
import { type Abilities, countRequest, type Mcp, TASKS_EXTENSION, type ToolVisit } from "./visit.ts"

const PATIENCE_MS = 20_000
const LOOK_EVERY_MS = 150
/** Failures that an answer names. */
const TOLD = 20
/** The beginning of the address at which clients read how far a job is. */
export const JOB_URI = "jobs://"

/** The id of the job that an answer began; undefined for any other answer. */
export function jobBegunBy(answer: Answer): string | undefined {
  if (!(answer instanceof JsonText) || answer.status !== 202) return undefined
  return (JSON.parse(answer.text) as { job?: string }).job
}

type JobAnswer = Job & { merge_ids?: string[] }

/** The state of a job and its results so far. */
function outcomeOf({ state, done, of, errors, merge_ids }: JobAnswer) {
  return {
    ...(merge_ids && { merge_ids }),
    ...(state === "done" && { success: done - errors.length, failed: errors.length }),
    errors: errors.slice(0, TOLD),
    ...{ state, done, of },
  }
}

const STOPPED = "It was stopped: what was done stays, and batch_id undoes it"

const howFar = ({ done, of }: Pick<Job, "done" | "of">) =>
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
async function stopIfOpen(services: Services, caller: Caller, id: string): Promise<void> {
  try {
    await execute(services, stopJob, caller, { id })
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.kind !== "conflict") throw thrown
  }
}

/**
 * Waits for the job that an answer began, and adds its results, or how to read them later. A call that is cancelled
 * meanwhile stops its job at the next slice: what was done is a batch that can be undone. Calls `progressed` on the way.
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

// Jobs as tasks (the extension io.modelcontextprotocol/tasks): a client that follows tasks gets the job's id at once, asks how
// far it is, and finds the result of the call there. A task is its job, so any process can answer for it.

/** Milliseconds for which a job is kept. */
const LIFETIME_MS = 30 * 24 * 60 * 60 * 1_000
/** Milliseconds after which a client should ask again. */
const POLL_MS = 1_000

const STATUSES = {
  waiting: "working",
  running: "working",
  done: "completed",
  // What a job did until it failed is its result: `failed` is for errors of the protocol.
  failed: "completed",
  stopped: "cancelled",
} as const

/** A task as its handle and every later answer show it. */
interface Task {
  taskId: string
  status: (typeof STATUSES)[Job["state"]]
  statusMessage: string
  createdAt: string
  lastUpdatedAt: string
  ttlMs: number
  pollIntervalMs: number
  result?: CallToolResult
}

/** The answer of a call that began a job: its task in place of its result. */
export async function taskHandle(services: Services, caller: Caller, id: string) {
  const job = (await execute(services, getJob, caller, { id })) as Job
  return { resultType: "task", ...taskOf(job, services.clock.now()) } as const
}

export const TASK_SCHEMAS = { params: v.looseObject({ taskId: v.string() }) }

/** Answers a request about a task. Throws ProtocolErrors alone. */
type TaskRequest = (mcp: Mcp, visit: ToolVisit, id: string, abilities: Abilities) => Promise<object>

/** What answers each method about tasks. */
export const TASK_METHODS: Readonly<Record<string, TaskRequest>> = {
  "tasks/get": taskRequest(detailedTask),
  // Jobs ask for nothing while they run, so there is nothing to pass on.
  "tasks/update": taskRequest(async (services, caller, id) => {
    await execute(services, getJob, caller, { id })
    return {}
  }),
  "tasks/cancel": taskRequest(async (services, caller, id) => {
    await stopIfOpen(services, caller, id)
    return {}
  }),
}

/** A task with the result of its call once it has ended. Throws `not_found`. */
export async function detailedTask(services: Services, caller: Caller, id: string): Promise<Task> {
  const job = (await execute(services, getJob, caller, { id })) as Job
  const task = taskOf(job, services.clock.now())
  if (task.status !== "completed") return task
  const { id: jobId, batch_id, of } = job
  const outcome = { job: jobId, matched: of, ...(batch_id !== null && { batch_id }), ...outcomeOf(job) }
  return {
    ...task,
    result: { resultType: "complete", ...(await toolResult(outcome, {}, undefined, getJob)) },
  }
}

function taskOf(job: Job, now: number): Task {
  const { id, state, ended_at } = job
  const updated = ended_at === null ? now : ended_at * 1_000
  return {
    taskId: id,
    status: STATUSES[state],
    statusMessage: howFar(job),
    createdAt: new Date(timeOfId(id)).toISOString(),
    lastUpdatedAt: new Date(updated).toISOString(),
    ttlMs: LIFETIME_MS,
    pollIntervalMs: POLL_MS,
  }
}

/** Counts a request of a client that follows tasks, and answers it. */
function taskRequest(
  answer: (services: Services, caller: Caller, id: string) => Promise<object>,
): TaskRequest {
  return async (mcp, visit, id, abilities) => {
    requireTasks(abilities)
    try {
      await countRequest(mcp, visit)
      return await answer(mcp.services, await visit.caller, id)
    } catch (thrown) {
      if (thrown instanceof AppError && ["not_found", "bad_request"].includes(thrown.kind))
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Task not found: pass taskId unchanged")
      throw protocolError(thrown)
    }
  }
}

/** Throws unless the client of a request says that it follows tasks. */
export function requireTasks({ followsTasks }: Abilities): void {
  if (followsTasks) return
  const requiredCapabilities = { extensions: { [TASKS_EXTENSION]: {} } }
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities })
}
