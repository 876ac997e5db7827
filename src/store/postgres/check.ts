// Whether a database is fit for the service, and what is trouble to come.
import type { SQL } from "bun"
import type { CheckReport, Finding } from "../shared/file-care.ts"
import { movedFinding } from "../shared/moved-away.ts"
import { NO_KEY, WRONG_KEY } from "../shared/sealing.ts"
import { dataChecks, dataFindings } from "./check-data.ts"
import { connectForMaintenance, reserveForMaintenance } from "./connection/maintenance.ts"
import { sendQuery } from "./connection/query.ts"
import { PG_SCHEMA, schemaVersion } from "./schema/migrations.ts"
import { EXTENSIONS, textIndexState } from "./search/text-index.ts"
import { stateIn } from "./secrets/resealing.ts"
import { movedTo } from "./writes/moves.ts"

const LEAST_VERSION = 14
/** Clocks this far apart make leases end too early. */
const CLOCK_MS = 2_000

interface PostgresCheck {
  /** Unix milliseconds. */
  now(): number
  key?: string | undefined
}

interface Facts {
  version: number
  text: string
  encoding: string
  read_only: boolean
  commit: string
  is_encrypted: boolean
  is_local: boolean
  role: string
  schema: string | null
  may_create: boolean
  /** The extensions that the index of texts takes and that are not there, as names. */
  extensions: string | null
  denied: string | null
  may_read: boolean
  at: number
}

const FACTS = `SELECT current_setting('server_version_num')::int / 10000 AS version,
  current_setting('server_version') AS text, current_setting('server_encoding') AS encoding,
  pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on' AS read_only,
  current_setting('synchronous_commit') AS commit,
  coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS is_encrypted,
  inet_server_addr() IS NULL OR inet_server_addr() <<= '127.0.0.0/8' OR inet_server_addr() = '::1' AS is_local,
  current_user AS role, current_schema() AS schema,
  coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_create,
  (SELECT string_agg(name, ', ') FROM unnest(ARRAY[${EXTENSIONS.map((name) => `'${name}'`).join(", ")}]) AS name
    WHERE name NOT IN (SELECT extname FROM pg_extension)) AS extensions,
  (SELECT string_agg(c.relname, ', ' ORDER BY c.relname) FROM pg_class c
    WHERE c.relnamespace = to_regnamespace(current_schema()) AND c.relkind = 'r'
      AND NOT (has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT')
        AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE'))) AS denied,
  coalesce((SELECT bool_and(has_table_privilege(c.oid, 'SELECT')) FROM pg_class c
    WHERE c.relnamespace = to_regnamespace(current_schema()) AND c.relkind = 'r'), true) AS may_read,
  (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at`

/** Looks without changing anything. Throws an Error when the database cannot be reached. */
export async function checkPostgres(url: string, { now, key }: PostgresCheck): Promise<CheckReport> {
  const pool = connectForMaintenance(url)
  try {
    const began = now()
    const [row] = await sendQuery(pool, FACTS)
    const facts = row as unknown as Facts
    // The answer was made somewhere on the way.
    const apart = Math.max(0, Math.abs(facts.at - (began + now()) / 2) - (now() - began) / 2)
    const schema = facts.may_read ? await schemaFindings(pool, facts) : []
    const isThere =
      facts.may_read &&
      schema.every(({ severity }) => severity === "warning") &&
      (await schemaVersion(pool)) > 0
    const isFit = isThere && schema.length === 0
    const place = isThere ? await movedTo(pool) : undefined
    const secrets = isThere ? await stateIn(pool, key) : undefined
    const findings = [
      ...serverFindings(facts),
      ...schema,
      ...(place === undefined ? [] : [movedFinding(place)]),
      ...rightsFindings(facts),
      ...(secrets === "no key"
        ? [trouble("secret_key_missing", "secrets", NO_KEY, "Set it, or see leaddb help secrets")]
        : []),
      ...(secrets === "wrong key"
        ? [trouble("secret_key_wrong", "secrets", WRONG_KEY, "Set that one, or see leaddb help secrets")]
        : []),
      ...(isThere && !(await textIndexState(pool)) ? [textIndexMissing(facts)] : []),
      ...(isFit ? await dataFindings(await reserveForMaintenance(pool), began) : []),
      ...(apart > CLOCK_MS
        ? [
            trouble(
              "clock_apart",
              "clock",
              `this machine's clock and the database's are ${Math.round(apart / 1000)} s apart`,
              "Set both by NTP: work in progress changes hands by time",
            ),
          ]
        : []),
    ]
    const checks = [
      "server",
      ...(facts.may_read ? ["schema"] : []),
      "rights",
      ...(secrets ? ["secrets"] : []),
      ...(isFit ? dataChecks : []),
      "clock",
    ]
    return { checks, findings, ...(secrets && (secrets !== "clear" || key !== undefined) && { secrets }) }
  } finally {
    // What is reserved goes with it.
    await pool.close({ timeout: 0 })
  }
}

