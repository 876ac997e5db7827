// PostgreSQL for tests: a server a run, or a process where single files are run, and a database of its own for each test.
import { SQL } from "bun"
import { connect } from "../../src/store/postgres/connection/query.ts"
import { pgMigrate } from "../../src/store/postgres/schema/migrations.ts"
import { makeTextIndex } from "../../src/store/postgres/search/text-index.ts"
import { type Settings, serverPrograms, startServer } from "./postgres-server.ts"

const given = process.env.LEADDB_TEST_POSTGRES

/** Whether tests have a PostgreSQL; a missing one is said in one line, and with CI=true it fails. */
export const hasPostgres = given !== undefined || serverPrograms() !== undefined
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
  DELETE FROM settings WHERE name IN ('sealing', 'moved_to', 'numbering');
  UPDATE locks SET last_id = '';
END $$`

/** Returns a database of `newDatabase` for reuse and ends its connections. */
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
  const base = given ?? startServer(serverPrograms()!, settings)
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
  await pgMigrate(sql)
  await makeTextIndex(url(template)).made
  const [{ n }] = await sql.unsafe(
    "SELECT count(*)::int AS n FROM pg_class WHERE relnamespace = 'public'::regnamespace",
  )
  await sql.close()
  return { url, admin, template, relations: n }
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

/** Begins a transaction with a statement, such as a lock; returns what rolls it back. */
export async function holdTransaction(database: string, statement: string): Promise<() => Promise<void>> {
  const sql = new SQL(database, { max: 1 })
  const held = await sql.reserve()
  await held`BEGIN`
  await held.unsafe(statement)
  return async () => {
    await held`ROLLBACK`
    held.release()
    await sql.close()
  }
}
