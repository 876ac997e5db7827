import { timingSafeEqual } from "node:crypto"
import { hashApiKey, looksLikeApiKey } from "../../access/api-key-text.ts"
import { lowest, ROLES, type Role } from "../../access/roles.ts"
import { endOf, isWholeOwner } from "../../domain/access/api-keys.ts"
import type { Caller } from "../../domain/operation.ts"
import type { Clock } from "../../runtime/clock.ts"
import { AppError, badRequest } from "../../runtime/errors.ts"
import type { KeyHolder, Store } from "../../store/contract/store.ts"
import { createSlidingWindows, sharedWindows, type Windows } from "./rate-limit.ts"
import { addressKey } from "./request.ts"

/** Failed sign-ins per minute that one address may make before it has to wait. */
const FAILURES_MS = 60_000
const FAILURES_PER_MINUTE = 100
/** Keys whose hashes are known. */
const HASHES_MAX = 1_000

const WRONG_SECRET =
  "X-Proxy-Secret is not the one that is set here: send LEADDB_PROXY_SECRET once, or no such header"

/** Where a request comes from; asked only for one that is refused. */
interface From {
  readonly address: string
}

interface Credentials extends From {
  key: string | null | undefined
  headers: Headers
  /** The tool server, where keys of sign-ins hold, too. */
  isForTools?: true
}

export interface Auth {
  /** Both steps at once. Throws as they do. */
  authenticate(credentials: Credentials): Promise<Caller>
  /** At once for a key that is known. Throws `unauthorized`, `rate_limit_exceeded` after too many failures. */
  identify(key: string | undefined, from: From): KeyHolder | Promise<KeyHolder>
  /** Who acts with the key. Throws `bad_request` for an unclear role, `forbidden` for a wrong proxy secret. */
  callerOf(holder: KeyHolder, headers: Headers): Caller
  /** When each key was last used, in Unix seconds, since this was asked last. */
  takeUsed(): Map<string, number>
  /** Notes what another process has taken. */
  noteUsed(used: ReadonlyMap<string, number>): void
}

/** Authenticates a request by its API key and, behind a dashboard proxy, by the member in the proxy's headers. */
export function createAuth(store: Store, clock: Clock, proxySecret: string | undefined): Auth {
  const failures: Windows<string> = store.requests
    ? sharedWindows(store.requests, clock, "failures", FAILURES_MS)
    : createSlidingWindows(clock, FAILURES_MS)
  let used = new Map<string, number>()
  /** Hashes of keys that were in order. */
  const hashes = new Map<string, Uint8Array>()
  const callers = new WeakMap<KeyHolder, Caller>()

  function identify(
    key: string | null | undefined,
    from: From,
    isForTools = false,
  ): KeyHolder | Promise<KeyHolder> {
    if (!key) return refuse(failures, from.address, NO_KEY)
    const kept = hashes.get(key)
    if (!kept && !looksLikeApiKey(key)) return refuse(failures, from.address, NO_API_KEY)
    const hash = kept ?? hashApiKey(key)
    const found = store.read.apiKeys.findByHash(hash)
    function holding(holder: KeyHolder | undefined): KeyHolder | Promise<never> {
      if (!holder) return refuse(failures, from.address, UNKNOWN_KEY)
      const now = Math.floor(clock.now() / 1000)
      if ((endOf(holder.key) ?? Number.POSITIVE_INFINITY) <= now)
        return refuse(failures, from.address, EXPIRED_KEY)
      if (holder.key.kind === "sign_in" && !isForTools) return refuse(failures, from.address, FOR_TOOLS)
      used.set(holder.key.id, now)
      if (!kept) keep(key!, hash)
      return holder
    }
    return found instanceof Promise ? found.then(holding) : holding(found)
  }

  function keep(key: string, hash: Uint8Array): void {
    if (hashes.size >= HASHES_MAX) hashes.clear()
    hashes.set(key, hash)
  }

  function callerOf(holder: KeyHolder, headers: Headers): Caller {
    const member = proxiedMember(headers, proxySecret)
    if (member !== HOLDER) return actingAs(member, holder)
    return callers.getOrInsertComputed(holder, () => actingAs(HOLDER, holder))
  }

  function actingAs(member: Member, { account, key }: KeyHolder): Caller {
    // Behind no secret the header is the client's own word, which an owner alone may give for others.
    const isNamed = proxySecret !== undefined || isWholeOwner(key)
    return {
      account,
      keyId: key.id,
      role: lowest(key.role, member.role),
      actorId: (isNamed && member.actor) || key.id,
      ...(proxySecret !== undefined && member.actor && { isProxied: true }),
      ...(key.maker !== null && { keyMaker: key.maker }),
      ...(key.segment !== null && { segment: key.segment }),
      ...((key.guard === "plan" || key.kind === "sign_in") && { isGuarded: true }),
    }
  }

  function takeUsed(): Map<string, number> {
    const taken = used
    used = new Map()
    return taken
  }

  function noteUsed(noted: ReadonlyMap<string, number>): void {
    for (const [id, at] of noted) used.set(id, Math.max(at, used.get(id) ?? 0))
  }

  return {
    authenticate: async ({ key, headers, isForTools, ...from }) =>
      callerOf(await identify(key, from, isForTools), headers),
    identify,
    callerOf,
    takeUsed,
    noteUsed,
  }
}

