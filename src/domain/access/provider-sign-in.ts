// Members who sign in with the provider of OpenID Connect: found by their subject there, else by a verified email.
import type { Role } from "../../core/access.ts"
import { AppError } from "../../core/errors.ts"
import type { SignedIn } from "../../core/signed-in.ts"
import { excerpt, fold } from "../../core/text.ts"
import type { AdminAction, ProviderMember, Transaction } from "../../store/contract/store.ts"
import type { Context } from "../operation.ts"
import { recordAdmin } from "./admin-log.ts"
import { changeRole } from "./leaving.ts"
import { isMemberName, MEMBERS_MOST } from "./members.ts"
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

/** Members who may have the name of one person. */
const NAMESAKES = 2
const NAME_MAX = 200

/**
 * Signs a person in. The role that the provider names is theirs from now on; a person who is no member yet becomes one by
 * it. Throws `forbidden` for a person without a role, and where it is unclear which account they belong to.
 */
export async function signInFromProvider(ctx: Context, person: ProviderPerson): Promise<SignedIn> {
  if (person.role === null)
    throw new AppError(
      "forbidden",
      "The provider gives you no role here: it must be owner, editor or viewer. Ask whoever manages sign-ins",
    )
  const found = await findMember(ctx, person)
  const account = found?.account ?? (await onlyAccount(ctx))
  const member = await ctx.store.write(account, (tx) =>
    found ? updated(ctx, tx, found, person) : added(ctx, tx, account, person),
  )
  return startSession(ctx, ofMember(member, "oidc"))
}

async function findMember(
  { store }: Context,
  { subject, email }: ProviderPerson,
): Promise<ProviderMember | undefined> {
  const known = await store.read.members.findBySubject(subject)
  if (known || email === undefined) return known
  const named = await store.read.members.findUnlinked(fold(email), NAMESAKES)
  if (named.length > 1)
    throw new AppError(
      "forbidden",
      `Several accounts have a member called ${excerpt(email)}: sign in with a passkey or a password`,
    )
  return named[0]
}

/** The account of people whom nobody has invited. Throws `forbidden` where there are several. */
async function onlyAccount({ store }: Context): Promise<number> {
  const [account, another] = await store.read.accounts.list()
  if (account && !another) return account.key
  throw new AppError(
    "forbidden",
    "You are no member of an account here: ask an owner for an invitation under your email address",
  )
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
      "You are no member here, and the provider names no role for you: ask an owner for an invitation under your email address",
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
