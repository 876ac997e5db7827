// Erases a person: the lead, and its data in the trail, events and indexes.
import { notFound } from "../../../core/errors.ts"
import { type ContactFields, contactFieldsOf } from "../../../core/suppression-keys.ts"
import { fold } from "../../../core/text.ts"
import type { ErasureReason, LeadRow, Position, Transaction } from "../../../store/contract/store.ts"
import { adminActor, recordAdmin } from "../../access/admin-log.ts"
import type { Context } from "../../operation.ts"
import { suppressErased } from "../../suppressions/entry.ts"
import { publish } from "../../webhooks/events.ts"
import { recordChange } from "./change-set.ts"
import { removeLead } from "./write.ts"

/** The reason of an erasure's change. */
export const ERASED = "erased"

/** Record of why a lead is erased, and a last check of the lead when its turn comes. */
interface ErasureCause {
  id: string
  reason: ErasureReason
  rule?: { id: string; name: string }
  holds?(row: LeadRow): boolean
}

/**
 * Erases a lead, also one that was deleted before, from all stored data. Its trail still shows that it existed, when
 * and by whom it was changed, and its erasure. Hashes of its emails and phones, also of former ones, go to the
 * do-not-contact list. Works in batches; a repeated call resumes an interrupted erasure.
 * Throws `not_found` for an unknown id. False where the cause does not hold for the lead.
 */
export async function eraseLead(
  ctx: Context,
  id: string,
  cause: ErasureCause = { id: ctx.ids.prefixed("era_"), reason: "request" },
): Promise<boolean> {
  const account = ctx.caller.account.key
  let next: Position | undefined = ""
  const former = await formerContacts(ctx, id)
  const isMeant = await ctx.store.write(account, async (tx) => {
    const row = await tx.leads.find(account, id)
    const [newest] = await tx.changes.list(account, id, 1)
    if (!row && !newest) throw notFound("Lead")
    if (!row && newest?.reason === ERASED) return true
    if (cause.holds && !(row && cause.holds(row))) return false
    const email = row?.data().email
    if (email) await tx.forms.removeSender(account, fold(email))
    if (row) await removeLead(ctx, tx, row, "silent", ERASED)
    else await recordErasure(ctx, tx, id)
    // Receivers with a copy have to erase it, too.
    if (row) await publish(ctx, tx, "lead.deleted", JSON.stringify({ id, erased: true }))
    await recordAdmin(tx, account, "lead.erased", { by: adminActor(ctx), now: ctx.now, target: id })
    await suppressErased(ctx, tx, row ? [row.data(), ...former] : former)
    await recordReason(ctx, tx, cause)
    next = await tx.changes.erase(account, id)
    return true
  })
  if (!isMeant) return false
  while (next !== undefined) {
    const from: Position = next
    next = await ctx.store.write(account, (tx) => tx.changes.erase(account, id, from || undefined))
  }
  await eraseFromEvents(ctx, id)
  return true
}

/** Records that a lead was erased, and why, without the lead. */
function recordReason({ caller, now }: Context, tx: Transaction, { id, reason, rule }: ErasureCause) {
  return tx.erasures.record(caller.account.key, {
    ...{ id, reason, rule_id: rule?.id ?? null, rule_name: rule?.name ?? null, count: 1 },
    ...{ actor_id: caller.actorId, key_id: reason === "request" ? caller.keyId : null, created_at: now },
  })
}

/** Changes of a lead that are looked through for former emails and phones, and those read at once. */
const LOOKED_THROUGH = 1_000
const AT_ONCE = 10

/** Every email and phone that a lead has had, from its newest changes. */
async function formerContacts(ctx: Context, id: string): Promise<ContactFields[]> {
  const found = new Map<string, ContactFields>()
  let after: number | undefined
  for (let looked = 0, more = true; more && looked < LOOKED_THROUGH; looked += AT_ONCE) {
    const query = { filter: { lead_id: id }, descending: true, after, limit: AT_ONCE }
    const page = await ctx.store.read.changes.page(ctx.caller.account.key, query)
    for (const { before, after } of page.changes)
      for (const state of [before, after]) {
        if (!state) continue
        const contacts = contactFieldsOf(state)
        found.set(JSON.stringify(contacts), contacts)
      }
    after = page.position
    more = page.more
    await ctx.eventLoop.yield()
  }
  return [...found.values()]
}

/** Records the erasure of a lead that was deleted before. */
function recordErasure(ctx: Context, tx: Transaction, id: string): Promise<void> {
  const cause = { action: "deleted", reason: ERASED } as const
  return recordChange(ctx, tx, { id, before: null, after: null, cause, announce: "silent" }, () => "")
}

/** Waiting events are still sent, without the lead's data. */
async function eraseFromEvents(ctx: Context, id: string): Promise<void> {
  const account = ctx.caller.account.key
  let after: Position | undefined
  do {
    const { events, next } = await ctx.store.read.deliveries.mentioning(account, JSON.stringify(id), after)
    const changed = events.map(({ ref, body }) => ({ ref, before: body, body: bodyWithout(body, id) }))
    const own = changed.filter(({ before, body }) => before !== body)
    if (own.length > 0) {
      await ctx.store.write(account, async (tx) => {
        for (const { ref, body } of own) await tx.deliveries.rewrite(account, ref, body)
      })
    }
    after = next
    if (next !== undefined) await ctx.eventLoop.yield()
  } while (after !== undefined)
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
