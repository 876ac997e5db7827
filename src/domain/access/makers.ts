// Who is behind a request: what they make is bound to them, and ends with them.
import { earlier, fromTrailKey, isAtLeast, lowest, type Role } from "../../access/rights.ts"
import { AppError, badRequest } from "../../runtime/errors.ts"
import type { LinkRow, TakenJob, Transaction, Webhook } from "../../store/contract/store.ts"
import { type AdminActor, recordAdmin } from "./admin-log.ts"

/** The key or member who makes a thing. */
interface Maker {
  /** Id of the key, member or session; null for the command line. */
  id: string | null
  /** Id of the member behind it; null where there is none. */
  member: string | null
  role: Role
  /** Unix seconds; null for never. */
  ends_at: number | null
}

/** The maker by the id of a key, member or session. Throws `unauthorized` for one that is gone. */
export async function makerOf(
  tx: Pick<Transaction, "apiKeys" | "members">,
  account: number,
  id: string | null,
): Promise<Maker> {
  if (id?.startsWith("key_")) {
    const key = await tx.apiKeys.find(account, id)
    if (!key) throw new AppError("unauthorized", "The API key of this request was revoked meanwhile")
    return { id, member: key.maker, role: key.role, ends_at: key.expires_at }
  }
  if (id?.startsWith("mem_")) {
    const member = await tx.members.find(account, id)
    if (!member) throw new AppError("unauthorized", "The member of this request was removed meanwhile")
    return { id, member: id, role: member.role, ends_at: null }
  }
  return { id, member: null, role: "owner", ends_at: null }
}

/** When a thing ends that its maker wants to end then. Throws `bad_request` for a time after the maker's own end. */
export function endWithin({ ends_at }: Maker, asked: number | null): number | null {
  if (asked === null || ends_at === null || asked <= ends_at) return earlier(asked, ends_at)
  throw badRequest(
    `expires_at must not be later than that of the API key of this request, ${ends_at}: nothing outlives its maker`,
  )
}

/** Links and webhooks that a member made, themselves or by their keys. */
export async function madeBy(
  tx: Transaction,
  account: number,
  member: string,
): Promise<{ links: LinkRow[]; webhooks: Webhook[] }> {
  const keys = (await tx.apiKeys.list(account)).filter(({ maker }) => maker === member)
  const makers = new Set<string | null>([member, ...keys.map(({ id }) => id)])
  const isTheirs = ({ made_by }: { made_by: string | null }) => makers.has(made_by)
  return {
    links: (await tx.links.list(account)).filter(isTheirs),
    webhooks: (await tx.webhooks.list(account)).filter(isTheirs),
  }
}

/** Revokes links whose maker is gone, or may make none any more. */
export async function endLinks(
  tx: Transaction,
  account: number,
  links: readonly Pick<LinkRow, "id">[],
  noted: { by: AdminActor; now: number },
): Promise<void> {
  for (const { id } of links) {
    await tx.links.remove(account, id)
    await recordAdmin(tx, account, "link.revoked", { ...noted, target: id })
  }
}

/**
 * Checks in the transaction of a slice that the key or member who started the job may still write. Throws `forbidden`
 * where they may only read now, `unauthorized` where they are gone or the key has ended; what earlier slices did stays, and can be undone.
 */
export async function assertMayGoOn(tx: Transaction, job: TakenJob, now: number): Promise<void> {
  const { role, ends_at } = await makerOf(tx, job.account, fromTrailKey(job.key_id).keyId)
  if (ends_at !== null && ends_at <= now)
    throw new AppError("unauthorized", "The API key that started the job has expired meanwhile")
  if (isAtLeast(lowest(job.role, role), "editor")) return
  throw new AppError(
    "forbidden",
    "Whoever started the job may only read now. What it did until then can be undone",
  )
}

// Webhooks end with the key that made them.

/** The `disabled_reason` of a webhook that ended with its key. */
export const MAKER_ENDED = "The API key that made it has ended"

/** A webhook as it is at `now`, in Unix seconds: off once its maker has ended, though nothing was to be sent since. */
export function webhookAt(webhook: Webhook, now: number): Webhook {
  const isEnded = webhook.active && webhook.ends_at !== null && webhook.ends_at <= now
  return isEnded ? ended(webhook) : webhook
}

/** A webhook that has ended with its key. */
export function ended(webhook: Webhook): Webhook {
  return webhook.active ? { ...webhook, active: false, disabled_reason: MAKER_ENDED } : webhook
}
