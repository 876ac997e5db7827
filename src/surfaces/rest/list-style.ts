// The object style: requests and answers in the shapes of published client libraries. A request asks for it by header or
// by its key; LEADDB_LIST_STYLE is the default of keys. Requests of browser sessions are always in the array style.

import type { Operation } from "../../domain/operation.ts"
import { LIST_STYLES, type ListStyle } from "../../lead/list-style.ts"
import { isObject } from "../../lead/parse.ts"
import { badRequest } from "../../runtime/errors.ts"
import { excerpt } from "../../text/text.ts"

/** The property that holds the list, by the operation that answers it. */
export const LIST_NAMES: ReadonlyMap<string, string> = new Map([
  ["list_notes", "notes"],
  ["list_attributes", "attributes"],
  ["list_scoring_rules", "rules"],
  ["list_webhooks", "webhooks"],
])
/** Operations whose answers give the times of webhooks as ISO texts. */
export const WITH_WEBHOOK_TIMES: ReadonlySet<string> = new Set([
  "list_webhooks",
  "create_webhook",
  "get_webhook",
  "update_webhook",
])
/** The field that a body stands for which is no object, or an object without this field. */
const BARE_FIELDS: ReadonlyMap<string, string> = new Map([["update_attribute", "value"]])
/** Times of a lead as published clients send them back; the API ignores them as it does their snake forms. */
const CAMEL_TIMES = ["createdAt", "updatedAt", "lastInteractionAt"]

/** The style of a request with a key. Throws `bad_request` for an unknown style. */
export function listStyleOf(headers: Headers, ofKey: ListStyle | null, fallback: ListStyle): ListStyle {
  const asked = headers.get("x-list-style")
  if (asked === null) return ofKey ?? fallback
  const found = LIST_STYLES.find((style) => style === asked.trim().toLowerCase())
  if (!found) throw badRequest(`X-List-Style must be ${LIST_STYLES.join(" or ")}, not "${excerpt(asked)}"`)
  return found
}

/** Returns a function that turns a body of this operation in the object style into one of the API. */
export function bodyReader({ name, input }: Operation): (body: unknown) => unknown {
  const bare = BARE_FIELDS.get(name)
  const fields = Object.keys((input as { entries?: object }).entries ?? {})
  const isLead = fields.includes("last_interaction_at")
  return (body) => {
    if (bare !== undefined && body !== undefined && !(isObject(body) && bare in body)) return { [bare]: body }
    if (!isObject(body)) return body
    if (isLead) return withoutCamelTimes(body)
    const { leads, data } = body
    return {
      ...body,
      ...(fields.includes("leads") && Array.isArray(leads) && { leads: leads.map(withoutCamelTimes) }),
      ...(fields.includes("data") && isObject(data) && { data: withoutCamelTimes(data) }),
    }
  }
}

function withoutCamelTimes(lead: unknown): unknown {
  if (!isObject(lead) || !CAMEL_TIMES.some((name) => name in lead)) return lead
  return Object.fromEntries(Object.entries(lead).filter(([name]) => !CAMEL_TIMES.includes(name)))
}

/** An answer as an object with the list in it, and the times of webhooks as ISO texts; any other as it is. */
export function inObjectStyle({ name }: Operation, answer: unknown): unknown {
  const list = LIST_NAMES.get(name)
  const told = !WITH_WEBHOOK_TIMES.has(name)
    ? answer
    : Array.isArray(answer)
      ? answer.map(withTexts)
      : withTexts(answer)
  return list !== undefined && Array.isArray(told) ? { [list]: told } : told
}

function withTexts(webhook: unknown): unknown {
  if (!isObject(webhook)) return webhook
  const { created_at, updated_at } = webhook
  return { ...webhook, created_at: isoText(created_at), updated_at: isoText(updated_at) }
}

function isoText(seconds: unknown): unknown {
  return typeof seconds === "number" ? new Date(seconds * 1000).toISOString() : seconds
}
