// The floor: the least that a lead service can be. Bun.serve and bun:sqlite, a key looked up by its SHA-256, one row with
// the JSON, unique email and source_id, one row of audit a write, `synchronous=FULL`, commits in groups. It checks no
// input, knows no roles, limits, filters or events, and merges by email alone.
//   bun scripts/bench/core/floor.ts FILE KEY    prints its port
import { Database } from "bun:sqlite"

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS keys (hash BLOB PRIMARY KEY, account INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS leads (
    rid INTEGER PRIMARY KEY, account INTEGER NOT NULL, id TEXT NOT NULL, email TEXT, source_id TEXT, city TEXT,
    rating REAL, doc TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS leads_id ON leads (account, id);
  CREATE UNIQUE INDEX IF NOT EXISTS leads_email ON leads (account, email);
  CREATE UNIQUE INDEX IF NOT EXISTS leads_source_id ON leads (account, source_id);
  CREATE INDEX IF NOT EXISTS leads_city_rating ON leads (account, city, rating);
  CREATE TABLE IF NOT EXISTS audit (
    rid INTEGER PRIMARY KEY, account INTEGER NOT NULL, lead INTEGER NOT NULL, action TEXT NOT NULL, at INTEGER NOT NULL,
    doc TEXT NOT NULL
  ) STRICT;`
const PAGE = 50

type Row = Record<string, unknown>
type Write = { work: () => string; answer: (text: string) => void }

/** Serves a file, made where it is missing. Returns the port. */
function serveFloor(file: string, key: string): number {
  const db = new Database(file, { create: true, strict: true })
  db.run(SCHEMA)
  db.run("INSERT OR IGNORE INTO keys VALUES (?, 1)", [Bun.SHA256.hash(key) as Uint8Array])
  const accountOf = db.prepare<{ account: number }, [Uint8Array]>("SELECT account FROM keys WHERE hash = ?")
  const get = db.prepare<{ doc: string }, [number, string]>(
    "SELECT doc FROM leads WHERE account = ? AND id = ?",
  )
  const list = db.prepare<{ doc: string }, [number, string, number]>(
    "SELECT doc FROM leads WHERE account = ? AND city = ? ORDER BY rating DESC, rid DESC LIMIT ?",
  )
  const byEmail = db.prepare<{ rid: number; doc: string }, [number, string]>(
    "SELECT rid, doc FROM leads WHERE account = ? AND email = ?",
  )
  const insert = db.prepare(
    "INSERT INTO leads (account, id, email, source_id, city, rating, doc) VALUES (?, ?, ?, ?, ?, ?, ?)",
  )
  const update = db.prepare("UPDATE leads SET source_id = ?, city = ?, rating = ?, doc = ? WHERE rid = ?")
  const audit = db.prepare("INSERT INTO audit (account, lead, action, at, doc) VALUES (?, ?, ?, ?, ?)")
  const [begin, commit] = [db.prepare("BEGIN IMMEDIATE"), db.prepare("COMMIT")]

  let waiting: Write[] = []
  function commitAll(): void {
    const group = waiting
    waiting = []
    begin.run()
    const texts = group.map(({ work }) => work())
    commit.run()
    for (const [i, { answer }] of group.entries()) answer(texts[i]!)
  }
  function written(work: () => string): Promise<string> {
    return new Promise((answer) => {
      if (waiting.length === 0) setImmediate(commitAll)
      waiting.push({ work, answer })
    })
  }

  function push(account: number, lead: Row): string {
    const now = Math.floor(Date.now() / 1000)
    const found = typeof lead.email === "string" ? byEmail.get(account, lead.email) : undefined
    const { source_id, city, rating } = lead as Record<string, string | number | null>
    if (found) {
      const merged = { ...JSON.parse(found.doc), ...lead, last_interaction_at: now }
      const doc = JSON.stringify(merged)
      update.run(source_id ?? null, city ?? null, rating ?? null, doc, found.rid)
      audit.run(account, found.rid, "merged", now, doc)
      return doc
    }
    const id = `cl_${Bun.randomUUIDv7()}`
    const doc = JSON.stringify({ id, ...lead, status: "new", score: 0, created_at: now, updated_at: now })
    const { lastInsertRowid } = insert.run(
      account,
      ...[id, (lead.email as string) ?? null, source_id ?? null, city ?? null, rating ?? null, doc],
    )
    audit.run(account, Number(lastInsertRowid), "created", now, doc)
    return doc
  }

  async function answer(request: Request): Promise<Response> {
    const account = accountOf.get(
      Bun.SHA256.hash(request.headers.get("x-api-key") ?? "") as Uint8Array,
    )?.account
    if (account === undefined) return new Response(null, { status: 401 })
    const path = request.url.slice(request.url.indexOf("/api/v1/") + 7)
    if (request.method === "GET" && path.startsWith("/leads/")) {
      const doc = get.get(account, path.slice(7))?.doc
      return json(doc ?? "{}", doc === undefined ? 404 : 200)
    }
    if (request.method === "GET") {
      const city = new URLSearchParams(path.slice(path.indexOf("?")))
        .get("filter")!
        .slice("and.eq.city.".length)
      const rows = list.all(account, city, PAGE)
      return json(`{"leads":[${rows.map(({ doc }) => doc).join(",")}],"count":${rows.length}}`, 200)
    }
    const body = (await request.json()) as Row
    if (path === "/leads") return json(await written(() => push(account, body)), 201)
    const leads = body.leads as Row[]
    return json(await written(() => `[${leads.map((lead) => push(account, lead)).join(",")}]`), 201)
  }

  return Bun.serve({ hostname: "127.0.0.1", port: 0, development: false, fetch: answer }).port!
}

function json(text: string, status: number): Response {
  return new Response(text, { status, headers: { "Content-Type": "application/json" } })
}

const [file, key] = process.argv.slice(2)
console.log(serveFloor(file!, key!))
