// The raw limit: a server with nothing but Bun.serve, a prepared statement and JSON.stringify over the same leads in
// one table. It knows no keys, accounts, roles, limits, checks, duplicates, scores, audit or events.
//   bun scripts/bench/raw.ts FILE    serves a file that `rawDatabase` made; prints its port
import { Database } from "bun:sqlite"
import { existsSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { JsonText } from "../../src/core/json-text.ts"
import { listLeads } from "../../src/domain/leads/list/list-leads.ts"
import { execute } from "../../src/domain/operation.ts"
import { type Dataset, openDataset } from "./dataset.ts"
import { onCore } from "./machine.ts"
import { type Server, startedServer } from "./programs.ts"

const COLUMNS = [
  "id",
  "name",
  "source",
  "email",
  "phone",
  "website",
  "address",
  "city",
  "state",
  "country",
  "postal_code",
  "category",
  "description",
  "logo_url",
  "source_id",
  "status",
  "latitude",
  "longitude",
  "rating",
  "review_count",
  "tags",
  "score",
  "created_at",
  "updated_at",
  "last_interaction_at",
  "attributes",
] as const
const INSERT = `INSERT INTO leads (${COLUMNS.join(", ")}) VALUES (${COLUMNS.map(() => "?").join(", ")})`

/** A value as the table holds it: tags and attributes are JSON text, and go out as that. */
function column(lead: Record<string, unknown>, name: string): string | number | null {
  const value = lead[name] ?? null
  return typeof value === "object" && value !== null
    ? JSON.stringify(value)
    : (value as string | number | null)
}

/** A file with the leads of a dataset in one table, with the index that the measured list wants. */
export async function rawDatabase(data: Dataset): Promise<string> {
  const file = join(data.folder, "raw.db")
  if (existsSync(file)) return file
  const making = `${file}.${process.pid}`
  rmSync(making, { force: true })
  const db = new Database(making, { create: true, strict: true })
  db.run("PRAGMA synchronous = OFF")
  db.run(`CREATE TABLE leads (${COLUMNS.join(", ")}, PRIMARY KEY (id))`)
  const insert = db.prepare(INSERT)
  const insertAll = db.transaction((leads: Record<string, unknown>[]) => {
    for (const lead of leads) insert.run(...COLUMNS.map((name) => column(lead, name)))
  })
  for await (const page of allLeads(data)) insertAll(page)
  db.run("CREATE INDEX leads_city_rating ON leads (city, rating)")
  db.close()
  renameSync(making, file)
  return file
}

/** Every lead of a dataset as the API gives it, a thousand at a time. */
export async function* allLeads(data: Dataset): AsyncGenerator<Record<string, unknown>[]> {
  const { ctx, close } = await openDataset(data.file)
  let cursor: string | undefined
  do {
    const answer = await execute(ctx, listLeads, ctx.caller, { limit: 1_000, ...(cursor && { cursor }) })
    const page = JSON.parse((answer as JsonText).text)
    yield page.leads
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  await close()
}

/** Starts it in a process of its own, bound to the core of servers. */
export function serveRaw(file: string): Promise<Server> {
  return startedServer("raw", onCore("server", [process.execPath, import.meta.path, file]))
}

/** `GET /cities/:city` lists 50 leads by rating, `GET /leads/:id` gives one, `POST /leads` inserts one. */
function listen(file: string): number | undefined {
  const db = new Database(file, { strict: true })
  db.run("PRAGMA journal_mode = WAL")
  db.run("PRAGMA synchronous = NORMAL")
  const list = db.prepare("SELECT * FROM leads WHERE city = ? ORDER BY rating DESC LIMIT 50")
  const get = db.prepare("SELECT * FROM leads WHERE id = ?")
  const insert = db.prepare(INSERT)
  const headers = { "Content-Type": "application/json" }
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    routes: {
      "/cities/:city": (request) => new Response(JSON.stringify(list.all(request.params.city)), { headers }),
      "/leads/:id": (request) => new Response(JSON.stringify(get.get(request.params.id)), { headers }),
      "/leads": {
        POST: async (request) => {
          const lead = { ...((await request.json()) as Record<string, unknown>), id: Bun.randomUUIDv7() }
          insert.run(...COLUMNS.map((name) => column(lead, name)))
          return new Response(JSON.stringify(lead), { status: 201, headers })
        },
      },
    },
  })
  return server.port
}

if (import.meta.main) console.log(listen(process.argv[2]!))
