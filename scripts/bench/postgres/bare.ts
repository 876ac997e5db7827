// What a create is compared with on PostgreSQL: one writer an account as ours has it, and nothing else. It knows no keys,
// roles, limits, scores, rules, trail, events, words or duplicates but for the email.
//   bun scripts/bench/postgres/bare.ts DATABASE    serves the table `bare` of a database for its first account; prints its port
import type { ReservedSQL } from "bun"
import { connect, sendQuery } from "../../../src/store/postgres/connection/query.ts"
import { sessionSettings } from "../../../src/store/postgres/connection/session.ts"
import { tableSink } from "../../../src/store/postgres/writes/sinks.ts"
import { type Server, startedServer } from "../programs.ts"

/** Creates that commit together at most, as many as ours. */
const GROUP = 256

/** The table that it writes, with the columns and indexes of ours. */
export const BARE_TABLE = "CREATE TABLE bare (LIKE leads INCLUDING ALL)"

/** Starts it in a process of its own. */
export function serveBare(database: string): Promise<Server> {
  return startedServer("bare", [process.execPath, import.meta.path, database])
}

type Lead = Record<string, unknown>
type Answer = { status: number; text: string }
interface Waiting {
  lead: Lead
  resolve(answer: Answer): void
  reject(error: unknown): void
}

const LOCK = "SELECT lead_head FROM accounts WHERE key = $1 FOR UPDATE"
/** One email after the other, as ours: a join that was planned while the table was empty reads all of it ever after. */
const KNOWN = `SELECT p.email FROM unnest($2::text[]) AS p (email)
  CROSS JOIN LATERAL (SELECT (SELECT l.rid FROM bare l
    WHERE l.account_id = $1 AND md5(l.email) = md5(p.email) AND l.email = p.email) AS rid OFFSET 0) k
  WHERE k.rid IS NOT NULL`
const COUNT = "UPDATE accounts SET lead_count = lead_count + $2, lead_head = lead_head + $2 WHERE key = $1"
/** Columns with their types; those that a new row leaves to the database are left out. */
const COLUMNS = `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
  WHERE attrelid = 'bare'::regclass AND attnum > 0 AND NOT atthasdef ORDER BY attnum`

/** `POST /leads` creates a lead. */
async function listen(database: string): Promise<number | undefined> {
  const sql = connect(database, 1)
  const connection = await sql.reserve()
  for (const [name, value] of Object.entries(sessionSettings("keys")))
    await connection.unsafe(`SET ${name} = '${value}'`)
  const [account] = await sendQuery(connection, "SELECT key FROM accounts ORDER BY key LIMIT 1")
  const columns = (await sendQuery(connection, COLUMNS)) as unknown as { name: string; type: string }[]
  const create = creator(connection, Number(account!.key), columns)
  const headers = { "Content-Type": "application/json" }
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    routes: {
      "/leads": {
        POST: async (request) => {
          const { status, text } = await create((await request.json()) as Lead)
          return new Response(text, { status, headers })
        },
      },
    },
  })
  return server.port
}

/** All creates that wait share a transaction. */
function creator(
  connection: ReservedSQL,
  account: number,
  columns: readonly { name: string; type: string }[],
): (lead: Lead) => Promise<Answer> {
  const rows = tableSink("bare", Object.fromEntries(columns.map(({ name, type }) => [name, type])))
  const waiting: Waiting[] = []
  let isDraining = false

  async function drain(): Promise<void> {
    isDraining = true
    while (waiting.length > 0) {
      // Lets every request that already arrived join the group.
      await new Promise(setImmediate)
      const group = waiting.splice(0, GROUP)
      try {
        const answers = await together(group.map(({ lead }) => lead))
        for (const [i, { resolve }] of group.entries()) resolve(answers[i]!)
      } catch (error) {
        for (const { reject } of group) reject(error)
        await sendQuery(connection, "ROLLBACK")
      }
    }
    isDraining = false
  }

  async function together(leads: readonly Lead[]): Promise<Answer[]> {
    const emails = leads.flatMap(({ email }) => (typeof email === "string" ? [email] : []))
    const [, [held], known] = await Promise.all([
      sendQuery(connection, "BEGIN"),
      sendQuery(connection, LOCK, [account]),
      sendQuery(connection, KNOWN, [account, emails]),
    ])
    const taken = new Set(known.map(({ email }) => email))
    let rid = Number(held!.lead_head)
    const now = Math.floor(Date.now() / 1_000)
    const made: (string | number | null)[][] = []
    const answers = leads.map((given): Answer => {
      if (given.email && taken.has(given.email)) return { status: 409, text: "{}" }
      if (given.email) taken.add(given.email)
      const times = { created_at: now, updated_at: now, last_interaction_at: now }
      const lead: Lead = { id: `lead_${Bun.randomUUIDv7()}`, status: "new", ...given, ...times }
      const text = JSON.stringify(lead)
      const { phone, source_id, tags } = lead
      const digits = typeof phone === "string" ? phone.replaceAll(/\D/g, "") : null
      const row: Lead = {
        ...lead,
        ...{ account_id: account, rid: ++rid, phone_key: digits, phone_number: digits },
        ...{ source_id_exact: source_id, tags: Array.isArray(tags) ? tags.length : 0, shape: 1, data: text },
      }
      made.push(columns.map(({ name }) => (row[name] ?? null) as string | number | null))
      return { status: 201, text }
    })
    const sent: Promise<unknown>[] = []
    rows.write(made, (text, params) => sent.push(sendQuery(connection, text, params)))
    sent.push(sendQuery(connection, COUNT, [account, made.length]))
    const [{ command }] = await Promise.all([sendQuery(connection, "COMMIT"), ...sent])
    if (command !== "COMMIT") throw new Error(`COMMIT was answered with ${command}`)
    return answers
  }

  return (lead) =>
    new Promise((resolve, reject) => {
      waiting.push({ lead, resolve, reject })
      if (!isDraining) void drain()
    })
}

if (import.meta.main) console.log(await listen(process.argv[2]!))
