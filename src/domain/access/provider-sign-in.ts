// Members who sign in with the provider of OpenID Connect: found by their subject there; at first by an invitation or a verified email.
import type { Role } from "../../access/rights.ts"
import type { SignedIn } from "../../access/signed-in.ts"
import { AppError } from "../../runtime/errors.ts"
import type { AdminAction, ProviderMember, Reads, Transaction } from "../../store/contract/store.ts"
import { excerpt, fold } from "../../text/text.ts"
import type { Context } from "../operation.ts"
import { recordAdmin } from "./admin-log.ts"
import { domainOf } from "./domains.ts"
import { changeRole } from "./leaving.ts"
import { findInvited, isMemberName, MEMBERS_MOST } from "./members.ts"
import { giveNamed } from "./named-owners.ts"
import { ofMember, startSession } from "./sessions.ts"

/** A person as the provider tells. */
export interface ProviderPerson {
  /** The issuer and the person's id there: never another's. */
  subject: string
  /** Verified by the provider. */
  email: string | undefined
  name: string
  /** Null where the provider names roles and none of ours, undefined where it names none. */
  role: Role | null | undefined
}

const NAME_MAX = 200

/** How an answer names a domain to those who run the service. */
const GIVE_DOMAIN = "the operator gives your account your email domain (leaddb accounts domains)"

/**
 * Signs a person in. The role that the provider names is theirs from now on. Somebody who signs in for the first time is
 * bound to a member by the secret of an `invite`, or by the account that the operator gave their email domain to; where
 * there is one account, also by that. Throws `forbidden` for a person without a role and where no account is theirs,
 * `unauthorized` for an invitation that is good no longer, `conflict` where they are another member already.
 */
export async function signInFromProvider(
  ctx: Context,
  person: ProviderPerson,
  invite?: string,
): Promise<SignedIn> {
  if (person.role === null)
    throw new AppError(
      "forbidden",
      "The provider gives you no role here: it must be owner, editor or viewer. Ask whoever manages sign-ins",
    )
  const member = await (invite === undefined ? found(ctx, person) : invited(ctx, person, invite))
  return startSession(ctx, ofMember(member, "oidc"))
}

/** The member that a person is, or becomes. */
async function found(ctx: Context, person: ProviderPerson): Promise<ProviderMember> {
  const { store } = ctx
  const bearer = await store.read.members.findBySubject(person.subject)
  const account = bearer?.account ?? (await accountOf(ctx, person))
  const member = await store.write(account, async (tx) => {
    const { email } = person
    const member =
      bearer ?? (email === undefined ? undefined : await tx.members.findUnlinked(account, fold(email)))
    return member ? updated(ctx, tx, member, person) : added(ctx, tx, account, person)
  })
  const row = bearer ? undefined : (await store.read.accounts.list()).find(({ key }) => key === account)
  if (row) {
    const caller = { account: row, keyId: member.id, actorId: member.id, role: "owner" } as const
    await giveNamed({ ...ctx, caller }, { ...member, email: person.email })
  }
  return member
}

/** The account of a person whom no invitation brings: never one whose owner merely named their address. */
async function accountOf({ store }: Context, { email }: ProviderPerson): Promise<number> {
  const ofDomain = await accountOfDomain(store.read, email)
  if (ofDomain) return ofDomain.key
  const [account, another] = await store.read.accounts.list()
  if (account && !another) return account.key
  throw new AppError(
    "forbidden",
    `You have not signed in here before: open the link of your invitation and sign in there, or ask that ${GIVE_DOMAIN}`,
  )
}

function accountOfDomain({ accounts }: Pick<Reads, "accounts">, email: string | undefined) {
  const domain = email === undefined ? undefined : domainOf(email)
  return domain === undefined ? undefined : accounts.findByDomain(domain)
}

/** The member of an invitation, bound to the person who opened it. */
async function invited(ctx: Context, person: ProviderPerson, invite: string): Promise<ProviderMember> {
  const { account, id } = await findInvited(ctx.store.read.members, invite, ctx.now)
  const ofDomain = await accountOfDomain(ctx.store.read, person.email)
  if (ofDomain && ofDomain.key !== account)
    throw new AppError(
      "forbidden",
      "This invitation is to an account that your email domain does not belong to: sign in without it",
    )
  return ctx.store.write(account, async (tx) => {
    const bearer = await tx.members.findBySubject(person.subject)
    if (bearer && bearer.id !== id)
      throw new AppError(
        "conflict",
        "You sign in as another member with this provider already: accept the invitation with a passkey or a password",
      )
    const member = await findInvited(tx.members, invite, ctx.now)
    await tx.sessions.removeOfMember(account, id)
    await tx.members.setSubject(account, id, person.subject)
    return updated(ctx, tx, { ...member, is_linked: true, has_joined: false }, person)
  })
}

async function updated(
  ctx: Context,
  tx: Transaction,
  member: ProviderMember,
  { subject, role = member.role }: ProviderPerson,
): Promise<ProviderMember> {
  const { account, id } = member
  const after = { ...member, role: role ?? member.role }
  if (!member.is_linked) await tx.members.setSubject(account, id, subject)
  if (after.role !== member.role) {
    const noted = { by: { key_id: null, actor_id: member.name }, now: ctx.now }
    await changeRole(tx, account, member, after.role, noted)
    await note(ctx, tx, "member.updated", after)
  }
  if (!member.has_joined) {
    await tx.members.join(account, id, null, ctx.now)
    await note(ctx, tx, "member.joined", after)
  }
  return after
}

async function added(
  ctx: Context,
  tx: Transaction,
  account: number,
  { subject, email, name, role }: ProviderPerson,
): Promise<ProviderMember> {
  if (!role)
    throw new AppError(
      "forbidden",
      "You are no member here, and the provider names no role for you: ask an owner for an invitation",
    )
  if ((await tx.members.list(account)).length >= MEMBERS_MOST)
    throw new AppError("conflict", `An account keeps at most ${MEMBERS_MOST} members`)
  const id = tx.newId("mem_")
  for (const one of [name, email, `${name.slice(0, NAME_MAX / 2)} (${id})`]) {
    if (one === undefined || !isMemberName(one)) continue
    const row = { id, name: one, name_key: fold(one), role, created_at: ctx.now }
    if (!(await tx.members.insert(account, row))) continue
    await tx.members.join(account, id, null, ctx.now)
    await tx.members.setSubject(account, id, subject)
    const member = { ...row, account, account_name: "", password: null, is_linked: true, has_joined: true }
    await note(ctx, tx, "member.joined", member)
    return member
  }
  throw new AppError("forbidden", `"${excerpt(name)}" cannot be the name of a member`)
}

function note(
  ctx: Context,
  tx: Transaction,
  action: AdminAction,
  { account, id, name, role }: ProviderMember,
) {
  const by = { key_id: null, actor_id: name }
  const details = { name, role, with: "oidc" }
  return recordAdmin(tx, account, action, { by, now: ctx.now, target: id, details })
}
