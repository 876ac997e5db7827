import * as v from "valibot"
import { described } from "../../lead/described.ts"
import { Id } from "../../lead/fields.ts"
import type { Json } from "../../lead/lead.ts"
import { AppError, notFound } from "../../runtime/errors.ts"
import type { DuplicatePair, DuplicateReads } from "../../store/contract/store.ts"
import { type Context, operation, previewOne } from "../operation.ts"
import { examplePair, PairOutput, pairRef, shownPair } from "./output.ts"

const exampleDismissed: Record<string, Json> = { ...examplePair, state: "dismissed" }

/** Throws `not_found`. */
async function getPair(ctx: Context, reads: DuplicateReads, id: string): Promise<DuplicatePair> {
  const ref = pairRef(id)
  const pair = ref === undefined ? undefined : await reads.pair(ctx.caller.account.key, ref)
  if (!pair) throw notFound("Duplicate")
  return pair
}

export const getDuplicate = operation({
  name: "get_duplicate",
  about: "Get one pair of leads that may be the same",
  tag: "Duplicates",
  note: "Both leads as they are now, the older one first, and the reasons for the probability.",
  example: { answers: { 200: examplePair } },
  access: "read",
  http: "GET /duplicates/:id",
  output: PairOutput,
  run: async (ctx, { id }) => shownPair(await getPair(ctx, ctx.store.read.duplicates, id)),
})

export const dismissDuplicate = operation({
  name: "dismiss_duplicate",
  about: "Say that the leads of a pair are not the same; it is remembered for ever",
  tag: "Duplicates",
  errors: ["conflict"],
  note: "The pair stays dismissed until it is opened again. Weights learn from it.",
  example: { answers: { 200: exampleDismissed } },
  access: "write",
  http: "POST /duplicates/:id/dismiss",
  tool: {
    set: "duplicates",
    words: { id: "Pair id, from list_duplicates" },
    preview: previewOne(getDuplicate.run),
  },
  output: PairOutput,
  run: (ctx, { id }) => settle(ctx, id, "dismissed"),
})

export const reopenDuplicate = operation({
  name: "reopen_duplicate",
  about: "Reopen a dismissed pair",
  tag: "Duplicates",
  errors: ["conflict"],
  example: { answers: { 200: examplePair } },
  access: "write",
  http: "POST /duplicates/:id/reopen",
  output: PairOutput,
  run: (ctx, { id }) => settle(ctx, id, "open"),
})

export const updateDuplicate = operation({
  name: "update_duplicate",
  about: "Set the state of a pair: dismissed, or open again",
  tag: "Duplicates",
  errors: ["conflict"],
  example: { body: { state: "dismissed" }, answers: { 200: exampleDismissed } },
  access: "write",
  http: "PATCH /duplicates/:id",
  input: described(
    v.strictObject({
      id: Id,
      state: v.picklist(
        ["open", "dismissed"],
        "must be open or dismissed: leads are merged by POST /leads/merge",
      ),
    }),
    { state: "`dismissed` or `open`." },
  ),
  output: PairOutput,
  run: (ctx, { id, state }) => settle(ctx, id, state),
})

/** Sets a pair's state; no change when it has it already. Throws `conflict` for a merged pair. */
async function settle(ctx: Context, id: string, state: "open" | "dismissed") {
  const account = ctx.caller.account.key
  return ctx.store.write(account, async (tx) => {
    const pair = await getPair(ctx, tx.duplicates, id)
    if (pair.state === "merged")
      throw new AppError(
        "conflict",
        "The leads of this pair were merged: undo that with POST /merges/{id}/undo",
      )
    if (pair.state === state) return shownPair(pair)
    if (state === "dismissed") await tx.duplicates.dismiss(account, pair, ctx.now)
    else await tx.duplicates.reopen(account, pair)
    return shownPair({ ...pair, state })
  })
}
