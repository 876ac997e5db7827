import * as v from "valibot"
import { refuseMovedSecret } from "../../access/kept-secret.ts"
import { lacksPadding } from "../../access/webhook-secret.ts"
import { described } from "../../lead/described.ts"
import {
  Id,
  ignoring,
  maxCharacters,
  OptionalFlag,
  oneOf,
  RequiredLine,
  Secret,
  UNSTORABLE,
} from "../../lead/fields.ts"
import { badRequest, notFound } from "../../runtime/errors.ts"
import type {
  AdminAction,
  DeliveryStatus,
  Transaction,
  Webhook,
  WebhookReads,
} from "../../store/contract/store.ts"
import { isStorable } from "../../text/text.ts"
import { hasUserInfo, isWebAddress } from "../../text/web-address.ts"
import { recordByCaller } from "../access/admin-log.ts"
import { makerOf, webhookAt } from "../access/makers.ts"
import { EVENTS } from "../events.ts"
import { NOW } from "../examples.ts"
import { Filters } from "../leads/list/filter.ts"
import { createSegment } from "../leads/segments/segments.ts"
import { type Context, operation, previewOne, toolOf } from "../operation.ts"
import { deleting, given, refuseFull } from "../things.ts"
import { exampleWebhook, sharedWords, WebhookOutput, webhookOutput } from "./output.ts"

export const WEBHOOKS_MAX = 100

const Url = v.pipe(
  v.string("must be text"),
  v.trim(),
  v.nonEmpty("is required"),
  maxCharacters(2_000, "must be at most 2,000 characters"),
  v.check(isStorable, UNSTORABLE),
  v.check(isWebAddress, "must be an http or https address such as https://example.com/hook"),
  v.check(
    (url) => !hasUserInfo(url),
    "must not hold a user name or password: anyone who reads the webhook would see it",
  ),
)
const Events = v.pipe(
  v.array(oneOf(EVENTS), "must be a list of event names"),
  v.nonEmpty("must name at least one event; leave it out for all of them"),
  v.transform((events) => [...new Set(events)]),
)
const SigningSecret = v.pipe(
  Secret,
  v.check(
    (secret) => !lacksPadding(secret),
    "must be base64 with its padding (=) behind whsec_, as libraries of Standard Webhooks decode it",
  ),
)

/** Read-only fields are accepted and ignored, so that a webhook can be sent back as it was read. */
const readOnly = ignoring("id", "has_secret", "disabled_reason", "expires_at", "created_at", "updated_at")
const entries = { url: Url, events: v.nullish(Events), secret: v.nullish(SigningSecret) }
const words = {
  ...sharedWords,
  secret: "Key of the HMAC signature, 1 to 500 characters; never shown again.",
  expires_at: "Ignored.",
}

const listWebhooksTool = toolOf({
  about: "List the webhooks with what was delivered last, without their secrets",
  words: { include: "problems: what fails and waits" },
  input: v.strictObject({ include: v.optional(v.array(oneOf(["problems"]), "must be a list of problems")) }),
  async run(ctx, { include = [] }) {
    const { webhooks, deliveries } = ctx.store.read
    const account = ctx.caller.account.key
    const all = (await webhooks.list(account)).map((webhook) => webhookAt(webhook, ctx.now))
    return Promise.all(
      all.map(async (webhook) => {
        if (include.includes("problems"))
          return { ...webhookOutput(webhook), problems: await problemsOf(ctx, webhook.id) }
        const { rows } = await deliveries.list(account, webhook.id, { limit: LAST })
        const last_deliveries = rows.map(
          ({ id, event, status, attempts, code, error, next_attempt_at, created_at }) => ({
            ...{ id, event, status, attempts, code, error, next_attempt_at, created_at },
          }),
        )
        return { ...webhookOutput(webhook), last_deliveries }
      }),
    )
  },
})

/** Deliveries of each kind that are counted at most. */
const COUNTED = 100

/** Failing, waiting and abandoned deliveries of a webhook, with the last error; counts end at 100. */
async function problemsOf(ctx: Context, id: string) {
  const list = (query: { status: DeliveryStatus; isFailing?: boolean }) =>
    ctx.store.read.deliveries.list(ctx.caller.account.key, id, { ...query, limit: COUNTED })
  const [failing, pending, failed, expired] = await Promise.all([
    list({ status: "pending", isFailing: true }),
    list({ status: "pending" }),
    list({ status: "failed" }),
    list({ status: "expired" }),
  ])
  const last = [...failing.rows, ...failed.rows, ...expired.rows].toSorted(
    (a, b) => b.updated_at - a.updated_at,
  )[0]
  return {
    failing: failing.rows.length,
    waiting: pending.rows.length,
    failed: failed.rows.length,
    expired: expired.rows.length,
    last_error: last
      ? {
          ...{ delivery_id: last.id, event: last.event, attempts: last.attempts, code: last.code },
          ...{ error: last.error, at: last.updated_at, next_attempt_at: last.next_attempt_at },
        }
      : null,
  }
}

