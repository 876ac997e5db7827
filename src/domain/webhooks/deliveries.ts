import * as v from "valibot"
import { described, named } from "../../lead/described.ts"
import { Id, oneOf, whole } from "../../lead/fields.ts"
import { AppError, notFound } from "../../runtime/errors.ts"
import { DELIVERY_STATUSES, type DeliveryRow, type Webhook } from "../../store/contract/store.ts"
import { Moment } from "../../text/moment-input.ts"
import { triedOut } from "../batch.ts"
import { EVENTS, publishTo, TEST_EVENT } from "../events.ts"
import { EARLIER, type ExampleFields, NOW } from "../examples.ts"
import { PAGE, pageInput, pagesOf, paging } from "../leads/list/cursor.ts"
import { type Context, operation } from "../operation.ts"
import { getWebhookRow } from "./webhooks.ts"

const exampleDelivery: ExampleFields = {
  id: "dlv_019aa6f5-7e20-7a4c-9f16-0b8d2c5e63a1",
  event: "lead.created",
  status: "succeeded",
  attempts: 1,
  code: 200,
  error: null,
  milliseconds: 84,
  answer: "ok",
  next_attempt_at: null,
  created_at: NOW,
  updated_at: NOW,
}
const queued = {
  ...exampleDelivery,
  status: "pending",
  attempts: 0,
  code: null,
  milliseconds: null,
  answer: null,
}
const exampleWaiting: ExampleFields = { ...queued, next_attempt_at: NOW }

/** Statuses to ask for. */
const ASKED_STATUSES = [...DELIVERY_STATUSES, "failing"] as const
/** Deliveries requeued in one transaction. */
const RETRIED_AT_ONCE = 1_000

const maybeText = v.nullable(v.string())
const maybeNumber = v.nullable(whole(0))

const DeliveryOutput = named(
  "Delivery",
  v.strictObject({
    id: v.string(),
    event: v.picklist([...EVENTS, TEST_EVENT]),
    status: v.picklist(DELIVERY_STATUSES),
    attempts: whole(0),
    code: maybeNumber,
    error: maybeText,
    milliseconds: maybeNumber,
    answer: maybeText,
    note: v.optional(v.string()),
    next_attempt_at: maybeNumber,
    created_at: whole(0),
    updated_at: whole(0),
  }),
  {
    id: "Id of the delivery, as in X-Service-Delivery.",
    event: "Name of the event.",
    status:
      "`pending` waits for its next attempt or for its webhook to be turned on. After the last attempt: `failed` when the receiver refused it, `expired` when there was no answer.",
    attempts: "Attempts made so far.",
    code: "HTTP status of the last answer.",
    error: "Error of the last attempt.",
    milliseconds: "Duration of the last attempt.",
    answer: "First 1 KiB of the last answer; empty for private targets.",
    note: "Says of an empty `answer` that it may be hidden.",
    next_attempt_at: "Unix seconds; null when there is none.",
  },
)

export const testWebhook = operation({
  name: "test_webhook",
  about: "Send a webhook.test event to one webhook",
  tag: "Webhooks",
  errors: ["conflict"],
  note: "Sends a `webhook.test` event, whatever the webhook subscribes to.",
  says: { 202: "Accepted: it is sent at once." },
  example: { answers: { 202: { ...exampleWaiting, event: "webhook.test" } } },
  access: "write",
  http: "POST /webhooks/:id/test",
  tool: { set: "webhooks", isOutward: true, words: { id: "Webhook id, from list_webhooks" } },
  output: DeliveryOutput,
  status: 202,
  run: (ctx, { id }) =>
    ctx.store.write(ctx.caller.account.key, async (tx) => {
      const webhook = await getWebhookRow(ctx, tx.webhooks, id)
      refuseOff(webhook)
      refuseUnreadable(webhook)
      const data = JSON.stringify({ message: "This is a test event from leaddb", webhook_id: id })
      const [delivery] = await publishTo(ctx, tx, [id], TEST_EVENT, data)
      return deliveryOutput((await tx.deliveries.find(ctx.caller.account.key, id, delivery!))!)
    }),
})

export const listDeliveries = operation({
  name: "list_webhook_deliveries",
  about: "List what was sent to a webhook in the last 30 days, newest first",
  tag: "Webhooks",
  note: "A delivery is kept for 30 days after it is over; one that still waits, for as long as it does.",
  access: "read",
  http: "GET /webhooks/:id/deliveries",
  tool: {
    set: "webhooks",
    words: {
      id: "Webhook id, from list_webhooks",
      status: "Only these; failing waits after errors",
      limit: "How many at most, 1-100",
      cursor: "next_cursor",
    },
  },
  input: described(v.strictObject({ id: Id, status: v.optional(oneOf(ASKED_STATUSES)), ...pageInput(100) }), {
    status: "Only deliveries with this status; `failing` are pending ones whose last attempt failed.",
  }),
  ...pagesOf("deliveries", DeliveryOutput, exampleDelivery),
  async run(ctx, { id, status, limit = PAGE, cursor }) {
    const { webhooks, deliveries } = ctx.store.read
    const account = ctx.caller.account.key
    await getWebhookRow(ctx, webhooks, id)
    const scope = { account, sort: `deliveries of webhook ${id}`, filters: [status ?? ""] }
    const { after, rest } = paging(ctx, scope, cursor)
    const isFailing = status === "failing"
    const query = { status: isFailing ? ("pending" as const) : status, isFailing, after, limit }
    const { rows, next } = await deliveries.list(account, id, query)
    return { deliveries: rows.map(deliveryOutput), ...rest(next, rows.length) }
  },
})

