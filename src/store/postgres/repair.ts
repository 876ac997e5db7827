// Mends what can be worked out of the rest: counts, heads, and what leads are found by.
import type { ReservedSQL } from "bun"
import { NOTES_SEARCHED, WORD_GROUP_NAMES } from "../../lead/lead-words.ts"
import { counted } from "../../text/text.ts"
import type { Repaired } from "../shared/file-care.ts"
import { columnsRepaired } from "../tables/check/columns.ts"
import { backwards, KNOWN } from "../tables/leads/known-words.ts"
import { columnType, leadsApart } from "./check-data.ts"
import { connectForMaintenance, reserveForMaintenance } from "./connection/maintenance.ts"
import { sendQuery } from "./connection/query.ts"
import { countLeft, LACKING, LEFT, OF_LEADS, SET_TIMES, wrongNumbers, wrongRows } from "./repair-rows.ts"
import { PG_SCHEMA, schemaVersion } from "./schema/migrations.ts"
import { textsOfLead } from "./search/texts.ts"
import { pgDocumentSql } from "./statements/documents.ts"
import { vectorsOf, wordsOfLead } from "./statements/vectors.ts"

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
      for await (const { rid: found, wrong } of leadsApart(sql, { account, rid })) {
        if (found !== rid) return
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

interface Lacking {
  account: number
  rid: number
  data: string
}

async function makeRows(sql: ReservedSQL): Promise<boolean> {
  await sendQuery(
    sql,
    `SELECT key FROM accounts WHERE key IN (SELECT l.account_id ${LACKING} LIMIT 1) ORDER BY key FOR UPDATE`,
  )
  const rows = await sendQuery(
    sql,
    `SELECT l.account_id::float8 AS account, l.rid::float8 AS rid, ${pgDocumentSql("l")} AS data ${LACKING}
     ORDER BY l.account_id, l.rid LIMIT ${STEP}`,
  )
  for (const { account, rid, data } of rows as unknown as Lacking[]) {
    const lead = JSON.parse(data)
    const words = wordsOfLead(lead, await notesOf(sql, account, rid))
    const { lead: own, notes } = vectorsOf(account, words)
    await sendQuery(
      sql,
      "INSERT INTO lead_words (account_id, rid, words, notes) VALUES ($1, $2, $3::tsvector, $4::tsvector) ON CONFLICT DO NOTHING",
      [account, rid, notes === null ? own : `${own} ${notes}`, notes],
    )
    await sendQuery(
      sql,
      "INSERT INTO lead_texts (account_id, rid, text) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
      [account, rid, textsOfLead(lead)],
    )
    const known = WORD_GROUP_NAMES.flatMap((group) => words[group]).filter((word) => KNOWN.test(word))
    await sendQuery(
      sql,
      "INSERT INTO known_words (account_id, word) SELECT $1, * FROM unnest($2::text[]) ON CONFLICT DO NOTHING",
      [account, [...new Set(known)].flatMap((word) => [word, `<${backwards(word)}`])],
    )
  }
  return rows.length === STEP
}

async function notesOf(sql: ReservedSQL, account: number, rid: number): Promise<string[]> {
  const rows = await sendQuery(
    sql,
    `SELECT left(content, ${NOTES_SEARCHED}) AS content FROM notes WHERE account_id = $1 AND lead_rid = $2
     ORDER BY rid DESC LIMIT 1000`,
    [account, rid],
  )
  return (rows as unknown as { content: string }[]).map(({ content }) => content)
}

async function inTransaction<T>(sql: ReservedSQL, work: () => Promise<T>): Promise<T> {
  await sendQuery(sql, "BEGIN")
  try {
    const done = await work()
    await sendQuery(sql, "COMMIT")
    return done
  } catch (error) {
    await sendQuery(sql, "ROLLBACK").catch(() => undefined)
    throw error
  }
}
