import { type Fragment, fragment } from "../../../../filters/fragment.ts"
import type { LeadFilter } from "../../../../lead/lead-query.ts"
import { checkpoint } from "../../../../runtime/event-loop.ts"
import { without } from "../../../tables/leads/ranked-words.ts"
import type { StatementCache } from "../../connection/statement-cache.ts"
import { type SlicesOf, slicesFor } from "../../queue/slices.ts"
import { filterSql } from "../filters.ts"
import type { DriverChoice } from "./choice.ts"
import type { AccountParts } from "./parts.ts"
import { leadsOf } from "./stretches.ts"

/** A question about some leads, which its statement has as `l`. */
export interface PartQuestion {
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
  slicesOf: SlicesOf = slicesFor,
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
