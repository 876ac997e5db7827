import { SQL } from "bun"
import type { LeadKeys } from "../../lead/lead-keys.ts"
import type { Ids } from "../../runtime/clock.ts"
import { tooLong } from "../../runtime/errors.ts"
import { lazy } from "../../runtime/memoize.ts"
import { writeVitals } from "../../runtime/vitals.ts"
import type { Indexer, Reads, Store, StoreOptions, StoreReads, Transaction } from "../contract/store.ts"
import { openOverlay } from "../overlay/overlay.ts"
import { madeOnDemand } from "../shared/made-on-demand.ts"
import { notHere } from "../shared/moved-away.ts"
import { createSecrets, type Secrets } from "../shared/secrets.ts"
import type { Db } from "../sql/db.ts"
import { tableReads, tableWrites } from "../tables/index.ts"
import { type DueWebhooks, dueWebhooks } from "../tables/webhooks.ts"
import { accountRemoval } from "./account-removal.ts"
import { asStorageError, wasTooLong } from "./connection/errors.ts"
import { hashLookups, type Lookups, lookupsAlone, lookupsTogether } from "./connection/lookups.ts"
import { connectForMaintenance } from "./connection/maintenance.ts"
import { openPool, type Pool, poolDb } from "./connection/pool.ts"
import { connect, sendQuery } from "./connection/query.ts"
import { openReplicas } from "./connection/replicas.ts"
import { sharedPool } from "./connection/shared-pool.ts"
import { explored } from "./connection/sharing.ts"
import { isOutgrowing, tableSizes } from "./connection/table-sizes.ts"
import { directUrl, sharesOf, type Ways, waysTo } from "./connection/ways.ts"
import { aliasesKnown } from "./duplicates/aliases.ts"
import { leadRange } from "./duplicates/lead-range.ts"
import { matchReads } from "./duplicates/match-keys.ts"
import { pgPairReads } from "./duplicates/pairs.ts"
import { changedBeside } from "./leads/activity.ts"
import { leadReads, leadReadsWithin } from "./leads/leads.ts"
import { listedWithin } from "./leads/listed.ts"
import { keepPhoneNumbers } from "./leads/phone-numbers.ts"
import { lockAndPrefetch } from "./leads/prefetch.ts"
import { accountColumns } from "./leads/projections.ts"
import { leadWrites } from "./leads/writes.ts"
import { publishing, subscribedWithin } from "./outbox/publishing.ts"
import { pgMigrate } from "./schema/migrations.ts"
import { makeTextIndex, NO_CANDIDATES, type TextCandidates, textCandidates } from "./search/text-index.ts"
import { sealAtStart } from "./secrets/resealing.ts"
import { trailCare, trailErasing } from "./trail/care.ts"
import { changeReads, changeReadsWithin } from "./trail/read.ts"
import { changeWrites } from "./trail/write.ts"
import { createTrailNews, createTrailWatch } from "./trail-watch.ts"
import { keptFilesOf } from "./work/kept-files.ts"
import { createRequestCounts } from "./work/request-counts.ts"
import { watchWritable } from "./writable.ts"
import type { Attempts } from "./writes/attempts.ts"
import { MOVED_TO, movedTo, refuseMoved } from "./writes/moves.ts"
import type { Tx } from "./writes/transaction.ts"
import { createWriteQueue } from "./writes/write-queue.ts"

/** Milliseconds that a statement behind a request may take, and may wait for a lock: then the client is told. */
const STATEMENT_MS = 60_000
const LOCK_MS = 5_000

interface Hands {
  tx: Tx
  transaction: Transaction
  /** The newest id of the transaction. */
  newest: string
  /** The account's newest lead before it. */
  leads: number
}

