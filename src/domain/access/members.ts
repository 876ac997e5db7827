// Members of an account: invited by a link, they sign in with a passkey or a password.

import * as v from "valibot"
import { earlier, ROLES } from "../../access/rights.ts"
import { newSecret } from "../../access/secret.ts"
import { described, named } from "../../lead/described.ts"
import { Id, ignored, maxCharacters, OptionalFlag, oneOf, RequiredLine, seconds } from "../../lead/fields.ts"
import { AppError, badRequest } from "../../runtime/errors.ts"
import type {
  AdminAction,
  FoundMember,
  MemberReads,
  MemberRow,
  Transaction,
} from "../../store/contract/store.ts"
import { fold } from "../../text/text.ts"
import { EARLIER, type ExampleFields, MEMBER_ID, NOW } from "../examples.ts"
import { type Context, operation } from "../operation.ts"
import { finder, linkOrigin } from "../things.ts"
import { adminActor, recordAdmin, recordByCaller } from "./admin-log.ts"
import { refusingLast } from "./api-keys.ts"
import { changeRole, endThings, lossEntries, lossOutput, lossWords } from "./leaving.ts"
import { makerOf } from "./makers.ts"
import { giveNamed } from "./named-owners.ts"
import {
  checkRegistration,
  PasskeyAnswer,
  PasskeyOptions,
  passkeyWords,
  registrationOptions,
} from "./passkeys.ts"
import { hashPassword, Password } from "./passwords.ts"
import { exampleSession, ofMember, requireVisit, SessionOutput, startSession } from "./sessions.ts"

const INVITE = "9fK2mXw4Tq81vLrZ0aBcD3eFgH5iJ6kLmN7oP8qRs"
const exampleMember: ExampleFields = {
  id: MEMBER_ID,
  name: "Ada Lovelace",
  role: "editor",
  created_at: EARLIER,
  joined_at: NOW,
  invite_expires_at: null,
  passkeys: 1,
  has_password: false,
  has_provider: false,
}
const exampleInvited: ExampleFields = {
  ...exampleMember,
  joined_at: null,
  invite_expires_at: EARLIER + 7 * 86_400,
  passkeys: 0,
  invite: INVITE,
  invite_url: `https://leads.example.com/app/join#${INVITE}`,
}

/** Seconds for which an invitation is valid. */
const INVITE_LIFETIME = 7 * 24 * 60 * 60
export const MEMBERS_MOST = 1_000

const entries = {
  id: v.string(),
  name: v.string(),
  role: v.picklist(ROLES),
  created_at: seconds,
  joined_at: v.nullable(seconds),
  invite_expires_at: v.nullable(seconds),
  passkeys: seconds,
  has_password: v.boolean(),
  has_provider: v.boolean(),
}
const memberWords = {
  id: "`mem_` and a UUID.",
  name: "Shown in the audit trail; unique in the account.",
  role: "Their role.",
  joined_at: "Unix seconds; null while they have not accepted.",
  invite_expires_at: "Unix seconds, while an invitation is open.",
  passkeys: "How many they have.",
  has_password: "Whether they sign in with one.",
  has_provider: "Whether they have signed in with the provider of OpenID Connect.",
}
const MemberOutput = named("Member", v.strictObject(entries), memberWords)
const InvitedOutput = named(
  "InvitedMember",
  v.strictObject({ ...entries, invite: v.string(), invite_url: v.string() }),
  {
    ...memberWords,
    invite_expires_at: "Unix seconds: 7 days from now.",
    invite: "The secret of the link. Shown in this answer and never again.",
    invite_url: "The link to send to them.",
  },
)

const exampleLoss = {
  revoked: {
    api_keys: [{ id: "key_019aa6f2-8c41-7d3e-9b52-4e7f10c6a8d3", name: "Web form" }],
    invitations: [],
    links: [],
    sessions: [],
  },
  webhooks: [],
}

