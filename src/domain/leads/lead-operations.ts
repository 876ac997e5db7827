import * as v from "valibot"
import { emailKey } from "../../lead/contacts.ts"
import { described } from "../../lead/described.ts"
import {
  blanksToNull,
  Email,
  Id,
  LeadInput,
  Line,
  leadChangeEntries,
  OptionalFlag,
  oneOf,
  readOnlyEntries,
} from "../../lead/fields.ts"
import { SAME } from "../../lead/filter-parts.ts"
import { type LeadData, leadOf, NO_ACTIVITY } from "../../lead/lead.ts"
import { dedupKeys } from "../../lead/lead-keys.ts"
import { AppError, badRequest, notFound } from "../../runtime/errors.ts"
import { namesTag, tagOf } from "../../runtime/etag.ts"
import type { LeadReads, LeadRow, Transaction } from "../../store/contract/store.ts"
import { JsonText } from "../../text/json-text.ts"
import { excerpt } from "../../text/text.ts"
import { triedOut } from "../batch.ts"
import { exampleCreated, exampleLead, examplePush, exampleQualified } from "../examples.ts"
import { type Context, operation, type ReadContext, toolOf } from "../operation.ts"
import { LeadOutput, PushOutput, ReadLeadOutput } from "./list/lead-output.ts"
import { listKeysOf, ON_SUPPRESSED_WORDS, SuppressedError } from "./write/account-settings.ts"
import { ATTRIBUTES_BY_NAME, changeLead, wideChangeEntries } from "./write/change-lead.ts"
import { pushedKeys, withoutAliases } from "./write/dedup.ts"
import {
  changesBetween,
  newLead,
  OnDuplicateField,
  OnSuppressedField,
  pushPolicy,
} from "./write/lead-data.ts"
import { originsOf } from "./write/origins.ts"
import { type Pushed, pushLead, putLead } from "./write/push.ts"
import { updateLead } from "./write/write.ts"

/** Merges that are followed from one survivor to the next. */
const FOLLOWED_MAX = 20
const OF_MERGE = "merge:"

/** The error for an id without a lead: `not_found`, with the lead that it was merged into, if it was. */
async function missingLead(ctx: ReadContext, id: string): Promise<AppError> {
  const survivor = await survivorOf(ctx, id)
  if (survivor === undefined) return notFound("Lead")
  return new AppError("not_found", `Lead not found: it was merged into ${survivor}`, {
    extra: { merged_into: survivor },
  })
}

/** Undefined for a lead that was not merged, and where the survivor is gone or not to be seen. */
async function survivorOf(ctx: ReadContext, id: string): Promise<string | undefined> {
  const { leads, changes, duplicates } = ctx.store.read
  const account = ctx.caller.account.key
  let lead = id
  for (let i = 0; i < FOLLOWED_MAX; i++) {
    const query = { filter: { lead_id: lead }, descending: true, after: undefined, limit: 1 }
    const [last] = (await changes.records(account, query)).changes
    if (last?.action !== "deleted" || !last.reason?.startsWith(OF_MERGE)) return undefined
    const merge = await duplicates.merge(account, last.reason.slice(OF_MERGE.length))
    if (!merge) return undefined
    lead = merge.survivor_id
    if (await leads.find(account, lead)) return lead
  }
  return undefined
}

/**
 * The row of a lead. Throws `not_found` for a missing lead and one of another account; of one that was merged it says the
 * survivor.
 */
export async function getLeadRow(ctx: Context, leads: LeadReads, id: string): Promise<LeadRow> {
  const row = await leads.find(ctx.caller.account.key, id)
  if (!row) throw await missingLead(ctx, id)
  return row
}

/** A contact's status follows from the lead's. */
const CONTACT = ["value", "label"]
const NAMED = { "emails[]": CONTACT, "phones[]": CONTACT }

