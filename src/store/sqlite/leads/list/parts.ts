// Divides all leads of an account into parts that are read one at a time, yielding between them: where no index helps.
import type { Database } from "bun:sqlite"
import { type Fragment, fragment, join } from "../../../../filters/fragment.ts"
import { type Condition, type LeadFilter, rankedWords } from "../../../../filters/lead-query.ts"
import { createSlices, prepare, type SlicesOf } from "../../connection/database.ts"
import { leadShare } from "../../derived/counts.ts"
import type { TailedWords } from "../../derived/lacking.ts"
import { matching, matchText } from "../../derived/word-match.ts"
import { isHeavy } from "../filters.ts"
import { valueIndex } from "./drivers.ts"

/** A part of an account's leads: what follows `FROM`, leads as `l`, and a condition beside that on the account. */
interface AccountPart {
  from: string
  where: Fragment
}

export interface AccountParts {
  /** All leads of an account among which are those that a filter matches. */
  of(account: number, filter: LeadFilter): AsyncGenerator<AccountPart>
  /** Conditions that need no other test, since the parts have just the leads that match them. */
  tested(filter: LeadFilter): Condition[]
}

/** Reading so many leads as they lie takes as long as looking up one that an index names. */
const LOOKUP = 8

const WITH_WORDS = "lead_words CROSS JOIN leads l ON l.rid = lead_words.rowid"

export function createParts(db: Database, slicesOf: SlicesOf = createSlices): AccountParts {
  const newest = prepare<{ rid: number | null }>(db, "SELECT max(rid) AS rid FROM leads")
  const share = leadShare(db)
  const further = prepare<{ id: string }>(
    db,
    "SELECT id FROM leads INDEXED BY leads_id WHERE account_id = ? AND id > ? ORDER BY id LIMIT 1 OFFSET ?",
  )

  function tested(filter: LeadFilter): Condition[] {
    const words = rankedWords(filter)
    return words ? [words] : []
  }

  async function* parts(account: number, filter: LeadFilter): AsyncGenerator<AccountPart> {
    const words: TailedWords | undefined = rankedWords(filter)
    if (words) {
      yield* partsByRid(
        WITH_WORDS,
        isHeavy(filter),
        matching(matchText(account, words), words.tail),
        "lead_words.rowid",
      )
      yield* partsOf(words.tail?.hits ?? [], isHeavy(filter))
      return
    }
    const index = valueIndex(filter)
    const { own: ownLeads, total } = share(account)
    if (!index && ownLeads * LOOKUP < total) yield* partsById(account, isHeavy(filter))
    // Left alone, SQLite reads all entries of an account in some index for each part.
    else yield* partsByRid(`leads l ${index || "NOT INDEXED"}`, isHeavy(filter))
  }

  async function* partsByRid(
    from: string,
    heavy: boolean,
    also: Fragment = fragment("1"),
    rid = "l.rid",
  ): AsyncGenerator<AccountPart> {
    const slices = slicesOf(heavy)
    const end = newest.get()?.rid ?? 0
    for (let low = 0; low < end; ) {
      const high = low + slices.size()
      const between = fragment(`${rid} > ? AND ${rid} <= ?`, low, high)
      yield { from, where: join([also, between], " AND ") }
      low = high
      await slices.yieldIfDue()
    }
  }

  async function* partsOf(rids: readonly number[], heavy: boolean): AsyncGenerator<AccountPart> {
    const slices = slicesOf(heavy)
    for (let at = 0; at < rids.length; ) {
      const some = rids.slice(at, at + slices.size())
      yield {
        from: "leads l",
        where: fragment("l.rid IN (SELECT value FROM json_each(?))", JSON.stringify(some)),
      }
      at += some.length
      await slices.yieldIfDue()
    }
  }

  async function* partsById(account: number, heavy: boolean): AsyncGenerator<AccountPart> {
    const from = "leads l INDEXED BY leads_id"
    const slices = slicesOf(heavy)
    for (let low = ""; ; ) {
      const high = further.get(account, low, slices.size() - 1)?.id
      yield {
        from,
        where: high ? fragment("l.id > ? AND l.id <= ?", low, high) : fragment("l.id > ?", low),
      }
      if (!high) return
      low = high
      await slices.yieldIfDue()
    }
  }

  return { of: parts, tested }
}
