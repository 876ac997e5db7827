// Templates of mails: kept here, sent by the programs of those who write them.

import * as v from "valibot"
import { described, named } from "../../lead/described.ts"
import { Id, ignored, ignoring, RequiredLine, RequiredLong, seconds } from "../../lead/fields.ts"
import type { Json, Lead } from "../../lead/lead.ts"
import { LEAD_FIELD_NAMES, LEAD_FIELDS, type LeadFieldName } from "../../lead/lead-fields.ts"
import { badRequest } from "../../runtime/errors.ts"
import type { Template } from "../../store/contract/store.ts"
import { closest, excerpt, grouped } from "../../text/text.ts"
import { dayText } from "../../text/time-zone.ts"
import { type ExampleFields, exampleLead, NOW } from "../examples.ts"
import { getLeadRow } from "../leads/lead-operations.ts"
import { refuseContact } from "../leads/write/account-settings.ts"
import { operation } from "../operation.ts"
import { deleting, finder, given, refuseFull } from "../things.ts"

// Fields of a lead in the text of a template: `{{name}}`, `{{attr:seats}}`, `{{sender}}`.

const PLACE = /\{\{([^{}]*)\}\}/g
/** Who writes. */
const SENDER = "sender"
const ATTRIBUTE = "attr:"
const VALID: readonly string[] = [...LEAD_FIELD_NAMES, SENDER]
/** Characters of a text with its values. */
const RENDERED_MAX = 100_000

/** Throws `bad_request` for a text that names what is no field. `where` is the text's name. */
function checkPlaces(where: string, text: string): void {
  for (const [place, name = ""] of text.matchAll(PLACE)) {
    const field = name.trim()
    if (VALID.includes(field) || (field.startsWith(ATTRIBUTE) && field.length > ATTRIBUTE.length)) continue
    const near = closest(field, VALID)
    const hint = near ? ` Did you mean {{${near}}}?` : ""
    throw badRequest(
      `${where} has ${excerpt(place)}, which is no field of a lead.${hint} Valid: ${VALID.join(", ")}, ${ATTRIBUTE}NAME`,
    )
  }
}

/** What the fields of a text stand for. */
interface Values {
  lead: Lead
  /** The name of the one who writes; undefined for a key. */
  sender: string | undefined
  /** The name of a member by its id. */
  memberName(id: string): string | undefined
  /** The time zone of days. */
  zone: string
}

/**
 * A text with the values of a lead. The names of fields without a value are added to `missing`. Throws `bad_request` for
 * what gets too long.
 */
function rendered(text: string, values: Values, missing: Set<string>): string {
  let room = RENDERED_MAX - text.length
  return text.replace(PLACE, (_, name: string) => {
    const field = name.trim()
    const value = valueAt(field, values)
    if (value === "") missing.add(field)
    room -= value.length
    if (room < 0)
      throw badRequest(
        `With the values of this lead the template is longer than ${grouped(RENDERED_MAX)} characters`,
      )
    return value
  })
}

function valueAt(field: string, { lead, sender, memberName, zone }: Values): string {
  if (field === SENDER) return sender ?? ""
  if (field.startsWith(ATTRIBUTE)) {
    const name = field.slice(ATTRIBUTE.length)
    return toldValue(lead.attributes.find((one) => one.name === name)?.value)
  }
  const { kind } = LEAD_FIELDS[field as LeadFieldName]
  const value = (lead as unknown as Record<string, Json>)[field]
  if (field === "owner") return memberName(String(value)) ?? toldValue(value)
  if (typeof value === "number" && (kind === "time" || kind === "moment")) return dayText(zone, value)
  return toldValue(value)
}

