import { Database } from "bun:sqlite"
import { basename, dirname } from "node:path"
import { counted } from "../../../text/text.ts"
import { freeBytes, inMiB, partialsOf, sizeOf } from "../../shared/disk.ts"
import type { CheckReport, Finding, SecretsState } from "../../shared/file-care.ts"
import { movedFinding } from "../../shared/moved-away.ts"
import { NO_KEY, WRONG_KEY } from "../../shared/sealing.ts"
import type { DataCheck } from "../../tables/check/check.ts"
import { NAMED, numberFinding } from "../../tables/check/numbers.ts"
import { outboxChecks } from "../../tables/check/outbox.ts"
import { TRAIL_CHECK } from "../../tables/check/trail.ts"
import { CHECK, checkDerived } from "../derived/check.ts"
import { leadTables, MOST, RESTORE, repair, wrongNumbers } from "./check-leads.ts"
import { hasLeftLog, movedTo } from "./follow-log.ts"
import { foreignPart } from "./foreign-schema.ts"
import { MIGRATIONS, migratedSchema } from "./migrations.ts"
import { secretsState } from "./resealing.ts"

const MIB = 2 ** 20
/** With less, the next minutes of writing may fail. */
const FULL = 32 * MIB
/** The log is cut back at 64 MiB whenever nobody reads what is in it. */
const LARGE_LOG = 256 * MIB

/** Measurements of the database's disk, in bytes. */
interface Disk {
  free: number
  database: number
  log: number
}

function measure(file: string): Disk {
  return { free: freeBytes(dirname(file)), database: sizeOf(file), log: sizeOf(`${file}-wal`) }
}

/** Findings about the file's surroundings: space, the log's size, leftover files. */
function diskFindings(file: string, disk = measure(file)): Finding[] {
  const check = "disk"
  const { free, database, log } = disk
  const findings: Finding[] = []
  if (free < FULL) {
    const message = `the disk of ${file} is full but for ${inMiB(free)}: writes fail, or will`
    const advice = "Make room on it now; reading goes on meanwhile, and nothing that was answered is lost"
    findings.push({ code: "disk_full", severity: "error", check, message, advice })
  } else if (free < database + log) {
    const message = `${inMiB(free)} are free on the disk of ${file}, less than the ${inMiB(database + log)} it takes itself`
    const advice = "Make room, and keep backups on another disk: a copy does not fit here, nor does a restore"
    findings.push({ code: "disk_low", severity: "warning", check, message, advice })
  }
  if (log > LARGE_LOG) {
    const message = `the write-ahead log is ${inMiB(log)} large`
    const advice =
      "Something has been reading for long, or a process died: close other programs that have the file open, " +
      "then restart the service"
    findings.push({ code: "log_large", severity: "warning", check, message, advice })
  }
  const left = partialsOf(dirname(file), basename(file))
  if (left.length > 0) {
    const message = `${counted(left.length, "file was", "files were")} left by a backup or restore that was cut off`
    const advice = `When none is under way, delete ${left.join(", ")}`
    findings.push({ code: "left_over_files", severity: "warning", check, message, advice })
  }
  return findings
}

/** Findings that keep webhook deliveries from being sent. `now` is in Unix milliseconds. */
function outboxFindings(db: Database, now: number): Finding[] {
  return outboxChecks(repair).flatMap((one) => findingsOf(db, one, now))
}

const trailFindings = (db: Database, now: number): Finding[] => findingsOf(db, TRAIL_CHECK, now)

function findingsOf<Row>(db: Database, { sql, at, found }: DataCheck<Row>, now: number): Finding[] {
  const statement = db.query<Row, number[]>(sql.replaceAll("$1", "?1"))
  return found(at ? statement.all(at(now)) : statement.all(), now)
}

/** Subjects of a check besides the database. */
interface FileCheck {
  /** Unix milliseconds. */
  now: number
  disk?: Disk
  /** The key that encrypts secrets. */
  key?: string | undefined
}

/**
 * Looks for damage in a database file without changing it, beside a running service if need be: everything is read
 * from one snapshot. Answers with what was looked at and what was found. Throws an Error when it cannot be opened.
 */
