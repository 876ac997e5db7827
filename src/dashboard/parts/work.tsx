// What the service does in the background, in one place.

import { peek, written } from "../core/api.ts"
import { plural, words } from "../core/format.ts"
import { useLiveLoaded } from "../core/live.ts"
import { painted, usePolling } from "../core/loading.ts"
import { t } from "../core/text.ts"
import type { BackgroundWork } from "../core/types.ts"
import { Popover } from "./overlay.tsx"
import { ProgressBar } from "./progress.tsx"

/** Between two looks while there is work. */
const LOOK_MS = 1_000

const KINDS: Readonly<Record<string, string>> = {
  import: t("Importing"),
  bulk: t("Changing leads"),
  revert: t("Undoing changes"),
  score_leads: t("Scoring leads"),
  rescan_duplicates: t("Comparing all leads again"),
  merge_duplicates: t("Merging duplicates"),
  erase_again: t("Erasing leads again"),
}

interface Task {
  label: string
  /** How much is left, where there is no total. */
  left?: string
  done: number
  of: number | null
}

function tasksOf({ jobs, comparing, indexing }: BackgroundWork): Task[] {
  const tasks: Task[] = jobs.map(({ kind, done, of }) => ({ label: KINDS[kind] ?? words(kind), done, of }))
  const left = (label: string, count: number): Task => ({
    label,
    left: plural(count, "lead"),
    done: 0,
    of: null,
  })
  if (indexing > 0) tasks.push(left(t("Indexing"), indexing))
  if (comparing > 0) tasks.push(left(t("Comparing"), comparing))
  return tasks
}

/** Shows nothing while there is nothing to wait for. Looks after each change, and regularly while there is work. */
export function Work() {
  const loaded = useLiveLoaded(async (signal) => {
    await painted()
    return peek<BackgroundWork>("/jobs", {}, signal)
  }, [])
  const tasks = loaded.data ? tasksOf(loaded.data) : []
  const isBusy = tasks.length > 0
  usePolling(isBusy || written.value !== 0, LOOK_MS, loaded.again, [isBusy && loaded.data, written.value])
  if (!isBusy) return null
  const working = tasks.length === 1 ? tasks[0]!.label : plural(tasks.length, "task")
  return (
    <Popover
      label={t("Background work: {working}", { working })}
      class="quiet work"
      button={
        <>
          <span class="work-dot" aria-hidden="true" />
          <span class="work-label">{working}</span>
        </>
      }
    >
      <div class="work-list">
        <h2>{t("Background work")}</h2>
        <ul>
          {tasks.map(({ label, left, done, of }) => (
            <li key={label}>
              <span>
                {label} {left}
              </span>
              {of !== null && <ProgressBar done={done} of={of} label={label} />}
            </li>
          ))}
        </ul>
      </div>
    </Popover>
  )
}
