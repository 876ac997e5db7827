// Posts to a form's public address: they become leads, or are kept apart as spam or until they are confirmed.
import type { Account, Limits } from "../../access/rights.ts"
import type { LeadInput } from "../../lead/fields.ts"
import { AppError } from "../../runtime/errors.ts"
import { type Form, type FormPost, POST_BYTES_MAX, type Transaction } from "../../store/contract/store.ts"
import { fold } from "../../text/text.ts"
import { dayText } from "../../text/time-zone.ts"
import { publish } from "../events.ts"
import { refuseSuppressed } from "../leads/write/account-settings.ts"
import { pushedKeys } from "../leads/write/dedup.ts"
import type { MergePolicy } from "../leads/write/lead-data.ts"
import { type Pushed, pushLead } from "../leads/write/push.ts"
import type { Caller, Context } from "../operation.ts"
import { formAddress, SPAM_MAX, UNCONFIRMED_MAX } from "./form.ts"
import { postOf, signPost } from "./tokens.ts"

/** Seconds for which spam is kept, and for which a confirmation is waited for. */
const SPAM_KEPT = 7 * 86_400
const WAIT_KEPT = 3 * 86_400
/**
 * Confirmations that one address is asked for in an hour, so that a form fills nobody's mailbox: by posts of one sender, and of
 * all, so that a stranger uses up nobody's own.
 */
const ASKED_MAX = 3
const ASKED_BY_ALL_MAX = 9
const ASKED_WITHIN = 3_600

/** The attribute that says what somebody agreed to in the name of a lead's email, and when. */
const CLAIM = "unconfirmed_consent"

/** A post adds: what a lead has already stays. */
const ADDS_ONLY: MergePolicy = { onDuplicate: "fill", tags: "add", keep: [] }

/** Why a post is spam. */
export type SpamReason = "honeypot" | "time_trap" | "captcha" | "captcha_unavailable" | "leads_limit_reached"

interface Post {
  lead: LeadInput
  /** As `senderOf` gives it. */
  sender: string
}

/** Who acts when a form is posted: the form, which can only add. */
export function formCaller(form: Form, account: Account): Caller {
  return { account, keyId: form.id, role: "editor", actorId: form.id }
}

/**
 * Takes a post in. Answers the same for spam and for people on the do-not-contact list, so that senders learn nothing. Throws `unavailable` when the
 * account has no room.
 */
export async function submitPost(
  ctx: Context,
  form: Form,
  { lead, sender }: Post,
  reason?: SpamReason,
): Promise<"received" | "waiting"> {
  try {
    if (reason) await keepSpam(ctx, form, { lead, sender }, reason)
    else if (form.double_opt_in) await keepWaiting(ctx, form, { lead, sender })
    else await ctx.store.write(ctx.caller.account.key, (tx) => addLead(ctx, tx, lead), [keysOf(ctx, lead)])
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.kind === "leads_limit_reached")
      await keepSpam(ctx, form, { lead, sender }, "leads_limit_reached")
    else if (error.kind === "storage_limit_reached") throw noRoom()
    // Whether somebody is on the do-not-contact list is nothing for visitors to know.
    else if (error.kind !== "suppressed") throw error
  }
  return form.double_opt_in ? "waiting" : "received"
}

/**
 * Pushes the lead of a post, which only adds to a lead with its email. Visitors cannot give a required attribute that
 * the form does not ask for, so a lead may lack those. `isConfirmed` for a post whose sender has its email.
 */
export function addLead(
  ctx: Context,
  tx: Transaction,
  lead: LeadInput,
  isConfirmed = false,
): Promise<Pushed> {
  return pushLead(ctx, tx, lead, {
    ...{ policy: ADDS_ONLY, keys: keysOf(ctx, lead), checked: "partial" },
    // Anybody can post the phone of somebody else, and consent for an address.
    byEmailAlone: true,
    ...(!isConfirmed && { forKnown: (sent) => unproven(sent, ctx.caller.account.time_zone) }),
  })
}

/** A post whose consent is a claim, for a person to decide on. */
function unproven({ consent, consent_at, lawful_basis: _, ...lead }: LeadInput, zone: string): LeadInput {
  if (!consent) return lead
  const claim = { name: CLAIM, type: "text", value: `${dayText(zone, consent_at ?? 0)}: ${consent}` } as const
  return { ...lead, attributes: [...(lead.attributes ?? []), claim] }
}

function keysOf({ caller }: Context, lead: LeadInput) {
  return pushedKeys(lead, caller.account.default_country)
}

