// Mends what can be worked out of the rest: counts, heads, and what leads are found by.
import type { ReservedSQL, SQL } from "bun"
import { NOTES_SEARCHED, WORD_GROUP_NAMES } from "../../core/lead-words.ts"
import type { Repaired } from "../file-care.ts"
import { backwards, KNOWN } from "../tables/leads/known-words.ts"
import { sendQuery } from "./connection/connection.ts"
import { connectForMaintenance } from "./connection/maintenance.ts"
import { pgDocumentSql } from "./leads/documents.ts"
import { PG_MIGRATIONS, schemaVersion } from "./schema/migrations.ts"
import { textsOfLead } from "./search/texts.ts"
import { vectorsOf, wordsOfLead } from "./search/vectors.ts"

/** Leads whose rows are made together. */
const STEP = 200

/** Numbers of accounts that are worked out of rows: how each is, and whether it is wrong. */
const NUMBERS = {
  lead_count: { real: "SELECT count(*) FROM leads l WHERE l.account_id = a.key", wrong: "<>" },
  lead_head: { real: "SELECT coalesce(max(rid), 0) FROM leads l WHERE l.account_id = a.key", wrong: "<" },
  trail_head: { real: "SELECT coalesce(max(seq), 0) FROM trail t WHERE t.account_id = a.key", wrong: "<" },
} as const

type Mended = keyof typeof NUMBERS

export interface WrongNumber {
  what: Mended
  account: string
  from: number
  to: number
}

/** The accounts whose numbers are wrong. */
export async function wrongNumbers(sql: SQL | ReservedSQL, most: number): Promise<WrongNumber[]> {
  const found: WrongNumber[] = []
  for (const what of Object.keys(NUMBERS) as Mended[]) {
    const { real, wrong } = NUMBERS[what]
    const rows = await sendQuery(
      sql,
      `SELECT id AS account, ${what}::float8 AS "from", (${real})::float8 AS "to" FROM accounts a
       WHERE ${what} ${wrong} (${real}) ORDER BY key LIMIT ${most}`,
    )
    for (const row of rows) found.push({ what, ...(row as unknown as Omit<WrongNumber, "what">) })
  }
  return found
}

const LACKING = `FROM leads l WHERE NOT EXISTS (SELECT 1 FROM lead_words w WHERE w.account_id = l.account_id AND w.rid = l.rid)
  OR NOT EXISTS (SELECT 1 FROM lead_texts t WHERE t.account_id = l.account_id AND t.rid = l.rid)`
const LEFT = (table: string) => `FROM ${table} f
  WHERE NOT EXISTS (SELECT 1 FROM leads l WHERE l.account_id = f.account_id AND l.rid = f.rid)`

/** How many leads lack rows that they are found by, and how many such rows are of no lead. */
export async function wrongRows(sql: SQL | ReservedSQL): Promise<number> {
  const [row] = await sendQuery(
    sql,
    `SELECT ((SELECT count(*) ${LACKING}) + (SELECT count(*) ${LEFT("lead_words")})
       + (SELECT count(*) ${LEFT("lead_texts")}))::float8 AS n`,
  )
  return (row as { n: number }).n
}

/** Mends a database beside running instances. Answers with what it changed. Throws an Error when it cannot be reached. */
export async function repairPostgres(url: string): Promise<Repaired[]> {
  const pool = connectForMaintenance(url)
  try {
    if ((await schemaVersion(pool)) !== PG_MIGRATIONS.length)
      throw new Error(
        "the database is of another leaddb: start the service once, it brings the database up to date",
      )
    const sql = await pool.reserve()
    try {
      const repaired: Repaired[] = []
      for (const { account } of await wrongNumbers(sql, 1_000_000))
        repaired.push(...(await mendNumbers(sql, account)))
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

async function mendRows(sql: ReservedSQL): Promise<void> {
  for (const table of ["lead_words", "lead_texts"])
    await inTransaction(sql, async () => {
      await sendQuery(sql, "SELECT key FROM accounts ORDER BY key FOR UPDATE")
      await sendQuery(sql, `DELETE ${LEFT(table)}`)
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
