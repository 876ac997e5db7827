import * as v from "valibot"
import { listMappings } from "../../domain/imports/run/mappings.ts"
import { getImport, type ImportRecordOutput, listImports } from "../../domain/imports/run/records.ts"
import { undoImportById } from "../../domain/imports/undo.ts"
import { JOB_KINDS } from "../../domain/jobs/kinds.ts"
import type { Context } from "../../domain/operation.ts"
import { createLog } from "../../runtime/log.ts"
import { counted, excerpt } from "../../text/text.ts"
import { startJobRunner } from "../../worker/jobs/runner.ts"
import { columns, command, type Io, json, when } from "./command.ts"
import { ACCOUNT, ADMIN, Switch, withLocalContext } from "./database.ts"
import { formatCount, mappingText, progressLine } from "./import-report.ts"

/** Leads that are named as left alone. */
const SHOWN = 20
const LOOK_MS = 100

export const imports = command({
  name: "imports",
  about: "List imports, newest first",
  options: {
    account: ACCOUNT,
    limit: {
      value: "N",
      about: "how many at most (default: 50)",
      schema: v.optional(
        v.pipe(v.string(), v.transform(Number), v.integer(), v.minValue(1), v.maxValue(1_000)),
        "50",
      ),
    },
    ...ADMIN,
  },
  run: (io, { data, database, secretKey, account, json: asJson, limit }) =>
    withLocalContext({ data, database, secretKey }, account, async (ctx) => {
      const answer = (await listImports.run(ctx, { limit })) as {
        imports: v.InferOutput<typeof ImportRecordOutput>[]
      }
      if (asJson) io.out(json(answer))
      else if (answer.imports.length === 0) io.out("No imports yet: leaddb import FILE makes one.\n")
      else
        io.out(
          columns([
            ["ID", "WHEN", "NAME", "STATE", "ROWS", "CREATED", "MERGED", "REJECTED"],
            ...answer.imports.map((one) => [
              one.id,
              when(one.created_at),
              excerpt(one.name, 40),
              one.state,
              one.progress.done,
              one.created,
              one.merged,
              one.rejected,
            ]),
          ]),
        )
      return 0
    }),
})

export const showImport = command({
  name: "imports show",
  about: "Show an import: its columns and its progress",
  argument: { name: "ID", about: "the id of the import, such as imp_..." },
  options: { account: ACCOUNT, ...ADMIN },
  run: (io, { data, database, secretKey, account, json: asJson }, [id = ""]) =>
    withLocalContext({ data, database, secretKey }, account, async (ctx) => {
      const one = (await getImport.run(ctx, { id })) as v.InferOutput<
        NonNullable<typeof getImport.output>
      > & {
        report: Parameters<typeof mappingText>[0] | null
      }
      io.out(
        asJson ? json({ import: one }) : one.report ? mappingText(one.report) : "Nothing of it is in yet.\n",
      )
      return 0
    }),
})

export const undoImportCommand = command({
  name: "imports undo",
  about: "Undo an import, except for leads that were changed since",
  argument: { name: "ID", about: "the id of the import, such as imp_..." },
  options: {
    account: ACCOUNT,
    dryRun: { about: "show what would happen without changing anything", schema: Switch },
    force: { about: "undo leads that were changed since, too", schema: Switch },
    ...ADMIN,
  },
  examples: ["leaddb imports undo imp_019aa6f8-33d0-7003-9c1e-2b7d4f5a6c80 --dry-run"],
  run: (io, { data, database, secretKey, account, json: asJson, dryRun, force }, [id = ""]) =>
    withLocalContext({ data, database, secretKey }, account, async (ctx) => {
      const answer = JSON.parse((await undoImportById(ctx, id, { dry_run: dryRun, force })).text) as Undone
      const done = answer.job === undefined ? answer : { ...answer, ...(await worked(io, ctx, answer.job)) }
      io.out(asJson ? json({ undo: done }) : undoText(done, dryRun))
      return 0
    }),
})

interface Undone {
  matched: number
  reverted?: number
  skipped?: { lead_id: string; message: string }[]
  job?: string
}

/** Does a job here, as no service may be running; one that is has its share. */
async function worked(io: Io, ctx: Context, id: string): Promise<Pick<Undone, "reverted" | "skipped">> {
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
  const more = left > shown.length ? `  and ${formatCount(left - shown.length)} more\n` : ""
  const alone = left > 0 ? `Left as they are: ${counted(left, "lead")}.\n${columns(shown, "  ")}${more}` : ""
  return `${would} what the import did to ${counted(reverted, "lead")} of ${formatCount(matched)}.\n${alone}`
}

export const mappings = command({
  name: "import-mappings",
  about: "List the saved mappings of columns",
  options: { account: ACCOUNT, ...ADMIN },
  run: (io, { data, database, secretKey, account, json: asJson }) =>
    withLocalContext({ data, database, secretKey }, account, async (ctx) => {
      const all = (await listMappings.run(ctx, {})) as { name: string; options: unknown; used_at: number }[]
      if (asJson) io.out(json({ mappings: all }))
      else if (all.length === 0)
        io.out("No mappings yet: leaddb import FILE --save-mapping NAME keeps one.\n")
      else
        io.out(
          columns([
            ["NAME", "USED", "SAYS"],
            ...all.map(({ name, options, used_at }) => [
              name,
              when(used_at),
              excerpt(JSON.stringify(options), 100),
            ]),
          ]),
        )
      return 0
    }),
})

export const deleteMappingCommand = command({
  name: "import-mappings delete",
  about: "Delete a saved mapping of columns",
  argument: { name: "NAME", about: "the name of the mapping" },
  options: { account: ACCOUNT, ...ADMIN },
  run: (io, { data, database, secretKey, account, json: asJson }, [name = ""]) =>
    withLocalContext({ data, database, secretKey }, account, async (ctx, store) => {
      const { key } = ctx.caller.account
      const isGone = await store.write(key, (tx) => tx.imports.removeMapping(key, name))
      if (!isGone) throw new Error(`there is no mapping "${name}"; see leaddb import-mappings`)
      io.out(asJson ? json({ deleted: name }) : `Deleted the mapping "${name}".\n`)
      return 0
    }),
})
