// `LEADDB_LIST_STYLE=object`: answers in the shapes that published client libraries read.

import { isObject } from "../../core/parse.ts"
import type { Operation } from "../../domain/operation.ts"

export const LIST_STYLES = ["array", "object"] as const
export type ListStyle = (typeof LIST_STYLES)[number]

/** The name under which a list stands, by the operation that answers it. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["list_notes", "notes"],
  ["list_attributes", "attributes"],
  ["list_scoring_rules", "rules"],
  ["list_webhooks", "webhooks"],
])
const WEBHOOKS: ReadonlySet<string> = new Set([
  "list_webhooks",
  "create_webhook",
  "get_webhook",
  "update_webhook",
])

/** An answer as an object with the list in it, and the times of webhooks as ISO texts; any other as it is. */
export function inObjectStyle({ name }: Operation, answer: unknown): unknown {
  const list = NAMES.get(name)
  const told = !WEBHOOKS.has(name)
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