export const createLead = operation({
  name: "create_lead",
  about: "Create a lead; a duplicate is merged into the lead it repeats",
  tag: "Leads",
  errors: ["conflict", "suppressed", "leads_limit_reached", "storage_limit_reached"],
  note: `Every push is checked for duplicates, by four criteria in this order:

| | Criterion | What happens |
|---|---|---|
| 1 | same \`email\`, ignoring case | merged: 200, \`duplicate: true\` |
| 2 | same \`source_id\` | merged: 200, \`duplicate: true\` |
| 3 | same \`phone\` and names more than 80 % similar | merged: 200, \`duplicate: true\` |
| 4 | same \`name\` and \`city\`, ignoring case | created: 201, with \`potential_duplicate_id\` |

A merge is Last Touch Wins: values that are sent and not empty overwrite, attributes are replaced by name. A merge does not count against the plan's leads. Fields that the service sets may be sent and are ignored; an unknown field is refused.`,
  says: {
    201: "A new lead.",
    200: "A duplicate: merged into the lead it repeats, which this is; a dry run; or a skipped lead on the do-not-contact list.",
  },
  example: {
    body: examplePush,
    answers: {
      201: { ...exampleCreated, message: "Lead created" },
      200: { ...exampleLead, message: "Duplicate by email: merged into the existing lead", duplicate: true },
    },
  },
  access: "write",
  forSegments: true,
  http: "POST /leads",
  tool: {
    isSparse: true,
    named: NAMED,
    words: {},
  },
  input: described(
    v.strictObject({
      ...LeadInput.entries,
      on_duplicate: OnDuplicateField,
      on_suppressed: OnSuppressedField,
      dry_run: OptionalFlag,
    }),
    {
      on_duplicate:
        "If the lead already exists: `overwrite` its fields (default), `fill` only empty fields, or `skip` it.",
      on_suppressed: ON_SUPPRESSED_WORDS,
      dry_run: "Changes nothing; returns what would happen.",
    },
  ),
  query: ["on_duplicate", "on_suppressed", "dry_run"],
  prepare: blanksToNull,
  output: PushOutput,
  status: 201,
  otherStatuses: [200],
  async run(ctx, { on_duplicate, on_suppressed, dry_run, ...input }) {
    const { key, default_country } = ctx.caller.account
    const policy = pushPolicy(on_duplicate, on_suppressed)
    const keys = { ...pushedKeys(input, default_country), listKeys: listKeysOf(ctx, input) }
    const options = { policy, keys }
    const push = (tx: Transaction) => explainConflict(() => pushLead(ctx, tx, input, options))
    const pushing = ctx.store.write(
      key,
      (tx) =>
        dry_run
          ? triedOut(tx, async () => answerOf(await push(tx), true))
          : push(tx).then((pushed) => answerOf(pushed)),
      [options.keys],
    )
    const { text, merged } = await (on_suppressed === "skip"
      ? pushing.catch((thrown: unknown) => skippedAnswer(ctx, input, thrown))
      : pushing)
    return new JsonText(text, merged || dry_run ? 200 : 201)
  },
})

/** The answer of a push that was skipped: the lead as it would be, without an id. Throws every other error. */
function skippedAnswer(ctx: Context, input: LeadInput, thrown: unknown): PushAnswer {
  if (!(thrown instanceof SuppressedError)) throw thrown
  const { message, entry } = thrown
  const lead = { ...leadOf(newLead(ctx, input), NO_ACTIVITY, 0), id: "" }
  const more = { message: `Skipped: ${message}`, skipped: true, suppressed: entry }
  return { text: JSON.stringify({ ...lead, ...more }), merged: true }
}

interface PushAnswer {
  text: string
  merged: boolean
}

function answerOf(pushed: Pushed, isDry = false): PushAnswer {
  return { text: pushText(pushed, isDry), merged: pushed.merged !== undefined }
}

function pushText(pushed: Pushed, isDry = false): string {
  const { row, changed, replaced, possible, suppressed, warnings } = pushed
  const { message, ...more } = messageFor(pushed)
  return row.json({
    message: isDry ? `Dry run, nothing was kept: ${message}` : message,
    ...more,
    ...(replaced && { replaced }),
    ...(changed && { changed }),
    ...(possible && { possible_duplicates: possible }),
    ...(suppressed && { suppressed }),
    ...(warnings && { warnings }),
    ...(isDry && { dry_run: true }),
  })
}

function messageFor({ merged, isSkipped, potentialDuplicate, potentialBy }: Pushed) {
  return isSkipped
    ? { message: `Duplicate by ${merged}: the existing lead is left as it is`, duplicate: true }
    : merged
      ? { message: `Duplicate by ${merged}: merged into the existing lead`, duplicate: true }
      : potentialDuplicate
        ? {
            message: `Lead created; a lead with the same ${potentialBy === "phone" ? "phone and a similar name" : "name and city"} exists`,
            potential_duplicate_id: potentialDuplicate,
          }
        : { message: "Lead created" }
}

export const getLead = operation({
  name: "get_lead",
  about: "Get one lead with its attributes and score",
  tag: "Leads",
  note: "Every field is there: an empty text or number is null, tags and attributes are an empty list. `include=origins` adds where each value comes from: the push, import, enrichment, merge or change that set it, by whom and when.",
  example: { answers: { 200: exampleLead } },
  access: "read",
  forSegments: true,
  http: "GET /leads/:id",
  input: described(
    v.strictObject({
      id: Id,
      include: v.optional(v.array(oneOf(["origins"]), "must be a list of origins")),
    }),
    { include: "Adds `origins`: where each value comes from." },
  ),
  output: ReadLeadOutput,
  isTagged: true,
  async run(ctx, { id, include = [] }) {
    const row = await getLeadRow(ctx, ctx.store.read.leads, id)
    if (include.length === 0) return new JsonText(row.json())
    const origins = await originsOf(ctx.store.read, ctx.caller.account.key, row)
    return new JsonText(row.json({ origins }))
  },
})

