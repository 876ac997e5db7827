// A program that keeps a copy of an account in a file of its own, from the feed alone, and may be killed at any moment:
// what it reads and the cursor behind it are written together. It takes nothing on trust: a change whose `before` is
// not what the copy holds, or that came already, is written down as a complaint.
//
//   consumer.ts COPY ADDRESS KEY SEED MODE   follows "pages" or a "stream"; "end" reads to the end of the feed and exits
import { Database } from "bun:sqlite"
import { readFileSync } from "node:fs"
import { createRandom } from "../../seed/random.ts"
import { leadText } from "./lead-text.ts"

const [copy = "", address = "", key = "", seed = "", mode = ""] = process.argv.slice(2)
const random = createRandom(Number(seed))

interface Change {
  id: string
  lead_id: string
  action: string
  before: object | null
  after: object | null
}

using db = new Database(copy, { create: true })
db.run("PRAGMA busy_timeout = 60000")
db.run("PRAGMA journal_mode = WAL")
db.run("CREATE TABLE IF NOT EXISTS leads (id TEXT PRIMARY KEY, lead TEXT NOT NULL)")
db.run("CREATE TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY)")
db.run("CREATE TABLE IF NOT EXISTS place (one INTEGER PRIMARY KEY CHECK (one = 1), cursor TEXT NOT NULL)")
db.run("CREATE TABLE IF NOT EXISTS complaints (what TEXT NOT NULL)")

const cursorKept = () => db.query<{ cursor: string }, []>("SELECT cursor FROM place").get()?.cursor
const complain = (what: string) => db.query("INSERT INTO complaints VALUES (?)").run(what)

const take = db.transaction((changes: readonly Change[], cursor: string) => {
  for (const { id, lead_id, action, before, after } of changes) {
    const { changes: fresh } = db.query("INSERT OR IGNORE INTO seen VALUES (?)").run(id)
    if (fresh === 0) complain(`${id} (${action}) came twice`)
    const held = db
      .query<{ lead: string }, [string]>("SELECT lead FROM leads WHERE id = ?")
      .get(lead_id)?.lead
    const from = before === null ? undefined : leadText(before)
    if (held !== from) complain(`${id} (${action}) was made of ${from}, and there was ${held}`)
    if (after === null) db.query("DELETE FROM leads WHERE id = ?").run(lead_id)
    else db.query("INSERT OR REPLACE INTO leads VALUES (?, ?)").run(lead_id, leadText(after))
  }
  db.query("INSERT OR REPLACE INTO place VALUES (1, ?)").run(cursor)
})

/** The feed from where the copy is. Undefined while the service is not there, or has too much to do. */
async function ask(more: Record<string, string>, headers: Record<string, string> = {}) {
  const cursor = cursorKept()
  const params = new URLSearchParams({ order: "asc", ...more, ...(cursor !== undefined && { cursor }) })
  const url = `${readFileSync(address, "utf8").trim()}/changes?${params}`
  const response = await fetch(url, { headers: { "X-API-Key": key, ...headers } })
  if (response.status === 503) return undefined
  if (response.status !== 200) {
    complain(`${url} was answered ${response.status}: ${await response.text()}`)
    process.exit(1)
  }
  return response
}

/** A page. True when there is nothing behind it. */
async function readPage(wait: number): Promise<boolean> {
  const limit = String(random.pick([1, 7, 50, 1_000]))
  const response = await ask({ limit, ...(wait > 0 && { wait: String(wait) }) })
  if (!response) return false
  const { changes, next_cursor, has_more } = (await response.json()) as {
    changes: Change[]
    next_cursor: string
    has_more: boolean
  }
  take(changes, next_cursor)
  return !has_more && changes.length === 0
}

/** A stream, until it is cut. */
async function readStream(): Promise<void> {
  const response = await ask({}, { Accept: "text/event-stream" })
  if (!response?.body) return
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true })
    const events = text.split("\n\n")
    text = events.pop() ?? ""
    for (const event of events) {
      const [, id, data] = event.match(/^id: (.*)\nevent: change\ndata: (.*)$/) ?? []
      if (id !== undefined && data !== undefined) take([JSON.parse(data)], id)
    }
  }
}

for (;;) {
  try {
    if (mode === "stream") await readStream()
    else if ((await readPage(mode === "end" ? 0 : 5)) && mode === "end") break
  } catch (error) {
    // Only a service that is gone is to be expected.
    if (!isCut(error)) throw error
  }
  await Bun.sleep(5)
}

function isCut(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? ""
  return /^(ConnectionRefused|ConnectionClosed|ECONN\w+|FailedToOpenSocket|Timeout\w*)$/.test(code)
}