/** Opens the PostgreSQL engine, making or updating its tables. Throws an Error that a person can act on. */
export async function openPostgresStore(
  address: string | Ways,
  ids: Ids,
  options: StoreOptions = {},
  secretKey?: string,
): Promise<Store> {
  const { onDue, onWritten, onIndexFailure, onMoved, isService } = options
  const secrets = createSecrets(secretKey)
  const service = isService ? { secretKey } : undefined
  const { ways, pool, db, secret } = await opened(waysTo(address), secrets, service)
  const { sharesSessions: isShared, direct } = ways
  const writable = watchWritable(db, { isLasting: isService === true, onMoved })
  const texts = textCandidates(db)
  const read = reads(db, secret, secrets, texts, lookupsTogether(poolDb(pool, "keys")))
  const index = isService ? makeTextIndex(directUrl(ways), isShared && direct === undefined) : undefined
  index?.made.catch((error) => onIndexFailure?.(error))
  const listening = isShared && direct === undefined ? undefined : connect(directUrl(ways), 1)
  const watch = createTrailWatch(db, createTrailNews(listening, db))
  const sizes = tableSizes(db)
  const due = dueWebhooks(onDue)

  const { writers } = sharesOf(ways.connections)
  const connections = { pool, kind: "writes", most: writers } as const
  const queue = createWriteQueue<Hands>(connections, {
    make: (tx, attempts) =>
      makeHands(tx, attempts, { secret, secrets, ids, due, watch, phonesDue: () => phones?.look() }),
    async begun(hands, tx, account, pushed) {
      hands.newest = ""
      const state = account === undefined ? undefined : await lockAndPrefetch(tx, account, pushed)
      hands.leads = state?.lead_head ?? 0
      const last = state ? state.last_id : await lockAcross(tx)
      if (last) ids.floor(last)
    },
    async joined(_, tx, account, pushed) {
      if (account !== undefined) await lockAndPrefetch(tx, account, pushed)
    },
    async ending({ newest, leads }, tx, account) {
      if (!newest) return
      if (account === undefined) {
        tx.later("UPDATE locks SET last_id = $1 WHERE name = 'across'", [newest])
        return
      }
      const state = await tx.account(account)
      state.last_id = newest
      if (isOutgrowing(leads, state.lead_head)) tx.after(sizes.outgrown)
    },
  })
  const phones = onIndexFailure
    ? keepPhoneNumbers(db, (account, work) => queue.enqueue(account, ({ tx }) => work(tx)), onIndexFailure)
    : undefined
  async function write<T>(
    account: number | undefined,
    work: (tx: Transaction) => Promise<T>,
    pushed?: readonly LeadKeys[],
  ): Promise<T> {
    writable.check()
    const done = await queue.enqueue(account, ({ transaction }) => work(transaction), pushed)
    onWritten?.()
    return done
  }

  return {
    read,
    readThrough: read,
    isElsewhere: true,
    sharesSessions: isShared,
    overlay: (account, folder) => openOverlay(read, account, folder),
    vitals: {
      async read() {
        writable.checkLasting()
        if (!(await db.get("SELECT name FROM settings LIMIT 1"))) throw new Error("it does not answer")
      },
      reads: () => ({ underWay: pool.use().underWay, connections: pool.use().open }),
      writes: writeVitals(queue.stats, () => write(undefined, async () => undefined)),
    },
    get secret() {
      return secret()
    },
    requests: createRequestCounts(db),
    keptFiles: (folder) => keptFilesOf(db, folder),
    changedElsewhere: async () => true,
    isIndexBehind: () => false,
    indexAll: async () => undefined,
    holdWrites: (work) => work(),
    refresh: () => undefined,
    write,
    writeAcross: (work) => write(undefined, work),
    watchChanges: watch.watch,
    touch: watch.touch,
    async close() {
      watch.close()
      writable.stop()
      await Promise.all([phones?.stop(), index?.stop()])
      await queue.close()
      await Promise.all([listening?.close(), pool.close()])
    },
  }
}

interface Shared {
  secret: Own
  secrets: Secrets
  ids: Ids
  due: DueWebhooks
  watch: { grown(account: number): void }
  phonesDue(): void
}

