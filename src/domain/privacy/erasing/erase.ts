// Erases a person: the lead, leads that were merged with it, and their data in everything that is stored.
import { AppError, notFound } from "../../../runtime/errors.ts"
import {
  ANSWERS_KEPT_S,
  ERASE_AGAIN,
  type ErasureReason,
  type LeadRow,
  type Merge,
  type Position,
  type Reads,
  type Transaction,
} from "../../../store/contract/store.ts"
import { recordByCaller } from "../../access/admin-log.ts"
import { inBatch } from "../../batch.ts"
import { undoMergeById } from "../../changes/undo-merge.ts"
import { type EventName, publish } from "../../events.ts"
import type { JobKind } from "../../job-kind.ts"
import { ERASED, recordChange, removeLead } from "../../leads/write/write.ts"
import { type Context, refuseBound } from "../../operation.ts"
import { suppressErased } from "../../suppressions/entry.ts"
import { type ErasedPerson, erasedPerson, mergesWith } from "./erased-person.ts"
import { type Recogniser, recogniserOf } from "./recognising.ts"
import { eraseTraces } from "./traces.ts"

// Leads that were merged into one that stays: what they brought is taken out of it before they are erased.

/** Changes of a lead in which a merge is looked for, the newest, and those read at once. */
const LOOKED_THROUGH = 1_000
const AT_ONCE = 100
/** Merges of merges that are taken back for one lead. */
const DEPTH_MAX = 20

/**
 * Undoes the merges by which a lead that is gone is part of one that is there, so that the latter gets its own values again.
 * What cannot be undone stays: the merged lead is then erased from its own records alone. Resolves with the merges.
 */
async function takeApart(ctx: Context, id: string): Promise<Merge[]> {
  const account = ctx.caller.account.key
  if (await ctx.store.read.leads.find(account, id)) return []
  const chain: Merge[] = []
  for (let at: string | undefined = id; at !== undefined && chain.length < DEPTH_MAX; ) {
    const leadId: string = at
    const merges = await mergesWith(ctx, leadId)
    const into = merges.find((merge) => merge.undone_at === null && isLoser(merge, leadId))
    if (!into) break
    chain.push(into)
    at = (await ctx.store.read.leads.find(account, into.survivor_id)) ? undefined : into.survivor_id
  }
  const last = chain.at(-1)
  if (!last || !(await ctx.store.read.leads.find(account, last.survivor_id))) return []
  for (const { id: merge } of chain.toReversed()) {
    const isUndone = await ctx.store.write(account, (tx) => undone(ctx, tx, merge))
    if (!isUndone) break
  }
  return chain
}

/** No limit and no entry of the do-not-contact list keeps a lead from coming back that is about to be erased. */
async function undone(ctx: Context, tx: Transaction, merge: string): Promise<boolean> {
  const { account } = ctx.caller
  const caller = { ...ctx.caller, account: { ...account, limits: { ...account.limits, leads: null } } }
  const admitting = { ...tx, suppressions: { ...tx.suppressions, kinds: async () => 0 } }
  try {
    await tx.attempt(() => undoMergeById(inBatch({ ...ctx, caller }), admitting, merge))
    return true
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return false
  }
}

/** Whether a lead was merged into another one by a merge. */
function isLoser({ data }: Merge, id: string): boolean {
  return data.losers.some((loser) => loser.data.id === id)
}

/** Erases what a lead had by merges of the person, from its changes from the merge to its end. */
async function eraseFromSurvivors(ctx: Context, { mergedInto }: ErasedPerson): Promise<void> {
  for (const [merge, survivor] of mergedInto) {
    const range = await rangeOf(ctx, survivor, [`merge:${merge}`, `unmerge:${merge}`])
    if (range) await eraseChanges(ctx, survivor, range)
  }
}

/** Positions of the first and the last change of a lead with one of these reasons. */
async function rangeOf(
  ctx: Context,
  lead_id: string,
  reasons: readonly string[],
): Promise<ChangeRange | undefined> {
  const batches: number[] = []
  let after: number | undefined
  for (let looked = 0, more = true; more && looked < LOOKED_THROUGH; looked += AT_ONCE) {
    const query = { filter: { lead_id }, descending: true, after, limit: AT_ONCE }
    const page = await ctx.store.read.changes.records(ctx.caller.account.key, query)
    for (const { reason, position } of page.changes)
      if (reasons.includes(reason ?? "")) batches.push(position)
    after = page.position
    more = page.more
  }
  return batches.length === 0 ? undefined : { from: Math.min(...batches), to: Math.max(...batches) }
}

