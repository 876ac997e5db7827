// What the dashboard changes of leads, with the way back.
import { can, get, post, put, remove } from "./api.ts"
import { plural } from "./format.ts"
import type { Selection } from "./lead-list.ts"
import { selectionQuery } from "./lead-list.ts"
import { session } from "./session.ts"
import type { Lead } from "./types.ts"

export type Target = { ids: readonly string[] } | { selection: Selection }

export interface BulkAction {
  action: "update" | "delete" | "add_tags" | "remove_tags" | "add_note" | "score"
  data?: Record<string, unknown>
}

export interface BulkAnswer {
  matched: number
  success?: number
  failed?: number
  batch_id?: string
  job?: string
  sample?: Lead[]
}

/** Whether the service does more than status and delete for many leads at once, and can take it back. */
export const hasBulk = can("POST /leads/bulk")
export const hasRevert = can("POST /changes/revert")

export function saveField(id: string, field: string, value: unknown): Promise<Lead> {
  return put<Lead>(`/leads/${id}`, { [field]: value })
}

function targetBody(target: Target): object {
  if ("ids" in target) return { ids: target.ids }
  const { filter, q, segment } = selectionQuery({ ...target.selection, sort: "" }) as Record<string, unknown>
  const chosen = {
    ...(Array.isArray(filter) && filter.length > 0 && { filter }),
    ...(q !== undefined && { q }),
    ...(segment !== undefined && { segment }),
  }
  // Nothing that narrows it down means every lead, which has to be said.
  return Object.keys(chosen).length > 0 ? chosen : { all: true }
}

/** What it would touch; nothing is changed. */
export function rehearse(target: Target, action: BulkAction): Promise<BulkAnswer> {
  return post<BulkAnswer>("/leads/bulk", { ...targetBody(target), ...action, dry_run: true })
}

/** Does it to exactly as many leads as were expected. */
export function runBulk(target: Target, action: BulkAction, expect: number): Promise<BulkAnswer> {
  return post<BulkAnswer>("/leads/bulk", { ...targetBody(target), ...action, expect })
}

/** What is put back: everything of a batch or of an import, or single changes. */
export type Reverted = { batch_id: string } | { import_id: string } | { change_ids: string[] }

/** Puts back what can be, and says it in words when it is done. */
export async function revert(what: Reverted): Promise<string> {
  const answer = await post<{ matched?: number; reverted?: number; job?: string }>("/changes/revert", what)
  if (answer.job) {
    const job = await waitFor(answer.job)
    return `Put back ${plural(job?.done ?? answer.matched ?? 0, "lead")}`
  }
  const { reverted = 0 } = answer
  return reverted > 0 ? `Put back ${plural(reverted, "lead")}` : "Changed since: nothing was put back"
}

const LOOK_AGAIN_MS = 400

/** Resolves when a job is over; throws when it failed. */
export async function waitFor(id: string): Promise<{ done: number } | undefined> {
  if (!can("GET /jobs/:id")) return undefined
  for (;;) {
    const job = await get<{ state: string; done: number; errors?: { message: string }[] }>(`/jobs/${id}`)
    if (job.state === "failed") throw new Error(job.errors?.[0]?.message ?? "The work broke off")
    if (job.state === "done" || job.state === "stopped") return job
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

interface BatchAnswer {
  success: number
  failed: number
}

/** The same for leads that are named, where the service has no bulk route: in batches of the plan's size. */
export async function inBatches(
  ids: readonly string[],
  { action, data }: BulkAction,
): Promise<{ success: number; failed: number }> {
  const size = session.value?.account.limits.batch ?? 100
  const sum = { success: 0, failed: 0 }
  for (let i = 0; i < ids.length; i += size) {
    const part = ids.slice(i, i + size)
    const answer =
      action === "delete"
        ? await remove<BatchAnswer>("/leads/batch", { ids: part })
        : await put<BatchAnswer>("/leads/batch", { ids: part, data })
    sum.success += answer.success
    sum.failed += answer.failed
  }
  return sum
}