/** The nouns of a transaction, on a connection's `tx`. */
function makeHands(
  tx: Tx,
  attempts: Attempts,
  { secret, secrets, ids, due, watch, phonesDue }: Shared,
): Hands {
  const hands = { tx, newest: "", leads: 0 } as Hands
  function newId(prefix = ""): string {
    hands.newest = ids.uuid()
    return prefix + hands.newest
  }
  function nowDue(webhook?: number): void {
    tx.after(() => due.add(webhook))
    tx.after(due.tell)
  }
  const readsNow = reads(tx, secret, secrets, NO_CANDIDATES, lookupsAlone(tx))
  const writes = tableWrites(tx, {
    ...{ secrets, newId, nowDue },
    phonesDue: () => tx.after(phonesDue),
    columns: accountColumns(tx),
    removeAccount: accountRemoval(tx),
    leadRange: (account) => leadRange(tx, account),
    publish: publishing(tx, newId, nowDue),
    ...changedBeside(tx),
    webhooksChanged(account) {
      const state = tx.held(account)
      if (state) state.webhooks = undefined
    },
  })
  const nouns = madeOnDemand<Omit<Transaction, "attempt" | "newId">>({
    ...writes,
    leads: () => {
      const reads = leadReadsWithin(tx)
      return { ...reads, ...leadWrites(tx, reads) }
    },
    trail: () => trailCare(tx),
    changes: () => ({
      ...changeReadsWithin(tx, secret()),
      ...changeWrites(tx, (account) => tx.after(() => watch.grown(account))),
      ...trailErasing(tx),
    }),
    duplicates: () => ({ ...readsNow.duplicates, ...aliasesKnown(tx, writes.duplicates()) }),
    suppressions: () => listedWithin(tx, writes.suppressions()),
    webhooks: () => ({ ...writes.webhooks(), ...subscribedWithin(tx, readsNow.webhooks) }),
  })
  hands.transaction = Object.assign(nouns, { attempt: attempts.attempt, newId })
  return hands
}

async function lockAcross(tx: Tx): Promise<string> {
  const row = await tx.get<{ last_id: string; moved_to: Uint8Array | null }>(
    `SELECT last_id, ${MOVED_TO} FROM locks WHERE name = 'across' FOR UPDATE`,
  )
  refuseMoved(row!)
  return row!.last_id
}

interface Opened {
  ways: Ways & { sharesSessions: boolean }
  pool: Pool
  db: Db
  secret: Own
}

/** Finds out how the database is reached, and brings it up to date. A service needs its secret, and encrypts others. */
async function opened(
  ways: Ways,
  secrets: Secrets,
  service: { secretKey: string | undefined } | undefined,
): Promise<Opened> {
  try {
    const explorer = await explored(ways)
    await upToDate(explorer, service)
    const { requests, writers } = sharesOf(ways.connections)
    const pool = openPool({
      ...{ url: ways.url, name: "leaddb", isShared: explorer.sharesSessions, size: requests, writers },
      ...{ statementMs: STATEMENT_MS, lockMs: LOCK_MS },
    })
    const db = poolDb(pool, "reads")
    const secret = await orClose(pool, async () => {
      const secretNow = await secretOf(db, secrets)
      // Others do without it as long as they can.
      if (service) secretNow()
      return secretNow
    })
    return { ways: explorer, pool, db, secret }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`cannot open the PostgreSQL database at ${URL.parse(ways.url)?.host}: ${why}`, {
      cause: error,
    })
  }
}

async function upToDate(
  ways: Opened["ways"],
  service: { secretKey: string | undefined } | undefined,
): Promise<void> {
  const sealingKey = service?.secretKey
  const sql = connectForMaintenance(directUrl(ways), ways.sharesSessions && ways.direct === undefined)
  try {
    await pgMigrate(sql)
    const place = service && (await movedTo(sql))
    if (place !== undefined) throw new Error(`it ${notHere(place)}`)
    if (sealingKey !== undefined) await sealAtStart(sql, sealingKey)
  } finally {
    await sql.close()
  }
}

async function orClose<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await pool.close()
    throw error
  }
}

/** The database's own secret. Throws an Error that a person can act on where the key for it is missing or wrong. */
type Own = () => Uint8Array

