// Imports that were cut off: their process gives no sign of life any more, or their job has ended without them.
import { AppError } from "../../../runtime/errors.ts"
import { grouped } from "../../../text/text.ts"
import { workAnswer } from "../../job-kind.ts"
import type { Context, Services } from "../../operation.ts"
import { asItIs, IMPORT_KIND, kept, keptReport } from "./records.ts"

/** Milliseconds for which a sign of life holds, and between two of them. */
export const ALIVE_MS = 10_000
export const RENEW_MS = 2_500

type Own = Pick<Services, "store" | "clock">

/** Imports that run in this process: their signs of life may be late, but they go on. */
const here = new Set<string>()

/** Notes that an import runs in this process; the result ends that. */
export function runsHere(id: string): () => void {
  here.add(id)
  return () => void here.delete(id)
}

/** Ends the imports of all accounts that were cut off. */
export async function endCutOffImports(service: Own): Promise<void> {
  for (const { account, id } of await service.store.read.imports.cutOff(service.clock.now()))
    await interruptCutOff(service, account, id)
}

/** Ends an import as `interrupted` when it was cut off; false when it was not. */
export async function interruptCutOff(service: Own, account: number, id: string): Promise<boolean> {
  if (here.has(id)) return false
  const now = service.clock.now()
  return service.store.write(account, async (tx) => {
    const record = await tx.imports.find(account, id)
    if (record?.state !== "running") return false
    const row = await asItIs(tx, account, record)
    const cause = row.job === null ? "the process that ran it ended" : "its job ended"
    const error = `The import was cut off after ${grouped(row.done)} rows: ${cause}. Imported rows are kept and can be undone; the whole file can be imported again: what is in is merged, not doubled`
    return tx.imports.updateCutOff(account, id, now, {
      state: "interrupted",
      ended_at: Math.floor(now / 1000),
      done: row.done,
      report: kept({ ...keptReport(row), error }),
    })
  })
}

/**
 * The answer to a repeat of a request whose answer is not kept: the report of its import as it ended, with `state` and
 * `error` unless it was done, or where a background import is found. Undefined while a foreground import may be under way.
 */
export async function becameOfImport(ctx: Context, id: string): Promise<object | undefined> {
  const { key } = ctx.caller.account
  const find = () => ctx.store.read.imports.find(key, id)
  let row = await find()
  if (row?.state === "running" && row.job === null && (await interruptCutOff(ctx, key, id)))
    row = await find()
  const saved = row && keptReport(row)
  if (!row || !saved?.report) return undefined
  if (row.job !== null) {
    const { preset, columns, summary } = saved.report
    const { fits: _, ...room } = summary.room ?? {}
    return workAnswer({ id, job: row.job, name: row.name, preset, columns, room: summary.room && room })
  }
  if (row.state === "running") return undefined
  // Also of an import that was undone since: the first answer was its report.
  if (saved.error === null) return saved.report
  return { ...saved.report, state: row.state, error: saved.error }
}

/** Thrown by an import that finds itself interrupted, or undone: nothing more of it is saved. */
export function interrupted(): AppError {
  return new AppError("conflict", "The import gave no sign of life for a while and was ended as interrupted")
}

// Removes files of imports that never started or ended without cleaning up.

/** Age below which a file may belong to an import that is being checked before its record is written. */
const YOUNG_MS = 60_000

/** Removes stored files that belong to no running import. */
export async function removeLeftFiles({ files, store, clock }: Services): Promise<void> {
  const names = await files.olderThan(clock.now() - YOUNG_MS)
  if (names.length === 0) return
  const inputs = (await store.read.jobs.inputs(IMPORT_KIND)) as { kept?: string }[]
  const inUse = new Set(inputs.map(({ kept }) => kept))
  for (const name of names) if (!inUse.has(name)) await files.remove(name)
}
