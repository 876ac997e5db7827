// What ends or gets smaller with a member's rights, when they are removed or get a lower role.
import * as v from "valibot"
import { isAtLeast, type Role } from "../../access/rights.ts"
import { named } from "../../lead/described.ts"
import type {
  ApiKeyRow,
  LinkRow,
  MemberRow,
  SessionRow,
  Transaction,
  Webhook,
} from "../../store/contract/store.ts"
import type { AdminActor } from "./admin-log.ts"
import { revokeKeys } from "./api-keys.ts"
import { endLinks, madeBy } from "./makers.ts"

const Item = v.strictObject({ id: v.string() })
const Named = v.strictObject({ ...Item.entries, name: v.string() })

/** What a member loses, in answers. */
export const lossEntries = {
  revoked: named(
    "RevokedRights",
    v.strictObject({
      api_keys: v.array(Named),
      invitations: v.array(Named),
      links: v.array(Item),
      sessions: v.array(Item),
    }),
    {
      "api_keys[].name": "Its name.",
      "invitations[].name": "Of the invited member.",
      api_keys: "API keys.",
      invitations: "Open invitations.",
      links: "Public links.",
      sessions: "Browser sessions.",
    },
  ),
  webhooks: v.array(v.strictObject({ ...Item.entries, url: v.string(), active: v.boolean() })),
}

export const lossWords = {
  "webhooks[].url": "Its target.",
  "webhooks[].active": "Whether it goes on.",
  revoked: "What ended, or can do less now.",
  webhooks: "Webhooks of the member.",
}

/** What a member loses. */
export interface Loss {
  keys: readonly ApiKeyRow[]
  /** Ids of members. */
  invited: readonly string[]
  links: readonly LinkRow[]
  sessions: readonly SessionRow[]
  webhooks: readonly Webhook[]
}

/** A loss in the form of answers; `members` gives the names of those who were invited. */
export function lossOutput(
  { keys, invited, links, sessions, webhooks }: Loss,
  members: readonly MemberRow[],
) {
  const nameOf = (id: string) => members.find((member) => member.id === id)?.name ?? ""
  return {
    revoked: {
      api_keys: keys.map(({ id, name }) => ({ id, name })),
      invitations: invited.map((id) => ({ id, name: nameOf(id) })),
      links: links.map(({ id }) => ({ id })),
      sessions: sessions.map(({ id }) => ({ id })),
    },
    webhooks: webhooks.map(({ id, url, active }) => ({ id, url, active })),
  }
}

interface Noted {
  by: AdminActor
  now: number
}

/**
 * Gives a member another role. With a lower one their keys and sessions can do less from now on, which follows from the
 * role; open invitations end when they are no owner any more, and links when they may only read. Undefined where nothing
 * is lowered.
 */
export async function changeRole(
  tx: Transaction,
  account: number,
  { id, role: before }: Pick<MemberRow, "id" | "role">,
  role: Role,
  noted: Noted,
): Promise<Loss | undefined> {
  const isLowered = !isAtLeast(role, before)
  const rights = async () => ({
    keys: await tx.apiKeys.list(account),
    sessions: await tx.sessions.list(account),
  })
  const had = isLowered ? await rights() : undefined
  await tx.members.setRole(account, id, role)
  if (!had) return undefined
  const has = await rights()
  const isLess = (one: { id: string; role: Role }, all: readonly { id: string; role: Role }[]) =>
    all.find((earlier) => earlier.id === one.id)?.role !== one.role
  const invited = await tx.members.endInvites(account, id)
  for (const key of has.keys)
    if (key.maker === id) invited.push(...(await tx.members.endInvites(account, key.id)))
  const { links, webhooks } = await madeBy(tx, account, id)
  const ended = role === "viewer" ? links : []
  await endLinks(tx, account, ended, noted)
  return {
    keys: has.keys.filter((key) => isLess(key, had.keys)),
    sessions: has.sessions.filter((session) => isLess(session, had.sessions)),
    ...{ invited, links: ended, webhooks },
  }
}

/** What stays of the things that a removed member made. */
export interface Kept {
  keys: boolean
  links: boolean
  webhooks: boolean
}

const STOPPED = "The member who made it was removed"

/**
 * Ends what a member made, who is about to be removed. What stays is taken over by `heir`, the id of the member who
 * removes them, or by nobody whose rights bound it. Throws what `refuse` throws.
 */
export async function endThings(
  tx: Transaction,
  account: number,
  id: string,
  { kept, heir, refuse, ...noted }: Noted & { kept: Kept; heir: string | null; refuse(left: number): void },
): Promise<Loss> {
  const { links, webhooks } = await madeBy(tx, account, id)
  const sessions = await tx.sessions.list(account)
  if (kept.links) for (const link of links) await tx.links.pass(account, link.id, heir)
  else await endLinks(tx, account, links, noted)
  const stay = webhooks.map((webhook) =>
    kept.webhooks || !webhook.active
      ? webhook
      : { ...webhook, active: false, disabled_reason: STOPPED, updated_at: noted.now },
  )
  for (const webhook of stay) await tx.webhooks.update(account, { ...webhook, made_by: heir })
  const revoked = kept.keys
    ? await passKeys(tx, account, id, heir)
    : await revokeKeys(tx, account, id, { ...noted, refuse })
  const keys = revoked?.keys ?? []
  const isEnded = ({ member_id, key_id }: SessionRow) =>
    member_id === id || keys.some((key) => key.id === key_id)
  return {
    ...{ keys, invited: revoked?.invited ?? [], links: kept.links ? [] : links },
    ...{ sessions: sessions.filter(isEnded), webhooks: stay },
  }
}

/** Gives the keys and open invitations of a member to another, with no more rights than they have now. */
async function passKeys(
  tx: Transaction,
  account: number,
  id: string,
  heir: string | null,
): Promise<undefined> {
  for (const key of await tx.apiKeys.list(account)) {
    if (key.maker !== id) continue
    const issued_by = key.issued_by === id ? heir : key.issued_by
    await tx.apiKeys.pass(account, { ...key, issued_by, maker: heir })
  }
  await tx.members.passInvites(account, id, heir)
}