/** Names appear in the audit trail, where they must not look like a key's. */
const MemberName = v.pipe(
  RequiredLine,
  maxCharacters(200, "must be at most 200 characters"),
  v.check((name) => !/^(key_|machine$|local$)/i.test(name), "must be a person's name"),
)

/** Whether a text may be the name of a member. */
export const isMemberName = (name: string) => v.is(MemberName, name)

export const listMembers = operation({
  name: "list_members",
  about: "List the people of the account and their roles",
  tag: "Members",
  note: "Members who have not accepted their invitation yet are among them.",
  example: { answers: { 200: [exampleMember] } },
  access: "read",
  http: "GET /members",
  tool: { set: "audit", about: "List members: owners of leads, and who changed what" },
  output: v.array(MemberOutput),
  run: (ctx) => ctx.store.read.members.list(ctx.caller.account.key),
})

export const inviteMember = operation({
  name: "invite_member",
  about: "Invite a person; the link in the answer is good for 7 days",
  tag: "Members",
  errors: ["conflict"],
  note: "Send the link to the person: no mail is sent. Leads that an import left with the name of the member as their owner become theirs. With it they choose a passkey or a password, and are signed in.",
  example: { body: { name: "Ada Lovelace", role: "editor" }, answers: { 201: exampleInvited } },
  access: "owner",
  http: "POST /members",
  input: described(v.strictObject({ name: MemberName, role: v.optional(oneOf(ROLES)) }), {
    name: "Shown in the audit trail; unique in the account.",
    role: "Editor when left out.",
  }),
  output: InvitedOutput,
  status: 201,
  async run(ctx, { name, role = "editor" }) {
    const account = ctx.caller.account.key
    const invited = await ctx.store.write(account, async (tx) => {
      if ((await tx.members.list(account)).length >= MEMBERS_MOST) {
        throw new AppError("conflict", `An account keeps at most ${MEMBERS_MOST} members`)
      }
      const id = tx.newId("mem_")
      const member = { id, name, name_key: fold(name), role, created_at: ctx.now }
      if (!(await tx.members.insert(account, member))) {
        throw new AppError("conflict", `There is a member called "${name}" already: names tell people apart`)
      }
      return invite(ctx, tx, id)
    })
    await giveNamed(ctx, invited)
    return invited
  },
})

export const reinviteMember = operation({
  name: "reinvite_member",
  about: "Make a new invitation for a member who lost theirs, or their password",
  tag: "Members",
  note: "The link before it is good no longer. When it is used, the password and passkeys they had are forgotten.",
  example: { answers: { 201: exampleInvited } },
  access: "owner",
  http: "POST /members/:id/invite",
  output: InvitedOutput,
  status: 201,
  run: (ctx, { id }) => ctx.store.write(ctx.caller.account.key, (tx) => invite(ctx, tx, id)),
})

/** Creates the invitation link; the previous one becomes invalid. */
async function invite(ctx: Context, tx: Transaction, id: string) {
  const account = ctx.caller.account.key
  await getMember(ctx, tx.members, id)
  const token = newSecret()
  const maker = await makerOf(tx, account, ctx.caller.keyId)
  const until = ctx.now + INVITE_LIFETIME
  await tx.members.setInvite(account, id, {
    hash: hashOf(token),
    expires_at: earlier(until, maker.ends_at) ?? until,
    by: ctx.caller.keyId,
  })
  const member = await getMember(ctx, tx.members, id)
  await note(ctx, tx, "member.invited", member)
  return { ...member, invite: token, invite_url: `${linkOrigin(ctx)}/app/join#${token}` }
}

/** Records an owner's change of a member in the admin log. */
function note(ctx: Context, tx: Transaction, action: AdminAction, { id, name, role }: MemberRow) {
  return recordByCaller(ctx, tx, action, id, { name, role })
}

const hashOf = (token: string) => Bun.SHA256.hash(token) as Uint8Array

const getMember = finder<MemberRow>("Member")

