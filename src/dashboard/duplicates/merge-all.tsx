import { useState } from "preact/hooks"
import { ask, post } from "../core/api.ts"
import { formatNumber, plural } from "../core/format.ts"
import { jobDone } from "../core/jobs.ts"
import { revert } from "../core/lead-writes.ts"
import { usePaged } from "../core/paged.ts"
import { said } from "../core/said.ts"
import { t } from "../core/text.ts"
import { attempt, say } from "../core/toast.ts"
import type { JobStatus, MergeManyAnswer } from "../core/types.ts"
import { FailureNote } from "../parts/bits.tsx"
import { Button } from "../parts/button.tsx"
import { Select } from "../parts/fields.tsx"
import { ConfirmDialog } from "../parts/overlay.tsx"
import { ProgressBar } from "../parts/progress.tsx"
import { type Group, MergeSamples } from "./samples.tsx"

/** How sure one can be to merge without looking. */
const SURE = [0.99, 0.97, 0.95]
/** Groups in an answer. */
const PAGE = 10

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
  const [found, setFound] = useState<MergeManyAnswer>()
  const preview = usePaged<Group>(
    async (from = "0", signal) => {
      const offset = Number(from)
      const body = { min_probability: least, dry_run: true, offset }
      const answer = await ask<MergeManyAnswer>("POST", "/duplicates/merge", {
        body,
        ...(signal && { signal }),
      })
      setFound(answer)
      const next = offset + PAGE < answer.groups ? String(offset + PAGE) : null
      return { items: answer.sample ?? [], next }
    },
    [least],
  )
  async function run() {
    if (!found) return
    setBusy(true)
    const isDone = await attempt(async () => {
      const { job: id = "", batch_id: batch = "" } = await post<MergeManyAnswer>("/duplicates/merge", {
        min_probability: least,
        expect: found.matched,
      })
      const { done, failed, errors } = await jobDone(id, setJob)
      const refused =
        failed > 0
          ? t("; {failed} could not be: {message}", {
              failed: formatNumber(failed),
              message: said(errors[0]?.message ?? ""),
            })
          : ""
      say(t("{groups} merged{refused}", { groups: plural(done - failed, "group"), refused }), {
        label: t("Undo"),
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
      title={t("Merge likely duplicates")}
      action={isBusy ? t("Merging…") : t("Merge {groups}", { groups: plural(found?.groups ?? 0, "group") })}
      cancel={isBusy ? t("Continue in the background") : t("Cancel")}
      isDanger={false}
      isDisabled={isBusy || preview.isLoading || !found || found.groups === 0}
      onConfirm={run}
      onClose={onClose}
    >
      <div class="stack">
        <Select
          label={t("How sure")}
          value={String(least)}
          disabled={isBusy}
          options={SURE.map(
            (value) => [String(value), t("{value} % and more", { value: Math.round(value * 100) })] as const,
          )}
          onChange={(value) => setLeast(Number(value))}
        />
        {preview.error !== undefined && <FailureNote error={preview.error} again={preview.again} />}
        {found && (
          <dl class="sums" role="group" aria-label={t("What would be merged")}>
            {(
              [
                [t("Pairs"), found.matched],
                [t("Groups"), found.groups],
                [t("Leads removed"), found.leads],
              ] as const
            ).map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{formatNumber(value)}</dd>
              </div>
            ))}
          </dl>
        )}
        {!job && <MergeSamples groups={preview.items ?? []} />}
        {!job && preview.hasMore && (
          <Button
            label={preview.isLoading ? t("Loading…") : t("Load more")}
            disabled={preview.isLoading}
            onClick={preview.more}
          />
        )}
        {job ? (
          <ProgressBar done={job.done} of={job.of} label={t("Groups that are merged")} />
        ) : (
          <p class="muted">
            {t(
              "The oldest lead of each group is kept, completed with values from the others. You can undo this.",
            )}
          </p>
        )}
      </div>
    </ConfirmDialog>
  )
}

async function takeBack(batch: string): Promise<void> {
  await attempt(async () => {
    say(t("Undoing the merges"))
    say(await revert({ batch_id: batch }))
  })
}
