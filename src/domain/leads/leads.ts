import * as v from "valibot"
import { AppError, notFound } from "../../core/errors.ts"
import { blanksToNull, LeadInput, leadChangeEntries, readOnlyEntries } from "../../core/fields.ts"
import { JsonText } from "../../core/json-text.ts"
import { type Context, operation } from "../../core/operation.ts"
import type { LeadReads, LeadRow } from "../../store/store.ts"
import { OnDuplicateField, policyOf } from "./merging.ts"
import { LeadOutput, PushOutput } from "./output.ts"
import { type Pushed, pushLead, removeLead, updateLead } from "./write.ts"

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
  input: v.strictObject({ ...LeadInput.entries, on_duplicate: OnDuplicateField }),
  query: ["on_duplicate"],
  prepare: blanksToNull,
  output: PushOutput,
  status: 201,
  otherStatuses: [200],
  async run(ctx, { on_duplicate, ...input }) {
    const policy = policyOf(on_duplicate)
    const pushed = await ctx.store.write(ctx.caller.account.key, (tx) =>
      explainConflict(() => pushLead(ctx, tx, input, "events", policy)),
    )
    return new JsonText(pushText(pushed), pushed.merged ? 200 : 201)
  },
})

function pushText({ row, merged, isSkipped, potentialDuplicate }: Pushed): string {
  const more = isSkipped
    ? { message: `Duplicate by ${merged}: the existing lead is left as it is`, duplicate: true }
    : merged
      ? { message: `Duplicate by ${merged}: merged into the existing lead`, duplicate: true }
      : potentialDuplicate
        ? {
            message: "Lead created; a lead with the same name and city exists",
            potential_duplicate_id: potentialDuplicate,
          }
        : { message: "Lead created" }
  return row.json(more)
}

export const getLead = operation({
  name: "get_lead",
  about: "Get one lead with its attributes and score",
  access: "read",
  http: "GET /leads/:id",
  tool: true,
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
  about: "Delete a lead with its notes and attributes",
  access: "write",
  http: "DELETE /leads/:id",
  tool: true,
  input: v.strictObject({ id: Id }),
  async run(ctx, { id }) {
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