export function checkFile(file: string, { now, disk, key }: FileCheck): CheckReport {
  const db = new Database(file, { readonly: true, strict: true })
  try {
    const schema = schemaFindings(db)
    const state = schema.length === 0 ? secretsState(db, key) : "clear"
    const secrets = state === "clear" && key === undefined ? undefined : state
    const derived = schema.length === 0 ? checkDerived(file) : undefined
    const isFit = schema.every(({ severity }) => severity === "warning")
    const parts: Record<string, () => Finding[]> = {
      schema: () => [...schema, ...(schema.length === 0 ? moveFindings(db, file) : [])],
      ...(isFit && { integrity: () => integrity(db), "foreign keys": () => foreignKeys(db) }),
      ...(schema.length === 0 && {
        "lead tables": () => leadTables(db),
        "lead counts": () => wrongNumbers(db, NAMED).map(numberFinding),
        trail: () => trailFindings(db, now),
        outbox: () => outboxFindings(db, now),
        [CHECK]: () => derived!.findings,
        ...(secrets && { secrets: () => secretFindings(secrets, key) }),
      }),
      disk: () => diskFindings(file, disk),
    }
    if (isFit) db.run("BEGIN")
    const findings = Object.entries(parts).flatMap(([name, part]) => readable(name, part))
    return {
      checks: Object.keys(parts),
      findings,
      ...(derived && { derived: derived.derived }),
      ...(secrets && { secrets }),
    }
  } finally {
    db.close()
  }
}

/** The service does not start with a key that is wrong or missing, nor can this command tell the key it will have. */
function secretFindings(state: SecretsState, key: string | undefined): Finding[] {
  const finding = (code: string, message: string, advice: string): Finding[] => [
    { code, severity: "warning", check: "secrets", message, advice },
  ]
  if (state === "no key") return finding("secret_key_missing", NO_KEY, "leaddb does not start without it")
  if (state === "wrong key")
    return finding(
      "secret_key_wrong",
      WRONG_KEY,
      "leaddb does not start with it; is it lost? leaddb help secrets decrypt",
    )
  if (state === "encrypted" || key === undefined) return []
  return finding(
    "secrets_in_clear",
    "LEADDB_SECRET_KEY is set, and the database's secrets are in clear",
    "leaddb secrets encrypt encrypts them, and so does the next start of the service",
  )
}

function schemaFindings(db: Database): Finding[] {
  const check = "schema"
  return readable(check, () => {
    try {
      const version = migratedSchema(db)
      const foreign = version === 0 ? undefined : foreignPart(db, version)
      if (foreign !== undefined) throw new Error(foreign)
      if (version === MIGRATIONS.length) return []
      const message = `the database has ${version} of ${MIGRATIONS.length} migrations`
      if (version === 0 && hasTables(db)) throw new Error(`${message}, and yet tables`)
      const advice = "Make a backup, then start the service once: it brings the file up to date"
      return [{ code: "schema_older", severity: "warning", check, message, advice }]
    } catch (error) {
      if (!(error instanceof Error) || "code" in error) throw error
      const advice = "Run the leaddb that made it, or restore a backup; nothing but the disk was looked at"
      return [{ code: "schema_unfit", severity: "error", check, message: error.message, advice }]
    }
  })
}

function moveFindings(db: Database, file: string): Finding[] {
  const place = movedTo(db)
  if (place !== undefined) return [movedFinding(place)]
  if (!hasLeftLog(db, file)) return []
  const message = "a move that was killed has left its log, which every write goes on to fill"
  const advice =
    "The service removes it when it starts, and within seconds while it runs; so does leaddb move --cancel"
  return [{ code: "move_left", severity: "warning", check: "schema", message, advice }]
}

function hasTables(db: Database): boolean {
  return db.query("SELECT 1 FROM sqlite_schema LIMIT 1").get() !== null
}

/** A file that SQLite cannot read through is a finding too. */
function readable(check: string, look: () => Finding[]): Finding[] {
  try {
    return look()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return [{ code: "unreadable", severity: "error", check, message, advice: RESTORE }]
  }
}

function integrity(db: Database): Finding[] {
  const rows = db.query<{ integrity_check: string }, []>(`PRAGMA integrity_check(${MOST})`).all()
  const bad = rows.filter((row) => row.integrity_check !== "ok")
  return bad.map((row) => ({
    code: "damaged",
    severity: "error",
    check: "integrity",
    message: row.integrity_check,
    advice: RESTORE,
  }))
}

function foreignKeys(db: Database): Finding[] {
  const rows = db
    .query<{ table: string; rowid: number; parent: string }, []>("PRAGMA foreign_key_check")
    .all()
  return rows.slice(0, MOST).map(({ table, rowid, parent }) => ({
    code: "broken_reference",
    severity: "error",
    check: "foreign keys",
    message: `row ${rowid} of ${table} points to a row of ${parent} that does not exist (${rows.length} such rows in all)`,
    advice: repair(`DELETE FROM ${table} WHERE rowid = ${rowid}`),
  }))
}
