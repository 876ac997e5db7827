// Forms: public addresses that leads come in by.
import * as v from "valibot"
import { described } from "../../lead/described.ts"
import { Id, RequiredLine } from "../../lead/fields.ts"
import { badRequest, notFound } from "../../runtime/errors.ts"
import type { AdminAction, Form, Transaction } from "../../store/contract/store.ts"
import { recordByCaller } from "../access/admin-log.ts"
import { NOW } from "../examples.ts"
import { type Context, operation, previewOne } from "../operation.ts"
import { refuseFull } from "../things.ts"
import { DEFAULT_FIELDS, FormFields, fieldsOf } from "./fields.ts"
import {
  blankForm,
  captchaOf,
  exampleForm,
  FORMS_MAX,
  FormOutput,
  formEntries,
  formOutput,
  formReadOnly,
  formSettings,
  formWords,
  getFormRow,
} from "./form.ts"

const toolWords = {
  name: "For the account's own people",
  fields: "Names, or {name, label, required, type}",
  required: "Names of fields",
  source: "Of its leads",
  origins: "Pages that may post, by origin",
  redirect: "http(s) address after a post",
  limit_per_address: "Posts a minute, 30 by default",
  limit_per_form: "Posts a minute from all addresses",
  active: "false closes its address",
  tags: "Of its leads",
  thanks: "Shown after a post",
  honeypot: "Hidden field that only spam fills",
  min_seconds: "A faster post of its page is spam",
  consent_text: "What people agree to by ticking a box",
  double_opt_in: "Keeps posts until a link is opened",
  language: "Of its page; auto: the browser's",
  captcha: "Check by Turnstile or hCaptcha",
  "captcha.provider": "Who checks",
  "captcha.site_key": "The provider's public key",
  "captcha.secret": "The provider's secret, never shown",
  "captcha.verify_url": "Where answers are checked",
}

export const listForms = operation({
  name: "list_forms",
  about: "List the account's forms with their public addresses",
  tag: "Forms",
  note: "Oldest first. An account keeps at most 100.",
  example: { answers: { 200: [exampleForm] } },
  access: "read",
  http: "GET /forms",
  tool: { set: "forms" },
  output: v.array(FormOutput),
  async run(ctx) {
    const all: object[] = []
    for (const form of await ctx.store.read.forms.list(ctx.caller.account.key))
      all.push(await formOutput(ctx, form))
    return all
  },
})

export const createForm = operation({
  name: "create_form",
  about: "Make a public address that leads come in by",
  tag: "Forms",
  errors: ["conflict"],
  note: `\`/f/ID\` shows the form as a page, and takes posts as JSON, as \`application/x-www-form-urlencoded\` and as \`multipart/form-data\`. The id is all that a post needs, and with it nothing can be done but adding leads: a lead that is there already only gets what it lacks.

Posts of scripts come from the \`origins\` alone. Posts that fill the honeypot, come too fast or fail the captcha are answered like others and kept apart as spam for 7 days.`,
  example: {
    body: {
      name: "Contact",
      fields: ["name", { name: "email", required: true }, { name: "attr:budget", type: "number" }],
      source: "website",
      tags: ["inbound"],
      origins: ["https://www.example.com"],
    },
    answers: { 201: exampleForm },
  },
  access: "write",
  http: "POST /forms",
  tool: { set: "forms", guard: () => "always", words: toolWords },
  input: described(v.strictObject({ name: RequiredLine, ...formEntries, ...formReadOnly }), formWords),
  output: FormOutput,
  status: 201,
  async run(ctx, { name, fields, required, captcha, ...sent }) {
    const blank: Form = { ...blankForm(name), id: "", fields: [], created_at: ctx.now, updated_at: ctx.now }
    const set = formSettings(blank, sent)
    const given = fields ?? v.parse(FormFields, DEFAULT_FIELDS)
    const form = {
      ...set,
      fields: fieldsOf(given, required ?? [], set),
      ...(captcha && captchaOf(blank, captcha)),
    }
    await refuseUnfit(ctx, form)
    const account = ctx.caller.account.key
    const made = await ctx.store.write(account, async (tx) => {
      refuseFull(await tx.forms.list(account), FORMS_MAX, "forms")
      const named = { ...form, id: tx.newId("form_") }
      await tx.forms.insert(account, named)
      await note(ctx, tx, "form.created", named)
      return named
    })
    return formOutput(ctx, made)
  },
})

