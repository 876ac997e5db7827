// Links: public addresses that show chosen fields of a segment's leads. They are read only and open nothing else.

import * as v from "valibot"
import { newSecret } from "../../access/secret.ts"
import { described, named } from "../../lead/described.ts"
import { seconds } from "../../lead/fields.ts"
import { badRequest } from "../../runtime/errors.ts"
import type { LinkRow } from "../../store/contract/store.ts"
import { Moment } from "../../text/moment-input.ts"
import { recordByCaller } from "../access/admin-log.ts"
import { endWithin, makerOf } from "../access/makers.ts"
import { hashPassword, Password } from "../access/passwords.ts"
import { type ExampleFields, NOW } from "../examples.ts"
import { shapeOfFields } from "../exports/shape.ts"
import { exampleSegment } from "../leads/segments/segments.ts"
import { type Context, operation } from "../operation.ts"
import { deleting, refuseFull, requireSegment } from "../things.ts"
import { hashToken, LINK_PATH } from "./shared-list.ts"

const exampleLink: ExampleFields = {
  id: "link_019aa6f7-2b1c-7e40-9a55-4d8e0c6f1b27",
  segment: exampleSegment.id!,
  fields: ["name", "city", "website"],
  has_password: false,
  actor_id: "user_42",
  created_at: NOW,
  expires_at: NOW + 30 * 86_400,
}
const exampleUrl = "https://leads.example.com/l/3vJ0cQm4TzR8sWq1yXbN6uHkEoLfPdAi2gM5tZ7rVxC"

const LINKS_MAX = 100
const FIELDS_MAX = 40

const entries = {
  id: v.string(),
  segment: v.string(),
  fields: v.array(v.string()),
  has_password: v.boolean(),
  actor_id: v.string(),
  created_at: seconds,
  expires_at: v.nullable(seconds),
}
const words = {
  segment: "Id of the segment.",
  fields: "The lead fields that it shows, in this order.",
  has_password: "Whether a password is asked for.",
  actor_id: "The user or key that made it.",
  expires_at: "Unix seconds; null for never.",
}
const LinkOutput = named("Link", v.strictObject(entries), words)
const MadeLinkOutput = named(
  "MadeLink",
  v.strictObject({ ...entries, url: v.string(), csv_url: v.string() }),
  {
    ...words,
    url: "The address of the page, shown only here.",
    csv_url: "The address of the list as CSV, for IMPORTDATA of a spreadsheet.",
  },
)

export const listLinks = operation({
  name: "list_links",
  about: "List the public links to segments, without their addresses",
  tag: "Links",
  note: "Oldest first, with those that have expired. An account keeps at most 100.",
  example: { answers: { 200: [exampleLink] } },
  access: "read",
  http: "GET /links",
  output: v.array(LinkOutput),
  run: async (ctx) => (await ctx.store.read.links.list(ctx.caller.account.key)).map(shownLink),
})

export const createLink = operation({
  name: "create_link",
  about: "Make a public, read-only address of a segment; shown only in this answer",
  tag: "Links",
  errors: ["conflict"],
  note: "Everyone who has the address reads the chosen fields of the segment's leads, as they are when it is asked, as a page and as CSV of at most 50,000 rows, and nothing else. The address is in this answer and nowhere else: only its hash is kept. With a password the page asks for it, and the CSV is for browsers that have given it. The page shows the segment's name. Delete the link to revoke it. It ends with its maker.",
  says: { 201: "The link with its address, shown only here." },
  example: {
    body: { segment: exampleSegment.id!, fields: ["name", "city", "website"], expires_at: NOW + 30 * 86_400 },
    answers: { 201: { ...exampleLink, url: exampleUrl, csv_url: `${exampleUrl}.csv` } },
  },
  access: "write",
  http: "POST /links",
  input: described(
    v.strictObject({
      segment: v.string("must be text"),
      fields: v.pipe(
        v.array(v.string("must be text"), "must be a list of fields"),
        v.minLength(1, "must name at least one field"),
        v.maxLength(FIELDS_MAX, `must name at most ${FIELDS_MAX} fields`),
      ),
      expires_at: v.nullish(Moment),
      password: v.nullish(Password),
    }),
    {
      segment: "Id of the segment.",
      fields: "Lead fields to show, `attr:<name>` too; others are never shown.",
      expires_at: "When the address stops working; null for never.",
      password: "Asked for before the list is shown; 10 characters and more.",
    },
  ),
  output: MadeLinkOutput,
  status: 201,
  async run(ctx, { segment, fields, expires_at, password }) {
    const account = ctx.caller.account.key
    const { headers } = shapeOfFields(fields)
    if (expires_at != null && expires_at <= ctx.now)
      throw badRequest(`expires_at must be in the future; now is ${ctx.now}`)
    const hash = password == null ? null : await hashPassword(password)
    const token = newSecret()
    const link = await ctx.store.write(account, async (tx) => {
      await requireSegment(tx, account, segment)
      refuseFull(await tx.links.list(account), LINKS_MAX, "links", "revoke one with DELETE /links/{id}")
      const maker = await makerOf(tx, account, ctx.caller.keyId)
      const made: LinkRow = {
        ...{ id: tx.newId("link_"), segment, fields: headers, password: hash },
        ...{ actor_id: ctx.caller.actorId, made_by: maker.id, created_at: ctx.now },
        expires_at: endWithin(maker, expires_at ?? null),
      }
      await tx.links.insert(account, hashToken(token), made)
      await recordByCaller(ctx, tx, "link.created", made.id, { segment })
      return made
    })
    return { ...shownLink(link), ...addressesOf(ctx, token) }
  },
})

export const deleteLink = operation({
  name: "delete_link",
  about: "Revoke a public link; its address stops working at once",
  tag: "Links",
  access: "write",
  http: "DELETE /links/:id",
  run: deleting("Link", async (tx, account, id, ctx) => {
    const wasThere = await tx.links.remove(account, id)
    if (wasThere) await recordByCaller(ctx, tx, "link.revoked", id)
    return wasThere
  }),
})

function shownLink({ password, made_by: _, ...link }: LinkRow) {
  return { ...link, has_password: password !== null }
}

function addressesOf(ctx: Context, token: string): { url: string; csv_url: string } {
  const url = `${ctx.origin() ?? ctx.visit?.origin ?? ""}${LINK_PATH}/${token}`
  return { url, csv_url: `${url}.csv` }
}
