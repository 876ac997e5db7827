// Directus over SQLite, installed from npm into the cache, with the leads of a dataset in a collection of its own.
import { Database } from "bun:sqlite"
import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { chosenPort } from "../../test/support/port.ts"
import { CACHE, type Dataset } from "./dataset.ts"
import { onCore } from "./machine.ts"
import { allLeads } from "./raw.ts"

const DIRECTUS_VERSION = "12.4.0"
/** Directus asks for Node 22 or newer, which need not be the one that is here: Node is an npm package, too. */
const NODE_VERSION = "22.23.3"
const NODE_PACKAGE = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`
const TOKEN = "a-token-that-only-the-bench-has"
const OWNER = { email: "bench@example.com", password: "a-password-that-only-the-bench-has" }

export const VERSIONS = { Directus: DIRECTUS_VERSION, Node: NODE_VERSION }

export interface Peer {
  origin: string
  headers: { Authorization: string }
  stop(): Promise<void>
}

/** The folder that holds Directus and its Node. Throws an Error with what npm said when it cannot be installed. */
export function installDirectus(): string {
  const folder = join(CACHE, `directus-${DIRECTUS_VERSION}`)
  if (existsSync(join(folder, "installed"))) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  console.log(
    `Installing Directus ${DIRECTUS_VERSION} and Node ${NODE_VERSION} into ${folder}, for some minutes...`,
  )
  npm(folder, ["init", "--yes"])
  npm(folder, ["install", `${NODE_PACKAGE}@${NODE_VERSION}`])
  npm(folder, ["install", `directus@${DIRECTUS_VERSION}`])
  Bun.spawnSync(["touch", join(folder, "installed")])
  return folder
}

function npm(folder: string, args: string[]): void {
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"]
  const { exitCode, stdout, stderr } = Bun.spawnSync(["npm", ...args, ...quiet], {
    cwd: folder,
    env: withNode(folder),
  })
  if (exitCode !== 0) throw new Error(`npm ${args.join(" ")} failed in ${folder}:\n${stdout}${stderr}`)
}

/** With the folder's own Node first, and its headers for the parts that have to be compiled. */
function withNode(folder: string): Record<string, string> {
  const node = join(folder, "node_modules", NODE_PACKAGE)
  const env = process.env as Record<string, string>
  if (!existsSync(node)) return env
  return { ...env, PATH: `${join(node, "bin")}:${env.PATH}`, npm_config_nodedir: node }
}

/** A Directus database with the leads of a dataset, made once and kept beside it. */
export async function directusDatabase(folder: string, data: Dataset): Promise<string> {
  const file = join(data.folder, `directus-${DIRECTUS_VERSION}.db`)
  if (existsSync(file)) return file
  const making = `${file}.making`
  rmSync(making, { force: true })
  run(folder, making, ["bootstrap"])
  const peer = await serveDirectus(folder, making)
  try {
    await createCollection(peer)
  } finally {
    await peer.stop()
  }
  await insertLeads(making, data)
  copyFileSync(making, file)
  return file
}

function settings(folder: string, file: string, port: number): Record<string, string> {
  return {
    PATH: withNode(folder).PATH!,
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    PORT: String(port),
    DB_CLIENT: "sqlite3",
    DB_FILENAME: file,
    SECRET: "a secret that only the bench has",
    ADMIN_EMAIL: OWNER.email,
    ADMIN_PASSWORD: OWNER.password,
    ADMIN_TOKEN: TOKEN,
    LOG_LEVEL: "fatal",
    TELEMETRY: "false",
    // It would refuse requests as soon as it is busy.
    PRESSURE_LIMITER_ENABLED: "false",
  }
}

function command(folder: string, args: string[]): string[] {
  const node = join(folder, "node_modules", NODE_PACKAGE, "bin", "node")
  return [node, join(folder, "node_modules", "directus", "cli.js"), ...args]
}

function run(folder: string, file: string, args: string[]): void {
  const env = settings(folder, file, 0)
  const { exitCode, stdout, stderr } = Bun.spawnSync(command(folder, args), { cwd: folder, env })
  if (exitCode !== 0) throw new Error(`directus ${args.join(" ")} failed:\n${stdout}${stderr}`)
}

/** Starts it, bound to the core of servers. */
export async function serveDirectus(folder: string, file: string): Promise<Peer> {
  const port = chosenPort()
  const child = Bun.spawn(onCore("server", command(folder, ["start"])), {
    cwd: folder,
    env: settings(folder, file, port),
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
  })
  const origin = `http://127.0.0.1:${port}`
  const headers = { Authorization: `Bearer ${TOKEN}` }
  await firstAnswer(`${origin}/users/me`, headers, () => child.exitCode)
  return {
    origin,
    headers,
    async stop() {
      child.kill()
      await child.exited
    },
  }
}

