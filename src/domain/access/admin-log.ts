// The admin log: changes of keys, members, sessions, webhooks and plans, written in the transaction that makes them
// and read by owners.

import * as v from "valibot"
import { named } from "../../lead/described.ts"
import { whole } from "../../lead/fields.ts"
import {
  ADMIN_ACTIONS,
  type AdminAction,
  type AdminEntry,
  type Transaction,
} from "../../store/contract/store.ts"
import { type ExampleFields, NOW } from "../examples.ts"
import { PAGE, pageInput, pagesOf, paging } from "../leads/list/cursor.ts"
import { type Context, operation } from "../operation.ts"

const exampleEntry: ExampleFields = {
  id: "adm_019aa6f6-3c58-7d07-b2a4-91e6f0d8c376",
  action: "key.created",
  key_id: "key_019aa6f0-51c2-7a3e-9d6b-08f4c7e2b915",
  actor_id: "user_42",
  target_id: "key_019aa6f6-3c58-7d07-b2a4-91e6f0d8c375",
  details: { name: "Web form", role: "editor" },
  created_at: NOW,
}

/** The actor of an entry: the API key, and the member that a proxy named; both null on the command line. */
export interface AdminActor {
  key_id: string | null
  actor_id: string | null
  /** Who named an actor beside the key: a proxy by its secret, or a header with an owner's key alone. */
  actor_from?: "proxy" | "header"
}

/** Administrators on the machine need no key. */
export const COMMAND_LINE: AdminActor = { key_id: null, actor_id: null }

export function adminActor({ caller }: Pick<Context, "caller">): AdminActor {
  const { keyId, actorId, isProxied } = caller
  if (actorId === keyId) return { key_id: keyId, actor_id: null }
  const isHeader = keyId.startsWith("key_")
  return {
    ...{ key_id: keyId, actor_id: actorId },
    ...(isHeader && { actor_from: isProxied ? "proxy" : "header" }),
  }
}

/** Records an entry in the current transaction. `now` is in Unix seconds. */
export function recordAdmin(
  tx: Transaction,
  account: number | null,
  action: AdminAction,
  { by: { actor_from, ...by }, now, target = null, details = {} }: Noted,
): Promise<void> {
  return tx.adminLog.record(account, {
    ...{ ...by, action, target_id: target, created_at: now },
    details: { ...details, ...(actor_from && { actor_from }) },
  })
}

interface Noted {
  by: AdminActor
  now: number
  target?: string | null
  details?: AdminEntry["details"]
}

const maybeText = v.nullable(v.string())

const AdminEntryOutput = named(
  "AdminEntry",
  v.strictObject({
    id: v.string(),
    action: v.picklist(ADMIN_ACTIONS),
    key_id: maybeText,
    actor_id: maybeText,
    target_id: maybeText,
    details: v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()]))),
    created_at: whole(0),
  }),
  {
    action: "The action.",
    key_id: "The key that did it; null for the command line.",
    actor_id: "The member whom a dashboard's proxy named.",
    target_id: "Id of the object.",
    details: "Details of the action; `actor_from` as in the feed of changes.",
  },
)

export const listAdminLog = operation({
  name: "list_admin_log",
  about: "Actions on keys, members, webhooks and plans, with the user",
  tag: "API keys",
  note: "Keys made, revoked and used for sign-in, webhooks changed, plans set, the database restored or moved, its secrets encrypted or not. Entries are never changed.",
  access: "owner",
  http: "GET /admin-log",
  input: v.strictObject(pageInput(100)),
  ...pagesOf("entries", AdminEntryOutput, exampleEntry),
  async run(ctx, { limit = PAGE, cursor }) {
    const account = ctx.caller.account.key
    const { after, rest } = paging(ctx, { account, sort: "admin log", filters: [] }, cursor)
    const { entries, next } = await ctx.store.read.adminLog.list(account, { after, limit })
    return { entries, ...rest(next, entries.length) }
  },
})

/** Records what the caller did in their account, to the thing with this id. */
export function recordByCaller(
  ctx: Context,
  tx: Transaction,
  action: AdminAction,
  target: string,
  details?: AdminEntry["details"],
): Promise<void> {
  const noted = { by: adminActor(ctx), now: ctx.now, target, ...(details && { details }) }
  return recordAdmin(tx, ctx.caller.account.key, action, noted)
}