export const retryDelivery = operation({
  name: "retry_webhook_delivery",
  about: "Send a delivery again at once; a waiting one waits no longer",
  tag: "Webhooks",
  errors: ["conflict"],
  says: { 202: "Accepted: it is sent at once." },
  example: { answers: { 202: exampleWaiting } },
  access: "write",
  http: "POST /webhooks/:id/deliveries/:delivery_id/retry",
  tool: {
    set: "webhooks",
    isOutward: true,
    words: { id: "Webhook id, from list_webhooks", delivery_id: "From list_webhook_deliveries" },
  },
  input: v.strictObject({ id: Id, delivery_id: Id }),
  output: DeliveryOutput,
  status: 202,
  run: (ctx, { id, delivery_id: deliveryId }) =>
    ctx.store.write(ctx.caller.account.key, async (tx) => {
      const account = ctx.caller.account.key
      refuseOff(await getWebhookRow(ctx, tx.webhooks, id))
      const delivery = await tx.deliveries.find(account, id, deliveryId)
      if (!delivery) throw notFound("Delivery")
      if (!(await tx.deliveries.retry(delivery.ref, ctx.clock.now()))) {
        throw new AppError("conflict", "This delivery is being sent already: look at its outcome first")
      }
      return deliveryOutput((await tx.deliveries.find(account, id, deliveryId))!)
    }),
})

export const retryDeliveries = operation({
  name: "retry_webhook_deliveries",
  about: "Send again all that failed or waits since a time, after an outage",
  tag: "Webhooks",
  errors: ["conflict"],
  says: { 202: "Accepted: they are sent at once." },
  example: { body: { since: EARLIER }, answers: { 202: { retried: 3 } } },
  access: "write",
  http: "POST /webhooks/:id/deliveries/retry",
  tool: {
    set: "webhooks",
    isOutward: true,
    words: { id: "Webhook id, from list_webhooks", since: "Unix seconds or ISO date" },
    async preview(ctx, input) {
      const { id, since } = input as { id: string; since: number }
      const account = ctx.caller.account.key
      const which = { since, at: ctx.clock.now(), limit: RETRIED_AT_ONCE }
      const retried = await ctx.store.write(account, async (tx) => {
        refuseOff(await getWebhookRow(ctx, tx.webhooks, id))
        return triedOut(tx, () => tx.deliveries.retryFailed(account, id, which))
      })
      return { matched: retried, retried, sample: [] }
    },
  },
  input: described(v.strictObject({ id: Id, since: Moment }), {
    since: "Unix seconds or an ISO date: deliveries created then or later.",
  }),
  output: described(v.strictObject({ retried: whole(0) }), { retried: "How many are sent again." }),
  status: 202,
  run: (ctx, { id, since }) => retryAll(ctx, id, since),
})

/** In slices, so that other writes run between them. */
async function retryAll(ctx: Context, id: string, since: number): Promise<{ retried: number }> {
  const which = { since, at: ctx.clock.now(), limit: RETRIED_AT_ONCE }
  for (let retried = 0; ; ) {
    const more = await ctx.store.write(ctx.caller.account.key, async (tx) => {
      refuseOff(await getWebhookRow(ctx, tx.webhooks, id))
      return tx.deliveries.retryFailed(ctx.caller.account.key, id, which)
    })
    retried += more
    if (more < RETRIED_AT_ONCE) return { retried }
  }
}

/** Throws `conflict` for a webhook that is turned off: its queue waits until it is turned on again. */
function refuseOff({ active }: Webhook): void {
  if (active) return
  throw new AppError(
    "conflict",
    "This webhook is turned off: turn it on first, with PUT /webhooks/{id} and active: true",
  )
}

/** Throws `conflict` for a webhook whose deliveries cannot be signed. */
function refuseUnreadable({ unreadable }: Webhook): void {
  if (unreadable === undefined) return
  throw new AppError(
    "conflict",
    "The secret of this webhook cannot be read: it was encrypted with another key. Set another one with PUT /webhooks/{id}",
  )
}

const HIDDEN = "The answer was empty, or is hidden, as those of private addresses are"

function deliveryOutput({ ref: _, ...delivery }: DeliveryRow) {
  return delivery.answer === "" && delivery.code !== null ? { ...delivery, note: HIDDEN } : delivery
}