export const listWebhooks = operation({
  name: "list_webhooks",
  about: "List the account's webhooks, without their secrets",
  tag: "Webhooks",
  note: "Includes webhooks that are turned off. An account keeps at most 100.",
  example: { answers: { 200: [exampleWebhook] } },
  access: "read",
  http: "GET /webhooks",
  tool: listWebhooksTool,
  output: v.array(WebhookOutput),
  async run(ctx) {
    const all = await ctx.store.read.webhooks.list(ctx.caller.account.key)
    return all.map((webhook) => webhookOutput(webhookAt(webhook, ctx.now)))
  },
})

/** Deliveries in the answer of a webhook. */
const LAST = 3

interface NewWebhook extends v.InferOutput<typeof NewWebhookEntries> {
  active?: boolean | undefined
}
const NewWebhookEntries = v.strictObject(entries)

const createWebhookTool = toolOf({
  guard: () => "always",
  isOutward: true,
  about: "Have events sent to a URL, signed by a secret; segment: when leads enter it",
  words: {
    events: "All when left out",
    // A list of all costs each client a hundred tokens; a wrong one is answered with them.
    "events[]": { type: "string", enum: undefined, description: "Such as lead.created" },
    secret: "Key of the HMAC signature",
    segment: "New: leads that enter or leave it",
  },
  input: v.strictObject({
    ...entries,
    segment: v.optional(v.strictObject({ name: RequiredLine, filter: Filters })),
  }),
  async run(ctx, { segment, ...webhook }) {
    if (!segment) return addWebhook(ctx, webhook)
    await refuseTarget(ctx, webhook.url)
    const events = webhook.events ?? ["segment.entered", "segment.left"]
    const made = await createSegment.run(ctx, segment)
    return { ...(await addWebhook(ctx, { ...webhook, events })), segment: made }
  },
})

export const createWebhook = operation({
  name: "create_webhook",
  about: "Have events sent to a URL, signed when there is a secret",
  tag: "Webhooks",
  errors: ["conflict"],
  note: `Events are delivered at least once, signed when there is a \`secret\`: see the webhooks of this document. An endpoint answers with 2xx within 5 seconds, else it is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h.

Private addresses are refused unless the service is configured to allow them.`,
  example: {
    body: {
      url: "https://crm.example.com/leaddb",
      events: ["lead.created", "lead.updated"],
      secret: "between us",
    },
    answers: { 201: exampleWebhook },
  },
  access: "write",
  keepsFilters: true,
  http: "POST /webhooks",
  tool: createWebhookTool,
  input: described(v.strictObject({ ...entries, active: OptionalFlag, ...readOnly }), {
    ...words,
    events: "All of them when left out.",
  }),
  output: WebhookOutput,
  status: 201,
  run: addWebhook,
})

/** Saves a webhook. Throws `bad_request` for a target that is not allowed, and `conflict` when there are too many. */
async function addWebhook(ctx: Context, { url, events, secret, active = true }: NewWebhook) {
  await refuseTarget(ctx, url)
  return ctx.store.write(ctx.caller.account.key, async (tx) => {
    const account = ctx.caller.account.key
    refuseFull(await tx.webhooks.list(account), WEBHOOKS_MAX, "webhooks")
    const webhook: Webhook = {
      id: tx.newId("wh_"),
      url,
      events: events ?? "all",
      secret: secret ?? null,
      active,
      disabled_reason: null,
      ...(await heldBy(ctx, tx)),
      created_at: ctx.now,
      updated_at: ctx.now,
    }
    await tx.webhooks.insert(account, webhook)
    await note(ctx, tx, "webhook.created", webhook)
    return webhookOutput(webhook)
  })
}

/** The caller as the maker of a webhook, with whom it ends. */
async function heldBy({ caller }: Context, tx: Transaction): Promise<Pick<Webhook, "made_by" | "ends_at">> {
  const { id, ends_at } = await makerOf(tx, caller.account.key, caller.keyId)
  return { made_by: id, ends_at }
}

export const getWebhook = operation({
  name: "get_webhook",
  about: "Get one webhook, without its secret",
  tag: "Webhooks",
  note: "When failing deliveries or the end of its maker turned it off, `disabled_reason` says why.",
  example: { answers: { 200: exampleWebhook } },
  access: "read",
  http: "GET /webhooks/:id",
  output: WebhookOutput,
  run: async (ctx, { id }) => webhookOutput(await getWebhookRow(ctx, ctx.store.read.webhooks, id)),
})