export const updateMember = operation({
  name: "update_member",
  about: "Change the role of a member, at once",
  tag: "Members",
  note: "Their sessions and API keys continue with the new role. With a lower one, open invitations of an owner end, and public links of a viewer. The name stays as it was given with the invitation.",
  example: { body: { role: "viewer" }, answers: { 200: { ...exampleMember, role: "viewer" } } },
  access: "owner",
  http: "PUT /members/:id",
  input: described(v.strictObject({ id: Id, role: oneOf(ROLES), name: ignored }), {
    role: "The new role.",
  }),
  output: described(v.strictObject({ ...entries, ...v.partial(v.strictObject(lossEntries)).entries }), {
    ...memberWords,
    ...lossWords,
  }),
  run: (ctx, { id, role, name: sent }) =>
    ctx.store.write(ctx.caller.account.key, async (tx) => {
      const account = ctx.caller.account.key
      const before = await getMember(ctx, tx.members, id)
      if (sent !== undefined && sent !== before.name)
        throw badRequest(`name cannot be changed: it is "${before.name}" in the audit trail; leave it out`)
      const loss = await changeRole(tx, account, before, role, { by: adminActor(ctx), now: ctx.now })
      const member = await getMember(ctx, tx.members, id)
      await note(ctx, tx, "member.updated", member)
      return loss ? { ...member, ...lossOutput(loss, await tx.members.list(account)) } : member
    }),
})

export const deleteMember = operation({
  name: "delete_member",
  about: "Remove a member; their sessions end at once",
  tag: "Members",
  errors: ["conflict"],
  note: "The API keys, open invitations and public links that the member made end with them; webhooks go on. All are listed in the answer, which is 204 where there are none. What is kept is bound to the rights of the member who removes them.",
  says: { 200: "Removed, with what the member made.", 204: "Removed." },
  example: {
    answers: {
      200: {
        id: MEMBER_ID,
        deleted: true,
        revoked_keys: exampleLoss.revoked.api_keys,
        revoked_invitations: exampleLoss.revoked.invitations,
        ...exampleLoss,
      },
    },
  },
  access: "owner",
  http: "DELETE /members/:id",
  query: ["keep_keys", "links", "webhooks"],
  input: described(
    v.strictObject({
      id: Id,
      keep_keys: OptionalFlag,
      links: v.optional(oneOf(["stop", "keep"])),
      webhooks: v.optional(oneOf(["stop", "keep"])),
    }),
    {
      keep_keys: "Keeps the API keys and invitations.",
      links: "`keep` takes the links over.",
      webhooks: "`stop` turns the webhooks off.",
    },
  ),
  output: described(
    v.strictObject({
      id: v.string(),
      deleted: v.literal(true),
      revoked_keys: lossEntries.revoked.entries.api_keys,
      revoked_invitations: lossEntries.revoked.entries.api_keys,
      ...lossEntries,
    }),
    {
      id: "Of the member.",
      deleted: "Always true.",
      revoked_keys: "As in `revoked`.",
      revoked_invitations: "As in `revoked`.",
      ...lossWords,
    },
  ),
  otherStatuses: [204],
  async run(ctx, { id, keep_keys = false, links = "stop", webhooks = "keep" }) {
    const account = ctx.caller.account.key
    return ctx.store.write(account, async (tx) => {
      const member = await getMember(ctx, tx.members, id)
      const remover = await makerOf(tx, account, ctx.caller.keyId)
      if (remover.member === id && remover.id !== id) throw ownKey()
      const loss = await endThings(tx, account, id, {
        kept: { keys: keep_keys, links: links === "keep", webhooks: webhooks === "keep" },
        heir: remover.member === id ? null : remover.member,
        ...{ by: adminActor(ctx), now: ctx.now, refuse: refuseLast },
      })
      await tx.members.remove(account, id)
      await note(ctx, tx, "member.removed", member)
      const { revoked, webhooks: left } = lossOutput(loss, await tx.members.list(account))
      // Sessions of a member always end.
      if (![revoked.api_keys, revoked.invitations, revoked.links, left].some((all) => all.length > 0))
        return undefined
      const { api_keys: revoked_keys, invitations: revoked_invitations } = revoked
      return { id, deleted: true, revoked_keys, revoked_invitations, revoked, webhooks: left }
    })
  },
})

