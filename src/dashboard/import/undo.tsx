import { useState } from "preact/hooks"
import { ask } from "../core/api.ts"
import { plural } from "../core/format.ts"
import { putBackText } from "../core/lead-writes.ts"
import { useLoaded } from "../core/loading.ts"
import { href } from "../core/router.ts"
import { t, tx } from "../core/text.ts"
import { attempt, say } from "../core/toast.ts"
import type { ImportRecord, JobStatus, RevertAnswer } from "../core/types.ts"
import { FailureNote } from "../parts/bits.tsx"
import { ConfirmDialog } from "../parts/overlay.tsx"
import { ProgressBar } from "../parts/progress.tsx"

interface Props {
  record: Pick<ImportRecord, "id" | "name">
  onClose: () => void
  onDone: () => void
}

const SHOWN = 5

/** Counts what would be taken back of an import, then does it. */
export function UndoDialog({ record: { id, name }, onClose, onDone }: Props) {
  const [force, setForce] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [job, setJob] = useState<JobStatus>()
  const undo = (dry_run: boolean) =>
    ask<RevertAnswer>("POST", `/imports/${id}/undo`, { query: { dry_run, force } })
  const { data, error, again, isLoading } = useLoaded(() => undo(true), [force])
  const left = data?.skipped ?? []
  const meant = data?.reverted ?? 0
  async function run() {
    setBusy(true)
    const isDone = await attempt(async () => say(await putBackText(await undo(false), setJob)))
    setBusy(false)
    if (isDone) onClose()
    onDone()
  }
  return (
    <ConfirmDialog
      title={t("Undo {name}?", { name })}
      action={isBusy ? t("Working…") : t("Put back {leads}", { leads: plural(meant, "lead") })}
      isDisabled={isBusy || isLoading || meant === 0}
      onConfirm={run}
      onClose={onClose}
    >
      <div class="stack">
        {error !== undefined && <FailureNote error={error} again={again} />}
        {!data && !error && <p>{t("Counting…")}</p>}
        {data && (
          <p>
            {tx("Leads this import created will be deleted; merged leads will be restored: {b}.", {
              b: <b>{plural(meant, "lead")}</b>,
            })}
          </p>
        )}
        {left.length > 0 && (
          <>
            <p>{t("{leads} stay as they are:", { leads: plural(left.length, "lead") })}</p>
            <ul class="problems">
              {left.slice(0, SHOWN).map(({ lead_id, message }) => (
                <li key={lead_id}>
                  <a href={href(`leads/${lead_id}`)}>{lead_id.slice(0, 11)}…</a> {message}
                </li>
              ))}
            </ul>
          </>
        )}
        {(left.length > 0 || force) && (
          <label class="check">
            <input
              type="checkbox"
              checked={force}
              onChange={(event) => setForce(event.currentTarget.checked)}
            />
            {t("These too: what somebody changed of them since is lost")}
          </label>
        )}
        {job && <ProgressBar done={job.done} of={job.of} label={t("Leads that are put back")} />}
      </div>
    </ConfirmDialog>
  )
}