/** Throws `precondition_failed` for a request that is for another state of the lead. */
export function requireMatch({ visit }: Context, row: LeadRow): LeadRow {
  const named = visit?.ifMatch
  if (named === undefined || namesTag(named, tagOf(row.json()), "strong")) return row
  throw new AppError(
    "precondition_failed",
    "The lead has changed since it was read with the ETag in If-Match: read it again, then send the change with its new ETag",
  )
}

const updateLeadTool = toolOf({
  isSparse: true,
  named: NAMED,
  words: {
    id: "Lead id",
    attributes: ATTRIBUTES_BY_NAME,
  },
  input: v.strictObject({ ...wideChangeEntries, id: Id }),
  async run(ctx, { id, ...changes }) {
    let before: LeadData | undefined
    const row = await ctx.store.write(ctx.caller.account.key, (tx) =>
      explainConflict(async () => {
        const leadRow = await getLeadRow(ctx, tx.leads, id)
        before = leadRow.data()
        return changeLead(ctx, tx, leadRow, changes)
      }),
    )
    return new JsonText(row.json({ changed: before ? changesBetween(before, row.data()) : {} }))
  },
})

export const updateLeadOperation = operation({
  name: "update_lead",
  about: "Change fields of a lead; null clears one",
  tag: "Leads",
  errors: ["conflict", "suppressed", "precondition_failed", "storage_limit_reached"],
  note: 'Only the fields to change. `null` or `""` clears an optional field. Attributes have routes of their own.',
  example: { body: { status: "qualified" }, answers: { 200: exampleQualified } },
  access: "write",
  forSegments: true,
  http: ["PUT /leads/:id", "PATCH /leads/:id"],
  tool: updateLeadTool,
  input: v.strictObject({ ...leadChangeEntries, ...readOnlyEntries, id: Id }),
  prepare: blanksToNull,
  output: LeadOutput,
  isTagged: true,
  async run(ctx, { id, ...changes }) {
    const row = await ctx.store.write(ctx.caller.account.key, (tx) =>
      explainConflict(async () =>
        updateLead(ctx, tx, requireMatch(ctx, await getLeadRow(ctx, tx.leads, id)), changes),
      ),
    )
    return new JsonText(row.json())
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
        `Find it with filter=and.${field === "source_id" ? SAME : "eq"}.${field}.<value> and change or delete it first`,
    )
  }
}

const NO_KEYS = { name: "", email: null, source_id: null, phone: null, city: null, country: null }
const filled = v.nonEmpty<string, "is required">("is required")

function upsertBy(key: "email" | "source_id", schema: v.GenericSchema<string>) {
  return operation({
    name: `upsert_lead_by_${key}`,
    about: `Create the lead with this ${key}, or update it`,
    tag: "Leads",
    errors: ["conflict", "suppressed", "leads_limit_reached", "storage_limit_reached"],
    example: { body: examplePush, answers: { 200: exampleQualified, 201: exampleCreated } },
    access: "write",
    forSegments: true,
    http: `PUT /leads/by/${key}/:${key}`,
    prepare: blanksToNull,
    pathNamesAgree: true,
    input: v.strictObject({ ...LeadInput.entries, [key]: v.pipe(schema, filled) }),
    output: LeadOutput,
    otherStatuses: [201],
    run: (ctx, input) => put(ctx, input as LeadInput, key),
  })
}

export const upsertLeadByEmail = upsertBy("email", Email)
export const upsertLeadBySourceId = upsertBy("source_id", Line)

async function put(ctx: Context, input: LeadInput, key: "email" | "source_id"): Promise<JsonText> {
  const account = ctx.caller.account.key
  if (key === "email" && emailKey(input.email ?? "") === null)
    throw badRequest(
      `email "${excerpt(input.email ?? "")}" has no dot in its domain, so no lead is found by it`,
    )
  const keys = dedupKeys({ ...NO_KEYS, [key]: input[key] ?? null }, null)
  const { row, isNew } = await ctx.store.write(account, (tx) =>
    explainConflict(async () => {
      const [candidates] = await tx.leads.findDuplicates(account, [keys])
      return putLead(
        ctx,
        tx,
        candidates?.[key],
        candidates ? withoutAliases(input, candidates.aliases) : input,
      )
    }),
  )
  return new JsonText(row.json(), isNew ? 201 : 200)
}
