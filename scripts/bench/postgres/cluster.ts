// What the measurements on PostgreSQL share: a server that keeps what it acknowledges, and services on its databases.
import { mkdirSync, mkdtempSync } from "node:fs"
import { join } from "node:path"
import { createIds, systemClock } from "../../../src/runtime/clock.ts"
import { openPostgresStore } from "../../../src/store/postgres/index.ts"
import { addAccountTo } from "../../../test/support/account.ts"
import { runOnce, startPostgres } from "../../../test/support/postgres.ts"
import { parentOf } from "../../torture/abuse/gauge.ts"
import { allCompared } from "../duplicates/compared.ts"
import type { Bench } from "../group.ts"
import { type Service, serve } from "../service.ts"

/** As who is asked for durable commits has it, with memory for what is measured; the rest is PostgreSQL's default. */
const SETTINGS = {
  fsync: "on",
  full_page_writes: "on",
  shared_buffers: "512MB",
  max_wal_size: "4GB",
  autovacuum_naptime: "1min",
}

export function startCluster(): Promise<void> {
  return startPostgres(SETTINGS)
}

/** The process that all connections of a database are children of. */
export async function serverOf(database: string): Promise<number> {
  const [row] = await runOnce(
    database,
    "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'",
  )
  return parentOf(Number(row!.pid))
}

/** Keys of so many new accounts. */
export async function accounts(database: string, count: number): Promise<string[]> {
  const store = await openPostgresStore(database, createIds(systemClock))
  const keys: string[] = []
  for (let i = 0; i < count; i++) keys.push((await addAccountTo(store)).key)
  await store.close()
  return keys
}

/** One more instance on a database, in a folder of its own, bound to no core: what it asks has the same ones. */
export function serveOn({ program, scratch }: Bench, database: string, key: string): Promise<Service> {
  mkdirSync(scratch, { recursive: true })
  const folder = mkdtempSync(join(scratch, "instance-"))
  return serve(program, { folder, key }, "unbound", { LEADDB_DATABASE: database })
}

/** What is put down to be compared; in the order in which whoever compares writes it, so that neither waits for the other. */
const FORGET = `LOCK TABLE duplicate_queue, duplicate_due IN EXCLUSIVE MODE;
  DELETE FROM duplicate_queue; DELETE FROM duplicate_due`
/** A pass over all leads, which more of them have made due. */
const FORGET_PASS = "UPDATE duplicate_accounts SET pass = NULL WHERE pass IS NOT NULL"

/**
 * Leaves nothing to be compared. Work that is behind a measurement is no part of it, and takes minutes; whatever is measured
 * next would pay for it.
 */
export async function forgetCompared(database: string, service: Service): Promise<void> {
  const isDone = allCompared(service.call)
  do {
    // What was read before it went may come back as indexed, and be due then.
    await runOnce(database, FORGET)
    await runOnce(database, FORGET_PASS)
  } while ((await Promise.race([isDone, Bun.sleep(200).then(() => "waiting")])) === "waiting")
}
