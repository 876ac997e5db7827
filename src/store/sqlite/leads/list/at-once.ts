// Which questions read about a page of the database: they are answered where they are asked, the others on reader threads.
import type { Database } from "bun:sqlite"
import {
  type Condition,
  isEmptyFilter,
  type LeadFilter,
  type LeadSort,
} from "../../../../filters/lead-query.ts"
import type { LeadReads } from "../../../contract/store.ts"
import { leadCount } from "../counts.ts"
import { isHeavy } from "../filters.ts"
import { composedIndex } from "./drivers.ts"
import { hasOrder } from "./stretches.ts"

/** Leads of an account that take about as long to read as a page. */
const SMALL = 200
/** Conditions that are tested on each of them. */
const CONDITIONS = 4
/** Conditions that cost little for any lead. */
const CHEAP = new Set<Condition["on"]>([
  "text",
  "number",
  "tags",
  "location",
  "ids",
  "import",
  "phone",
  "digits",
  "source_id",
])
/** Fields whose values at most one lead of an account has. */
const UNIQUE = new Set<string>(["email", "source_id"])

export function readsAtOnce(db: Database): Pick<LeadReads, "readsAPage" | "readsLittle"> {
  const leadsIn = leadCount(db)

  function readsLittle(account: number, filter: LeadFilter): boolean {
    const conditions = [...filter.all, ...filter.any]
    const isCheap = conditions.length <= CONDITIONS && conditions.every(({ on }) => CHEAP.has(on))
    return isCheap && !isHeavy(filter) && leadsIn(account) <= SMALL
  }

  return {
    readsLittle,
    readsAPage(account, filter, sort) {
      if (sort.key.on === "attribute" || sort.key.on === "relevance") return false
      return isAlongIndex(filter, sort) || isOfOneLead(filter) || readsLittle(account, filter)
    },
  }
}

/** Whether all leads of a stretch of an index are in the list, in its order. */
function isAlongIndex(filter: LeadFilter, sort: LeadSort): boolean {
  if (isEmptyFilter(filter)) return hasOrder(sort)
  return filter.all.length + filter.any.length === 1 && composedIndex(filter, sort) !== undefined
}

function isOfOneLead({ all, any }: LeadFilter): boolean {
  const [one] = all
  if (all.length !== 1 || any.length > 0 || one === undefined || one.not) return false
  if (one.on !== "text") return one.on === "source_id"
  return one.operator === "eq" && UNIQUE.has(one.field)
}