const NO_KEY = "An API key is required: send it in the X-API-Key header"
const NO_API_KEY = "This is not a leaddb API key: copy it whole, it begins with ldb_ and has 42 characters"
const UNKNOWN_KEY = "Unknown API key: it was revoked or belongs to another database"
const EXPIRED_KEY = "This API key has expired: create a new one"
const FOR_TOOLS = "This key is of a sign-in and holds for the tool server alone: create an API key"

async function refuse(failures: Windows<string>, address: string, message: string): Promise<never> {
  const { allowed, headers } = await failures.take(addressKey(address), FAILURES_PER_MINUTE)
  if (allowed) throw new AppError("unauthorized", message, { headers })
  throw new AppError(
    "rate_limit_exceeded",
    "Too many requests with a missing or wrong API key; wait a little",
    {
      headers,
    },
  )
}

interface Member {
  role: Role
  actor: string | undefined
}

/** The caller is the key itself: no proxy names a member. */
const HOLDER: Member = { role: "owner", actor: undefined }

/** The role and actor that the dashboard proxy sends along, as far as they count. */
function proxiedMember(headers: Headers, secret: string | undefined): Member {
  if (secret !== undefined) {
    const shown = headers.get("x-proxy-secret")
    if (shown === null) return HOLDER
    // A repeated one arrives joined and is wrong, too. Passing it over would make an owner of a viewer.
    if (!sameText(shown, secret)) throw new AppError("forbidden", WRONG_SECRET)
  }
  const sent = headers.get("x-member-role")
  // Repeated headers arrive joined: "viewer, owner" must not pass as an unrecognised role, which means owner.
  if (sent?.includes(",")) throw badRequest("X-Member-Role must hold exactly one role, got several")
  const named = ROLES.find((role) => role === sent?.trim().toLowerCase())
  if (secret !== undefined && !named) {
    throw badRequest(`X-Member-Role must be one of ${ROLES.join(", ")} on requests with X-Proxy-Secret`)
  }
  const actor = headers.get("x-actor-id")?.trim() || undefined
  if (sent === null && actor === undefined) return HOLDER
  if (actor && actor.length > 200) throw badRequest("X-Actor-Id must be at most 200 characters")
  return { role: named ?? "owner", actor }
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Bun.SHA256.hash(a), Bun.SHA256.hash(b)] as [Uint8Array, Uint8Array]
  return timingSafeEqual(left, right)
}