function toldValue(value: Json | undefined): string {
  if (value === null || value === undefined) return ""
  if (Array.isArray(value)) return value.map(toldValue).join(", ")
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

/** The address that opens a mail in the program of a person's mails. */
function mailto(to: string, subject: string, body: string): string {
  const lines = encodeURIComponent(body.replaceAll(/\r?\n/g, "\r\n"))
  return `mailto:${encodeURIComponent(to).replace("%40", "@")}?subject=${encodeURIComponent(subject)}&body=${lines}`
}

const TEMPLATES_MAX = 100
const BODY_MAX = 20_000

const exampleTemplate: ExampleFields = {
  id: "tpl_019aa6f5-8d10-7c3e-a4f2-6b0d9e1c7a55",
  name: "First contact",
  subject: "An offer for {{company}}",
  body: "Dear {{name}},\n\nmay I call you this week?\n\n{{sender}}",
  created_at: NOW,
  updated_at: NOW,
}

const TemplateOutput = named(
  "Template",
  v.strictObject({
    id: v.string(),
    name: v.string(),
    subject: v.string(),
    body: v.string(),
    created_at: seconds,
    updated_at: seconds,
  }),
  {
    id: "`tpl_` and a UUID.",
    subject: "With fields of a lead in double braces.",
    body: "Plain text, with fields of a lead in double braces.",
  },
)

const Body = v.pipe(RequiredLong, v.maxLength(BODY_MAX, `must be at most ${grouped(BODY_MAX)} characters`))
const entries = { name: RequiredLine, subject: RequiredLine, body: Body }
/** As it was read, it can be sent back. */
const readOnly = ignoring("created_at", "updated_at")
const words = {
  name: "For the account's own people.",
  subject: "Fields in double braces: `{{company}}`, `{{attr:seats}}`, `{{sender}}` for who writes.",
  body: "Plain text, with fields likewise.",
}

const getTemplate = finder<Template>("Template")

function refuseUnknown({ subject, body }: Pick<Template, "subject" | "body">): void {
  checkPlaces("subject", subject)
  checkPlaces("body", body)
}

export const listTemplates = operation({
  name: "list_templates",
  about: "List the account's templates of mails",
  tag: "Templates",
  note: "Oldest first. An account keeps at most 100.",
  example: { answers: { 200: [exampleTemplate] } },
  access: "read",
  http: "GET /templates",
  tool: { set: "activities" },
  output: v.array(TemplateOutput),
  run: (ctx) => ctx.store.read.templates.list(ctx.caller.account.key),
})

export const createTemplate = operation({
  name: "create_template",
  about: "Keep a mail with fields of leads in it",
  tag: "Templates",
  errors: ["conflict"],
  note: "The service sends no mail: it fills a template for a lead, for the mail program of who writes. A name in braces that is no field is refused.",
  example: {
    body: { name: "First contact", subject: "An offer for {{company}}", body: "Dear {{name}}, …" },
    answers: { 201: exampleTemplate },
  },
  access: "write",
  http: "POST /templates",
  input: described(v.strictObject({ ...entries, id: ignored, ...readOnly }), words),
  output: TemplateOutput,
  status: 201,
  async run(ctx, { name, subject, body }) {
    refuseUnknown({ subject, body })
    const account = ctx.caller.account.key
    return ctx.store.write(account, async (tx) => {
      refuseFull(await tx.templates.list(account), TEMPLATES_MAX, "templates")
      const times = { created_at: ctx.now, updated_at: ctx.now }
      const template = { id: tx.newId("tpl_"), name, subject, body, ...times }
      await tx.templates.insert(account, template)
      return template
    })
  },
})

export const getTemplateOperation = operation({
  name: "get_template",
  about: "Get one template",
  tag: "Templates",
  note: "Its fields stand in double braces: `GET /templates/{id}/render` fills them.",
  example: { answers: { 200: exampleTemplate } },
  access: "read",
  http: "GET /templates/:id",
  output: TemplateOutput,
  run: (ctx, { id }) => getTemplate(ctx, ctx.store.read.templates, id),
})

export const updateTemplate = operation({
  name: "update_template",
  about: "Change a template",
  tag: "Templates",
  note: "Only what is to change.",
  example: { body: { name: "First contact" }, answers: { 200: exampleTemplate } },
  access: "write",
  http: "PUT /templates/:id",
  input: described(
    v.strictObject({ ...v.partial(v.strictObject(entries)).entries, id: Id, ...readOnly }),
    words,
  ),
  output: TemplateOutput,
  run: (ctx, { id, name, subject, body }) =>
    ctx.store.write(ctx.caller.account.key, async (tx) => {
      const before = await getTemplate(ctx, tx.templates, id)
      const after = { ...before, ...given({ name, subject, body }), updated_at: ctx.now }
      refuseUnknown(after)
      await tx.templates.update(ctx.caller.account.key, after)
      return after
    }),
})

export const deleteTemplate = operation({
  name: "delete_template",
  about: "Delete a template",
  tag: "Templates",
  note: "What was written with it stays in the log.",
  access: "write",
  http: "DELETE /templates/:id",
  run: deleting("Template", async (tx, account, id, ctx) => {
    await getTemplate(ctx, tx.templates, id)
    await tx.templates.remove(account, id)
    return true
  }),
})

const RenderedOutput = v.strictObject({
  subject: v.string(),
  body: v.string(),
  to: v.nullable(v.string()),
  mailto: v.nullable(v.string()),
  missing: v.array(v.string()),
})

export const renderTemplate = operation({
  name: "render_template",
  about: "Fill a template with the values of a lead",
  tag: "Templates",
  errors: ["suppressed"],
  note: "Refused with 409 for a lead that is on the do-not-contact list, with the entry that stops it. Times are days in the account's time zone.",
  example: {
    answers: {
      200: {
        subject: "An offer for Acme",
        body: "Dear Anna Example, …",
        to: exampleLead.email!,
        mailto:
          "mailto:anna@example.com?subject=An%20offer%20for%20Acme&body=Dear%20Anna%20Example%2C%20%E2%80%A6",
        missing: ["sender"],
      },
    },
  },
  access: "read",
  http: "GET /templates/:id/render",
  tool: {
    name: "get_rendered_template",
    set: "activities",
    words: { id: "Template id, from list_templates", lead_id: "Lead id" },
  },
  input: described(v.strictObject({ id: Id, lead_id: Id }), { lead_id: "The lead that it is for." }),
  output: described(RenderedOutput, {
    subject: "In one line.",
    body: "Plain text.",
    to: "The lead's email; null where it has none.",
    mailto: "Opens the mail in a mail program; null without an email.",
    missing: "Fields of the template that this lead has no value for: nothing stands in their place.",
  }),
  async run(ctx, { id, lead_id }) {
    const { read } = ctx.store
    const { key, time_zone } = ctx.caller.account
    const template = await getTemplate(ctx, read.templates, id)
    const lead: Lead = JSON.parse((await getLeadRow(ctx, read.leads, lead_id)).json())
    await refuseContact(ctx, read.suppressions, lead)
    const names = new Map((await read.members.list(key)).map((one) => [one.id, one.name]))
    const { actorId, keyId, memberId } = ctx.caller
    const values = {
      ...{ lead, zone: time_zone, memberName: (member: string) => names.get(member) },
      sender: memberId === undefined ? (actorId === keyId ? undefined : actorId) : names.get(memberId),
    }
    const missing = new Set<string>()
    const subject = rendered(template.subject, values, missing).replaceAll(/\s+/g, " ").trim()
    const body = rendered(template.body, values, missing)
    const to = lead.email
    return { subject, body, to, mailto: to && mailto(to, subject, body), missing: [...missing] }
  },
})
