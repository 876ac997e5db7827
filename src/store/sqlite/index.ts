import type { Database } from "bun:sqlite"
import type { Ids } from "../../runtime/clock.ts"
import { lazy } from "../../runtime/memoize.ts"
import type { Reads, Store, StoreOptions, StoreReads, Transaction } from "../contract/store.ts"
import { openOverlay } from "../overlay/overlay.ts"
import { madeOnDemand } from "../shared/made-on-demand.ts"
import type { MovedAway } from "../shared/moved-away.ts"
import { createSecrets, type Secrets } from "../shared/secrets.ts"
import { sqliteCode } from "../shared/sqlite-code.ts"
import type { WriteDb } from "../sql/db.ts"
import { tableReads, tableWrites } from "../tables/index.ts"
import { createPendingLeads, type PendingLeads } from "../tables/leads/pending-leads.ts"
import type { Surroundings } from "../tables/surroundings.ts"
import { type DueWebhooks, dueWebhooks } from "../tables/webhooks.ts"
import { accountRemoval } from "./account-removal.ts"
import {
  changeWatch,
  createReadTurn,
  hashLookups,
  prepare,
  type ReadTurn,
  sqliteDb,
} from "./connection/database.ts"
import { createProgress } from "./derived/tail.ts"
import { leadRange } from "./duplicates/lead-range.ts"
import { matchReads } from "./duplicates/match-reads.ts"
import { filePairReads } from "./duplicates/pairs.ts"
import { openReader, openWriter, PASSING_CACHE_KIB, patiently } from "./file/connections.ts"
import { freeDeadLeases } from "./file/dead-leases.ts"
import { moveWatch, settleMove, watchLeftLog } from "./file/follow-log.ts"
import { indexAll } from "./file/follower.ts"
import { MIGRATIONS, migratedSchema } from "./file/migrations.ts"
import { sealAtStart } from "./file/resealing.ts"
import { makeOwnSecret, ownSecret } from "./file/secrets.ts"
import { storeVitals } from "./file/vitals.ts"
import { leadReads } from "./lead-reads.ts"
import { rewriteOldDocuments } from "./leads/old-documents.ts"
import { createLeadLog, type LeadLog } from "./leads/projections.ts"
import { leadWrites } from "./leads/writes.ts"
import {
  accountColumns,
  accountTotals,
  closing,
  createGroupMemo,
  createPendingWrites,
  type GroupMemo,
  type PendingWrites,
} from "./queue/transaction.ts"
import { createWriteQueue, type Pushing } from "./queue/write-queue.ts"
import { createRequestCounts } from "./requests/request-counts.ts"
import { type Erased, erasure } from "./search/erasure.ts"
import { keepPhoneNumbers } from "./search/phone-numbers.ts"
import { changedBeside, publishing } from "./surroundings.ts"
import { trailCare, trailErasing } from "./trail/care.ts"
import { changeReads } from "./trail/change-reads.ts"
import { changeWrites, watchFileTrail } from "./trail/trail-rows.ts"

export type SqliteStore = Store

/**
 * Opens the SQLite engine on a file, creating and migrating it when needed: one write connection behind the
 * queue, one read-only connection. Throws an Error that a person can act on.
 */
