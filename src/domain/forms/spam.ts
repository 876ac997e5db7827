// Posts that are kept apart as spam: read, and let in.

import * as v from "valibot"
import { named } from "../../lead/described.ts"
import { Id, whole } from "../../lead/fields.ts"
import { notFound } from "../../runtime/errors.ts"
import type { FormPost } from "../../store/contract/store.ts"
import { JsonText } from "../../text/json-text.ts"
import { type ExampleFields, exampleCreated, NOW } from "../examples.ts"
import { PAGE, pageInput, pagesOf, paging } from "../leads/list/cursor.ts"
import { LeadOutput } from "../leads/list/lead-output.ts"
import { operation } from "../operation.ts"
import { getFormRow } from "./form.ts"
import { addLead } from "./submit.ts"

const exampleSpam: ExampleFields = {
  id: "fp_019aa6f8-02b4-7d19-9a3e-5c81f7e4b206",
  reason: "honeypot",
  lead: { name: "Cheap Links", email: "sales@links.example", source: "website" },
  created_at: NOW,
  ends_at: NOW + 604_800,
}

const SpamOutput = named(
  "FormSpam",
  v.strictObject({
    id: v.string(),
    reason: v.picklist(["honeypot", "time_trap", "captcha", "captcha_unavailable", "leads_limit_reached"]),
    lead: v.record(v.string(), v.unknown()),
    created_at: whole(0),
    ends_at: whole(0),
  }),
  {
    reason:
      "`honeypot`: the hidden field was filled in. `time_trap`: the page was not opened first, or sent too fast. `captcha`: wrong answer. `captcha_unavailable`: the answer could not be checked. `leads_limit_reached`: no spam, but the plan has no room.",
    lead: "The lead that it becomes when it is let in.",
    ends_at: "When it is forgotten, in Unix seconds.",
  },
)

export const listFormSpam = operation({
  name: "list_form_spam",
  about: "List what was posted to a form and kept apart as spam",
  tag: "Forms",
  note: "Newest first. For 7 days a form keeps 500, and 500 that the plan had no room for; beyond that the oldest goes of the sender with the most.",
  access: "read",
  http: "GET /forms/:id/spam",
  tool: {
    set: "forms",
    words: { id: "Form id, from list_forms", limit: "50 by default", cursor: "next_cursor" },
  },
  input: v.strictObject({ id: Id, ...pageInput(100) }),
  ...pagesOf("spam", SpamOutput, exampleSpam),
  async run(ctx, { id, limit = PAGE, cursor }) {
    const account = ctx.caller.account.key
    await getFormRow(ctx, ctx.store.read.forms, id)
    const { after, rest } = paging(ctx, { account, sort: `spam ${id}`, filters: [] }, cursor)
    const { posts, next } = await ctx.store.read.forms.posts(account, id, { state: "spam", after, limit })
    return { spam: posts.map(spamOutput), ...rest(next, posts.length) }
  },
})

function spamOutput({ id, reason, lead, created_at, ends_at }: FormPost) {
  return { id, reason, lead, created_at, ends_at }
}

export const releaseFormSpam = operation({
  name: "release_form_spam",
  about: "Let in what was kept apart as spam: it becomes a lead",
  tag: "Forms",
  errors: ["suppressed", "leads_limit_reached", "storage_limit_reached"],
  note: "A lead that it duplicates only gets what it lacks. Of a form with double opt-in it is let in without a confirmation.",
  example: { answers: { 200: exampleCreated } },
  access: "write",
  http: "POST /forms/:id/spam/:spam_id/release",
  tool: { set: "forms", words: { id: "Form id, from list_forms", spam_id: "From list_form_spam" } },
  input: v.strictObject({ id: Id, spam_id: Id }),
  output: LeadOutput,
  async run(ctx, { id, spam_id }) {
    const account = ctx.caller.account.key
    return ctx.store.write(account, async (tx) => {
      await getFormRow(ctx, tx.forms, id)
      const post = await tx.forms.findPost(account, id, spam_id)
      if (post?.state !== "spam" || !post.lead) throw notFound("Spam")
      const { row } = await addLead(ctx, tx, post.lead)
      await tx.forms.removePost(account, spam_id)
      return new JsonText(row.json())
    })
  },
})
