// Which lists the database answers by its indexes: they are read where they are asked, the others on reader threads.
import type { Condition } from "../../../core/lead-query.ts"
import type { LeadReads } from "../../contract/store.ts"
import { pgHasOrder } from "./stretches.ts"

const CONDITIONS = 4
const CHEAP = new Set<Condition["on"]>(["number", "tags", "ids", "import", "phone", "source_id"])
const CHEAP_TEXTS = new Set(["eq", "in", "starts_with", "is_empty"])

export const READS_AT_ONCE: Pick<LeadReads, "readsAPage" | "readsLittle"> = {
  readsLittle: () => false,
  readsAPage(_, { all, any }, sort) {
    if (sort.key.on === "attribute" || sort.key.on === "relevance" || !pgHasOrder(sort)) return false
    const conditions = [...all, ...any]
    return conditions.length <= CONDITIONS && conditions.every(isCheap)
  },
}

function isCheap(condition: Condition): boolean {
  return condition.on === "text" ? CHEAP_TEXTS.has(condition.operator) : CHEAP.has(condition.on)
}
