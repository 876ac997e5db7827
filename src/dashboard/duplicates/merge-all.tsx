import { useState } from "preact/hooks"
import { post } from "../core/api.ts"
import { formatNumber, plural } from "../core/format.ts"
import { jobDone } from "../core/jobs.ts"
import { useLoaded } from "../core/loading.ts"
import { attempt, say } from "../core/toast.ts"
import type { JobStatus, MergeManyAnswer } from "../core/types.ts"
import { FailureNote, Labelled } from "../parts/bits.tsx"
import { ConfirmDialog } from "../parts/overlay.tsx"
import { ProgressBar } from "../parts/progress.tsx"
import { undoBatch } from "./merges.ts"

/** How sure one can be to merge without looking. */
const SURE = [0.95, 0.97, 0.99]

interface Props {
  onClose: () => void
  /** Leads were merged, or are their own again. */
  onChanged: () => void
}

/** Says what would be merged, merges exactly that, shows how far it is, and can take it back. */
export function MergeAll({ onClose, onChanged }: Props) {
  const [least, setLeast] = useState(SURE[0]!)
  const [job, setJob] = useState<JobStatus>()
  const [isBusy, setBusy] = useState(false)
  const preview = useLoaded(
    () => post<MergeManyAnswer>("/duplicates/merge", { min_probability: least, dry_run: true }),
    [least],
  )
  const { data: found } = preview
  async function run() {
    if (!found) return
    setBusy(true)
    const isDone = await attempt(async () => {
      const { job: id = "", batch_id: batch = "" } = await post<MergeManyAnswer>("/duplicates/merge", {
        min_probability: least,
        expect: found.matched,
      })
      const { done, failed, errors } = await jobDone(id, setJob)
      const refused = failed > 0 ? `; ${formatNumber(failed)} could not be: ${errors[0]?.message}` : ""
      say(`${plural(done - failed, "group")} merged${refused}`, {
        label: "Undo",
        run: () => void takeBack(batch).then(onChanged),
      })
    })
    setBusy(false)
    // What it would merge now may be something else.
    if (!isDone) return preview.again()
    onChanged()
    onClose()
  }
  return (
    <ConfirmDialog
      title="Merge likely duplicates"
      action={isBusy ? "Merging…" : `Merge ${plural(found?.groups ?? 0, "group")}`}
      cancel={isBusy ? "Continue in the background" : "Cancel"}
      isDanger={false}
      isDisabled={isBusy || preview.isLoading || !found || found.groups === 0}
      onConfirm={run}
      onClose={onClose}
    >
      <div class="stack">
        <Labelled label="How sure">
          <select
            value={String(least)}
            disabled={isBusy}
            onChange={(event) => setLeast(Number(event.currentTarget.value))}
          >
            {SURE.map((value) => (
              <option key={value} value={String(value)}>
                {Math.round(value * 100)} % and more
              </option>
            ))}
          </select>
        </Labelled>
        {preview.error !== undefined && <FailureNote error={preview.error} again={preview.again} />}
        {found && (
          <dl class="sums" role="group" aria-label="What would be merged">
            {(
              [
                ["Pairs", found.matched],
                ["Groups", found.groups],
                ["Leads removed", found.leads],
              ] as const
            ).map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{formatNumber(value)}</dd>
              </div>
            ))}
          </dl>
        )}
        {job ? (
          <ProgressBar done={job.done} of={job.of} label="Groups that are merged" />
        ) : (
          <p class="muted">
            The oldest lead of each group is kept, completed with values from the others. You can undo this.
          </p>
        )}
      </div>
    </ConfirmDialog>
  )
}

async function takeBack(batch: string): Promise<void> {
  await attempt(async () => {
    say("Undoing the merges")
    const { undone, failed } = await undoBatch(batch)
    say(`${plural(undone, "merge")} undone${failed > 0 ? `; ${formatNumber(failed)} could not be` : ""}`)
  })
}
