import { useState } from "preact/hooks"
import { ask, post } from "../core/api.ts"
import { fieldText } from "../core/field-text.ts"
import { fieldOf } from "../core/filters.ts"
import { formatNumber, plural } from "../core/format.ts"
import { jobDone } from "../core/jobs.ts"
import { revert } from "../core/lead-writes.ts"
import { usePaged } from "../core/paged.ts"
import { said } from "../core/said.ts"
import { t, tx } from "../core/text.ts"
import { say, sayUndo } from "../core/toast.ts"
import type { JobStatus, MergeManyAnswer } from "../core/types.ts"
import { Button, FailureNote, ProgressBar } from "../parts/bits.tsx"
import { Select } from "../parts/fields.tsx"
import { ConfirmDialog } from "../parts/overlay.tsx"
import { Sums } from "../parts/things.tsx"

/** How sure one can be to merge without looking. */
const SURE = [0.99, 0.97, 0.95]
/** Groups in an answer. */
const PAGE = 10

/** Says what would be merged, merges exactly that, shows how far it is, and can take it back. */
export function MergeAll({ onChanged }: { onChanged: () => void }) {
  const [least, setLeast] = useState(SURE[0]!)
  const [job, setJob] = useState<JobStatus>()
  const [isBusy, setBusy] = useState(false)
  const [counts, setFound] = useState<MergeManyAnswer>()
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
  async function merge({ matched: expect }: MergeManyAnswer) {
    const body = { min_probability: least, expect }
    const { job: id = "", batch_id = "" } = await post<MergeManyAnswer>("/duplicates/merge", body)
    const { done, failed, errors } = await jobDone(id, setJob)
    const message = said(errors[0]?.message ?? "")
    const refused =
      failed > 0 ? t("; {failed} could not be: {message}", { failed: formatNumber(failed), message }) : ""
    sayUndo(t("{groups} merged{refused}", { groups: plural(done - failed, "group"), refused }), async () => {
      say(t("Undoing the merges"))
      say(await revert({ batch_id }))
      onChanged()
    })
    onChanged()
  }
  async function run() {
    if (!counts) return
    setBusy(true)
    try {
      await merge(counts)
    } catch (error) {
      // Other groups may be likely by now: the preview is out of date.
      preview.again()
      throw error
    } finally {
      setBusy(false)
    }
  }
  return (
    <ConfirmDialog
      title={t("Merge likely duplicates")}
      action={t("Merge {groups}", { groups: plural(counts?.groups ?? 0, "group") })}
      cancel={isBusy ? t("Continue in the background") : t("Cancel")}
      isDanger={false}
      isDisabled={preview.isLoading || !counts || counts.groups === 0}
      busy={t("Merging…")}
      work={run}
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
        {counts && (
          <Sums
            label={t("What would be merged")}
            of={[
              [t("Pairs"), formatNumber(counts.matched)],
              [t("Groups"), formatNumber(counts.groups)],
              [t("Leads removed"), formatNumber(counts.leads)],
            ]}
          />
        )}
        {!job && <MergeSamples groups={preview.data ?? []} />}
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

type Group = NonNullable<MergeManyAnswer["sample"]>[number]

/** Groups that would be merged, the least sure first, with the values that are not kept. */
function MergeSamples({ groups }: { groups: readonly Group[] }) {
  if (groups.length === 0) return null
  return (
    <ul class="problems" aria-label={t("Groups, the least sure first")}>
      {groups.map((group) => (
        <Sample key={group.survivor.id} group={group} />
      ))}
    </ul>
  )
}

function Sample({ group: { survivor, losers, lost, probability } }: { group: Group }) {
  const removed = losers.map(({ name }) => name).join(", ")
  const values = lost.map(({ field, value }) => `${fieldOf(field).label} ${fieldText(field, value)}`)
  return (
    <li>
      {tx("{removed} into {kept}", { removed: <b>{removed}</b>, kept: <b>{survivor.name}</b> })}{" "}
      <span class="muted">
        {formatNumber(Math.floor(probability * 1000) / 10)} %
        {values.length > 0 && t("; not kept: {values}", { values: values.join(", ") })}
      </span>
    </li>
  )
}
