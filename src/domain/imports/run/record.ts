// The record of an import that runs in the request or command that asked for it.
import type { Upload } from "../../../runtime/upload.ts"
import type { Transaction } from "../../../store/contract/store.ts"
import { checkStorage } from "../../leads/write/write.ts"
import type { Context } from "../../operation.ts"
import { ALIVE_MS, interrupted, RENEW_MS, runsHere } from "./cut-off.ts"
import { type Failure, insertRecord, kept } from "./records.ts"
import type { ImportReport } from "./report.ts"
import { type ImportSession, type ImportTally, reportOf, shortReport } from "./session.ts"

export interface ForegroundRecord {
  id: string
  /** Saves the leads of a transaction and the counts that hold with it. Throws `conflict` when the import was ended. */
  note(tx: Transaction, tally: ImportTally, refs: readonly number[]): Promise<void>
  /** Ends the record, unless it was undone, or a failed import was ended already. */
  end(report: ImportReport, failure?: Failure): Promise<void>
  /** No more signs of life. */
  stop(): void
}

/**
 * Inserts the record of an import, which gives signs of life from now on. Throws `storage_limit_reached`: none of its
 * rows could be saved.
 */
export async function beginRecord(
  ctx: Context,
  file: Upload,
  session: ImportSession,
): Promise<ForegroundRecord> {
  const { store, clock } = ctx
  const account = ctx.caller.account.key
  const aliveUntil = () => clock.now() + ALIVE_MS
  const began = clock.now()
  const id = await store.write(account, async (tx) => {
    await checkStorage(ctx, tx)
    const id = tx.newId("imp_")
    await insertRecord(ctx, tx, id, { file, options: session.options, session, aliveUntil: aliveUntil() })
    return id
  })
  const leave = runsHere(id)
  const changes = (report: ImportReport, failure?: Failure) => ({
    done: report.total,
    report: kept({ report, began, error: null, digest: session.file.digest, ...failure }),
  })

  function renew(): void {
    // The next one, or the next transaction, makes up for one that fails.
    store
      .write(account, (tx) => tx.imports.updateRunning(account, id, { alive_until: aliveUntil() }))
      .catch(() => undefined)
  }
  const renewing = setInterval(renew, RENEW_MS)
  renewing.unref()

  return {
    id,
    async note(tx, tally, refs) {
      const report = shortReport(reportOf(session, tally, { id, dry_run: false }))
      const saved = { ...changes(report), alive_until: aliveUntil() }
      if (!(await tx.imports.updateRunning(account, id, saved))) throw interrupted()
      await tx.imports.addLeads(account, id, refs)
    },
    async end(report, failure) {
      const ended = {
        ...changes(report, failure),
        state: failure ? ("failed" as const) : ("done" as const),
        total: report.total,
        ended_at: Math.floor(clock.now() / 1000),
      }
      await store.write(account, async (tx) => {
        if (await tx.imports.updateRunning(account, id, ended)) return
        const row = await tx.imports.find(account, id)
        // All of its rows are in: only the sign of life was late.
        if (!failure && row?.state === "interrupted") await tx.imports.update(account, id, ended)
      })
    },
    stop() {
      clearInterval(renewing)
      leave()
    },
  }
}
