// What the dashboard changes of leads, with the way back.

import { post, put } from "./api.ts"
import { type Selection, selectionQuery } from "./first-request.ts"
import { plural } from "./format.ts"
import { jobDone } from "./jobs.ts"
import { t } from "./text.ts"
import type { BulkAnswer, JobStatus, Lead, RevertAnswer } from "./types.ts"

export type WriteTarget = { ids: readonly string[] } | { selection: Selection }

export interface BulkAction {
  action: "update" | "delete" | "add_tags" | "remove_tags" | "add_note" | "score"
  data?: Record<string, unknown>
}

export function saveField(id: string, field: string, value: unknown): Promise<Lead> {
  return put<Lead>(`/leads/${id}`, { [field]: value })
}

function targetBody(target: WriteTarget): object {
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

/** A dry run: counts the leads that the action would change. */
export function previewBulk(target: WriteTarget, action: BulkAction): Promise<BulkAnswer> {
  return post<BulkAnswer>("/leads/bulk", { ...targetBody(target), ...action, dry_run: true })
}

/** Does it to exactly as many leads as were expected. */
export function startBulk(target: WriteTarget, action: BulkAction, expect: number): Promise<BulkAnswer> {
  return post<BulkAnswer>("/leads/bulk", { ...targetBody(target), ...action, expect })
}

/** Changes to revert: all of a batch or of an import, or single ones. */
type Reverted = { batch_id: string } | { import_id: string } | { change_ids: string[] }

/** Puts back what can be, and says it in words when it is done. */
export async function revert(what: Reverted): Promise<string> {
  return putBackText(await post<RevertAnswer>("/changes/revert", what))
}

/** Waits until what was put back is, and says it in words. */
export async function putBackText(
  { job, matched, reverted = 0, skipped = [] }: RevertAnswer,
  tell?: (job: JobStatus) => void,
): Promise<string> {
  const done = job === undefined ? undefined : await jobDone(job, tell)
  const left = done ? done.failed : skipped.length
  const put = done ? matched - left : reverted
  if (put === 0)
    return left > 0 ? t("Changed since: nothing was put back") : t("There was nothing to put back")
  return t("Put back {leads}{more}", {
    leads: plural(put, "lead"),
    more: left > 0 ? t("; {leads} changed since and left alone", { leads: plural(left, "lead") }) : "",
  })
}