export const updateWebhook = operation({
  name: "update_webhook",
  about: "Change a webhook; active: true turns it on again",
  tag: "Webhooks",
  note: "Only the fields to change. `events: null` means all of them, `secret: null` ends signing. Another `url` needs the `secret` again where there is one. Turning it on again forgets why it was turned off. Whoever turns it on or gives it another `url` is its maker from then on: it ends with their API key.",
  example: {
    body: { active: false },
    answers: { 200: { ...exampleWebhook, active: false, updated_at: NOW } },
  },
  access: "write",
  http: ["PUT /webhooks/:id", "PATCH /webhooks/:id"],
  tool: {
    set: "webhooks",
    isOutward: true,
    words: {
      id: "Webhook id, from list_webhooks",
      url: "http(s) address",
      events: "All when left out",
      secret: "Key of the HMAC signature",
      active: "true turns it on again",
    },
    preview: previewOne<{ id: string; url?: string; events?: unknown; active?: boolean }>(
      async (ctx, { id, ...asked }) => {
        const { url, events, active } = await getWebhookRow(ctx, ctx.store.read.webhooks, id)
        const before: Record<string, unknown> = { url, events, active }
        const changes = Object.entries(asked).flatMap(([name, now]) =>
          name in before && JSON.stringify(before[name]) !== JSON.stringify(now)
            ? [[name, [before[name], now]]]
            : [],
        )
        return { id, url, changes: Object.fromEntries(changes) }
      },
    ),
  },
  input: described(
    v.strictObject({
      url: v.optional(Url),
      events: v.nullish(Events),
      secret: v.nullish(SigningSecret),
      active: OptionalFlag,
      ...readOnly,
      id: Id,
    }),
    {
      ...words,
      events: "All of them when null.",
    },
  ),
  output: WebhookOutput,
  async run(ctx, { id, url, events, secret, active }) {
    if (url !== undefined) await refuseTarget(ctx, url)
    return ctx.store.write(ctx.caller.account.key, async (tx) => {
      const before = await getWebhookRow(ctx, tx.webhooks, id)
      const { unreadable, ...readable } = before
      const isMade = (active === true && !before.active) || (url ?? before.url) !== before.url
      refuseMovedSecret({
        names: { address: "url", secret: "secret" },
        before: { address: before.url, secret: before.secret },
        address: url ?? before.url,
        sent: secret,
      })
      const webhook: Webhook = {
        ...readable,
        ...(secret === undefined && unreadable !== undefined && { unreadable }),
        ...given({ url, secret, active }),
        ...(events !== undefined && { events: eventsSent(events, before) }),
        ...overlap(before, { url, secret }, ctx.now),
        disabled_reason: active ? null : before.disabled_reason,
        ...(isMade && (await heldBy(ctx, tx))),
        updated_at: ctx.now,
      }
      await tx.webhooks.update(ctx.caller.account.key, webhook)
      await note(ctx, tx, "webhook.updated", webhook)
      return webhookOutput(webhook)
    })
  },
})

export const deleteWebhook = operation({
  name: "delete_webhook",
  about: "Delete a webhook with its deliveries; nothing more is sent to it",
  tag: "Webhooks",
  access: "write",
  http: "DELETE /webhooks/:id",
  tool: {
    words: { id: "Webhook id, from list_webhooks" },
    preview: previewOne(getWebhook.run),
  },
  run: deleting("Webhook", async (tx, account, id, ctx) => {
    await note(ctx, tx, "webhook.deleted", await getWebhookRow(ctx, tx.webhooks, id))
    return tx.webhooks.remove(account, id)
  }),
})

/** Seconds for which a replaced secret also signs: time to update the receiver. */
const OVERLAP = 86_400

/** A replaced secret signs on, but never at another address. */
function overlap(
  before: Webhook,
  { url = before.url, secret }: { url: string | undefined; secret: string | null | undefined },
  now: number,
) {
  const isMoved = url !== before.url
  if (!isMoved && (secret === undefined || secret === before.secret)) return {}
  const isReplaced = !isMoved && secret != null && before.secret !== null && before.unreadable === undefined
  return isReplaced
    ? { previous_secret: before.secret, previous_until: now + OVERLAP }
    : { previous_secret: null, previous_until: null }
}

/** Without the query, which may hold a token. */
function note(ctx: Context, tx: Transaction, action: AdminAction, webhook: Webhook): Promise<void> {
  const url = webhook.url.replace(/\?.*$/s, "")
  const details = { url, active: webhook.active, has_secret: webhook.secret !== null }
  return recordByCaller(ctx, tx, action, webhook.id, details)
}

/** A webhook. Throws `not_found` for a missing webhook and one of another account. */
export async function getWebhookRow(ctx: Context, webhooks: WebhookReads, id: string): Promise<Webhook> {
  const webhook = await webhooks.find(ctx.caller.account.key, id)
  if (!webhook) throw notFound("Webhook")
  return webhookAt(webhook, ctx.now)
}

/** The events of an update. A webhook with all events that is sent back as it was read stays subscribed to all. */
function eventsSent(events: string[] | null, before: Webhook): Webhook["events"] {
  const isAsRead = before.events === "all" && EVENTS.every((event) => events?.includes(event))
  return events === null || isAsRead ? "all" : events
}

/** Throws `bad_request` for a target that the configuration does not allow. */
async function refuseTarget(ctx: Context, url: string): Promise<void> {
  const reason = await ctx.webhooks.refuse(url)
  if (reason !== undefined) throw badRequest(`url is not allowed: ${reason}`)
}
