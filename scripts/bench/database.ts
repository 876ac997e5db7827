import { systemClock } from "../../src/core/clock.ts"
import { LeadInput } from "../../src/core/fields.ts"
import { createIds } from "../../src/core/ids.ts"
import type { Context } from "../../src/core/operation.ts"
import { parse } from "../../src/core/parse.ts"
import { pushLead } from "../../src/domain/lead-write.ts"
import { openSqliteStore, type SqliteStore } from "../../src/store/sqlite/index.ts"
import { generateLeads } from "../seed.ts"

/** An open database in which one account has seeded leads. */
export interface Filled {
  store: SqliteStore
  ctx: Context
  /** Ids of some of the leads. */
  ids: string[]
}

/** Fills a new database with `count` generated leads through the ordinary path of a push. */
export async function fill(file: string, count: number): Promise<Filled> {
  const ids = createIds(systemClock)
  const store = openSqliteStore(file, ids)
  const created_at = Math.floor(Date.now() / 1000)
  await store.write((tx) =>
    tx.accounts.insert({ id: "acc_bench", name: "bench", plan: "enterprise", created_at }),
  )
  const account = (await store.read.accounts.find("acc_bench"))!
  const never = () => Promise.reject(new Error("not part of the benchmark"))
  const ctx: Context = {
    store,
    ids,
    clock: systemClock,
    secret: store.secret,
    scoring: { score: never },
    webhooks: { refuse: async () => undefined },
    caller: { account, keyId: "key_bench", role: "owner", actorId: "key_bench" },
    now: created_at,
  }
  const kept: string[] = []
  const leads = generateLeads(count, 1)
  let pushed = 0
  while (pushed < count) {
    await store.write(async (tx) => {
      for (let i = 0; i < 1_000 && pushed < count; i++, pushed++) {
        // Times spread as if one lead came every ten seconds.
        const at = { ...ctx, now: created_at - (count - pushed) * 10 }
        const { id } = await pushLead(at, tx, parse(LeadInput, leads.next().value))
        if (pushed % Math.ceil(count / 1_000) === 0) kept.push(id)
      }
    })
  }
  return { store, ctx, ids: kept }
}