interface ChangeRange {
  from: number
  to: number
}

/** Erases the data of a lead's changes, of all without a range. */
async function eraseChanges(ctx: Context, id: string, range?: ChangeRange): Promise<void> {
  const account = ctx.caller.account.key
  const isMore = () => ctx.store.write(account, (tx) => tx.changes.erase(account, id, range))
  while (await isMore());
}

const CONFIRMATION: EventName = "form.confirmation_requested"

/** Record of why a lead is erased, and a last check of the lead when its turn comes. */
interface ErasureCause {
  id: string
  reason: ErasureReason
  rule?: { id: string; name: string }
  holds?(row: LeadRow): boolean
}

/**
 * Erases a lead, also one that was deleted before, from all stored data: from every column that the schema says may hold
 * something of its person. Its trail still shows that it existed, when and by whom it was changed, and its erasure. Hashes
 * of its emails and phones, also of former ones, go to the do-not-contact list. Works in batches; a repeated call resumes an
 * interrupted erasure. Throws `not_found` for an unknown id.
 */
export async function eraseLead(ctx: Context, id: string): Promise<void> {
  const account = ctx.caller.account.key
  if (!(await ctx.store.read.leads.find(account, id)) && !(await newestOf(ctx.store.read, account, id)))
    throw notFound("Lead")
  // It reaches other leads, the trail and the do-not-contact list.
  refuseBound(ctx.caller, "erasing is")
  const merges = await takeApart(ctx, id)
  const person = await erasedPerson(ctx, id)
  for (const merge of merges) {
    person.merges.add(merge.ref)
    person.mergedInto.set(merge.id, merge.survivor_id)
  }
  await eraseTraces(ctx, [person])
  await erasePerson(ctx, person, { id: ctx.ids.prefixed("era_"), reason: "request" })
}

/**
 * Erases a person whose traces were erased; what they are is known of the leads alone, so that those come last. False where
 * the cause does not hold for the lead.
 */
export async function erasePerson(ctx: Context, person: ErasedPerson, cause: ErasureCause): Promise<boolean> {
  const account = ctx.caller.account.key
  const { ids, merges, contacts, times } = person
  const [id, ...others] = ids as [string, ...string[]]
  const upTo = await eraseFromEvents(ctx, person)
  const isMeant = await ctx.store.write(account, async (tx) => {
    const row = await tx.leads.find(account, id)
    const isErased = !row && (await newestOf(tx, account, id))?.reason === ERASED
    if (isErased) return true
    if (cause.holds && !(row && cause.holds(row))) return false
    if (row) await removeLead(ctx, tx, row, ERASED)
    // Receivers with a copy have to erase it, too.
    if (row) await publish(ctx, tx, "lead.deleted", JSON.stringify({ id, erased: true }))
    if (!row) await recordErasure(ctx, tx, id)
    await recordByCaller(ctx, tx, "lead.erased", id)
    await suppressErased(ctx, tx, [...(row ? [row.data()] : []), ...contacts.values()])
    await tx.exportTickets.clear(account)
    await tx.idempotency.eraseAnswers(
      account,
      aroundTimes([...times].filter((time) => time > ctx.now - ANSWERS_KEPT_S - BEHIND)),
    )
    await recordReason(ctx, tx, cause)
    return true
  })
  if (!isMeant) return false
  for (const other of others)
    await ctx.store.write(account, async (tx) => {
      if ((await newestOf(tx, account, other))?.reason === ERASED) return
      await recordErasure(ctx, tx, other)
      await recordByCaller(ctx, tx, "lead.erased", other)
    })
  for (const each of ids) await eraseChanges(ctx, each)
  await eraseFromSurvivors(ctx, person)
  // By them the others are found: last, so that an interrupted erasure finds them once more.
  await ctx.store.write(account, (tx) => tx.duplicates.forgetMerges(account, [...merges]))
  await eraseFromEvents(ctx, person, upTo)
  return true
}

async function newestOf({ changes }: Pick<Reads, "changes">, account: number, id: string) {
  return (await changes.list(account, id, 1))[0]
}

