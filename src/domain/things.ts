// What operations on an account's things have in common.
import { AppError, badRequest, notFound } from "../runtime/errors.ts"
import { isThisMachine } from "../runtime/network.ts"
import type { Transaction } from "../store/contract/store.ts"
import { excerpt } from "../text/text.ts"
import type { Context, ReadContext } from "./operation.ts"

interface Finds<Thing> {
  find(account: number, id: string): Promise<Thing | undefined>
}

/** Finds things of the caller's account by id, `what` in messages. Throws `not_found` for a missing one and another account's. */
export function finder<Thing>(what: string) {
  return async ({ caller }: ReadContext, reads: Finds<Thing>, id: string): Promise<Thing> => {
    const thing = await reads.find(caller.account.key, id)
    if (!thing) throw notFound(what)
    return thing
  }
}

/**
 * The work of an operation that deletes a thing by its id, `what` in messages, in one transaction. Throws `not_found` where
 * `remove` says that there is none.
 */
export function deleting(
  what: string,
  remove: (tx: Transaction, account: number, id: string, ctx: Context) => Promise<boolean>,
) {
  return async (ctx: Context, { id }: { id: string }): Promise<undefined> => {
    const account = ctx.caller.account.key
    const isThere = await ctx.store.write(account, (tx) => remove(tx, account, id, ctx))
    if (!isThere) throw notFound(what)
  }
}

/** Throws `bad_request` where the account has no segment of this id. */
export async function requireSegment(tx: Transaction, account: number, id: string): Promise<void> {
  if (!(await tx.segments.find(account, id)))
    throw badRequest(`there is no segment "${excerpt(id)}": GET /segments lists them`)
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** The fields of a change that were sent, which replace those of a thing. */
export function given<T extends object>(sent: T): Given<T> {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as Given<T>
}

/** Throws `conflict` for an account that has as many of something, `what` in the message, as it may. */
export function refuseFull(
  existing: readonly unknown[],
  most: number,
  what: string,
  remedy = "delete or change one",
): void {
  if (existing.length < most) return
  throw new AppError("conflict", `An account keeps at most ${most} ${what} and all are used; ${remedy}`)
}

/** The origin for links that work on another machine as well, where the service is reached from there at all. */
export function linkOrigin({
  visit,
  origin,
  network,
}: Pick<Context, "visit" | "origin" | "network">): string {
  const here = visit?.origin ?? ""
  if (here !== "" && !isThisMachine(here)) return here
  const address = origin()
  return address !== undefined && !isThisMachine(address)
    ? address
    : (network()[0] ?? (here || (address ?? "")))
}
