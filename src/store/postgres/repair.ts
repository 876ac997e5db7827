// Mends what can be worked out of the rest: counts, heads, and what leads are found by.
import type { ReservedSQL } from "bun"
import { counted } from "../../text/text.ts"
import type { Repaired } from "../shared/file-care.ts"
import { columnsRepaired } from "../tables/check/columns.ts"
import { columnType, leadsApart } from "./check-data.ts"
import { connectForMaintenance, inTransaction, reserveForMaintenance } from "./connection/maintenance.ts"
import { sendQuery } from "./connection/query.ts"
import { countLeft, LACKING, LEFT, OF_LEADS, SET_TIMES, wrongNumbers, wrongRows } from "./repair-rows.ts"
import { PG_SCHEMA, schemaVersion } from "./schema/migrations.ts"
import { insertSearchRows, type SearchedLead } from "./search/search-rows.ts"

/** Leads whose rows are made together. */
const STEP = 200

/** Mends a database beside running instances. Answers with what it changed. Throws an Error when it cannot be reached. */
export async function repairPostgres(url: string): Promise<Repaired[]> {
  const pool = connectForMaintenance(url)
  try {
    if ((await schemaVersion(pool)) !== PG_SCHEMA)
      throw new Error(
        "the database is of another leaddb: start the service once, it brings the database up to date",
      )
    const sql = await reserveForMaintenance(pool)
    try {
      const repaired: Repaired[] = []
      for (const { account } of await wrongNumbers(sql, 1_000_000))
        repaired.push(...(await mendNumbers(sql, account)))
      repaired.push(...(await dropLeft(sql)), ...(await mendColumns(sql)))
      const wrong = await wrongRows(sql)
      if (wrong > 0) {
        await mendRows(sql)
        repaired.push({ what: "derived", account: null, from: `${wrong} rows wrong`, to: "whole" })
      }
      return repaired
    } finally {
      sql.release()
    }
  } finally {
    await pool.close()
  }
}

/** With the account's row locked: whoever writes its leads waits. */
async function mendNumbers(sql: ReservedSQL, account: string): Promise<Repaired[]> {
  return inTransaction(sql, async () => {
    await sendQuery(sql, "SELECT key FROM accounts WHERE id = $1 FOR UPDATE", [account])
    const wrong = (await wrongNumbers(sql, 1_000_000)).filter((one) => one.account === account)
    for (const { what, to } of wrong)
      await sendQuery(sql, `UPDATE accounts SET ${what} = $2 WHERE id = $1`, [account, to])
    return wrong
  })
}

/** Removes rows that repeat leads which are not there, with all accounts locked. */
async function dropLeft(sql: ReservedSQL): Promise<Repaired[]> {
  const repaired: Repaired[] = []
  for (const table of OF_LEADS) {
    const n = table.isRepeated ? await countLeft(sql, table) : 0
    if (n === 0) continue
    await inTransaction(sql, async () => {
      await sendQuery(sql, "SELECT key FROM accounts ORDER BY key FOR UPDATE")
      await sendQuery(sql, `DELETE ${LEFT(table.name, table.rid)}`)
    })
    const from = `${counted(n, "row")} of ${table.name} of no lead`
    repaired.push({ what: "derived", account: null, from, to: "whole" })
  }
  return repaired
}

/** Writes the columns anew of leads that differ from their documents: each is looked at again under its account's lock. */
async function mendColumns(sql: ReservedSQL): Promise<Repaired[]> {
  let leads = 0
  for await (const { account, rid } of leadsApart(sql)) {
    await inTransaction(sql, async () => {
      await sendQuery(sql, "SELECT key FROM accounts WHERE key = $1 FOR UPDATE", [account])
      for await (const { rid: wrongRid, wrong } of leadsApart(sql, { account, rid })) {
        if (wrongRid !== rid) return
        const set = wrong.map(([name, value], i) => `${name} = $${i + 3}::${columnType(name, value)}`)
        const values = wrong.map(([, value]) => value)
        await sendQuery(sql, `UPDATE leads SET ${set.join(", ")} WHERE account_id = $1 AND rid = $2`, [
          ...[account, rid],
          ...values,
        ])
        leads++
      }
    })
  }
  return columnsRepaired(leads)
}

async function mendRows(sql: ReservedSQL): Promise<void> {
  for (const table of ["lead_words", "lead_texts"])
    await inTransaction(sql, async () => {
      await sendQuery(sql, "SELECT key FROM accounts ORDER BY key FOR UPDATE")
      await sendQuery(sql, `DELETE ${LEFT(table)}`)
    })
  await inTransaction(sql, async () => {
    await sendQuery(sql, "SELECT key FROM accounts ORDER BY key FOR UPDATE")
    await sendQuery(sql, SET_TIMES)
  })
  for (let isLeft = true; isLeft; ) isLeft = await inTransaction(sql, () => makeRows(sql))
}

async function makeRows(sql: ReservedSQL): Promise<boolean> {
  await sendQuery(
    sql,
    `SELECT key FROM accounts WHERE key IN (SELECT l.account_id ${LACKING} LIMIT 1) ORDER BY key FOR UPDATE`,
  )
  const rows = await sendQuery(
    sql,
    `SELECT l.account_id::float8 AS account_id, l.rid::float8 AS rid, l.data, l.shape ${LACKING}
     ORDER BY l.account_id, l.rid LIMIT ${STEP}`,
  )
  const leads = rows as unknown as SearchedLead[]
  const keys = [leads.map(({ account_id }) => account_id), leads.map(({ rid }) => rid)]
  for (const table of ["lead_words", "lead_texts"])
    await sendQuery(
      sql,
      `DELETE FROM ${table} WHERE (account_id, rid) IN (SELECT * FROM unnest($1::bigint[], $2::bigint[]))`,
      keys,
    )
  await insertSearchRows(sql, leads)
  return rows.length === STEP
}
