import * as v from "valibot"
import { described } from "../../lead/described.ts"
import { OptionalFlag } from "../../lead/fields.ts"
import { AppError } from "../../runtime/errors.ts"
import { JsonText } from "../../text/json-text.ts"
import { RevertOutput, revertSelected, revertWords } from "../changes/revert.ts"
import { BATCH_ID, JOB_ID, OTHER_LEAD_ID } from "../examples.ts"
import { type Context, operation } from "../operation.ts"
import { interruptCutOff } from "./run/cut-off.ts"
import { getImportRow } from "./run/records.ts"

/**
 * Undoes an import: deletes the leads that it created, restores those that it merged. Leads changed since are listed
 * and kept. Runs as a job for many leads. Throws `conflict`.
 */
export async function undoImportById(
  ctx: Context,
  id: string,
  { dry_run = false, force = false }: { dry_run?: boolean | undefined; force?: boolean | undefined },
): Promise<JsonText> {
  const row = await getImportRow(ctx, id)
  if (row.state === "running" && !(await interruptCutOff(ctx, ctx.caller.account.key, id)))
    throw new AppError("conflict", "The import is still running: wait for its end, or stop its job, first")
  if (row.state === "undone" && !force && !dry_run)
    throw new AppError(
      "conflict",
      "The import was undone already; force=true puts back what was left alone then",
    )
  const answer = await revertSelected(ctx, { import_id: id }, { dry_run, force }).catch((error) => {
    if (!(error instanceof AppError) || error.kind !== "not_found") throw error
    return new JsonText(
      JSON.stringify({ matched: 0, reverted: 0, skipped: [], ...(dry_run && { dry_run }) }),
      200,
    )
  })
  if (dry_run) return answer
  const { job = null } = JSON.parse(answer.text) as { job?: string }
  const account = ctx.caller.account.key
  await ctx.store.write(account, (tx) =>
    tx.imports.update(account, id, { state: "undone", undone_at: ctx.now, undo_job: job }),
  )
  return answer
}

export const undoImport = operation({
  name: "undo_import",
  about: "Undo an import, except on leads that were changed since",
  tag: "Imports",
  errors: ["conflict"],
  note: "Created leads are deleted; merged leads are restored. A lead that was changed or got a note since is left unchanged and listed. More than 250 leads are undone by a job.",
  says: { 202: "Accepted: a job reverts the leads." },
  example: {
    answers: {
      200: {
        matched: 2,
        reverted: 1,
        skipped: [
          { lead_id: OTHER_LEAD_ID, message: "It was updated since, by anna: left alone without force" },
        ],
        batch_id: BATCH_ID,
      },
      202: { job: JOB_ID, matched: 48_210, batch_id: BATCH_ID },
    },
  },
  access: "write",
  http: "POST /imports/:id/undo",
  paced: true,
  input: described(v.strictObject({ id: v.string(), dry_run: OptionalFlag, force: OptionalFlag }), {
    dry_run: "Changes nothing; returns what would happen.",
    force: "Also reverts leads that were changed since.",
  }),
  query: ["dry_run", "force"],
  output: described(RevertOutput, {
    ...revertWords,
    matched: "Leads that the import created or merged.",
    "skipped[].lead_id": "`cl_` and a UUID.",
    skipped: "Leads that were left unchanged, the first 1,000.",
    batch_id: "Id by which this change can itself be reverted.",
    dry_run: "True when nothing was changed; else absent.",
    job: "Id of the job, for more than 250 leads.",
  }),
  otherStatuses: [202],
  run: (ctx, { id, ...options }) => undoImportById(ctx, id, options),
})
