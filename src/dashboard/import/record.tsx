import { useEffect, useState } from "preact/hooks"
import { get } from "../core/api.ts"
import { ago, formatNumber, moment } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { href } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import type { ImportDetail, ImportRecord } from "../core/types.ts"
import { actorName } from "../parts/actors.ts"
import { FailureNote } from "../parts/bits.tsx"
import { Icon } from "../parts/icons.tsx"
import { ProgressBar } from "../parts/progress.tsx"
import { keptFile } from "./kept-file.ts"
import { Problems, Sums } from "./report.tsx"
import { UndoDialog } from "./undo.tsx"

export const LOOK_AGAIN_MS = 500

/** One import: how far it is, what became of it, and the way back. */
export function Record({ id }: { id: string }) {
  const { data, error, again } = useLoaded((signal) => get<ImportDetail>(`/imports/${id}`, {}, signal), [id])
  const [isUndoing, setUndoing] = useState(false)
  useEffect(() => {
    if (data?.state !== "running") return
    const timer = setTimeout(again, LOOK_AGAIN_MS)
    return () => clearTimeout(timer)
  }, [data])
  if (error) return <FailureNote error={error} again={again} />
  if (!data) return <p class="muted">Looking…</p>
  const { report, state } = data
  const file = keptFile(id)
  return (
    <>
      <section class="card tile">
        <header class="card-head">
          <h2>{TITLES[state]}</h2>
          <p class="muted">
            {data.name}, by {actorName(data.actor_id)}{" "}
            <time title={moment(data.created_at)}>{ago(data.created_at)}</time>
          </p>
        </header>
        {state === "running" && <Running record={data} />}
        {data.error !== null && <p class="warning">{data.error}</p>}
        {state === "undone" && data.undone_at !== null && (
          <p class="muted">
            It was undone <time title={moment(data.undone_at)}>{ago(data.undone_at)}</time>. Leads that
            somebody had changed since were left alone.
          </p>
        )}
        {report && <Sums report={report} />}
        {state !== "running" && (
          <p class="row">
            <a class="button primary" href={href("leads", { sort: "updated_at", order: "desc" })}>
              Look at the leads
            </a>
            {canWrite.value && (
              <button type="button" onClick={() => setUndoing(true)}>
                <Icon name="undo" size={14} />
                {state === "undone" ? "Undo the rest" : "Undo the import"}
              </button>
            )}
            <a class="button" href={href("import")}>
              Another file
            </a>
          </p>
        )}
      </section>
      {report && <Problems report={report} {...(file && { file })} />}
      {isUndoing && <UndoDialog record={data} onClose={() => setUndoing(false)} onDone={again} />}
    </>
  )
}

const TITLES = {
  running: "The file is going in",
  done: "The file is in",
  failed: "The import broke off",
  interrupted: "The import was cut off",
  undone: "Undone",
}

/** How many rows are in, how fast they go, and how long it will take; it goes on when the page is left. */
export function Running({ record: { progress } }: { record: Pick<ImportRecord, "progress"> }) {
  const { done, of, rate, seconds_left: left } = progress
  return (
    <>
      <ProgressBar done={done} of={of} label="Rows that are in" />
      <p class="muted" role="status">
        {rate !== null && `${formatNumber(rate)} rows a second`}
        {left !== null && `, ${timeLeft(left)} left`}
        {rate !== null && ". "}You can leave this page: it goes on.
      </p>
    </>
  )
}

function timeLeft(seconds: number): string {
  if (seconds < 90) return `${formatNumber(seconds)} s`
  return `${formatNumber(Math.round(seconds / 60))} min`
}
