// Browser sessions: opened with a one-time code, an API key, a password or a passkey.

import * as v from "valibot"
import { hashApiKey, looksLikeApiKey } from "../../access/api-key-text.ts"
import { endOfKey, ROLES, type Role } from "../../access/rights.ts"
import { newSecret } from "../../access/secret.ts"
import { SignedIn } from "../../access/signed-in.ts"
import { described, named } from "../../lead/described.ts"
import { RequiredLine, seconds } from "../../lead/fields.ts"
import { AppError, badRequest, notFound } from "../../runtime/errors.ts"
import type { FoundMember, SessionRow, Transaction } from "../../store/contract/store.ts"
import { fold } from "../../text/text.ts"
import { EARLIER, type ExampleFields, MEMBER_ID, NOW } from "../examples.ts"
import { type Context, operation, type Visit } from "../operation.ts"
import { recordAdmin, recordByCaller } from "./admin-log.ts"
import { checkLoginCode } from "./login-codes.ts"
import {
  authenticationOptions,
  checkAuthentication,
  PasskeyAnswer,
  PasskeyOptions,
  passkeyWords,
} from "./passkeys.ts"
import { isPassword } from "./passwords.ts"

const exampleActor: ExampleFields = { kind: "member", id: MEMBER_ID, name: "Ada Lovelace" }
export const exampleSession: ExampleFields = {
  id: "ses_019aa6f6-9d3e-7b41-8a20-6c5f7e8d9a0b",
  role: "editor",
  actor: exampleActor,
  account: {
    id: "acc_019aa6f0-5512-7c0f-a9d1-3e6b84f27a05",
    name: "Acme",
    plan: "pro",
    limits: { leads: 500, requests: 1_000, batch: 500, storage: 50_000_000 },
  },
  expires_at: NOW + 30 * 86_400,
}
const exampleListed: ExampleFields = {
  id: "ses_019aa6f6-9d3e-7b41-8a20-6c5f7e8d9a0b",
  role: "editor",
  actor: exampleActor,
  agent: "Mozilla/5.0",
  current: true,
  created_at: EARLIER,
  last_used_at: NOW,
  expires_at: NOW + 30 * 86_400,
}
const exampleChallenge: ExampleFields = {
  challenge: "q2Wm7c0yS3l1vQn8Xr5tBw",
  rpId: "leads.example.com",
  userVerification: "preferred",
}

/** Seconds after which a session ends: without use, and in any case. */
export const SESSION_IDLE = 12 * 60 * 60
const SESSION_LIFETIME = 30 * 24 * 60 * 60
/** Members of several accounts may share a name. */
const NAMESAKES_MOST = 8
const AGENT_MAX = 300
/** The actor of sessions that were opened with a code of the command line. */
const MACHINE = "machine"

const limit = v.nullable(v.number())
const Actor = v.strictObject({
  kind: v.picklist(["member", "key", "code"]),
  id: v.nullable(v.string()),
  name: v.string(),
})
/** The signed-in user of a session. */
export const SessionOutput = named(
  "Session",
  v.strictObject({
    id: v.nullable(v.string()),
    role: v.picklist(ROLES),
    actor: Actor,
    account: v.strictObject({
      id: v.string(),
      name: v.string(),
      plan: v.string(),
      limits: v.strictObject({ leads: limit, requests: limit, batch: v.number(), storage: limit }),
    }),
    expires_at: v.nullable(seconds),
  }),
  {
    id: "`ses_` and a UUID; null for an API key.",
    role: "Current role.",
    "actor.kind": "What was signed in with; `code` is an administrator with a code of the command line.",
    "actor.id": "The member's or the key's.",
    "actor.name": "The member's or the key's.",
    actor: "The user; changes are recorded under this id.",
    "account.plan": "Name of the plan.",
    "account.limits.leads": "Leads that may be kept.",
    "account.limits.requests": "Requests per 10 minutes.",
    "account.limits.batch": "Leads per batch.",
    "account.limits.storage": "Bytes of leads, notes and their trail that may be kept.",
    "account.limits": "Limits of the plan; null for no limit.",
    account: "The account.",
    expires_at: "Unix seconds; null for never.",
  },
)
const ListedSessionOutput = named(
  "ListedSession",
  v.strictObject({
    id: v.string(),
    role: v.picklist(ROLES),
    actor: Actor,
    agent: v.string(),
    current: v.boolean(),
    created_at: seconds,
    last_used_at: seconds,
    expires_at: seconds,
  }),
  {
    id: "`ses_` and a UUID.",
    role: "Current role.",
    "actor.kind": "How they signed in.",
    "actor.id": "The member's or the key's.",
    "actor.name": "The member's or the key's.",
    actor: "The user.",
    agent: "User agent of the browser.",
    current: "Whether it is the session of this request.",
    last_used_at: "Unix seconds.",
    expires_at: "Unix seconds; null for never.",
  },
)