export function openSqliteStore(
  file: string,
  ids: Ids,
  options: StoreOptions = {},
  secretKey?: string,
): SqliteStore {
  const { onDue, onLeads, onWritten, onIndexFailure, onMoved, onMoveRemoved, isService } = options
  if (isService) freeDeadLeases(file)
  const writer = openWriter(file)
  if (isService) settleOrClose(writer, file)
  const secrets = secretsOf(writer, secretKey, isService)
  const reader = openReader(file)
  const turn = createReadTurn(reader)
  const due = dueWebhooks(onDue)
  const changed = changeWatch(writer)
  function committed(): void {
    turn.leave()
    watch.committed()
    onWritten?.()
    if (log.takeNews()) onLeads?.()
    if (arePhonesDue) phones?.begin()
    arePhonesDue = false
    due.tell()
  }
  const watch = watchFileTrail(writer)
  const progress = createProgress(reader)
  const log = createLeadLog(writer, () => progress().log)
  const erased: Erased[] = []
  const erase = erasure(file, reader)
  const pending = createPendingWrites()
  const known = createPendingLeads()
  const memo = createGroupMemo(known.forgetCommitted)
  const statements = closing(sqliteDb(writer), memo)
  const raiseIds = idFloor(writer, ids)
  const whyMoved = moveWatch(writer, onMoved)
  const committedBeside = changeWatch(writer)
  let moved: MovedAway | undefined
  let arePhonesDue = false
  function begun(): void {
    // A snapshot would keep the log from beginning anew.
    turn.leave()
    if (committedBeside()) {
      moved = whyMoved()
      if (!moved) raiseIds()
    }
    if (moved) throw moved
    known.clear()
    memo.begun()
    log.begun()
  }
  /** Looks up at once what pushes may repeat: most repeat nothing, and their rows are then written together. */
  async function lookAhead(pushes: readonly Pushing[]): Promise<void> {
    for (const [account, all] of Map.groupBy(pushes, ({ lane }) => lane!)) {
      const keys = all.flatMap(({ pushed }) => pushed)
      known.putAll(keys, await tx.leads.findDuplicates(account, keys), true)
    }
  }
  const queue = createWriteQueue(writer, { pending, begun, committed, lookAhead })
  const phones =
    onIndexFailure && keepPhoneNumbers({ reader, write: statements, queue, pending }, onIndexFailure)
  const documents = onIndexFailure && rewriteOldDocuments({ reader, writer, queue }, onIndexFailure)
  const read = reads(reader, secrets, { turn })
  const passing = lazy(() => openReader(file, PASSING_CACHE_KIB))
  const readThrough = lazy(() => reads(passing.get(), secrets))
  const nouns = nounsOf({
    ...{ writer, statements, secrets, pending, known, memo, log, due },
    newId: (prefix = "") => ids.prefixed(prefix),
    grown: watch.grown,
    erased: (one) => void erased.push(one),
    phonesDue() {
      arePhonesDue = true
    },
  })
  const tx: Transaction = Object.assign(nouns, { attempt: queue.attempt })
  const secret = ownSecret(writer, secrets)
  const moves = onMoveRemoved && watchLeftLog(file, { reader, writer }, queue.lend, onMoveRemoved)
  return {
    read,
    refresh: turn.leave,
    get readThrough() {
      return readThrough.get()
    },
    overlay: (account, folder) => openOverlay(read, account, folder),
    vitals: storeVitals(file, writer, reader, queue),
    get secret() {
      return secret()
    },
    changedElsewhere: async () => changed(),
    requests: createRequestCounts(file, options.clock),
    isIndexBehind: () => progress().isBehind,
    indexAll: () => indexAll(file),
    holdWrites: queue.lend,
    // One queue for all accounts, which take turns: the file takes one writer at a time.
    async write(account, work, pushed) {
      const done = await queue.enqueue(() => work(tx), account, pushed)
      // Before the answer: searches do not find it any more, nor does a correction suggest its words.
      if (erased.length > 0) await erase(erased.splice(0))
      return done
    },
    writeAcross: (work) => queue.enqueue(() => work(tx)),
    watchChanges: watch.watch,
    touch: watch.touch,
    async close() {
      watch.close()
      moves?.stop()
      await phones?.stop()
      await documents?.stop()
      await queue.close()
      turn.leave()
      reader.close()
      passing.peek()?.close()
      checkpoint(writer)
      writer.close()
    },
  }
}

/** What the nouns of a transaction work with. */
interface NounParts {
  writer: Database
  /** Those of everything but leads. */
  statements: WriteDb
  secrets: Secrets
  pending: PendingWrites
  /** Leads that the transaction knows already. */
  known: PendingLeads
  memo: GroupMemo
  log: LeadLog
  due: DueWebhooks
  newId(prefix?: string): string
  /** Called with an account whose trail has grown. */
  grown(account: number): void
  /** Called with what must not be found any more once the transaction is committed. */
  erased(one: Erased): void
  phonesDue(): void
}

