import { formatNumber } from "../core/format.ts"
import { useGet, usePolling } from "../core/loading.ts"
import { href } from "../core/router.ts"
import { said } from "../core/said.ts"
import { canWrite } from "../core/session.ts"
import { t, tx } from "../core/text.ts"
import type { ImportDetail, ImportRecord } from "../core/types.ts"
import { actorName } from "../parts/actors.ts"
import { Ago, Button, Card, FailureNote, ProgressBar } from "../parts/bits.tsx"
import { openDialog } from "../parts/overlay.tsx"
import { PutBackDialog } from "../parts/put-back.tsx"
import { Counts, Guesses, Skipped } from "./report.tsx"
import { keptFile } from "./sending.ts"
import { Warnings } from "./values.tsx"

export const LOOK_AGAIN_MS = 500

/** One import: how far it is, what became of it, and the way back. */
export function Record({ id }: { id: string }) {
  const { data, error, again } = useGet<ImportDetail>(`/imports/${id}`)
  usePolling(data?.state === "running", LOOK_AGAIN_MS, again, [data])
  if (error) return <FailureNote error={error} again={again} />
  if (!data) return <p class="muted">{t("Looking…")}</p>
  const { report, state } = data
  const file = keptFile(id)
  return (
    <>
      <Card
        title={TITLES[state]}
        note={tx("{name}, by {actorName} {time}", {
          name: data.name,
          actorName: actorName(data.actor_id),
          time: <Ago at={data.created_at} />,
        })}
      >
        {state === "running" && <Running record={data} />}
        {data.error !== null && <p class="warning">{said(data.error)}</p>}
        {state === "undone" && data.undone_at !== null && (
          <p class="muted">
            {tx("It was undone {time}. Leads that somebody had changed since were left alone.", {
              time: <Ago at={data.undone_at} />,
            })}
          </p>
        )}
        {report && <Counts report={report} />}
        {state !== "running" && (
          <p class="row">
            <a class="button primary" href={href("leads", { sort: "updated_at", order: "desc" })}>
              {t("Look at the leads")}
            </a>
            {canWrite.value && (
              <Button
                icon="undo"
                label={state === "undone" ? t("Undo the rest") : t("Undo the import")}
                onClick={() =>
                  openDialog(
                    <PutBackDialog
                      what={{ import_id: id }}
                      title={t("Undo {name}?", { name: data.name })}
                      onDone={again}
                    />,
                  )
                }
              />
            )}
            <a class="button" href={href("import")}>
              {t("Another file")}
            </a>
          </p>
        )}
      </Card>
      {report && <Skipped report={report} {...(file && { file })} />}
      {report && <Guesses report={report} />}
      {report && <Warnings report={report} />}
    </>
  )
}

const TITLES = {
  running: t("Importing the file"),
  done: t("The file is in"),
  failed: t("The import broke off"),
  interrupted: t("The import was cut off"),
  undone: t("Undone"),
}

/** How many rows are in, how fast they go, and how long it will take; it goes on when the page is left. */
export function Running({ record: { progress } }: { record: Pick<ImportRecord, "progress"> }) {
  const { done, of, rate, seconds_left: left } = progress
  return (
    <>
      <ProgressBar done={done} of={of} label={t("Rows that are in")} />
      <p class="muted" role="status">
        {t("{more}{more2}{more3}You can leave this page: it goes on.", {
          more: rate !== null && t("{rate} rows a second", { rate: formatNumber(rate) }),
          more2: left !== null && t(", {timeLeft} left", { timeLeft: timeLeft(left) }),
          more3: rate !== null && ". ",
        })}
      </p>
    </>
  )
}

function timeLeft(seconds: number): string {
  if (seconds < 90) return `${formatNumber(seconds)} s`
  return `${formatNumber(Math.round(seconds / 60))} min`
}