/** Seconds before and behind a change in which the request that made it was answered. */
const [BEFORE, BEHIND] = [2, 600]

/** Stretches of time around some, in order, one where they meet. */
function aroundTimes(times: readonly number[]): [from: number, to: number][] {
  const stretches: [number, number][] = []
  for (const time of times.toSorted((a, b) => a - b)) {
    const last = stretches.at(-1)
    if (last && time - BEFORE <= last[1]) last[1] = time + BEHIND
    else stretches.push([time - BEFORE, time + BEHIND])
  }
  return stretches
}

/** Records that a lead was erased, and why, without the lead. */
function recordReason({ caller, now }: Context, tx: Transaction, { id, reason, rule }: ErasureCause) {
  return tx.erasures.record(caller.account.key, {
    ...{ id, reason, rule_id: rule?.id ?? null, rule_name: rule?.name ?? null, count: 1 },
    ...{ actor_id: caller.actorId, key_id: reason === "request" ? caller.keyId : null, created_at: now },
  })
}

/** Records the erasure of a lead that was deleted before. */
function recordErasure(ctx: Context, tx: Transaction, id: string): Promise<void> {
  const cause = { action: "deleted", reason: ERASED } as const
  return recordChange(ctx, tx, { id, before: null, after: null, cause }, () => "")
}

/** Waiting events are still sent, without the person's data. Returns up to where it looked. */
async function eraseFromEvents(
  ctx: Context,
  person: ErasedPerson,
  from?: Position,
): Promise<Position | undefined> {
  const account = ctx.caller.account.key
  const people = recogniserOf([person])
  const survivors = [...person.mergedInto.values()]
  const texts = [...person.ids, ...survivors].map((id) => JSON.stringify(id))
  let after = from
  for (;;) {
    const { events, next, last } = await ctx.store.read.deliveries.mentioning(account, texts, after)
    const bodyLeft = events.flatMap(({ ref, body }) => {
      const withoutIds = person.ids.reduce(bodyWithout, bodyWithoutPost(body, person, people))
      // Events of the survivor from the time when the person was part of it.
      const without =
        survivors.length > 0 && people.tells(withoutIds)
          ? survivors.reduce(bodyWithout, withoutIds)
          : withoutIds
      return without === body ? [] : [{ ref, body: without }]
    })
    if (bodyLeft.length > 0) {
      await ctx.store.write(account, async (tx) => {
        for (const { ref, body } of bodyLeft) await tx.deliveries.rewrite(account, ref, body)
      })
    }
    after = last ?? after
    if (next === undefined) return after
    await ctx.eventLoop.yield()
  }
}

/** The body of an event that asks the sender of a post for a confirmation; unchanged for any other. */
function bodyWithoutPost(text: string, { posts }: ErasedPerson, people: Recogniser): string {
  const body: { event: string; data: { form?: unknown; email?: string; confirm_url?: string } } =
    JSON.parse(text)
  if (body.event !== CONFIRMATION) return text
  const { email = "", confirm_url = "" } = body.data
  if (![...posts].some((post) => confirm_url.includes(post)) && !people.isNamed(email)) return text
  return JSON.stringify({ ...body, data: { form: body.data.form, erased: true } })
}

interface Told {
  id?: unknown
  lead_id?: unknown
  leads?: Told[]
  survivor?: Told
  lead?: Told
}

/** The body of an event without the lead's data but its id; unchanged when it holds none. */
export function bodyWithout(text: string, id: string): string {
  const body: { data: Told } = JSON.parse(text)
  const { data } = body
  if (data.id === id) return JSON.stringify({ ...body, data: { id, erased: true } })
  if (data.lead_id === id) {
    return JSON.stringify({ ...body, data: { id: data.id, lead_id: id, erased: true } })
  }
  if (data.survivor?.id === id) {
    return JSON.stringify({ ...body, data: { ...data, survivor: { id, erased: true } } })
  }
  if (data.lead?.id === id) {
    return JSON.stringify({ ...body, data: { ...data, lead: { id, erased: true } } })
  }
  if (!data.leads?.some((lead) => lead.id === id)) return text
  const leads = data.leads.map((lead) => (lead.id === id ? { id, erased: true } : lead))
  return JSON.stringify({ ...body, data: { ...data, leads } })
}

// Erases again, behind a restore, those leads that were erased since its backup was made.

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