function finding(severity: Finding["severity"]) {
  return (code: string, check: string, message: string, advice: string): Finding => ({
    ...{ code, severity, check, message, advice },
  })
}
const damage = finding("error")
const trouble = finding("warning")

function serverFindings(facts: Facts): Finding[] {
  const findings: Finding[] = []
  if (facts.version < LEAST_VERSION) {
    const message = `the server is PostgreSQL ${facts.text}`
    findings.push(damage("server_old", "server", message, `leaddb needs ${LEAST_VERSION} or newer`))
  }
  if (facts.encoding !== "UTF8") {
    const message = `the database's encoding is ${facts.encoding}`
    findings.push(
      damage(
        "encoding",
        "server",
        message,
        "Make it anew: CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0",
      ),
    )
  }
  if (facts.read_only) {
    const message = "the database takes no writes: it is a standby, or read-only"
    findings.push(damage("read_only", "server", message, "Point LEADDB_DATABASE at the primary"))
  }
  if (facts.commit === "off") {
    const message = "synchronous_commit is off: what was acknowledged may be lost in a crash"
    findings.push(trouble("commits_unsafe", "server", message, "Turn it on for this database or role"))
  }
  if (!facts.is_encrypted && !facts.is_local) {
    const message = "the connection is not encrypted"
    findings.push(
      trouble("connection_in_clear", "server", message, "Add ?sslmode=verify-full to LEADDB_DATABASE"),
    )
  }
  return findings
}

async function schemaFindings(pool: SQL, { schema }: Facts): Promise<Finding[]> {
  if (schema === null) {
    const message = "the role finds no schema to work in"
    return [damage("no_schema", "schema", message, "Make one, or set the role's search_path")]
  }
  const version = await schemaVersion(pool)
  if (version > 0) {
    const [row] = await sendQuery(pool, "SELECT 1 FROM settings WHERE name = 'moving'")
    const message = "leaddb move has begun to fill it and has not ended"
    if (row)
      return [
        damage(
          "move_unfinished",
          "schema",
          message,
          "Run the same leaddb move again: it goes on where it was",
        ),
      ]
  }
  if (version === PG_SCHEMA) return []
  if (version < PG_SCHEMA) {
    const message = `the database has schema ${version}, and this leaddb knows ${PG_SCHEMA}`
    return [
      trouble("schema_older", "schema", message, "Start the service once: it brings the database up to date"),
    ]
  }
  const [row] = await sendQuery(pool, "SELECT max(least)::int AS least FROM schema_versions")
  const message = `the database has schema ${version}, of a newer leaddb`
  const isFit = (row as { least: number }).least <= PG_SCHEMA
  return [
    isFit
      ? trouble(
          "schema_newer",
          "schema",
          message,
          "Both may work side by side; bring this one up to date, too",
        )
      : damage("schema_unfit", "schema", message, "Run the newer leaddb"),
  ]
}

function rightsFindings({ role, schema, may_create: mayCreate, denied }: Facts): Finding[] {
  const findings: Finding[] = []
  if (denied) {
    const message = `the role ${role} may not read and write ${denied}`
    const grant = `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}`
    findings.push(damage("rights_missing", "rights", message, `An administrator runs: ${grant}`))
  }
  if (!mayCreate) {
    const message = `the role ${role} may not create tables: it can serve, but not bring the database up to date`
    const advice = "Start a new leaddb once with a role that may, before the others"
    findings.push(trouble("cannot_migrate", "rights", message, advice))
  }
  return findings
}

function textIndexMissing({ extensions }: Facts): Finding {
  const message =
    "there is no index for parts of texts: filters such as contains read every lead of an account"
  const start = "Start the service with the role that owns the tables: it makes the index beside other work"
  const advice = extensions === null ? start : `${start}. It needs ${extensions}, which the server must have`
  return trouble("text_index_missing", "schema", message, advice)
}