/** Opens a session for a browser, by what posts for it and keeps the cookie. Throws an Error when it is refused. */
export async function signInToDirectus(
  post: (url: string, body: object) => Promise<{ ok(): boolean; text(): Promise<string> }>,
  origin: string,
): Promise<void> {
  const answer = await post(`${origin}/auth/login`, { ...OWNER, mode: "session" })
  if (!answer.ok()) throw new Error(`Directus refused the session: ${await answer.text()}`)
}

/** Asks until there is a 200. Throws an Error when the process ended or nothing came in two minutes. */
async function firstAnswer(
  url: string,
  headers: Record<string, string>,
  exitCode: () => number | null,
): Promise<void> {
  for (const end = performance.now() + 120_000; ; ) {
    const response = await fetch(url, { headers }).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.ok) return
    if (exitCode() !== null || performance.now() > end) throw new Error(`nothing answers at ${url}`)
    await Bun.sleep(1)
  }
}

const TYPES: Record<string, string> = {
  description: "text",
  latitude: "float",
  longitude: "float",
  rating: "float",
  score: "float",
  review_count: "integer",
  created_at: "integer",
  updated_at: "integer",
  last_interaction_at: "integer",
  tags: "json",
  attributes: "json",
}
const FIELDS = [
  ...["name", "source", "email", "phone", "website", "address", "city", "state", "country", "postal_code"],
  ...["category", "logo_url", "source_id", "status", ...Object.keys(TYPES)],
]

async function createCollection({ origin, headers }: Peer): Promise<void> {
  const id = {
    field: "id",
    type: "uuid",
    meta: { special: ["uuid"] },
    schema: { is_primary_key: true, length: 36, has_auto_increment: false },
  }
  const fields = FIELDS.map((field) => {
    const type = TYPES[field] ?? "string"
    return { field, type, meta: type === "json" ? { special: ["cast-json"] } : {}, schema: {} }
  })
  const response = await fetch(`${origin}/collections`, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify({ collection: "leads", schema: {}, meta: {}, fields: [id, ...fields] }),
  })
  if (!response.ok) throw new Error(`Directus refused the collection: ${await response.text()}`)
}

/** Straight into its table, with the indexes that the measured requests want. */
async function insertLeads(file: string, data: Dataset): Promise<void> {
  const db = new Database(file)
  db.run("PRAGMA journal_mode = WAL")
  const columns = ["id", ...FIELDS]
  const marks = columns.map(() => "?").join(", ")
  const insert = db.prepare(`INSERT INTO leads (${columns.join(", ")}) VALUES (${marks})`)
  const insertAll = db.transaction((leads: Record<string, unknown>[]) => {
    for (const lead of leads) {
      const row = columns.map((column) => {
        if (column === "id") return uuidOf(String(lead.id))
        const value = lead[column] ?? null
        return typeof value === "object" && value !== null
          ? JSON.stringify(value)
          : (value as string | number | null)
      })
      insert.run(...row)
    }
  })
  for await (const page of allLeads(data)) insertAll(page)
  db.run("CREATE INDEX leads_city_rating ON leads (city, rating)")
  db.run("CREATE INDEX leads_email ON leads (email)")
  db.run("PRAGMA wal_checkpoint(TRUNCATE)")
  db.close()
}

/** A lead's id without its prefix, as a key of type uuid. */
export function uuidOf(id: string): string {
  return id.slice(id.indexOf("_") + 1)
}
