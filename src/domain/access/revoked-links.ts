import type { Transaction } from "../../store/contract/store.ts"
import type { Context } from "../operation.ts"
import { adminActor, recordAdmin } from "./admin-log.ts"

/** Records in the admin log that a link was revoked. */
export function recordRevoked(ctx: Context, tx: Transaction, link: string): Promise<void> {
  const noted = { by: adminActor(ctx), now: ctx.now, target: link }
  return recordAdmin(tx, ctx.caller.account.key, "link.revoked", noted)
}
