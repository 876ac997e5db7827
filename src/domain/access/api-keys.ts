import * as v from "valibot"
import { hashApiKey, newApiKey, PREFIX_LENGTH } from "../../access/api-key-text.ts"
import { endOfKey, GUARDS, type Guard, isWholeOwner, lowest, ROLES, type Role } from "../../access/rights.ts"
import { described, named } from "../../lead/described.ts"
import { Id, oneOf, RequiredLine, type Said, seconds } from "../../lead/fields.ts"
import { LIST_STYLES, type ListStyle } from "../../lead/list-style.ts"
import { AppError, badRequest, notFound } from "../../runtime/errors.ts"
import {
  type ApiKeyRow,
  KEY_KINDS,
  type KeyKind,
  type Reads,
  type Transaction,
} from "../../store/contract/store.ts"
import { Moment } from "../../text/moment-input.ts"
import { type ExampleFields, NOW } from "../examples.ts"
import { operation, previewOne } from "../operation.ts"
import { finder, requireSegment } from "../things.ts"
import { type AdminActor, adminActor, COMMAND_LINE, recordAdmin } from "./admin-log.ts"
import { ended, endLinks, endWithin, makerOf } from "./makers.ts"

const exampleKey: ExampleFields = {
  id: "key_019aa6f6-3c58-7d07-b2a4-91e6f0d8c375",
  name: "Web form",
  prefix: "ldb_9fK2",
  role: "editor",
  kind: "key",
  issued_by: "key_019aa6f0-51c2-7a3e-9d6b-08f4c7e2b915",
  created_at: NOW,
  last_used_at: null,
  expires_at: null,
}

const keyEntries = {
  id: v.string(),
  name: v.string(),
  prefix: v.string(),
  role: v.picklist(ROLES),
  kind: v.picklist(KEY_KINDS),
  issued_by: v.nullable(v.string()),
  created_at: seconds,
  last_used_at: v.nullable(seconds),
  expires_at: v.nullable(seconds),
  list_style: v.optional(v.picklist(LIST_STYLES)),
  guard: v.optional(v.picklist(GUARDS)),
  segment: v.optional(v.string()),
}
const keyWords = {
  id: "`key_` and a UUID.",
  name: "For people.",
  prefix: "How the key begins, to recognise it.",
  role: "Role of the key.",
  kind: "`sign_in` for a key that a client got through the browser: valid for the tool server only.",
  issued_by: "The key that made it or signed in for it; null for the command line.",
  last_used_at: "Unix seconds, written once a minute; null before the first use.",
  expires_at: "Unix seconds; null for never.",
  list_style: "Style of lists in answers to the key; absent where it follows the service.",
  guard: "`plan`: tools show what they would do before they do harm; absent for a plain key.",
  segment: "The segment that the key is bound to; absent where it sees all leads.",
}
const ApiKeyOutput = named("ApiKey", v.strictObject(keyEntries), keyWords)

/**
 * Creates a key; the raw key is only in this answer. It has no more rights than its maker and ends no later. Throws
 * `unauthorized` for a maker that is gone, and `bad_request` for an end after the maker's.
 */
export async function issueKey(
  tx: Transaction,
  account: number,
  key: Said<typeof newKeyEntries> & { role: Role; expires_at: number | null; kind?: KeyKind },
  now: number,
  by: AdminActor = COMMAND_LINE,
): Promise<ShownKey & { key: string }> {
  const raw = newApiKey()
  const maker = await makerOf(tx, account, by.key_id)
  const row = {
    id: tx.newId("key_"),
    name: key.name,
    prefix: raw.slice(0, PREFIX_LENGTH),
    role: lowest(key.role, maker.role),
    kind: key.kind ?? "key",
    issued_by: by.key_id,
    maker: maker.member,
    created_at: now,
    last_used_at: null,
    expires_at: endWithin(maker, key.expires_at),
    list_style: key.list_style ?? null,
    guard: key.guard ?? null,
    segment: key.segment ?? null,
  }
  await tx.apiKeys.insert(account, { ...row, hash: hashApiKey(raw) })
  const { name, role, kind, segment } = row
  const action = kind === "sign_in" ? "key.signed_in" : "key.created"
  await recordAdmin(tx, account, action, {
    by,
    now,
    target: row.id,
    details: { name, role, ...(segment !== null && { segment }) },
  })
  return { ...shownKey(row), key: raw }
}

/** A key's record as answers show it. */
export type ShownKey = Omit<ApiKeyRow, "maker" | "list_style" | "guard" | "segment"> & {
  list_style?: ListStyle
  guard?: Guard
  segment?: string
}

/** A record in which a style, a guard and a segment are named only where it has them. */
export function shownKey({ maker: _, list_style, guard, segment, ...key }: ApiKeyRow): ShownKey {
  return {
    ...key,
    ...(list_style !== null && { list_style }),
    ...(guard !== null && { guard }),
    ...(segment !== null && { segment }),
  }
}