/** Bytes of all posts that an account keeps apart: those of its plan, beside its leads, and the spam of a form at least. */
function roomOf({ storage }: Limits): number | null {
  return storage === null ? null : Math.max(storage, SPAM_MAX * POST_BYTES_MAX)
}

function postFor(ctx: Context, tx: Transaction, form: Form, { lead, sender }: Post) {
  const email = lead.email ? fold(lead.email) : null
  return { id: tx.newId("fp_"), form_id: form.id, email, lead, created_at: ctx.now, sender }
}

async function keepSpam(ctx: Context, form: Form, sent: Post, reason: SpamReason): Promise<void> {
  if (Buffer.byteLength(JSON.stringify(sent.lead)) > POST_BYTES_MAX) return
  const { key: account, limits } = ctx.caller.account
  const isKept = await ctx.store.write(account, (tx) => {
    const asSpam = { state: "spam", reason, ends_at: ctx.now + SPAM_KEPT } as const
    return tx.forms.keepPost(
      account,
      { ...postFor(ctx, tx, form, sent), ...asSpam },
      SPAM_MAX,
      roomOf(limits),
    )
  })
  if (!isKept && reason === "leads_limit_reached") throw noRoom()
}

/** Keeps a post until its link is opened, and has the link sent by an event. */
async function keepWaiting(ctx: Context, form: Form, sent: Post): Promise<void> {
  const { lead } = sent
  const { key: account, limits } = ctx.caller.account
  if (Buffer.byteLength(JSON.stringify(lead)) > POST_BYTES_MAX)
    throw new AppError("too_large", `A post to this form is at most ${POST_BYTES_MAX / 1024} KiB`)
  await ctx.store.write(account, async (tx) => {
    const post: FormPost = {
      ...postFor(ctx, tx, form, sent),
      ...{ state: "waiting", reason: null, ends_at: ctx.now + WAIT_KEPT },
    }
    const asked = { state: "waiting", email: post.email ?? "", since: ctx.now - ASKED_WITHIN } as const
    await refuseSuppressed(ctx, tx, lead)
    const isAskedOften = async (limit: number, sender?: string) =>
      (await tx.forms.countPosts(account, form.id, { ...asked, ...(sender && { sender }), limit })) >= limit
    if ((await isAskedOften(ASKED_MAX, sent.sender)) || (await isAskedOften(ASKED_BY_ALL_MAX))) return
    if (!(await tx.forms.keepPost(account, post, UNCONFIRMED_MAX, roomOf(limits)))) throw noRoom()
    const { id, name } = form
    const link = `${formAddress(ctx.origin() ?? "", id)}/confirm/${signPost(ctx.secret, id, post.id)}`
    const data = {
      form: { id, name },
      email: lead.email,
      name: lead.name,
      confirm_url: link,
      expires_at: post.ends_at,
    }
    await publish(ctx, tx, "form.confirmation_requested", JSON.stringify(data))
  })
}

/**
 * Confirms the post of a link. `again` for one that was confirmed before, undefined for a link that is forged, too old or
 * of a post that was removed.
 */
export async function confirmPost(
  ctx: Context,
  form: Form,
  token: string,
): Promise<"confirmed" | "again" | undefined> {
  const id = postOf(ctx.secret, form.id, token)
  if (id === undefined) return undefined
  const account = ctx.caller.account.key
  try {
    return await ctx.store.write(account, async (tx) => {
      const post = await tx.forms.findPost(account, form.id, id)
      if (!post || post.ends_at <= ctx.now || post.state === "spam") return undefined
      if (post.state === "confirmed" || !post.lead) return "again"
      const opted = { name: "opted_in_at", type: "number", value: ctx.now } as const
      const lead = { ...post.lead, attributes: [...(post.lead.attributes ?? []), opted] }
      await addLead(ctx, tx, lead, true)
      await tx.forms.confirmPost(account, id)
      return "confirmed"
    })
  } catch (error) {
    if (error instanceof AppError && error.kind === "suppressed") return "again"
    const isFull =
      error instanceof AppError &&
      (error.kind === "leads_limit_reached" || error.kind === "storage_limit_reached")
    throw isFull ? noRoom() : error
  }
}

/** What visitors learn of an account's plan, and of the state of the service. */
export const CLOSED_FOR_NOW = "This form cannot take posts at the moment; try again later"

function noRoom(): AppError {
  return new AppError("unavailable", CLOSED_FOR_NOW)
}
