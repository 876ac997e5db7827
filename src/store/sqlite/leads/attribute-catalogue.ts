// Catalogue of the attributes that an account's leads have, counted name by name in slices.
import type { Database } from "bun:sqlite"
import type { AttributeType } from "../../../lead/lead.ts"
import type { CataloguedAttribute, LeadReads } from "../../contract/store.ts"
import {
  addSeen,
  byLeads,
  catalogueEntry,
  NAMES_MAX,
  type Seen,
  type Tally,
} from "../../tables/leads/attribute-tally.ts"
import { createSlices, prepare, type Slices } from "../connection/database.ts"

/** Accounts whose catalogue is kept. */
const KEPT_MAX = 20

/** With `keeps`, for a connection that sees nothing but what is committed, what was counted is told until a lead changes. */
export function attributeCatalogue(
  db: Database,
  keeps: boolean,
): Pick<LeadReads, "attributeCatalogue" | "hasAttribute"> {
  const nextName = prepare<{ name: string | null }>(
    db,
    "SELECT min(name) AS name FROM lead_attributes WHERE account_id = ? AND name > ?",
  )
  const has = prepare<{ one: number }>(
    db,
    "SELECT 1 AS one FROM lead_attributes WHERE account_id = ? AND name = ? LIMIT 1",
  )
  const ahead = prepare<{ rid: number }>(
    db,
    "SELECT rid FROM lead_attributes WHERE account_id = ? AND name = ? AND rid > ? ORDER BY rid LIMIT 1 OFFSET ?",
  )
  const counted = prepare<Seen>(
    db,
    `SELECT type, text, count(*) AS n, count(*) FILTER (WHERE item = 0) AS leads, min(number) AS min,
      max(number) AS max, min(rid) AS oldest FROM lead_attributes
      WHERE account_id = ? AND name = ? AND rid > ? AND rid <= ? GROUP BY type, text`,
  )
  const document = prepare<{ data: string }>(
    db,
    "SELECT data FROM lead_documents WHERE account_id = ? AND rid = ?",
  )

  /** Every change of a lead moves it, in the transaction of the change. */
  const trailHead = prepare<{ head: number }>(db, "SELECT trail_head AS head FROM accounts WHERE key = ?")
  const headOf = (account: number) => trailHead.get(account)?.head
  const byAccount = new Map<number, { head: number | undefined; all: CataloguedAttribute[] }>()

  /** Keeps what was counted while nothing changed. */
  function keep(account: number, head: number | undefined, all: CataloguedAttribute[]): void {
    byAccount.delete(account)
    if (headOf(account) !== head) return
    if (byAccount.size >= KEPT_MAX) byAccount.delete(byAccount.keys().next().value!)
    byAccount.set(account, { head, all })
  }

  async function tallies(account: number, name: string, slices: Slices): Promise<Map<AttributeType, Tally>> {
    const types = new Map<AttributeType, Tally>()
    for (let low = 0; ; ) {
      const high = ahead.get(account, name, low, slices.size())?.rid ?? Number.MAX_SAFE_INTEGER
      for (const seen of counted.all(account, name, low, high)) addSeen(types, seen)
      await slices.yieldIfDue()
      if (high === Number.MAX_SAFE_INTEGER) return types
      low = high
    }
  }

  return {
    async attributeCatalogue(account) {
      const head = headOf(account)
      const cached = byAccount.get(account)
      if (cached && cached.head === head) return cached.all
      const slices = createSlices()
      const all: CataloguedAttribute[] = []
      let name = nextName.get(account, "")?.name ?? null
      for (let n = 0; name !== null && n < NAMES_MAX; n++) {
        for (const tally of (await tallies(account, name, slices)).values())
          all.push(await catalogueEntry(name, tally, async (ref) => document.get(account, ref)?.data))
        name = nextName.get(account, name)?.name ?? null
      }
      all.sort(byLeads)
      if (keeps) keep(account, head, all)
      return all
    },
    hasAttribute: async (account, name) => has.get(account, name) !== null,
  }
}
