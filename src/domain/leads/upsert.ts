import * as v from "valibot"
import { blanksToNull, Email, LeadInput, Line } from "../../lead/fields.ts"
import { dedupKeys } from "../../lead/lead-keys.ts"
import { badRequest } from "../../runtime/errors.ts"
import { emailKey } from "../../text/email-key.ts"
import { JsonText } from "../../text/json-text.ts"
import { excerpt } from "../../text/text.ts"
import { exampleCreated, examplePush, exampleQualified } from "../examples.ts"
import { type Context, operation } from "../operation.ts"
import { explainConflict } from "./lead-operations.ts"
import { LeadOutput } from "./list/lead-output.ts"
import { withoutAliases } from "./write/dedup.ts"
import { putLead } from "./write/push.ts"

const NO_KEYS = { name: "", email: null, source_id: null, phone: null, city: null, country: null }
const about = (key: string) => `Create the lead with this ${key}, or update it`
const named = {
  access: "write",
  forSegments: true,
  prepare: blanksToNull,
  pathNamesAgree: true,
  output: LeadOutput,
} as const
const filled = v.nonEmpty<string, "is required">("is required")

export const upsertLeadByEmail = operation({
  ...named,
  name: "upsert_lead_by_email",
  about: about("email"),
  tag: "Leads",
  errors: ["conflict", "suppressed", "leads_limit_reached", "storage_limit_reached"],
  example: { body: examplePush, answers: { 200: exampleQualified, 201: exampleCreated } },
  http: "PUT /leads/by/email/:email",
  input: v.strictObject({ ...LeadInput.entries, email: v.pipe(Email, filled) }),
  otherStatuses: [201],
  run: (ctx, input) => put(ctx, input, "email"),
})

export const upsertLeadBySourceId = operation({
  ...named,
  name: "upsert_lead_by_source_id",
  about: about("source_id"),
  tag: "Leads",
  errors: ["conflict", "suppressed", "leads_limit_reached", "storage_limit_reached"],
  example: { body: examplePush, answers: { 200: exampleQualified, 201: exampleCreated } },
  http: "PUT /leads/by/source_id/:source_id",
  input: v.strictObject({ ...LeadInput.entries, source_id: v.pipe(Line, filled) }),
  otherStatuses: [201],
  run: (ctx, input) => put(ctx, input, "source_id"),
})

async function put(ctx: Context, input: LeadInput, key: "email" | "source_id"): Promise<JsonText> {
  const account = ctx.caller.account.key
  if (key === "email" && emailKey(input.email ?? "") === null)
    throw badRequest(
      `email "${excerpt(input.email ?? "")}" has no dot in its domain, so no lead is found by it`,
    )
  const keys = dedupKeys({ ...NO_KEYS, [key]: input[key] ?? null }, null)
  const { row, isNew } = await ctx.store.write(account, (tx) =>
    explainConflict(async () => {
      const [found] = await tx.leads.findDuplicates(account, [keys])
      return putLead(ctx, tx, found?.[key], found ? withoutAliases(input, found.aliases) : input)
    }),
  )
  return new JsonText(row.json(), isNew ? 201 : 200)
}
