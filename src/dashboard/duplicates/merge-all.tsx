import { useState } from "preact/hooks"
import { post } from "../core/api.ts"
import { formatNumber, plural } from "../core/format.ts"
import { jobDone } from "../core/jobs.ts"
import { useLoaded } from "../core/loading.ts"
import { attempt, say } from "../core/toast.ts"
import type { JobStatus, MergeManyAnswer } from "../core/types.ts"
import { Failure, Labelled } from "../parts/bits.tsx"
import { Dialog } from "../parts/overlay.tsx"
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
    <Dialog
      title="Merge what is sure"
      size="small"
      onClose={onClose}
      footer={
        <>
          <button type="button" onClick={onClose}>
            {isBusy ? "Go on without looking" : "Cancel"}
          </button>
          <button
            type="button"
            class="primary"
            disabled={isBusy || preview.isLoading || !found || found.groups === 0}
            onClick={run}
          >
            {isBusy ? "Merging…" : `Merge ${plural(found?.groups ?? 0, "group")}`}
          </button>
        </>
      }
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
        {preview.error !== undefined && <Failure error={preview.error} again={preview.again} />}
        {found && (
          <dl class="sums" role="group" aria-label="What would be merged">
            {(
              [
                ["Pairs", found.matched],
                ["Groups", found.groups],
                ["Leads that go", found.leads],
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
            The oldest lead of each group stays, with what only the others had. It can be taken back.
          </p>
        )}
      </div>
    </Dialog>
  )
}

async function takeBack(batch: string): Promise<void> {
  await attempt(async () => {
    say("The merges are being taken back")
    const { undone, failed } = await undoBatch(batch)
    say(`${plural(undone, "merge")} taken back${failed > 0 ? `; ${formatNumber(failed)} could not be` : ""}`)
  })
}