/** The identity that opens a session, and what happens in the same transaction. */
interface Opener {
  account: number
  role: Role
  keyId?: string
  /** The name in the admin log. */
  actor: string | null
  way: "code" | "key" | "password" | "passkey" | "oidc"
  memberId?: string
  /** Uses up the credential. False when another request used it first. */
  use?: (tx: Transaction) => Promise<boolean>
}

export const createSession = operation({
  name: "create_session",
  about: "Sign in with a one-time code, an API key, a password or a passkey",
  tag: "Sessions",
  errors: ["unauthorized"],
  note: `Answers with a cookie, which browsers then send instead of a key: \`__Host-leaddb\` over HTTPS, HttpOnly and SameSite=Strict. A session ends after 12 hours without use, after 30 days, and with its key or member. It counts only on requests with \`Sec-Fetch-Site: same-origin\`, or with the service's own \`Origin\` where browsers do not send that; bodies must be JSON. Sessions have a request limit of their own, 6,000 in 10 minutes, beside the plan's.

Give exactly one of \`code\`, \`key\`, \`name\` with \`password\`, and \`passkey\`.`,
  example: { body: { code: "7KQM2XVP9RTWC4HJ3FAS6GDEB8NZY5T0" }, answers: { 201: exampleSession } },
  access: "open",
  http: "POST /sessions",
  input: described(
    v.strictObject({
      code: v.optional(v.pipe(v.string("must be text"), v.maxLength(100, "is too long"))),
      key: v.optional(v.pipe(v.string("must be text"), v.maxLength(100, "is too long"))),
      name: v.optional(RequiredLine),
      password: v.optional(v.pipe(v.string("must be text"), v.maxLength(200, "is too long"))),
      passkey: v.optional(PasskeyAnswer),
    }),
    {
      code: "Of `leaddb open` or `leaddb login`; it works once, within 10 minutes.",
      key: "An API key of the account; the session ends with it.",
      name: "Name of the member; needs `password`.",
      password: "The member's.",
      ...passkeyWords,
    },
  ),
  output: SessionOutput,
  status: 201,
  async run(ctx, { code, key, name, password, passkey }) {
    const ways = [code, key, name ?? password, passkey].filter((way) => way !== undefined)
    if (ways.length !== 1) throw badRequest("give one of code, key, name with password, and passkey")
    if (code !== undefined) return startSession(ctx, await byCode(ctx, code))
    if (key !== undefined) return startSession(ctx, await byKey(ctx, key.trim()))
    if (passkey !== undefined) return startSession(ctx, await byPasskey(ctx, passkey))
    if (name === undefined || password === undefined) throw badRequest("name and password belong together")
    return startSession(ctx, await byPassword(ctx, name, password))
  },
})

async function byCode({ store, now }: Context, code: string): Promise<Opener> {
  const login = await checkLoginCode(store, code, now)
  if (!login) {
    throw refused("This code is wrong, used or older than 10 minutes: leaddb open prints a new one")
  }
  const { account, role, selector } = login
  return { account, role, actor: MACHINE, way: "code", use: (tx) => tx.oauth.removeLogin(selector) }
}

