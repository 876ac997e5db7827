// Divides all leads of an account into parts that are read one at a time, yielding between them: where no index helps.
import type { Database } from "bun:sqlite"
import { type Fragment, fragment, join } from "../../../../filters/fragment.ts"
import {
  type Condition,
  isEmptyFilter,
  type LeadFilter,
  rankedWords,
  without,
} from "../../../../filters/lead-query.ts"
import { checkpoint } from "../../../../runtime/event-loop.ts"
import type { LeadReads } from "../../../contract/store.ts"
import { createSlices, prepare, type SlicesOf, type StatementCache } from "../../connection/database.ts"
import { leadCount, leadShare } from "../../derived/counts.ts"
import type { TailedWords } from "../../derived/lacking.ts"
import { matching, matchText } from "../../derived/word-match.ts"
import { filterSql, isHeavy } from "../filters.ts"
import type { DriverChoice } from "./choice.ts"
import { valueIndex } from "./drivers.ts"
import { leadsOf } from "./stretches.ts"

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

/** A question about some leads, which its statement has as `l`. */
interface PartQuestion {
  select: Fragment
  /** Joins to the leads. */
  joins?: Fragment
}

/** The question, by whether few leads match and are looked up one by one. */
type QuestionFor = (isFew: boolean) => Promise<PartQuestion>

/** The answer of a part, which is read once, before the next part. Rows come as lists of columns. */
interface PartAnswer<Row> {
  all(): Row[]
  /** Row by row, for questions that may have very many: the columns need names of their own. */
  each(): Iterable<Row>
}

export type EachPart = <Row extends unknown[]>(
  account: number,
  filter: LeadFilter,
  question: PartQuestion | QuestionFor,
) => AsyncGenerator<PartAnswer<Row>>

/** Rows between two looks whether the work is to end. */
const CHECKED = 4096

/** Answers a question about all leads that a filter matches: once for a driver's few, else part by part. */
export function createEachPart(
  prepared: StatementCache,
  choose: DriverChoice,
  parts: AccountParts,
  slicesOf: SlicesOf = createSlices,
): EachPart {
  return async function* eachPart<Row extends unknown[]>(
    account: number,
    filter: LeadFilter,
    question: PartQuestion | QuestionFor,
  ) {
    const driver = await choose.few(account, filter, 1_000)
    const asked = typeof question === "function" ? await question(driver !== undefined) : question
    const { select, joins = fragment("") } = asked
    const ask = (from: Fragment, where: Fragment): PartAnswer<Row> => {
      const statement = prepared(`SELECT ${select.sql} FROM ${from.sql} ${joins.sql} WHERE ${where.sql}`)
      const params = [...select.params, ...from.params, ...joins.params, ...where.params]
      return {
        all: () => statement.values(...params) as Row[],
        *each() {
          let seen = 0
          for (const row of statement.iterate(...params)) {
            if (++seen % CHECKED === 0) checkpoint()
            yield Object.values(row as object) as Row
          }
        },
      }
    }
    const test = filterSql(account, without(filter, driver?.tested ?? parts.tested(filter)), "l.rid")
    const where = fragment(`l.account_id = ? AND ${test.sql}`, account, ...test.params)
    if (driver) {
      // In the order in which they lie.
      const rids = (JSON.parse(driver.rids) as number[]).sort((a, b) => a - b)
      const slices = slicesOf()
      for (let at = 0, size = slices.size(); at < rids.length; at += size, size = slices.size()) {
        yield ask(leadsOf({ ...driver, rids: JSON.stringify(rids.slice(at, at + size)) }), where)
        if (at + size < rids.length) await slices.yieldIfDue()
      }
    } else {
      for await (const part of parts.of(account, filter)) {
        const inPart = fragment(`${part.where.sql} AND ${where.sql}`, ...part.where.params, ...where.params)
        yield ask(fragment(part.from), inPart)
      }
    }
  }
}

// Questions about all matching leads: their number, their ids, their attribute names.

/** Hops from name to name in the index, so that its cost is the number of names, not of leads. */
const ALL_ATTRIBUTE_NAMES = `WITH RECURSIVE names (name) AS (
    SELECT min(name) FROM lead_attributes WHERE account_id = ?
    UNION ALL
    SELECT (SELECT min(a.name) FROM lead_attributes a WHERE a.account_id = ? AND a.name > names.name)
    FROM names WHERE names.name IS NOT NULL
  ) SELECT name FROM names WHERE name IS NOT NULL`

export function filteredLeads(
  db: Database,
  prepared: StatementCache,
  eachPart: EachPart,
): Pick<LeadReads, "count" | "ids" | "attributeNames"> {
  const leadsIn = leadCount(db)

  async function count(account: number, filter: LeadFilter): Promise<number> {
    if (isEmptyFilter(filter)) return leadsIn(account)
    let sum = 0
    const question = { select: fragment("count(*) AS n") }
    for await (const part of eachPart<[n: number]>(account, filter, question)) sum += part.all()[0]![0]
    return sum
  }

  async function ids(account: number, filter: LeadFilter): Promise<string[]> {
    const all: string[] = []
    for await (const part of eachPart<[id: string]>(account, filter, { select: fragment("l.id") }))
      for (const [id] of part.all()) all.push(id)
    return all
  }

  async function attributeNames(account: number, filter: LeadFilter): Promise<string[]> {
    if (isEmptyFilter(filter)) {
      const rows = prepared<{ name: string }>(ALL_ATTRIBUTE_NAMES).all(account, account)
      return rows.map((row) => row.name)
    }
    const names = new Set<string>()
    const question = {
      select: fragment("DISTINCT a.value ->> '$.name' AS name"),
      joins: fragment("CROSS JOIN lead_documents d ON d.rid = l.rid, json_each(d.data, '$.attributes') a"),
    }
    for await (const part of eachPart<[name: string]>(account, filter, question)) {
      for (const [name] of part.all()) names.add(name)
    }
    return prepared<{ name: string }>("SELECT value AS name FROM json_each(?) ORDER BY 1")
      .all(JSON.stringify([...names]))
      .map((row) => row.name)
  }

  return { count, ids, attributeNames }
}
