import * as v from "valibot"
import { AppError, notFound } from "../../core/errors.ts"
import { blanksToNull, LeadInput, leadChangeEntries, readOnlyEntries } from "../../core/fields.ts"
import { JsonText } from "../../core/json-text.ts"
import type { LeadReads, LeadRow, Transaction } from "../../store/contract/store.ts"
import { authorise, type Context, operation } from "../operation.ts"
import { LeadOutput, PushOutput } from "./output.ts"
import { pushedKeys } from "./write/dedup.ts"
import { eraseLead } from "./write/erase.ts"
import { OnDuplicateField, pushPolicy } from "./write/merging.ts"
import { type Pushed, pushLead, removeLead, updateLead } from "./write/write.ts"

/** An id in a path or a tool call. Any text: one that no lead has answers 404, whatever it looks like. */
export const Id = v.string("must be text")

/** The row of a lead. Throws `not_found` when it is missing or another account's. */
export async function getLeadRow(ctx: Context, leads: LeadReads, id: string): Promise<LeadRow> {
  const row = await leads.find(ctx.caller.account.key, id)
  if (!row) throw notFound("Lead")
  return row
}

export const createLead = operation({
  name: "create_lead",
  about: "Create a lead; a duplicate is merged into the lead it repeats",
  access: "write",
  http: "POST /leads",
  tool: true,
  input: v.strictObject({
    ...LeadInput.entries,
    on_duplicate: OnDuplicateField,
    dry_run: v.optional(v.boolean("must be true or false")),
  }),
  query: ["on_duplicate", "dry_run"],
  prepare: blanksToNull,
  output: PushOutput,
  status: 201,
  otherStatuses: [200],
  async run(ctx, { on_duplicate, dry_run, ...input }) {
    const policy = pushPolicy(on_duplicate)
    const push = (tx: Transaction) => explainConflict(() => pushLead(ctx, tx, input, { policy }))
    const { key, default_country } = ctx.caller.account
    const { text, merged } = await ctx.store.write(
      key,
      (tx) => (dry_run ? rehearsed(tx, push) : push(tx).then(told)),
      () => [pushedKeys(input, default_country)],
    )
    return new JsonText(text, merged || dry_run ? 200 : 201)
  },
})

interface Told {
  text: string
  merged: boolean
}

function told(pushed: Pushed): Told {
  return { text: pushText(pushed), merged: pushed.merged !== undefined }
}

/** Thrown where a rehearsal ends, so that all that it wrote is undone. */
class Rehearsed extends Error {
  constructor(readonly told: Told) {
    super("rehearsed")
  }
}

/** What a push would answer, of which nothing stays. */
async function rehearsed(tx: Transaction, push: (tx: Transaction) => Promise<Pushed>): Promise<Told> {
  try {
    return await tx.attempt(async () => {
      const pushed = await push(tx)
      throw new Rehearsed({ text: pushText(pushed, true), merged: pushed.merged !== undefined })
    })
  } catch (thrown) {
    if (thrown instanceof Rehearsed) return thrown.told
    throw thrown
  }
}

function pushText(pushed: Pushed, isDry = false): string {
  const { row, changed, possible } = pushed
  const { message, ...more } = said(pushed)
  return row.json({
    message: isDry ? `Dry run, nothing was kept: ${message}` : message,
    ...more,
    ...(changed && { changed }),
    ...(possible && { possible_duplicates: possible }),
    ...(isDry && { dry_run: true }),
  })
}

function said({ merged, isSkipped, potentialDuplicate }: Pushed) {
  return isSkipped
    ? { message: `Duplicate by ${merged}: the existing lead is left as it is`, duplicate: true }
    : merged
      ? { message: `Duplicate by ${merged}: merged into the existing lead`, duplicate: true }
      : potentialDuplicate
        ? {
            message: "Lead created; a lead with the same name and city exists",
            potential_duplicate_id: potentialDuplicate,
          }
        : { message: "Lead created" }
}

export const getLead = operation({
  name: "get_lead",
  about: "Get one lead with its attributes and score",
  access: "read",
  http: "GET /leads/:id",
  input: v.strictObject({ id: Id }),
  output: LeadOutput,
  async run(ctx, { id }) {
    const row = await getLeadRow(ctx, ctx.store.read.leads, id)
    return new JsonText(row.json())
  },
})

export const updateLeadOperation = operation({
  name: "update_lead",
  about: "Change fields of a lead; null clears an optional field",
  access: "write",
  http: ["PUT /leads/:id", "PATCH /leads/:id"],
  tool: true,
  input: v.strictObject({ ...leadChangeEntries, ...readOnlyEntries, id: Id }),
  prepare: blanksToNull,
  output: LeadOutput,
  async run(ctx, { id, ...changes }) {
    const row = await ctx.store.write(ctx.caller.account.key, (tx) =>
      explainConflict(async () => updateLead(ctx, tx, await getLeadRow(ctx, tx.leads, id), changes)),
    )
    return new JsonText(row.json())
  },
})

export const deleteLead = operation({
  name: "delete_lead",
  about: "Delete a lead with notes and attributes; erase: from the trail too (owner)",
  access: "write",
  http: "DELETE /leads/:id",
  tool: true,
  query: ["erase"],
  input: v.strictObject({ id: Id, erase: v.optional(v.boolean("must be true or false")) }),
  async run(ctx, { id, erase = false }) {
    if (erase) {
      authorise("owner", ctx.caller)
      await eraseLead(ctx, id)
      return undefined
    }
    await ctx.store.write(ctx.caller.account.key, async (tx) =>
      removeLead(ctx, tx, await getLeadRow(ctx, tx.leads, id)),
    )
    return undefined
  },
})

/** Says of a conflict over email or source_id what can be done about it. */
export async function explainConflict<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "conflict") throw error
    const field = error.message.replace("Duplicate ", "")
    throw new AppError(
      "conflict",
      `${error.message}: another lead of this account has this ${field}. ` +
        `Find it with filter=and.eq.${field}.<value> and change or delete it first`,
    )
  }
}