/** The key of an id as long as it holds; undefined once it was revoked or has ended. */
export async function heldKey(
  { apiKeys }: Pick<Reads, "apiKeys">,
  account: number,
  id: string,
  now: number,
): Promise<ApiKeyRow | undefined> {
  const key = await apiKeys.find(account, id)
  return key && (endOfKey(key) ?? Number.POSITIVE_INFINITY) > now ? key : undefined
}

/** The keys that a revocation removes: the key, those that it or the member of that id issued, and those that they issued. */
function withIssued(keys: readonly ApiKeyRow[], id: string, spared?: string): ApiKeyRow[] {
  const gone = keys.filter((key) => key.id === id)
  const issuers = [id]
  // The list grows during this loop.
  for (const issuer of issuers) {
    const issued = keys.filter((key) => key.issued_by === issuer && key.id !== spared && !gone.includes(key))
    gone.push(...issued)
    issuers.push(...issued.map((key) => key.id))
  }
  return gone
}

/** Effect of a revocation: the keys, the named one first, and the ids of members whose open invitations ended. */
interface Revoked {
  keys: ApiKeyRow[]
  invited: string[]
  ownersLeft: number
}

/**
 * Revokes a key, or what a member made, with all keys that it issued, except the key of the request: a client that
 * replaces its key continues with the new one, which takes over its links. Open invitations and links of whoever loses
 * their key end with it, webhooks stay with who is behind it. Undefined for an unknown key that issued nothing. `refuse`
 * gets the number of owner keys left before anything is changed.
 */
export async function revokeKeys(
  tx: Transaction,
  account: number,
  id: string,
  { by, now, refuse }: { by: AdminActor; now: number; refuse?: (ownersLeft: number) => void },
): Promise<Revoked | undefined> {
  const keys = await tx.apiKeys.list(account)
  const spared = by.key_id === null || by.key_id === id ? undefined : by.key_id
  const revoked = withIssued(keys, id, spared)
  const ownersLeft = keys.filter((key) => isOwner(key, now) && !revoked.includes(key)).length
  if (revoked.some((key) => isOwner(key, now))) refuse?.(ownersLeft)
  const gone = new Map(revoked.map((key) => [key.id, key]))
  /** Who is left of those that issued a key. */
  const heirOf = (issuer: string | null): string | null => {
    const issuerKey = issuer === null ? undefined : gone.get(issuer)
    return issuerKey ? heirOf(issuerKey.issued_by) : issuer
  }
  for (const key of keys)
    if (!gone.has(key.id) && gone.has(key.issued_by ?? ""))
      await tx.apiKeys.pass(account, { ...key, issued_by: heirOf(key.issued_by) })
  await passThings(tx, account, {
    gone,
    heirOf,
    spared: withIssued(keys, id).find((key) => key.id === spared),
    by,
    now,
  })
  for (const key of revoked) {
    await tx.apiKeys.remove(account, key.id)
    const details = { name: key.name, role: key.role, ...(key.id !== id && { with: id }) }
    await recordAdmin(tx, account, "key.revoked", { by, now, target: key.id, details })
  }
  const invited: string[] = []
  for (const maker of new Set([id, ...gone.keys()]))
    invited.push(...(await tx.members.endInvites(account, maker)))
  return revoked.length + invited.length > 0 ? { keys: revoked, invited, ownersLeft } : undefined
}

/**
 * Passes on what revoked keys made: links, and webhooks of a key with an end, to the key that replaces one, else they end;
 * other webhooks to who is behind it.
 */
async function passThings(
  tx: Transaction,
  account: number,
  {
    gone,
    heirOf,
    spared,
    ...noted
  }: {
    gone: ReadonlyMap<string, ApiKeyRow>
    heirOf(issuer: string): string | null
    spared: ApiKeyRow | undefined
    by: AdminActor
    now: number
  },
): Promise<void> {
  const isGone = ({ made_by }: { made_by: string | null }) => made_by !== null && gone.has(made_by)
  const links = (await tx.links.list(account)).filter(isGone)
  if (spared) for (const { id } of links) await tx.links.pass(account, id, spared.id)
  else await endLinks(tx, account, links, noted)
  for (const webhook of (await tx.webhooks.list(account)).filter(isGone)) {
    const made_by = webhook.made_by!
    const hasEnd = gone.get(made_by)?.expires_at != null
    if (!hasEnd) await tx.webhooks.update(account, { ...webhook, made_by: heirOf(made_by) })
    else if (spared) await tx.webhooks.update(account, { ...webhook, made_by: spared.id })
    else
      await tx.webhooks.update(account, {
        ...ended(webhook),
        updated_at: noted.now,
        made_by: heirOf(made_by),
      })
  }
}

