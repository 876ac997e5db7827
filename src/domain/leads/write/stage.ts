// The stage of a lead and its status, which go together.

import type { LeadData, Status } from "../../../lead/lead.ts"
import { type Stage, stageNamed } from "../../../lead/stage.ts"
import { badRequest } from "../../../runtime/errors.ts"
import type { PushTransaction, Transaction } from "../../../store/contract/store.ts"
import { excerpt } from "../../../text/text.ts"
import type { Context } from "../../operation.ts"

interface Staged {
  stage?: string | null | undefined
  status?: Status | null | undefined
}

/**
 * The changes with the id of their stage, and its status. One that the lead is in already is left out, so that another
 * status leaves it. Throws `bad_request` for a stage that there is not, and for another status that is set with it.
 */
export async function withStage<C extends Staged>(
  { caller }: Context,
  tx: Pick<PushTransaction, "stages">,
  changes: C,
  before?: LeadData,
): Promise<C> {
  if (!changes.stage) return changes
  const stage = stageOf(await tx.stages.list(caller.account.key), changes.stage)
  if (stage.id === before?.stage) return { ...changes, stage: undefined }
  const { status } = changes
  if (status && status !== (before?.status ?? "new") && status !== stage.status)
    throw badRequest(
      `the stage "${excerpt(stage.name)}" belongs to the status ${stage.status}, and status is ${status}: send one of them`,
    )
  return { ...changes, stage: stage.id, status: stage.status }
}

/** Throws `bad_request` for a stage that there is not. */
export async function refuseUnknownStage(
  { caller, store }: Context,
  stage: string | null | undefined,
): Promise<void> {
  if (stage) stageOf(await store.read.stages.list(caller.account.key), stage)
}

function stageOf(stages: readonly Stage[], text: string): Stage {
  const stage = stageNamed(stages, text)
  if (stage) return stage
  const valid =
    stages.length > 0
      ? `Stages are ${stages.map(({ id, name }) => `${excerpt(name)} (${id})`).join(", ")}`
      : "The account has none: POST /stages makes one"
  throw badRequest(`stage "${excerpt(text)}" is unknown. ${valid}`)
}

/**
 * A state of a lead that is put back, in a stage that is there and belongs to its status: one that was removed since comes
 * back with it.
 */
export async function settledStage(
  tx: Pick<Transaction, "stages">,
  account: number,
  lead: LeadData,
): Promise<LeadData> {
  if (lead.stage === null) return lead
  const { stages } = tx
  const stage = stageNamed(await stages.list(account), lead.stage)
  if (stage) return stage.status === lead.status ? lead : { ...lead, stage: null }
  const removed = await stages.findRemoved(account, lead.stage)
  if (removed?.status !== lead.status) return { ...lead, stage: null }
  await stages.put(account, removed)
  return lead
}
