import type { Database } from "bun:sqlite"
import type { Ids } from "../../core/ids.ts"
import type { Reads, Store, Transaction } from "../store.ts"
import { accountReads, accountWrites } from "./accounts.ts"
import { apiKeyReads, apiKeyWrites } from "./api-keys.ts"
import { changeReads, changeWrites } from "./changes.ts"
import { openReader, openWriter, prepare } from "./database.ts"
import { deliveryReads, deliveryWrites } from "./deliveries.ts"
import { leadReads, leadWrites } from "./leads.ts"
import { noteReads, noteWrites } from "./notes.ts"
import { oauthReads, oauthWrites } from "./oauth.ts"
import { ruleReads, ruleWrites } from "./scoring-rules.ts"
import { webhookReads, webhookWrites } from "./webhooks.ts"
import { createWriteQueue, type WriteQueue } from "./write-queue.ts"

export interface SqliteStore extends Store {
  readonly queue: WriteQueue["stats"]
  /** The key that signs what clients carry for us; made with the file. */
  readonly secret: Uint8Array
}

/**
 * Opens the SQLite engine on a file, creating and migrating it when needed: one write connection behind the
 * queue, one read-only connection. Throws an Error that a person can act on.
 */
export function openSqliteStore(file: string, ids: Ids): SqliteStore {
  const writer = openWriter(file)
  const reader = openReader(file)
  const queue = createWriteQueue(writer, idFloor(writer, ids))
  const read = reads(reader)
  const newId = (prefix = "") => ids.prefixed(prefix)
  const own = reads(writer)
  const tx: Transaction = {
    accounts: { ...own.accounts, ...accountWrites(writer) },
    apiKeys: { ...own.apiKeys, ...apiKeyWrites(writer) },
    leads: { ...own.leads, ...leadWrites(writer) },
    changes: { ...own.changes, ...changeWrites(writer, newId) },
    notes: { ...own.notes, ...noteWrites(writer) },
    rules: { ...own.rules, ...ruleWrites(writer) },
    webhooks: { ...own.webhooks, ...webhookWrites(writer) },
    deliveries: { ...own.deliveries, ...deliveryWrites(writer, newId) },
    oauth: { ...own.oauth, ...oauthWrites(writer) },
    attempt: queue.attempt,
    newId,
  }
  return {
    read,
    queue: queue.stats,
    secret: fileSecret(writer),
    write: (work) => queue.enqueue(() => work(tx)),
    async close() {
      await queue.close()
      reader.close()
      writer.run("PRAGMA wal_checkpoint(PASSIVE)")
      writer.close()
    },
  }
}

/** Opens the file for reading only, for the worker thread; a store must have it open already. */
export function openSqliteReads(file: string): { read: Reads; close(): void } {
  const db = openReader(file)
  return { read: reads(db), close: () => db.close() }
}

function reads(db: Database): Reads {
  return {
    accounts: accountReads(db),
    apiKeys: apiKeyReads(db),
    leads: leadReads(db),
    changes: changeReads(db),
    notes: noteReads(db),
    rules: ruleReads(db),
    webhooks: webhookReads(db),
    deliveries: deliveryReads(db),
    oauth: oauthReads(db),
  }
}

/**
 * Keeps ids in commit order even when several processes write: called at the start of a transaction, it makes the
 * next id greater than the newest stored one when another process committed (`data_version` moved).
 */
function idFloor(db: Database, ids: Ids): () => void {
  const version = prepare<{ data_version: number }, []>(db, "PRAGMA data_version")
  const newest = prepare<{ id: string }, []>(db, "SELECT id FROM leads ORDER BY rid DESC LIMIT 1")
  let seen = -1
  return () => {
    const { data_version: now } = version.get()!
    if (now === seen) return
    seen = now
    const last = newest.get()
    if (last) ids.floor(last.id)
  }
}

/** Only the very first open writes: a command beside a busy server must not wait for its turn just to read. */
function fileSecret(db: Database): Uint8Array {
  const stored = db.query<{ value: Uint8Array }, []>("SELECT value FROM settings WHERE name = 'secret'")
  const random = crypto.getRandomValues(new Uint8Array(32))
  if (!stored.get())
    db.query("INSERT INTO settings (name, value) VALUES ('secret', ?) ON CONFLICT DO NOTHING").run(random)
  return stored.get()!.value
}
