import { timingSafeEqual } from "node:crypto"
import { badRequest } from "../../../core/errors.ts"
import type { Position } from "../../../store/contract/store.ts"

/** The list that a cursor is valid for: an account, a sort and filters. */
export interface CursorScope {
  account: number
  sort: string
  filters: readonly string[]
}

/** Base64url characters of the signature: 96 bits. */
const SIGNATURE_LENGTH = 16

/** Encodes a position in a list, signed together with the list's scope. */
export function encodeCursor(secret: Uint8Array, scope: CursorScope, position: Position): string {
  const payload = Buffer.from(position).toString("base64url")
  return signature(secret, scope, payload) + payload
}

/** Throws `bad_request` for a cursor that is forged, damaged, or of a list with another sort or filters. */
export function decodeCursor(secret: Uint8Array, scope: CursorScope, cursor: string): Position {
  const payload = cursor.slice(SIGNATURE_LENGTH)
  const signed = Buffer.from(cursor.slice(0, SIGNATURE_LENGTH))
  const expected = Buffer.from(signature(secret, scope, payload))
  if (signed.length !== expected.length || !timingSafeEqual(signed, expected)) {
    throw badRequest(
      "cursor does not belong to this list: pass next_cursor unchanged, with the same filter, sort_by and " +
        "sort_order as before, or leave it out to start again",
    )
  }
  return Buffer.from(payload, "base64url").toString()
}

function signature(secret: Uint8Array, { account, sort, filters }: CursorScope, payload: string): string {
  return new Bun.CryptoHasher("sha256", secret)
    .update(JSON.stringify([account, sort, filters.toSorted(), payload]))
    .digest("base64url")
    .slice(0, SIGNATURE_LENGTH)
}
