// Size limits of a lead and of an account.

import type { LeadData } from "../../../lead/lead.ts"
import { AppError } from "../../../runtime/errors.ts"
import type { LeadRow, PushTransaction } from "../../../store/contract/store.ts"
import { grouped } from "../../../text/text.ts"
import type { Context } from "../../operation.ts"

/** Bytes of a lead's JSON text. */
export const LEAD_BYTES_MAX = 256 * 1024

/**
 * Throws a `too_large` that names the largest part of a lead above 256 KiB of JSON. A lead that was larger before may
 * shrink.
 */
export function refuseLarge(after: LeadData, row: Pick<LeadRow, "room" | "json">, before?: LeadData): void {
  // Room may be counted in UTF-16 units, which take at most three bytes.
  if (row.room * 3 <= LEAD_BYTES_MAX) return
  const bytes = Buffer.byteLength(row.json())
  if (bytes <= LEAD_BYTES_MAX) return
  if (before && bytes < Buffer.byteLength(JSON.stringify(before))) return
  const parts = Object.entries(after).flatMap(([name, value]) =>
    name === "attributes"
      ? after.attributes.map((one) => [`attribute "${one.name}"`, sizeOf(one)] as const)
      : [[name, sizeOf(value)] as const],
  )
  const [name, size] = parts.reduce((most, part) => (part[1] > most[1] ? part : most))
  throw new AppError(
    "too_large",
    `A lead is at most 256 KiB of JSON, this one would be ${kib(bytes)}; its largest part is ${name} with ${kib(size)}`,
  )
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "")
}

function kib(bytes: number): string {
  return `${grouped(Math.ceil(bytes / 1024))} KiB`
}

/** Throws `storage_limit_reached` when an account has used up its storage; changes that shrink it are still allowed. */
export async function checkStorage(
  ctx: Context,
  { accounts }: { accounts: Pick<PushTransaction["accounts"], "storedBytes"> },
): Promise<void> {
  const { key, plan, limits } = ctx.caller.account
  if (limits.storage === null || (await accounts.storedBytes(key)) < limits.storage) return
  throw new AppError(
    "storage_limit_reached",
    `The ${plan} plan keeps at most ${grouped(Math.floor(limits.storage / 1_000_000))} MB and all are used; ` +
      "delete leads or notes that are no longer needed, or move to a larger plan",
  )
}
