import * as v from "valibot"
import type { RevertOutput } from "../../domain/changes/revert.ts"
import { listMappings } from "../../domain/imports/run/mappings.ts"
import { getImport, type ImportRecordOutput, listImports } from "../../domain/imports/run/records.ts"
import type { ImportReport } from "../../domain/imports/run/report.ts"
import { undoImportById } from "../../domain/imports/undo.ts"
import { JOB_KINDS } from "../../domain/jobs/kinds.ts"
import type { Context } from "../../domain/operation.ts"
import { createLog } from "../../runtime/log.ts"
import { counted, excerpt } from "../../text/text.ts"
import { startJobRunner } from "../../worker/jobs/runner.ts"
import { columns, command, type Io, when } from "./command.ts"
import { flag, option } from "./config.ts"
import { ACCOUNT, ADMIN, perform, withLocalContext } from "./database.ts"
import { formatCount, listed, mappingText, progressLine } from "./import-report.ts"

/** Leads that are named as left alone. */
const SHOWN = 20
const LOOK_MS = 100

const imports = command({
  name: "imports",
  about: "List imports, newest first",
  options: {
    account: ACCOUNT,
    limit: option(
      "N",
      "how many at most (default: 50)",
      v.optional(
        v.pipe(v.string(), v.transform(Number), v.integer(), v.minValue(1), v.maxValue(1_000)),
        "50",
      ),
    ),
    ...ADMIN,
  },
  async run({ limit, ...where }) {
    const answer = await perform<{ imports: v.InferOutput<typeof ImportRecordOutput>[] }>(
      where,
      listImports,
      { limit },
    )
    const head = ["ID", "WHEN", "NAME", "STATE", "ROWS", "CREATED", "MERGED", "REJECTED"]
    const rows = answer.imports.map(
      ({ id, created_at, name, state, progress, created, merged, rejected }) => {
        return [id, when(created_at), excerpt(name, 40), state, progress.done, created, merged, rejected]
      },
    )
    return {
      json: answer,
      text: rows.length > 0 ? columns([head, ...rows]) : "No imports yet: leaddb import FILE makes one.\n",
    }
  },
})

const showImport = command({
  name: "imports show",
  about: "Show an import: its columns and its progress",
  argument: { name: "ID", about: "the id of the import, such as imp_..." },
  options: { account: ACCOUNT, ...ADMIN },
  async run(where, [id = ""]) {
    const one = await perform<{ report: ImportReport | null }>(where, getImport, { id })
    return {
      json: { import: one },
      text: one.report ? mappingText(one.report) : "Nothing of it is in yet.\n",
    }
  },
})

const undoImportCommand = command({
  name: "imports undo",
  about: "Undo an import, except for leads that were changed since",
  argument: { name: "ID", about: "the id of the import, such as imp_..." },
  options: {
    account: ACCOUNT,
    dryRun: flag("show what would happen without changing anything"),
    force: flag("undo leads that were changed since, too"),
    ...ADMIN,
  },
  examples: ["leaddb imports undo imp_019aa6f8-33d0-7003-9c1e-2b7d4f5a6c80 --dry-run"],
  run: ({ dryRun, force, ...where }, [id = ""], io) =>
    withLocalContext(where, async (ctx) => {
      const answer = JSON.parse((await undoImportById(ctx, id, { dry_run: dryRun, force })).text) as Undone
      const done =
        answer.job === undefined ? answer : { ...answer, ...(await finishJob(io, ctx, answer.job)) }
      return { json: { undo: done }, text: undoText(done, dryRun) }
    }),
})

type Undone = v.InferOutput<typeof RevertOutput>

/** Works on a job until it ends, as no service may be running; one that runs does its share. */
async function finishJob(io: Io, ctx: Context, id: string): Promise<Pick<Undone, "reverted" | "skipped">> {
  const log = createLog("pretty", (lines) => io.err(lines))
  const runner = startJobRunner(ctx, JOB_KINDS, log)
  const find = () => ctx.store.read.jobs.find(ctx.caller.account.key, id)
  let part: number | undefined
  const progress = progressLine(io, () => part)
  try {
    for (;;) {
      const job = await find()
      if (!job || job.ended_at !== null) {
        const skipped = (job?.errors ?? []).map(({ lead_id = "", message }) => ({ lead_id, message }))
        return { reverted: (job?.done ?? 0) - (job?.failed ?? 0), skipped }
      }
      part = job.of ? job.done / job.of : undefined
      progress.update(job.done)
      await Bun.sleep(LOOK_MS)
    }
  } finally {
    progress.clear()
    await runner.stop()
  }
}

function undoText({ matched, reverted = 0, skipped = [] }: Undone, dryRun: boolean): string {
  const would = dryRun ? "Would take back" : "Took back"
  const left = matched - reverted
  const shown = skipped.slice(0, SHOWN).map(({ lead_id, message }) => [lead_id, excerpt(message, 160)])
  const alone = left > 0 ? `Left as they are: ${counted(left, "lead")}.\n${listed(shown, left)}` : ""
  return `${would} what the import did to ${counted(reverted, "lead")} of ${formatCount(matched)}.\n${alone}`
}

const mappings = command({
  name: "import-mappings",
  about: "List the saved mappings of columns",
  options: { account: ACCOUNT, ...ADMIN },
  async run(where) {
    const all = await perform<{ name: string; options: object; used_at: number }[]>(where, listMappings)
    const rows = all.map(({ name, options, used_at }) => {
      return [name, when(used_at), excerpt(JSON.stringify(options), 100)]
    })
    const none = "No mappings yet: leaddb import FILE --save-mapping NAME keeps one.\n"
    return {
      json: { mappings: all },
      text: rows.length > 0 ? columns([["NAME", "USED", "SAYS"], ...rows]) : none,
    }
  },
})

const deleteMappingCommand = command({
  name: "import-mappings delete",
  about: "Delete a saved mapping of columns",
  argument: { name: "NAME", about: "the name of the mapping" },
  options: { account: ACCOUNT, ...ADMIN },
  run: (where, [name = ""]) =>
    withLocalContext(where, async (ctx, store) => {
      const { key } = ctx.caller.account
      const isGone = await store.write(key, (tx) => tx.imports.removeMapping(key, name))
      if (!isGone) throw new Error(`there is no mapping "${name}"; see leaddb import-mappings`)
      return { json: { deleted: name }, text: `Deleted the mapping "${name}".\n` }
    }),
})

export const importsCommands = [imports, showImport, undoImportCommand, mappings, deleteMappingCommand]
