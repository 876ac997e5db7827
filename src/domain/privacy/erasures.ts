// The record of erasures: that leads were erased, when, by whom and why, and nothing of their data.

import * as v from "valibot"
import { named } from "../../lead/described.ts"
import { count, seconds } from "../../lead/fields.ts"
import { ERASURE_REASONS } from "../../store/contract/store.ts"
import { type ExampleFields, NOW } from "../examples.ts"
import { PAGE, pageInput, pagesOf, paging } from "../leads/list/cursor.ts"
import { operation } from "../operation.ts"

const exampleErasure: ExampleFields = {
  id: "era_019aa6f7-7d11-7b22-8c33-9e44f5a6b7c8",
  reason: "retention",
  rule_id: "ret_019aa6f7-6c2d-7a01-9e44-0d5b7c8a9f13",
  rule_name: "Old scrapes",
  count: 31,
  actor_id: "retention",
  key_id: null,
  created_at: NOW,
}

const maybeText = v.nullable(v.string())

const ErasureOutput = named(
  "Erasure",
  v.strictObject({
    id: v.string(),
    reason: v.picklist(ERASURE_REASONS),
    rule_id: maybeText,
    rule_name: maybeText,
    count: count,
    actor_id: maybeText,
    key_id: maybeText,
    created_at: seconds,
  }),
  {
    reason: "`request`, or `retention` by a rule.",
    rule_id: "The rule of retention.",
    rule_name: "What the rule was called.",
    count: "How many leads were erased.",
    actor_id: "The user; `retention` for the service itself.",
    key_id: "The key of the request.",
    created_at: "Unix seconds.",
  },
)

export const listErasures = operation({
  name: "list_erasures",
  about: "Erasures of leads: when, by whom, why and how many, without data",
  tag: "Privacy",
  note: "Newest first. It holds nothing of the leads, not even their ids.",
  access: "read",
  http: "GET /erasures",
  input: v.strictObject(pageInput(100, PAGE)),
  ...pagesOf("erasures", ErasureOutput, exampleErasure),
  async run(ctx, { limit, cursor }) {
    const account = ctx.caller.account.key
    const { after, rest } = paging(ctx, { account, sort: "erasures", filters: [] }, cursor)
    const { erasures, next } = await ctx.store.read.erasures.list(account, { after, limit })
    return { erasures, ...rest(next, erasures.length) }
  },
})
