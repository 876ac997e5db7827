import type { EnrichmentReads, EnrichmentWrites } from "../contract/enrichment.ts"
import { bulk } from "../sql/bulk.ts"
import type { Db, WriteDb } from "../sql/db.ts"

const ORIGINS = "SELECT origins FROM leads WHERE account_id = $1 AND rid = $2"
const QUEUED = "SELECT lead FROM enrichment_queue WHERE account_id = $1 ORDER BY lead LIMIT $2"
const SET = "UPDATE leads SET origins = $3 WHERE account_id = $1 AND rid = $2"
const TAKE = "DELETE FROM enrichment_queue WHERE account_id = $1 AND lead = $2"
const TELL =
  "UPDATE leads SET enrich_told_at = $3 WHERE account_id = $1 AND id = $2 AND enrich_told_at IS NULL"

const queued = bulk(
  { account_id: "bigint", lead: "text" },
  (rows) => `INSERT INTO enrichment_queue (account_id, lead)
    SELECT r.account_id, r.lead FROM ${rows} WHERE true ON CONFLICT DO NOTHING`,
)

export function enrichmentReads(db: Db): EnrichmentReads {
  return {
    origins: async (account, ref) =>
      (await db.get<{ origins: string | null }>(ORIGINS, [account, ref]))?.origins ?? null,
    queued: async (account, limit) =>
      (await db.all<{ lead: string }>(QUEUED, [account, limit])).map(({ lead }) => lead),
  }
}

export function enrichmentWrites(db: WriteDb): EnrichmentWrites {
  return {
    async setOrigins(account, ref, origins) {
      await db.run(SET, [account, ref, origins])
    },
    async queue(account, leads) {
      for (const lead of new Set(leads)) db.put(queued, [account, lead])
    },
    async take(account, lead, now) {
      await db.run(TAKE, [account, lead])
      return (await db.run(TELL, [account, lead, now])) > 0
    },
  }
}