async function byKey({ store, now }: Context, key: string): Promise<Opener> {
  if (!looksLikeApiKey(key)) {
    throw refused("This is not a leaddb API key: copy it whole, it begins with ldb_ and has 42 characters")
  }
  const holder = await store.read.apiKeys.findByHash(hashApiKey(key))
  if (!holder) throw refused("Unknown API key: it was revoked or belongs to another database")
  const { id, role, kind, segment } = holder.key
  if (kind === "sign_in") throw refused("This key is of a sign-in and holds for the tool server alone")
  if (segment !== null)
    throw refused("This key is bound to a segment and signs in nowhere: send it with requests")
  const end = endOfKey(holder.key)
  if (end !== null && end <= now) {
    throw refused("This API key has expired: create a new one")
  }
  return { account: holder.account.key, role, actor: null, way: "key", keyId: id }
}

async function byPassword({ store }: Context, name: string, password: string): Promise<Opener> {
  const namesakes = await store.read.members.findByName(fold(name), NAMESAKES_MOST)
  for (const member of namesakes) {
    if (await isPassword(password, member.password!)) return ofMember(member, "password")
  }
  throw refused("Name or password is wrong. An owner can send a new invitation")
}

async function byPasskey(ctx: Context, answer: v.InferOutput<typeof PasskeyAnswer>): Promise<Opener> {
  const { member, passkey, use } = await checkAuthentication(ctx, requireVisit(ctx), answer)
  const opener = ofMember(member, "passkey")
  return {
    ...opener,
    async use(tx) {
      if (!(await use(tx))) return false
      await tx.members.countPasskey(passkey.id, passkey.counter)
      return true
    },
  }
}

export function ofMember(
  { account, role, id, name }: FoundMember,
  way: "password" | "passkey" | "oidc",
): Opener {
  return { account, role, actor: name, way, memberId: id }
}

function refused(message: string): AppError {
  return new AppError("unauthorized", message)
}

/** The client of the request. Throws `bad_request` outside HTTP. */
export function requireVisit({ visit }: Context): Visit {
  if (!visit) throw badRequest("signing in works over HTTP only")
  return visit
}

/** Opens a session; its token is only in this answer. */
export async function startSession(ctx: Context, opener: Opener): Promise<SignedIn> {
  const { account, role, keyId, memberId, use, actor, way } = opener
  const { store, now } = ctx
  const token = newSecret()
  const hash = Bun.SHA256.hash(token) as Uint8Array
  await store.writeAcross(async (tx) => {
    if (use && !(await use(tx))) throw refused("This has been used already: leaddb open prints a new code")
    const session = {
      id: tx.newId("ses_"),
      hash,
      role,
      key_id: keyId ?? null,
      member_id: memberId ?? null,
      agent: requireVisit(ctx).agent.slice(0, AGENT_MAX),
      created_at: now,
      expires_at: now + SESSION_LIFETIME,
    }
    await tx.sessions.insert(account, session, now - SESSION_IDLE)
    await recordAdmin(tx, account, "session.opened", {
      by: { key_id: session.key_id, actor_id: actor },
      now,
      target: session.id,
      details: { with: way, role, agent: session.agent },
    })
  })
  const opened = await store.read.sessions.findByHash(hash)
  if (!opened) throw refused("The key or member that signed in is gone")
  const { session } = opened
  return new SignedIn(
    { ...shownTo(session), account: accountOf(opened.account), expires_at: session.expires_at },
    token,
    SESSION_LIFETIME,
  )
}

const accountOf = ({ id, name, plan, limits }: Context["caller"]["account"]) => ({ id, name, plan, limits })
const shownTo = (session: SessionRow) => ({
  id: session.id,
  role: session.role,
  actor: sessionActor(session),
})