async function secretOf(db: Db, secrets: Secrets): Promise<Own> {
  const text = "SELECT name, value FROM settings WHERE name IN ('secret', 'sealing', 'moving')"
  const rows = await db.all<{ name: string; value: Uint8Array }>(text)
  const value = (name: string) => rows.find((row) => row.name === name)?.value
  if (value("moving")) throw new Error(UNFINISHED)
  return lazy(() => secrets.own(value("secret")!, value("sealing") ?? null)).get
}

const UNFINISHED =
  "leaddb move has begun to fill it and has not ended: run the same leaddb move again, it goes on where it was"

/** Ends the statements of all connections of a name but this one. */
const END_STATEMENTS = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
  WHERE application_name = $1 AND pid <> pg_backend_pid() AND state = 'active'`

/**
 * Opens the database for reading only. Where a statement may take so many milliseconds, on a connection of its own that can
 * be told to end its statements; else on those that the thread's parts share.
 */
export async function openPostgresReads(
  address: string | Ways,
  secretKey?: string,
  statementMs?: number,
): Promise<StoreReads> {
  const ways = await explored(waysTo(address))
  const secrets = createSecrets(secretKey)
  if (statementMs !== undefined) return openQuestionReads(ways, secrets, statementMs)
  const { pool, close } = sharedPool(ways)
  const db = poolDb(pool, "reads")
  const secret = await secretOf(db, secrets)
  return {
    read: reads(db, secret, secrets, textCandidates(db), lookupsAlone(db)),
    get secret() {
      return secret()
    },
    changedElsewhere: async () => true,
    close,
  }
}

async function openQuestionReads(ways: Ways, secrets: Secrets, statementMs: number): Promise<StoreReads> {
  const name = `leaddb reader ${crypto.randomUUID()}`
  const { url, sharesSessions = false } = ways
  const options = { url, name, isShared: sharesSessions, size: 1, writers: 1, statementMs, lockMs: LOCK_MS }
  const pool = openPool(options)
  const failed = (error: unknown) => (wasTooLong(error) ? tooLong(statementMs) : asStorageError(error))
  const db = poolDb(pool, "reads", failed)
  const secret = await secretOf(db, secrets)
  const replicas = openReplicas(ways, options, db, (replica) => {
    const readDb = poolDb(replica, "reads", failed)
    return reads(readDb, secret, secrets, textCandidates(readDb), lookupsAlone(readDb))
  })
  const primary = reads(db, secret, secrets, textCandidates(db), lookupsAlone(db))
  return {
    read: primary,
    readFor: async (account) => (await replicas.fresh(account)) ?? primary,
    get secret() {
      return secret()
    },
    changedElsewhere: async () => true,
    async endStatements() {
      for (const address of [url, ...(ways.replicas ?? [])]) await endStatements(address, name)
    },
    close() {
      void pool.close()
      replicas.close()
    },
  }
}

/** On a connection that is there for this alone: the others are in use. */
async function endStatements(url: string, name: string): Promise<void> {
  const sql = new SQL(url, { max: 1, prepare: false, connectionTimeout: 5 })
  try {
    await sendQuery(sql, END_STATEMENTS, [name])
  } finally {
    await sql.close()
  }
}

function reads(db: Db, secret: Own, secrets: Secrets, texts: TextCandidates, lookups: Lookups): Reads {
  const shared = tableReads(db, secrets, hashLookups(lookups))
  return madeOnDemand<Reads>({
    ...shared,
    leads: () => leadReads(db, texts, lookups),
    changes: () => changeReads(db, secret()),
    duplicates: () => ({ ...shared.duplicates(), ...pgPairReads(db) }),
    matching: () => matchReads(db),
  })
}

export { openMatchingStore } from "./duplicates/matching-store.ts"
export { openScoringStore } from "./leads/scoring-store.ts"

/** Nothing has to follow: what is derived from leads is written with them. */
export function openIndexer(): Indexer {
  return {
    step: async () => ({ leads: 0, isAll: true, isElsewhere: false }),
    rest: async () => undefined,
    close: async () => undefined,
  }
}
