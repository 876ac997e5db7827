import { useState } from "preact/hooks"
import { ask, peek, post } from "../core/api.ts"
import { plural } from "../core/format.ts"
import { putBackText, revert } from "../core/lead-writes.ts"
import { useLoaded } from "../core/loading.ts"
import { href } from "../core/router.ts"
import { said } from "../core/said.ts"
import { t, tx } from "../core/text.ts"
import { say, sayUndo } from "../core/toast.ts"
import type { JobStatus, LeadPage, RevertAnswer } from "../core/types.ts"
import { actorName } from "./actors.ts"
import { FailureNote, ProgressBar } from "./bits.tsx"
import { Check } from "./fields.tsx"
import { ConfirmDialog } from "./overlay.tsx"

const KEPT_SHOWN = 5
const ACTIONS = {
  restore: t("comes back"),
  change: t("gets its values back"),
  delete: t("is deleted"),
} as const

/** Why a lead stays as it is, with the name of who has changed it. */
function whyKept(message: string): string {
  const who = /^It was \w+ since, by (.+): /.exec(message)?.[1]
  if (who !== undefined) return t("changed since, by {who}", { who: actorName(who) })
  return said(message).replace(/: left alone .*$/, "")
}

/** What would be put back, and of what stays the first leads with their names; those that are gone have none. */
async function preview(what: Props["what"], force: boolean) {
  const answer = await send(what, { dry_run: true, force })
  const skipped = (answer.skipped ?? []).slice(0, KEPT_SHOWN)
  const filter = `and.in.id.${skipped.map(({ lead_id }) => lead_id).join(",")}`
  const leads = skipped.length > 0 ? (await peek<LeadPage>("/leads", { filter, fields: "name" })).leads : []
  return { ...answer, skipped, names: new Map(leads.map(({ id, name }) => [id, name])) }
}

interface Props {
  what: { batch_id: string } | { import_id: string }
  title: string
  onDone: () => void
}

/** Counts the leads that would be put back, shows some and those that stay as they are, then does it. */
export function PutBackDialog({ what, title, onDone }: Props) {
  const [force, setForce] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [job, setJob] = useState<Pick<JobStatus, "done" | "of">>()
  const { data, error, again, isLoading } = useLoaded(() => preview(what, force), [force])
  const { matched = 0, kept = 0, sample = [], skipped = [], names } = data ?? {}
  const meant = matched - kept
  async function run() {
    setBusy(true)
    try {
      const answer = await send(what, { dry_run: false, force })
      sayUndo(await putBackText(answer, setJob), async () => {
        if (answer.batch_id !== undefined) say(await revert({ batch_id: answer.batch_id }))
        onDone()
      })
      onDone()
    } catch (error) {
      again()
      throw error
    } finally {
      setBusy(false)
    }
  }
  return (
    <ConfirmDialog
      title={title}
      action={meaning(sample, plural(meant, "lead"))}
      cancel={isBusy ? t("Continue in the background") : t("Cancel")}
      isDisabled={isLoading || meant === 0}
      busy={t("Working…")}
      work={run}
    >
      <div class="stack">
        {error !== undefined && <FailureNote error={error} again={again} />}
        {data && meant === 0 && kept === 0 && <p>{t("Nothing of it is left to undo.")}</p>}
        {!data && !error && <p>{t("Counting…")}</p>}
        {meant > 0 && "import_id" in what && (
          <p>
            {tx("Leads this import created will be deleted; merged leads will be restored: {b}.", {
              b: <b>{plural(meant, "lead")}</b>,
            })}
          </p>
        )}
        {sample.length > 0 && (
          <ul class="problems" aria-label={t("Leads that are put back")}>
            {sample.map(({ lead_id, name, action }) => (
              <li key={lead_id}>
                <b>{name}</b> <span class="muted">{ACTIONS[action]}</span>
              </li>
            ))}
            {meant > sample.length && (
              <li class="muted">{t("and {leads}", { leads: plural(meant - sample.length, "more lead") })}</li>
            )}
          </ul>
        )}
        {kept > 0 && (
          <>
            <p>{t("Unchanged: {leads}", { leads: plural(kept, "lead") })}</p>
            <ul class="problems" aria-label={t("Leads that stay as they are")}>
              {skipped.map(({ lead_id, message }) => (
                <li key={lead_id}>
                  <a href={href(`leads/${lead_id}`)}>{names?.get(lead_id) ?? t("Lead")}</a> {whyKept(message)}
                </li>
              ))}
            </ul>
          </>
        )}
        {(kept > 0 || force) && (
          <Check
            label={t("These too: what somebody changed of them since is lost")}
            checked={force}
            disabled={isBusy}
            onChange={setForce}
          />
        )}
        {job ? (
          <ProgressBar done={job.done} of={job.of} label={t("Leads that are put back")} />
        ) : (
          meant > 0 && <p class="muted">{t("You can undo this.")}</p>
        )}
      </div>
    </ConfirmDialog>
  )
}

/** What undoing does to leads, as far as some of them tell. */
function meaning(sample: NonNullable<RevertAnswer["sample"]>, leads: string): string {
  const [action, another] = new Set(sample.map((one) => one.action))
  if (another) return t("Put back {leads}", { leads })
  if (action === "delete") return t("Delete {leads}", { leads })
  return action === "restore" ? t("Restore {leads}", { leads }) : t("Put back {leads}", { leads })
}

/** An import that is undone says so in the list of imports. */
function send(what: Props["what"], how: { dry_run: boolean; force: boolean }): Promise<RevertAnswer> {
  return "import_id" in what
    ? ask<RevertAnswer>("POST", `/imports/${what.import_id}/undo`, { query: how })
    : post<RevertAnswer>("/changes/revert", { ...what, ...how })
}