/** The nouns of the transactions on the write connection. */
function nounsOf(parts: NounParts): Omit<Transaction, "attempt"> {
  const { writer, statements, secrets, pending, known, memo, log, due, newId, grown, erased, phonesDue } =
    parts
  const removeAccount = accountRemoval(writer, log)
  const totals = accountTotals(writer, pending)
  const around: Surroundings = {
    columns: accountColumns(statements, memo, totals),
    ...{ secrets, newId, phonesDue, nowDue: due.add },
    removeAccount(...asked) {
      memo.close()
      return removeAccount(...asked)
    },
    leadRange: (account) => leadRange(statements, account),
    publish: publishing(writer, newId, due.add),
    // Each write asks the file for them.
    webhooksChanged: () => undefined,
    ...changedBeside(statements, pending, log),
  }
  const readsHere = reads(writer, secrets, { pending })
  const shared = tableWrites(statements, around)
  const nouns: Omit<Transaction, "attempt" | "newId"> = madeOnDemand({
    ...shared,
    leads: () => ({
      ...readsHere.leads,
      ...leadWrites(writer, { pending, log, totals }, known, readsHere.leads),
    }),
    trail: () => trailCare(writer),
    changes: () => ({
      ...readsHere.changes,
      ...changeWrites(writer, pending, grown),
      ...trailErasing(writer, pending, (account, texts) => erased({ account, texts })),
    }),
    duplicates: () => ({ ...readsHere.duplicates, ...shared.duplicates() }),
    webhooks() {
      const all = shared.webhooks()
      const subscribed: typeof all.subscribed = (account, event) =>
        memo.of(`${event} ${account}`, () => all.subscribed(account, event))
      return { ...all, subscribed }
    },
  })
  return Object.assign(nouns, { newId })
}

/** Tidies up only: on a full disk there is no room for it, and everything is safe in the log. */
function checkpoint(db: Database): void {
  try {
    db.run("PRAGMA wal_checkpoint(PASSIVE)")
  } catch (error) {
    if (!sqliteCode(error)) throw error
  }
}

export { openMatchingStore } from "./duplicates/matching-store.ts"
export { openScoringStore } from "./leads/scoring-store.ts"

/** Opens the file for reading only. Throws an Error when its schema is not this executable's. */
export function openSqliteReads(file: string, secretKey?: string, cacheKib?: number): StoreReads {
  const db = openReader(file, cacheKib)
  if (migratedSchema(db) !== MIGRATIONS.length) {
    throw new Error(`${file} is of an older leaddb: start the service once, it brings the file up to date`)
  }
  const changed = changeWatch(db)
  const secrets = createSecrets(secretKey)
  const turn = createReadTurn(db)
  return {
    read: reads(db, secrets, { turn }),
    get secret() {
      return ownSecret(db, secrets)()
    },
    changedElsewhere: async () => changed(),
    close() {
      turn.leave()
      db.close()
    },
  }
}

/** `pending` is what a connection that writes has deferred, `turn` has the snapshots of one that does not. */
function reads(
  db: Database,
  secrets: Secrets,
  { pending, turn }: { pending?: PendingWrites; turn?: ReadTurn } = {},
): Reads {
  const shared = tableReads(sqliteDb(db), secrets, hashLookups(db, turn))
  return madeOnDemand({
    ...shared,
    leads: () => leadReads(db, pending),
    changes: () => changeReads(db, ownSecret(db, secrets)(), pending),
    duplicates: () => ({ ...shared.duplicates(), ...filePairReads(db) }),
    matching: () => matchReads(db),
  })
}

/**
 * Keeps ids in commit order even when several processes write: called at the start of a transaction when another process
 * has committed, it makes the next id greater than the newest stored one.
 */
function idFloor(db: Database, ids: Ids): () => void {
  const newest = prepare<{ id: string }, []>(db, "SELECT id FROM leads ORDER BY rid DESC LIMIT 1")
  return () => {
    const last = newest.get()
    if (last) ids.floor(last.id)
  }
}

/** Throws as `settleMove`, with the connection closed. */
function settleOrClose(writer: Database, file: string): void {
  try {
    patiently(writer, () => settleMove(writer, file))
  } catch (error) {
    writer.close()
    throw error
  }
}

/** A service that starts with a key encrypts what is in clear, and does not start with a wrong one. */
function secretsOf(writer: Database, key: string | undefined, isService = false): Secrets {
  try {
    makeOwnSecret(writer)
    if (isService && key !== undefined) patiently(writer, () => sealAtStart(writer, key))
    const secrets = createSecrets(key)
    if (isService) ownSecret(writer, secrets)()
    return secrets
  } catch (error) {
    writer.close()
    throw error
  }
}
