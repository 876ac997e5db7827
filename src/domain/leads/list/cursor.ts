import * as v from "valibot"
import { isSigned, signatureOf } from "../../../access/sealed.ts"
import { described } from "../../../lead/described.ts"
import { whole } from "../../../lead/fields.ts"
import type { Json } from "../../../lead/lead.ts"
import { AppError, badRequest } from "../../../runtime/errors.ts"
import type { Position } from "../../../store/contract/store.ts"

/** The list that a cursor is valid for: an account, a sort and filters. */
interface CursorScope {
  account: number
  sort: string
  filters: readonly string[]
  /**
   * Of a list whose positions hold numbers of leads: the numberings that they may hold for, the current one last, with commas
   * between them.
   */
  numberings?: string | undefined
}

/** Base64url characters of the signature: 96 bits. */
const SIGNATURE_LENGTH = 16

/** Encodes a position in a list, signed together with the list's scope. */
export function encodeCursor(secret: Uint8Array, scope: CursorScope, position: Position): string {
  const payload = Buffer.from(position).toString("base64url")
  return signature(secret, scope, payload) + payload
}

/**
 * Throws `bad_request` for a cursor that is forged, damaged, or of a list with another sort or filters, and
 * `cursor_expired` for one from before a move.
 */
export function decodeCursor(secret: Uint8Array, scope: CursorScope, cursor: string): Position {
  const payload = cursor.slice(SIGNATURE_LENGTH)
  const signed = cursor.slice(0, SIGNATURE_LENGTH)
  const isSignedBy = (candidate: CursorScope) => isSigned(signed, signature(secret, candidate, payload))
  if (!isSignedBy(scope)) {
    if (olderOf(scope).some(isSignedBy))
      throw new AppError(
        "cursor_expired",
        "The database was moved since this cursor was given: leave it out to start again",
      )
    throw badRequest(
      "cursor does not belong to this list: pass next_cursor unchanged, with the same filter, sort_by and " +
        "sort_order as before, or leave it out to start again",
    )
  }
  return Buffer.from(payload, "base64url").toString()
}

/** The scope as it was before the last moves. */
function olderOf({ numberings, ...scope }: CursorScope): CursorScope[] {
  const all = numberings?.split(",") ?? []
  return all.map((_, i) => ({ ...scope, numberings: i === 0 ? undefined : all.slice(0, i).join() }))
}

function signature(
  secret: Uint8Array,
  { account, sort, filters, numberings }: CursorScope,
  payload: string,
): string {
  const signed = [account, sort, filters.toSorted(), payload, ...(numberings ? [numberings] : [])]
  return signatureOf(secret, JSON.stringify(signed)).slice(0, SIGNATURE_LENGTH)
}

/** Items of a page where a request does not say how many. */
export const PAGE = 50

/** Entries of a request for a page of at most so many items; `told` is what the document says of no `limit`. */
export const pageInput = <const T extends number | undefined = undefined>(most: number, told?: T) => ({
  limit: v.optional(whole(1, most), told as T),
  cursor: v.optional(v.string("must be text")),
})

/** Entries of an answer that is a page. */
export const pageEntries = { next_cursor: v.nullable(v.string()), has_more: v.boolean(), count: whole(0) }

/** The example and the output, for the OpenAPI document, of an operation that lists these items by pages. */
export function pagesOf(items: string, item: v.GenericSchema, example: Json) {
  return {
    example: { answers: { 200: examplePage(items, example) } },
    output: described(v.strictObject({ [items]: v.array(item), ...pageEntries }), {
      [items]: "Newest first.",
    }),
  }
}

export const examplePage = (items: string, example: Json) => ({
  ...{ [items]: [example], next_cursor: null, has_more: false, count: 1 },
})

/**
 * A list that goes on by cursors: `after` is the position of the one that was sent, and `rest` what an answer says behind its
 * items, `next` being the position where the next page begins. Throws `bad_request` for a cursor of another list.
 */
export function paging({ secret }: { secret: Uint8Array }, scope: CursorScope, cursor: string | undefined) {
  return {
    after: cursor === undefined ? undefined : decodeCursor(secret, scope, cursor),
    rest: (next: string | undefined, count: number) => ({
      next_cursor: next === undefined ? null : encodeCursor(secret, scope, next),
      has_more: next !== undefined,
      count,
    }),
  }
}