/** The identity that a session acts as. */
export function sessionActor(session: Pick<SessionRow, "member_id" | "member_name" | "key_id" | "key_name">) {
  const { member_id, member_name, key_id, key_name } = session
  if (member_id !== null) return { kind: "member", id: member_id, name: member_name ?? "" }
  if (key_id !== null) return { kind: "key", id: key_id, name: key_name ?? "" }
  return { kind: "code", id: null, name: MACHINE }
}

export const createPasskeyChallenge = operation({
  name: "create_passkey_challenge",
  about: "Get the challenge that a browser signs to sign in with a passkey",
  tag: "Sessions",
  note: "The answer is for `navigator.credentials.get()`. Browsers allow passkeys on HTTPS and on localhost names.",
  example: { body: {}, answers: { 200: exampleChallenge } },
  access: "open",
  http: "POST /sessions/challenge",
  output: PasskeyOptions,
  run: (ctx) => authenticationOptions(ctx, requireVisit(ctx)),
})

export const getSession = operation({
  name: "get_session",
  about: "Get the signed-in user, their role and the account's limits",
  tag: "Sessions",
  note: "Works with an API key as well.",
  example: { answers: { 200: exampleSession } },
  access: "read",
  forSegments: true,
  http: "GET /sessions/current",
  output: SessionOutput,
  async run({ store, caller }) {
    const { account, role, keyId } = caller
    const rows = caller.session === undefined ? [] : await store.read.sessions.list(account.key)
    const row = rows.find(({ id }) => id === caller.session)
    const key = row ? undefined : await store.read.apiKeys.find(account.key, keyId)
    const actor = row ? sessionActor(row) : { kind: "key", id: keyId, name: key?.name ?? "" }
    const expires_at = row?.expires_at ?? key?.expires_at ?? null
    return { id: row?.id ?? null, role, actor, account: accountOf(account), expires_at }
  },
})

export const listSessions = operation({
  name: "list_sessions",
  about: "List browser sessions; non-owners see only their own",
  tag: "Sessions",
  note: "Newest first, without ended sessions.",
  example: { answers: { 200: [exampleListed] } },
  access: "read",
  http: "GET /sessions",
  output: v.array(ListedSessionOutput),
  async run(ctx) {
    const rows = await sessionsSeenBy(ctx)
    return rows.map((session) => ({
      ...shownTo(session),
      agent: session.agent,
      current: session.id === ctx.caller.session,
      created_at: session.created_at,
      last_used_at: session.used_at,
      expires_at: session.expires_at,
    }))
  },
})

/** All open sessions for owners, else those of the same member or key. */
async function sessionsSeenBy({ store, caller, now }: Context): Promise<SessionRow[]> {
  const all = await store.read.sessions.list(caller.account.key)
  const open = all.filter(({ used_at, expires_at }) => used_at > now - SESSION_IDLE && expires_at > now)
  if (caller.role === "owner") return open
  const current = all.find(({ id }) => id === caller.session)
  return open.filter(({ id, member_id, key_id }) => {
    if (id === caller.session) return true
    if (member_id !== null) return member_id === caller.memberId
    return key_id !== null && key_id === (current ? current.key_id : caller.keyId)
  })
}

export const deleteSession = operation({
  name: "delete_session",
  about: "Sign out: end a session at once, the one that asks as current",
  tag: "Sessions",
  note: "`current` is the session that asks. Owners may end any of the account, others their own.",
  access: "self",
  http: "DELETE /sessions/:id",
  async run(ctx, { id }) {
    const { caller, store } = ctx
    const ended = id === "current" ? caller.session : id
    const seen = await sessionsSeenBy(ctx)
    if (ended === undefined || !seen.some((session) => session.id === ended)) throw notFound("Session")
    await store.write(caller.account.key, async (tx) => {
      await tx.sessions.remove(caller.account.key, ended)
      await recordByCaller(ctx, tx, "session.ended", ended)
    })
    return ended === caller.session ? new SignedIn(undefined, null) : undefined
  },
})
