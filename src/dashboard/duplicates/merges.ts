// Merging what is the same, telling apart what is not, and the way back of both.

import { get, post } from "../core/api.ts"
import { plural } from "../core/format.ts"
import { t } from "../core/text.ts"
import { say } from "../core/toast.ts"
import type { ChangeFeed, Duplicate, MergeAnswer, UndoneMerge } from "../core/types.ts"

const REASON = "merge:"
/** As many as the service takes at once. */
export const LOSERS_MOST = 50

/** Makes leads into one; `fields` says whose values are kept, by ids of leads. Resolves to the merge's id. */
export async function merge(
  survivor: string,
  losers: readonly string[],
  fields: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { merge_id } = await post<MergeAnswer>("/leads/merge", {
    survivor,
    losers: losers.slice(0, LOSERS_MOST),
    ...(Object.keys(fields).length > 0 && { fields }),
  })
  return merge_id ?? ""
}

export async function requestUndo(id: string): Promise<void> {
  const { losers, kept } = await post<UndoneMerge>(`/merges/${id}/undo`)
  const left =
    kept.length > 0 ? t("; {values} changed since and kept", { values: plural(kept.length, "value") }) : ""
  say(t("Merge undone: {losers}{left}", { losers: losers.map(({ name }) => name).join(", "), left }))
}

/** The merge that a pair's leads went into one by, which the trail of the lead that is gone names. */
export async function findMerge({ a, b }: Duplicate): Promise<string | undefined> {
  for (const { id } of [b, a]) {
    const { changes } = await get<ChangeFeed>("/changes", { lead_id: id, action: "deleted", view: "diff" })
    const change = changes.find(({ reason }) => reason?.startsWith(REASON))?.reason
    if (change) return change.slice(REASON.length)
  }
  return undefined
}

export const dismissPair = (pair: string) => post<Duplicate>(`/duplicates/${pair}/dismiss`)
export const reopen = (pair: string) => post<Duplicate>(`/duplicates/${pair}/reopen`)