export const getForm = operation({
  name: "get_form",
  about: "Get one form with the HTML to paste",
  tag: "Forms",
  note: "`url` is the address of the form's own page, `snippet` puts it into a page of yours.",
  example: { answers: { 200: exampleForm } },
  access: "read",
  http: "GET /forms/:id",
  tool: { set: "forms", words: { id: "Form id, from list_forms" } },
  output: FormOutput,
  run: async (ctx, { id }) => formOutput(ctx, await getFormRow(ctx, ctx.store.read.forms, id)),
})

export const updateForm = operation({
  name: "update_form",
  about: "Change a form; active: false closes its address",
  tag: "Forms",
  note: "Only what is to change; `null` gives a setting its default. `fields` replaces all of them.",
  example: {
    body: { limit_per_address: 600 },
    answers: { 200: { ...exampleForm, limit_per_address: 600, updated_at: NOW } },
  },
  access: "write",
  http: ["PUT /forms/:id", "PATCH /forms/:id"],
  tool: { set: "forms", words: { ...toolWords, id: "Form id, from list_forms" } },
  input: described(
    v.strictObject({ name: v.optional(RequiredLine), ...formEntries, ...formReadOnly, id: Id }),
    formWords,
  ),
  output: FormOutput,
  async run(ctx, { id, name, fields, required, captcha, ...sent }) {
    const account = ctx.caller.account.key
    const changed = (before: Form): Form => {
      const set = formSettings({ ...before, name: name ?? before.name }, sent)
      const { unreadable, ...readable } = set
      const isKept = unreadable !== undefined && captcha === undefined
      return {
        ...readable,
        ...(isKept && { unreadable }),
        fields: fieldsOf(fields ?? before.fields, required ?? [], set),
        ...(captcha === null && { captcha: null, secret: null }),
        ...(captcha && captchaOf(before, captcha)),
        updated_at: ctx.now,
      }
    }
    await refuseUnfit(ctx, changed(await getFormRow(ctx, ctx.store.read.forms, id)))
    const form = await ctx.store.write(account, async (tx) => {
      const after = changed(await getFormRow(ctx, tx.forms, id))
      await tx.forms.update(account, after)
      await note(ctx, tx, "form.updated", after)
      return after
    })
    return formOutput(ctx, form)
  },
})

export const deleteForm = operation({
  name: "delete_form",
  about: "Delete a form with its spam; its leads stay",
  tag: "Forms",
  access: "write",
  http: "DELETE /forms/:id",
  tool: {
    set: "forms",
    words: { id: "Form id, from list_forms" },
    preview: previewOne(getForm.run),
  },
  async run(ctx, { id }) {
    const account = ctx.caller.account.key
    await ctx.store.write(account, async (tx) => {
      const form = await getFormRow(ctx, tx.forms, id)
      if (!(await tx.forms.remove(account, id))) throw notFound("Form")
      await note(ctx, tx, "form.deleted", form)
    })
    while (await ctx.store.write(account, (tx) => tx.forms.removePosts(account, id)));
    return undefined
  },
})

/** Throws `bad_request` for settings that do not fit together, and an address that the configuration does not allow. */
async function refuseUnfit(ctx: Context, { fields, honeypot, captcha, secret }: Form): Promise<void> {
  if (fields.some(({ name }) => name === honeypot))
    throw badRequest(`honeypot is ${honeypot}, which is a field of the form: give it another name`)
  if (!captcha) return
  if (secret === null) throw badRequest("captcha.secret is required")
  const reason = await ctx.webhooks.refuse(captcha.verify_url)
  if (reason !== undefined) throw badRequest(`captcha.verify_url is not allowed: ${reason}`)
}

function note(ctx: Context, tx: Transaction, action: AdminAction, { id, name, active }: Form): Promise<void> {
  return recordByCaller(ctx, tx, action, id, { name, active })
}
