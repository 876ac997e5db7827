// The tags of an account's leads, out of their index alone: documents take ten times as long to read.
import type { createStatementCache, SlicesOf } from "../connection/database.ts"
import { createIndexSlices } from "./index-slices.ts"

const TAGS = { table: "lead_tags", column: "tag" } as const

/** Some of the leads with a tag, by their rids, in order; a tag comes once or several times. */
interface Tagged {
  tag: string
  rids: number[]
}

/** Reads all tags of an account's leads, slice by slice. */
export async function* tagged(
  prepared: ReturnType<typeof createStatementCache>,
  account: number,
  slicesOf: SlicesOf,
): AsyncGenerator<Tagged> {
  // Also few leads may have very many tags.
  const { all } = createIndexSlices(prepared, account, slicesOf(), false)
  for await (const { rows } of all(TAGS)) {
    // One text of many numbers is read in half the time that as many rows take.
    const sql = `SELECT tag, group_concat(rid) FROM ${rows.sql} GROUP BY tag`
    for (const [tag, rids] of prepared(sql).values(...rows.params) as [string, string][])
      yield { tag, rids: JSON.parse(`[${rids}]`) }
  }
}

/** Gives the tags of one lead after the other; none for a lead without. */
export type TagsOf = (rid: number) => readonly string[]

const NONE: readonly string[] = []

export async function readTags(
  prepared: ReturnType<typeof createStatementCache>,
  account: number,
  slicesOf: SlicesOf,
): Promise<TagsOf> {
  const names: string[] = []
  // Of each lead its last entry; of each entry its tag, and the lead's entry before it.
  const last = new Map<number, number>()
  const tags: number[] = []
  const before: number[] = []
  for await (const { tag, rids } of tagged(prepared, account, slicesOf)) {
    if (names.at(-1) !== tag) names.push(tag)
    for (const rid of rids) {
      before.push(last.get(rid) ?? -1)
      last.set(rid, tags.length)
      tags.push(names.length - 1)
    }
  }
  return (rid) => {
    let entry = last.get(rid)
    if (entry === undefined) return NONE
    const list: string[] = []
    for (; entry >= 0; entry = before[entry]!) list.push(names[tags[entry]!]!)
    return list
  }
}