/** True for a key with all rights over REST. */
function isOwner(key: ApiKeyRow, now: number): boolean {
  return isWholeOwner(key) && key.kind === "key" && (key.expires_at === null || key.expires_at > now)
}

export const listApiKeys = operation({
  name: "list_api_keys",
  about: "List the account's API keys, without the keys themselves",
  tag: "API keys",
  example: { answers: { 200: [exampleKey] } },
  access: "owner",
  http: "GET /api-keys",
  tool: {},
  output: v.array(ApiKeyOutput),
  async run(ctx) {
    const keys = await ctx.store.read.apiKeys.list(ctx.caller.account.key)
    return keys.map((key) => ({ ...shownKey(key), expires_at: endOfKey(key) }))
  },
})

const newKeyEntries = {
  name: RequiredLine,
  role: v.optional(oneOf(ROLES)),
  expires_at: v.nullish(Moment),
  list_style: v.optional(oneOf(LIST_STYLES)),
  guard: v.optional(oneOf(GUARDS)),
  segment: v.optional(Id),
}
const { list_style: _, ...newKeyToolEntries } = newKeyEntries

export const createApiKey = operation({
  name: "create_api_key",
  about: "Create a named API key; the key is shown only in this answer",
  tag: "API keys",
  note: "The key is in this answer and nowhere else: only its hash is kept. It never may do more than its maker may now, and ends no later.\n\nA key with `segment` sees and writes the leads of that segment alone: others answer 404, a write after which its lead would be outside answers 403, and so do operations that are about more than these leads.",
  says: { 201: "The key, shown only here." },
  example: {
    body: { name: "Web form", role: "editor" },
    answers: { 201: { ...exampleKey, key: "ldb_9fK2..." } },
  },
  access: "owner",
  http: "POST /api-keys",
  tool: {
    guard: () => "always",
    words: {
      role: "Rights; owner when left out",
      expires_at: "Never when left out",
      guard: "plan asks before harm",
      segment: "Bound to its leads",
    },
  },
  input: described(v.strictObject(newKeyEntries), {
    name: "For people.",
    role: "Owner when left out.",
    expires_at: "Unix seconds or an ISO date; null for never.",
    list_style:
      "Style of lists in answers to the key: `object` for client libraries that read `{notes: [...]}`.",
    guard: "`plan` for agents: tools show what they would do before they do harm.",
    segment: "Id of a segment: the key sees and writes its leads alone.",
  }),
  toolInput: v.strictObject(newKeyToolEntries),
  output: described(v.strictObject({ ...keyEntries, key: v.string() }), {
    ...keyWords,
    role: "Owner when left out.",
    kind: "Always `key`.",
    issued_by: "The key that made it.",
    last_used_at: "Unix seconds.",
    key: "The key itself. Shown in this answer and never again.",
  }),
  status: 201,
  async run(ctx, { name, role = "owner", expires_at = null, list_style, guard, segment }) {
    if (expires_at !== null && expires_at <= ctx.now) {
      throw badRequest(`expires_at must be in the future, in Unix seconds; now is ${ctx.now}`)
    }
    const account = ctx.caller.account.key
    return ctx.store.write(account, async (tx) => {
      if (segment !== undefined) await requireSegment(tx, account, segment)
      const asked = { name, role, expires_at, list_style, guard, segment }
      return issueKey(tx, account, asked, ctx.now, adminActor(ctx))
    })
  },
})

const getKey = finder<ApiKeyRow>("API key")

export const deleteApiKey = operation({
  name: "delete_api_key",
  about: "Revoke an API key at once, with the keys that it issued",
  tag: "API keys",
  errors: ["conflict"],
  note: "The keys that it issued are revoked with it, but for the one that revokes, and its links and open invitations. It holds from the moment this answers. The last owner key cannot be revoked.",
  access: "owner",
  http: "DELETE /api-keys/:id",
  tool: {
    words: { id: "Key id, from list_api_keys" },
    preview: previewOne<{ id: string }>(async (ctx, { id }) =>
      shownKey(await getKey(ctx, ctx.store.read.apiKeys, id)),
    ),
  },
  async run(ctx, { id }) {
    const account = ctx.caller.account.key
    const how = { by: adminActor(ctx), now: ctx.now, refuse: refuseLast }
    const done = await ctx.store.write(account, async (tx) =>
      (await tx.apiKeys.find(account, id)) ? revokeKeys(tx, account, id, how) : undefined,
    )
    if (!done) throw notFound("API key")
    return undefined
  },
})

/** Throws `conflict` where no key with all rights would be left. */
export const refusingLast = (message: string) => (ownersLeft: number) => {
  if (ownersLeft === 0) throw new AppError("conflict", message)
}

const refuseLast = refusingLast(
  "This is the last owner key, or has issued all others: create another owner key before revoking it",
)
