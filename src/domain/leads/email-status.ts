// The status of a lead's email: told by those who send mail, and looked up.

import * as v from "valibot"
import type { Account } from "../../access/rights.ts"
import { EMAIL_STATUSES, type EmailStatus, emailText } from "../../lead/contacts.ts"
import { described } from "../../lead/described.ts"
import { Id, oneOf } from "../../lead/fields.ts"
import { badRequest } from "../../runtime/errors.ts"
import { JsonText } from "../../text/json-text.ts"
import { inBatch } from "../batch.ts"
import { exampleLead } from "../examples.ts"
import { operation, ownContext, type Services } from "../operation.ts"
import { getLeadRow } from "./lead-operations.ts"
import { LeadOutput } from "./list/lead-output.ts"
import { emailStatusOf, mailDomain } from "./write/lead-data.ts"
import { replaceLead, rewriteLead } from "./write/write.ts"

export const setEmailStatus = operation({
  name: "set_email_status",
  about: "Tell that mail to a lead bounced, or what else is known of its email",
  tag: "Leads",
  note: "Stays until the lead's email changes. Other statuses are set by themselves: see the field `email_status`.",
  example: { body: { status: "bounced" }, answers: { 200: { ...exampleLead, email_status: "bounced" } } },
  access: "write",
  http: "POST /leads/:id/email-status",
  input: described(v.strictObject({ id: Id, status: oneOf(EMAIL_STATUSES) }), {
    status: "What is known of the email.",
  }),
  output: LeadOutput,
  async run(ctx, { id, status }) {
    const row = await ctx.store.write(ctx.caller.account.key, async (tx) => {
      const leadRow = await getLeadRow(ctx, tx.leads, id)
      const before = leadRow.data()
      if (before.email === null) throw badRequest("The lead has no email whose status could be set")
      const after = { ...before, email_status: status }
      const cause = { action: "updated" } as const
      return replaceLead(ctx, tx, { row: leadRow, before, after, cause })
    })
    return new JsonText(row.json())
  },
})

/** Whether a domain takes mail. Nothing is asked of a `reserved` one; `silent` is one without an answer. */
export type MailAnswer = "takes" | "none" | "reserved" | "silent"
export type LookUpMail = (domain: string) => Promise<MailAnswer>

/** Leads that are read at once: a millisecond. */
const READ = 200
/** Leads that one transaction changes. */
const WRITTEN = 50
const ACTOR = "email-status"

interface Emailed {
  id: string
  /** Folded. */
  email: string
}

/**
 * Looks up the domains of an account's next leads whose emails nothing is known of, and writes what they are; neither the
 * trail nor `lead.updated` tells of it. Answers whether there may be more; `offline` where no domain at all gave an answer:
 * then those leads are looked at again.
 */
export async function lookUpNext(
  services: Services,
  account: Account,
  lookUp: LookUpMail,
): Promise<"more" | "done" | "offline"> {
  const { store } = services
  const from = (await store.read.mail.lookedUpTo(account.key)) ?? ""
  const leads = await store.read.mail.emailsAfter(account.key, from, READ)
  const last = leads.at(-1)
  if (!last) return "done"
  const open = leads.flatMap(({ id, email, email_status: status }) =>
    email !== null && (status === null || status === "unknown") ? [{ id, email, status }] : [],
  )
  const statuses = await Promise.all(
    open.map(async ({ id, email, status }) => {
      const bySyntax = emailStatusOf(email)!
      const domain = bySyntax === "unknown" ? mailDomain(email) : undefined
      const answer = domain === undefined ? undefined : await lookUp(domain)
      const now = answer === "takes" ? "ok" : answer === "none" ? "no_mx" : bySyntax
      return { id, email, answer, status: now, isNew: now !== status }
    }),
  )
  const asked = statuses.filter(({ answer }) => answer !== undefined && answer !== "reserved")
  if (asked.length > 0 && asked.every(({ answer }) => answer === "silent")) return "offline"
  const fresh = statuses.filter(({ isNew }) => isNew)
  for (let at = 0; at < fresh.length; at += WRITTEN)
    await keep(services, account, fresh.slice(at, at + WRITTEN))
  await store.write(account.key, (tx) => tx.mail.setLookedUpTo(account.key, last.id))
  return "more"
}

async function keep(
  services: Services,
  account: Account,
  all: readonly (Emailed & { status: EmailStatus })[],
): Promise<void> {
  const ctx = inBatch(ownContext(services, account, ACTOR))
  await services.store.write(account.key, async (tx) => {
    for (const { id, email, status } of all) {
      const row = await tx.leads.find(account.key, id)
      const before = row?.data()
      if (!row || !before || before.email === null || emailText(before.email) !== email) continue
      if (before.email_status !== null && before.email_status !== "unknown") continue
      const after = { ...before, email_status: status }
      await rewriteLead(ctx, tx, { row, before, after, cause: null })
    }
  })
}
