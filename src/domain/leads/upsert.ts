import * as v from "valibot"
import { blanksToNull, Email, LeadInput, Line } from "../../core/fields.ts"
import { JsonText } from "../../core/json-text.ts"
import { type Context, operation } from "../../core/operation.ts"
import { fold } from "../../core/text.ts"
import type { LeadRow, Transaction } from "../../store/store.ts"
import { explainConflict } from "./leads.ts"
import { LeadOutput } from "./output.ts"
import { putLead } from "./write.ts"

const about = (key: string) => `Create the lead with this ${key}, or update it`
const named = { access: "write", prepare: blanksToNull, pathNamesAgree: true, output: LeadOutput } as const
const filled = v.nonEmpty<string, "is required">("is required")

export const upsertLeadByEmail = operation({
  ...named,
  name: "upsert_lead_by_email",
  about: about("email"),
  http: "PUT /leads/by/email/:email",
  input: v.strictObject({ ...LeadInput.entries, email: v.pipe(Email, filled) }),
  otherStatuses: [201],
  run: (ctx, input) => put(ctx, input, (tx, account) => tx.leads.findByEmail(account, fold(input.email))),
})

export const upsertLeadBySourceId = operation({
  ...named,
  name: "upsert_lead_by_source_id",
  about: about("source_id"),
  http: "PUT /leads/by/source_id/:source_id",
  input: v.strictObject({ ...LeadInput.entries, source_id: v.pipe(Line, filled) }),
  otherStatuses: [201],
  run: (ctx, input) => put(ctx, input, (tx, account) => tx.leads.findBySourceId(account, input.source_id)),
})

async function put(
  ctx: Context,
  input: LeadInput,
  find: (tx: Transaction, account: number) => Promise<LeadRow | undefined>,
): Promise<JsonText> {
  const account = ctx.caller.account.key
  const { row, isNew } = await ctx.store.write(account, (tx) =>
    explainConflict(async () => putLead(ctx, tx, await find(tx, account), input)),
  )
  return new JsonText(row.json(), isNew ? 201 : 200)
}
