import type { DuplicateReads } from "../../contract/duplicates.ts"
import type { Db } from "../../sql/db.ts"
import { pairReads } from "../../tables/duplicates/pair-reads.ts"
import { withContacts } from "../../tables/leads/contact-filter.ts"
import { pgHasContacts } from "../leads/contacts.ts"
import { pgFilterSql } from "../statements/filters.ts"

const WAITING = `SELECT (SELECT count(*) FROM duplicate_queue WHERE account_id = $1)
  + (SELECT count(*) FROM duplicate_due WHERE account_id = $1) AS n`

export function pgPairReads(db: Db): Pick<DuplicateReads, "status" | "page" | "pair" | "links"> {
  const hasContacts = pgHasContacts(db)
  return pairReads({
    db,
    documents: "leads",
    resolve: (account, filter) => withContacts(hasContacts, account, filter),
    filterSql: pgFilterSql,
    waiting: async (account) => (await db.get<{ n: number }>(WAITING, [account]))!.n,
  })
}
