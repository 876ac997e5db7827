// Jobs as tasks (the extension io.modelcontextprotocol/tasks): a client that follows tasks gets the job's id at once, asks how
// far it is, and finds the result of the call there. A task is its job, so any process can answer for it.
import {
  type CallToolResult,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server"
import * as v from "valibot"
import { getJob } from "../../domain/jobs/jobs.ts"
import { type Caller, execute, type Services } from "../../domain/operation.ts"
import { AppError } from "../../runtime/errors.ts"
import { timeOfId } from "../../runtime/ids.ts"
import type { Job } from "../../store/contract/store.ts"
import { type Abilities, TASKS_EXTENSION } from "./abilities.ts"
import { toolResult } from "./answer.ts"
import { toolError } from "./errors.ts"
import { howFar, outcomeOf, stopIfOpen } from "./jobs.ts"
import { countRequest, type Mcp, type ToolVisit } from "./visit.ts"

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
export interface Task {
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

/** `tasks/get`: how far a task is, with the result of its call once it has ended. */
export const getTask = taskRequest(detailedTask)

/** `tasks/update`: jobs ask for nothing while they run, so there is nothing to pass on. */
export const updateTask = taskRequest(async (services, caller, id) => {
  await execute(services, getJob, caller, { id })
  return {}
})

/** `tasks/cancel`: stops the job; one that has ended stays as it is. */
export const cancelTask = taskRequest(async (services, caller, id) => {
  await stopIfOpen(services, caller, id)
  return {}
})

/** A task with the result of its call once it has ended. Throws `not_found`. */
export async function detailedTask(services: Services, caller: Caller, id: string): Promise<Task> {
  const job = (await execute(services, getJob, caller, { id })) as Job
  const task = taskOf(job, services.clock.now())
  if (task.status !== "completed") return task
  const { id: own, batch_id, of } = job
  const outcome = { job: own, matched: of, ...(batch_id !== null && { batch_id }), ...outcomeOf(job) }
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
      if (!(thrown instanceof AppError)) throw thrown
      if (thrown.kind === "not_found" || thrown.kind === "bad_request")
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Task not found: pass taskId unchanged")
      const error = toolError(thrown)
      throw new ProtocolError(ProtocolErrorCode.InternalError, error.message, error)
    }
  }
}

/** Throws unless the client of a request says that it follows tasks. */
export function requireTasks({ followsTasks }: Abilities): void {
  if (followsTasks) return
  const requiredCapabilities = { extensions: { [TASKS_EXTENSION]: {} } }
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities })
}
