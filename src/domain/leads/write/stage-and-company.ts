// The stage of a lead and its status, which go together.
import type { LeadData, Status } from "../../../lead/lead.ts"
import { type Stage, stageNamed } from "../../../lead/stage.ts"
import { FIRM_FIELDS, firmKey } from "../../../matching/matcher/index.ts"
import { badRequest } from "../../../runtime/errors.ts"
import type { PushTransaction, Transaction } from "../../../store/contract/store.ts"
import { excerpt } from "../../../text/text.ts"
import type { Context } from "../../operation.ts"
import { keptByRevision } from "../../rule-sets.ts"

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

// The firm that a lead is of: found out from its website, email, company and city, unless somebody said otherwise.

/** Ids of companies that were merged, with those of the companies that they are now. */
export type CompanyMerges = ReadonlyMap<string, string>

const NO_MERGES: CompanyMerges = new Map()
const keptMerges = keptByRevision(companyMerges)

export async function companyMerges(
  reads: Pick<PushTransaction["companies"], "merges">,
  account: number,
): Promise<CompanyMerges> {
  const steps = new Map((await reads.merges(account)).map(({ id, into_id }) => [id, into_id]))
  return new Map(
    [...steps].map(([id, into]) => {
      let now = into
      for (let next = steps.get(now); next !== undefined; next = steps.get(now)) now = next
      return [id, now]
    }),
  )
}

/** The account's merged companies at the current revision of its rules; one that has written none pays nothing. */
export async function companyMergesAt(
  ctx: Context,
  { companies }: Pick<PushTransaction, "companies">,
  revision: number,
): Promise<CompanyMerges> {
  return revision === 0 ? NO_MERGES : keptMerges(ctx, companies, revision)
}

/** The id of the company that a lead is of by what it says. */
export function companyOf(lead: LeadData, merges: CompanyMerges): string | null {
  // An address of a domain for throw-away mail says nothing of a firm.
  const key = firmKey(lead.email_status === "disposable" ? { ...lead, email: null } : lead)
  if (key === undefined) return null
  const id = `co_${Bun.hash.wyhash(key).toString(16).padStart(16, "0")}`
  return merges.get(id) ?? id
}

/**
 * Gives a changed lead the company that it is of now. One that it was put into or taken out of by hand stays as it is.
 */
export async function moveCompany(
  ctx: Context,
  tx: Pick<PushTransaction, "companies" | "rules">,
  before: LeadData,
  after: LeadData,
): Promise<void> {
  if (after.company_id !== before.company_id || FIRM_FIELDS.every((name) => after[name] === before[name]))
    return
  const merges = await companyMergesAt(ctx, tx, await tx.rules.revision(ctx.caller.account.key))
  if (before.company_id === companyOf(before, merges)) after.company_id = companyOf(after, merges)
}
