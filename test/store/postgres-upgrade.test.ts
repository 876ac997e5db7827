// A PostgreSQL database that an older leaddb has filled and goes on writing while it is brought up to date.
import { describe, expect, test } from "bun:test"
import { SQL } from "bun"
import { openMatchingStore } from "../../src/store/postgres/index.ts"
import { PG_MIGRATIONS, pgMigrate } from "../../src/store/postgres/schema/migrations.ts"
import { emptyDatabase, hasPostgres, startPostgres } from "../support/postgres.ts"

await startPostgres()

/** The schema before times stood beside the scores. */
const BEFORE = PG_MIGRATIONS.findIndex(({ sql }) => sql.includes("lead_scores_unfilled"))
/** The schema before keys that leads are compared by were a row a lead. */
const ROW_A_KEY = PG_MIGRATIONS.findIndex(({ sql }) => sql.includes("CREATE TABLE match_keys"))

const lead = (account: number, rid: number, at: number) =>
  `INSERT INTO leads (account_id, rid, id, name, source, status, created_at, updated_at, last_interaction_at, tags, shape, data)
   VALUES (${account}, ${rid}, 'cl_${account}_${rid}', 'n', 's', 'new', ${at}, ${at}, ${at + 1}, 0, 1, '{}')`
const score = (account: number, rid: number) =>
  `INSERT INTO lead_scores (account_id, rid, score, version) VALUES (${account}, ${rid}, 0, 1)`

describe.skipIf(!hasPostgres)("a database of an older leaddb", () => {
  test("has the times of leads beside their scores, also of those that the older one writes from then on", async () => {
    const sql = new SQL(await emptyDatabase(), { max: 2 })
    await pgMigrate(sql, PG_MIGRATIONS.slice(0, BEFORE))
    for (const account of [1, 2])
      for (const rid of [1, 2, 3]) {
        await sql.unsafe(lead(account, rid, account * 100 + rid))
        await sql.unsafe(score(account, rid))
      }
    await pgMigrate(sql)
    const times = async () =>
      (await sql`SELECT account_id::int AS a, rid::int AS r, updated_at AS u, last_interaction_at AS i
        FROM lead_scores ORDER BY account_id, rid`) as { a: number; r: number; u: number; i: number }[]
    const kept = [1, 2].flatMap((a) => [1, 2, 3].map((r) => ({ a, r, u: a * 100 + r, i: a * 100 + r + 1 })))
    expect([...(await times())]).toEqual(kept)
    await sql.unsafe(lead(2, 4, 900))
    await sql.unsafe(score(2, 4))
    await sql`UPDATE leads SET updated_at = 990, last_interaction_at = 991 WHERE account_id = 1 AND rid = 2`
    await sql`UPDATE lead_scores SET score = 5, version = version + 1 WHERE account_id = 1 AND rid = 2`
    expect([...(await times())]).toEqual([
      ...kept.map((one) => (one.a === 1 && one.r === 2 ? { ...one, u: 990, i: 991 } : one)),
      { a: 2, r: 4, u: 900, i: 901 },
    ])
    await sql.close()
  })

  test("has the keys that leads are compared by made anew", async () => {
    const database = await emptyDatabase()
    const sql = new SQL(database, { max: 2 })
    await pgMigrate(sql, PG_MIGRATIONS.slice(0, ROW_A_KEY))
    await sql`INSERT INTO accounts (id, name, plan, lead_head, lead_count, created_at) VALUES ('acc_1', 'a', 'free', 1, 1, 1)`
    await sql.unsafe(lead(1, 1, 100))
    await sql.unsafe(score(1, 1))
    await sql`INSERT INTO duplicate_accounts (account_id, index_version) VALUES (1, 4)`
    await sql`INSERT INTO duplicate_keys (account_id, key, rid) VALUES (1, 7, 1)`
    await pgMigrate(sql)
    const matching = openMatchingStore(database)
    expect(await matching.accounts()).toEqual([1])
    expect(await matching.pass(1)).toMatchObject({ kind: "clear" })
    await matching.clear(1, 100)
    expect(await matching.pass(1)).toMatchObject({ kind: "index" })
    // An instance of the older version would do it again its way, and then this one.
    await sql`INSERT INTO duplicate_keys (account_id, key, rid) VALUES (1, 7, 1)`
    await sql`UPDATE duplicate_accounts SET pass = NULL, index_version = 4`
    expect(await matching.pass(1)).toMatchObject({ kind: "clear" })
    await matching.close()
    await sql.close()
  })
})
