// The caller's own account.

import * as v from "valibot"
import type { Account } from "../../access/rights.ts"
import { described, named } from "../../lead/described.ts"
import { whole } from "../../lead/fields.ts"
import { badRequest } from "../../runtime/errors.ts"
import type { AccountReads, Transaction } from "../../store/contract/store.ts"
import { isCountry } from "../../text/phone.ts"
import { excerpt } from "../../text/text.ts"
import { closestZone, zoneNamed } from "../../text/time-zone.ts"
import { EARLIER, type ExampleFields } from "../examples.ts"
import { type Context, operation } from "../operation.ts"
import { type AdminActor, adminActor, recordAdmin } from "./admin-log.ts"

const exampleAccount: ExampleFields = {
  id: "acc_019aa6f2-8c41-7d3e-9b52-4e7f10c6a8d3",
  name: "Acme",
  plan: "free",
  limits: { leads: 100, requests: 100, batch: 100, storage: 50_000_000 },
  default_country: "DE",
  time_zone: "Europe/Berlin",
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
    time_zone: v.string(),
    created_at: whole(0),
  }),
  {
    plan: "Its name.",
    "limits.requests": "Per 10 minutes.",
    "limits.batch": "Leads in one batch.",
    "limits.storage": "Bytes of leads, notes and trail.",
    limits: "Limits of the plan or of the account; null for no limit.",
    default_country: "Default country for phone numbers: an ISO 3166 code of two letters.",
    time_zone: "IANA name of the zone of its days.",
  },
)

/** The IANA name of a time zone. */
export const TimeZone = v.pipe(
  v.string("must be text"),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const name = dataset.value.trim()
    const zone = zoneNamed(name)
    if (zone !== undefined) return zone
    const near = name.length > 100 ? undefined : closestZone(name)
    addIssue({
      message: `must be the IANA name of a time zone, such as ${near ?? "Europe/Berlin"}; "${excerpt(name)}" is none`,
    })
    return NEVER
  }),
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
  output: AccountOutput,
  run: (ctx) => accountOutput(ctx, ctx.store.read.accounts),
})

export const updateAccount = operation({
  name: "update_account",
  about: "Set the default country for phone numbers and the time zone",
  tag: "Account",
  note: "Phone numbers without a country code are read with the lead's `country`, else with this one. Existing leads are updated in the background. Dates without a time, and `today` and the like, are days of `time_zone`.",
  example: { body: { default_country: "DE" }, answers: { 200: exampleAccount } },
  access: "owner",
  http: "PATCH /account",
  input: described(
    v.strictObject({ default_country: v.optional(v.nullable(Country)), time_zone: v.optional(TimeZone) }),
    {
      default_country: "An ISO 3166 code of two letters such as `DE`; null for no country.",
      time_zone: "IANA name of the zone of its days, such as `Europe/Berlin`; `UTC` at first.",
    },
  ),
  output: AccountOutput,
  async run(ctx, changes) {
    if (Object.keys(changes).length === 0)
      throw badRequest("nothing to change: give default_country or time_zone")
    return ctx.store.write(ctx.caller.account.key, async (tx) => {
      await changeAccount(tx, ctx.caller.account, changes, { by: adminActor(ctx), now: ctx.now })
      return accountOutput(ctx, tx.accounts)
    })
  },
})

interface AccountChanges {
  default_country?: string | null | undefined
  time_zone?: string | undefined
}

/** Changes what an account is read by, and notes it in its admin log. */
export async function changeAccount(
  tx: Transaction,
  { key, id }: Pick<Account, "key" | "id">,
  { default_country, time_zone }: AccountChanges,
  noted: { by: AdminActor; now: number },
): Promise<void> {
  if (default_country !== undefined) await tx.accounts.setDefaultCountry(key, default_country)
  if (time_zone !== undefined) await tx.accounts.setTimeZone(key, time_zone)
  const details = {
    ...(default_country !== undefined && { default_country }),
    ...(time_zone !== undefined && { time_zone }),
  }
  await recordAdmin(tx, key, "account.updated", { ...noted, target: id, details })
}

async function accountOutput(
  ctx: Context,
  accounts: AccountReads,
): Promise<v.InferOutput<typeof AccountOutput>> {
  const { id, name, plan, limits, default_country, time_zone, created_at } = (await accounts.find(
    ctx.caller.account.id,
  ))!
  return { id, name, plan, limits, default_country, time_zone, created_at }
}
