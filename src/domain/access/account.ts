// The caller's own account.

import * as v from "valibot"
import { described, named } from "../../core/described.ts"
import { whole } from "../../core/fields.ts"
import { isCountry } from "../../core/phone.ts"
import type { AccountReads } from "../../store/contract/store.ts"
import { EARLIER, type ExampleFields } from "../examples.ts"
import { type Context, operation } from "../operation.ts"
import { adminActor, recordAdmin } from "./admin-log.ts"

const exampleAccount: ExampleFields = {
  id: "acc_019aa6f2-8c41-7d3e-9b52-4e7f10c6a8d3",
  name: "Acme",
  plan: "free",
  limits: { leads: 100, requests: 100, batch: 100, storage: 50_000_000 },
  default_country: "DE",
  created_at: EARLIER,
}

const maybeLimit = v.nullable(whole(0))

const AccountOutput = named(
  "Account",
  v.strictObject({
    id: v.string(),
    name: v.string(),
    plan: v.string(),
    limits: v.strictObject({ leads: maybeLimit, requests: maybeLimit, batch: whole(0), storage: maybeLimit }),
    default_country: v.nullable(v.string()),
    created_at: whole(0),
  }),
  {
    plan: "Its name.",
    "limits.requests": "Per 10 minutes.",
    "limits.batch": "Leads in one batch.",
    "limits.storage": "Bytes of leads, notes and trail.",
    limits: "Limits of the plan or of the account; null for no limit.",
    default_country: "Default country for phone numbers: an ISO 3166 code of two letters.",
  },
)

/** An ISO 3166 country code in upper case. */
export const Country = v.pipe(
  v.string("must be text"),
  v.trim(),
  v.toUpperCase(),
  v.check(
    (code) => /^[A-Z]{2}$/.test(code) && isCountry(code),
    "must be the ISO 3166 code of a country in two letters, such as DE",
  ),
)

export const getAccount = operation({
  name: "get_account",
  about: "Get the account that the key belongs to, with its plan and limits",
  tag: "Account",
  note: "Limits are null where there is none.",
  example: { answers: { 200: exampleAccount } },
  access: "read",
  forSegments: true,
  http: "GET /account",
  input: v.strictObject({}),
  output: AccountOutput,
  run: (ctx) => accountOutput(ctx, ctx.store.read.accounts),
})

export const updateAccount = operation({
  name: "update_account",
  about: "Set the default country for phone numbers",
  tag: "Account",
  note: "Phone numbers without a country code are read with the lead's `country`, else with this one. Existing leads are updated in the background.",
  example: { body: { default_country: "DE" }, answers: { 200: exampleAccount } },
  access: "owner",
  http: "PATCH /account",
  input: described(v.strictObject({ default_country: v.nullable(Country) }), {
    default_country: "An ISO 3166 code of two letters such as `DE`; null for no country.",
  }),
  output: AccountOutput,
  run: (ctx, { default_country }) =>
    ctx.store.write(ctx.caller.account.key, async (tx) => {
      const { key, id } = ctx.caller.account
      await tx.accounts.setDefaultCountry(key, default_country)
      const noted = { by: adminActor(ctx), now: ctx.now, target: id, details: { default_country } }
      await recordAdmin(tx, key, "account.updated", noted)
      return accountOutput(ctx, tx.accounts)
    }),
})

async function accountOutput(
  ctx: Context,
  accounts: AccountReads,
): Promise<v.InferOutput<typeof AccountOutput>> {
  const { id, name, plan, limits, default_country, created_at } = (await accounts.find(
    ctx.caller.account.id,
  ))!
  return { id, name, plan, limits, default_country, created_at }
}