/** The error of a key that would remove the member behind it, and be left with nobody's rights to bound it. */
function ownKey(): AppError {
  return new AppError(
    "conflict",
    "The member made the API key of this request, which ends with them: remove them with another key, or signed in",
  )
}

const refuseLast = refusingLast(
  "The member made the account's last owner key: create another one first, or remove the member with keep_keys=true",
)

const Invite = v.pipe(v.string("must be text"), v.maxLength(200, "is too long"))

export const readInvite = operation({
  name: "read_invite",
  about: "Look at an invitation: whose it is, and how to make a passkey for it",
  tag: "Members",
  errors: ["unauthorized"],
  example: {
    body: { invite: INVITE },
    answers: { 200: { name: "Ada Lovelace", role: "editor", account: "Acme", passkey: null } },
  },
  access: "open",
  http: "POST /members/invite",
  input: described(v.strictObject({ invite: Invite }), { invite: "The secret of the link." }),
  output: described(
    v.strictObject({
      name: v.string(),
      role: v.picklist(ROLES),
      account: v.string(),
      passkey: v.nullable(PasskeyOptions),
    }),
    {
      name: "The member's.",
      role: "The role they will get.",
      account: "Name of the account.",
      passkey: "Options for `navigator.credentials.create()`; null where browsers allow no passkeys.",
    },
  ),
  async run(ctx, { invite }) {
    const member = await findInvited(ctx.store.read.members, invite, ctx.now)
    const passkey = await registrationOptions(ctx, requireVisit(ctx), member)
    return { name: member.name, role: member.role, account: member.account_name, passkey: passkey ?? null }
  },
})

export const acceptInvite = operation({
  name: "accept_invite",
  about: "Accept an invitation with a password or a passkey, and be signed in",
  tag: "Members",
  errors: ["unauthorized"],
  note: "Give `passkey` or `password`. Answers like `POST /sessions`, with its cookie.",
  example: {
    body: { invite: INVITE, password: "a long sentence is best" },
    answers: { 201: exampleSession },
  },
  access: "open",
  http: "POST /members/join",
  input: described(
    v.strictObject({
      invite: Invite,
      password: v.optional(Password),
      passkey: v.optional(PasskeyAnswer),
    }),
    {
      invite: "The secret of the link.",
      password: "At least 10 characters.",
      ...passkeyWords,
    },
  ),
  output: SessionOutput,
  status: 201,
  async run(ctx, { invite, password, passkey }) {
    if ((password === undefined) === (passkey === undefined)) throw badRequest("give password or passkey")
    const member = await findInvited(ctx.store.read.members, invite, ctx.now)
    const made = passkey && (await checkRegistration(ctx, requireVisit(ctx), passkey))
    const hash = password === undefined ? null : await hashPassword(password)
    return startSession(ctx, {
      ...ofMember(member, made ? "passkey" : "password"),
      async use(tx) {
        if (!(await tx.members.findByInvite(hashOf(invite), ctx.now))) return false
        if (made && !(await made.use(tx))) return false
        await tx.sessions.removeOfMember(member.account, member.id)
        await tx.members.join(member.account, member.id, hash, ctx.now)
        if (made) await tx.members.addPasskey(member.account, member.id, made.passkey, ctx.now)
        await recordAdmin(tx, member.account, "member.joined", {
          by: { key_id: null, actor_id: member.name },
          now: ctx.now,
          target: member.id,
          details: { name: member.name, role: member.role, with: made ? "passkey" : "password" },
        })
        return true
      },
    })
  },
})

/** The member whom the secret of a link invites. Throws `unauthorized` for one that is good no longer. */
export async function findInvited(
  members: Pick<MemberReads, "findByInvite">,
  invite: string,
  now: number,
): Promise<FoundMember> {
  const member = await members.findByInvite(hashOf(invite), now)
  if (member) return member
  throw new AppError("unauthorized", "This invitation was used, is older than 7 days, or was taken back")
}
