import { useEffect, useState } from "preact/hooks"
import { get } from "../core/api.ts"
import { fieldText } from "../core/field-text.ts"
import { fieldOf } from "../core/filters.ts"
import type { Selection } from "../core/first-request.ts"
import { formatNumber, plural, words } from "../core/format.ts"
import { jobDone } from "../core/jobs.ts"
import { type BulkAction, previewBulk, revert, startBulk, type WriteTarget } from "../core/lead-writes.ts"
import { said } from "../core/said.ts"
import { statusName, statusOrder } from "../core/statuses.ts"
import { t, tx } from "../core/text.ts"
import { attempt, say, sayError } from "../core/toast.ts"
import type { BulkAnswer, ChangePage, JobStatus, Status } from "../core/types.ts"
import { BulkEdit, SuppressMany } from "./bulk-edit.tsx"
import { Button } from "./button.tsx"
import { Labelled } from "./fields.tsx"
import { Icon } from "./icons.tsx"
import { ConfirmDialog, Dialog, Popover, useFocusAfter } from "./overlay.tsx"
import { ProgressBar } from "./progress.tsx"

interface Props {
  ids: ReadonlySet<string>
  /** The listed selection and its size, for actions on all of its leads. */
  selection: Selection
  total: number | undefined
  onExport: () => void
  onClear: () => void
  /** Called when leads have changed; the list is read again. */
  onChanged: () => void
}

/** Actions on the selected leads. */
export function BulkBar({ ids, selection, total, onExport, onClear, onChanged }: Props) {
  useFocusAfter()
  const [isAll, setAll] = useState(false)
  const [asked, setAsked] = useState<BulkAction>()
  const [typed, setTyped] = useState<TextAction>()
  const [isEditing, setEditing] = useState(false)
  const [isSuppressing, setSuppressing] = useState(false)
  const target: WriteTarget = isAll ? { selection } : { ids: [...ids] }
  const count = isAll ? (total ?? ids.size) : ids.size
  const canAll = !isAll && total !== undefined && total > ids.size
  return (
    <div class="bulk" role="toolbar" aria-label={t("Selected leads")}>
      <p class="bulk-count">{tx("{b} selected", { b: <b>{formatNumber(count)}</b> })}</p>
      {canAll && (
        <Button
          label={t("Select all {total}", { total: formatNumber(total) })}
          class="link"
          onClick={() => setAll(true)}
        />
      )}
      <StatusMenu onStatus={(status) => setAsked({ action: "update", data: { status } })} />
      <MoreMenu
        onEdit={() => setEditing(true)}
        onText={setTyped}
        onScore={() => setAsked({ action: "score" })}
        onSuppress={() => setSuppressing(true)}
      />
      {isAll && <Button label={t("Export")} class="small" onClick={onExport} />}
      <Button label={t("Delete")} class="small danger" onClick={() => setAsked({ action: "delete" })} />
      <Button label={t("Clear")} class="quiet small" onClick={onClear} />
      {isEditing && (
        <BulkEdit
          onClose={() => setEditing(false)}
          onDone={(action) => {
            setEditing(false)
            setAsked(action)
          }}
        />
      )}
      {isSuppressing && (
        <SuppressMany
          target={target}
          count={count}
          onClose={() => setSuppressing(false)}
          onDone={onChanged}
        />
      )}
      {typed && (
        <TextDialog
          action={typed}
          onClose={() => setTyped(undefined)}
          onDone={(action) => {
            setTyped(undefined)
            setAsked(action)
          }}
        />
      )}
      {asked && (
        <Confirm
          target={target}
          action={asked}
          count={count}
          onClose={() => setAsked(undefined)}
          onDone={() => {
            setAsked(undefined)
            onClear()
            onChanged()
          }}
          onUndone={onChanged}
        />
      )}
    </div>
  )
}

function StatusMenu({ onStatus }: { onStatus: (status: Status) => void }) {
  return (
    <Popover
      label={t("Set status")}
      class="small"
      button={
        <>
          {t("Status")} <Icon name="down" size={12} />
        </>
      }
    >
      {(close) => (
        <div class="menu">
          {statusOrder().map((status) => (
            <Button
              label={statusName(status)}
              key={status}
              onClick={() => {
                close()
                onStatus(status)
              }}
            />
          ))}
        </div>
      )}
    </Popover>
  )
}

type TextAction = "add_tags" | "remove_tags" | "add_note"

interface MoreProps {
  onEdit: () => void
  onText: (action: TextAction) => void
  onScore: () => void
  onSuppress: () => void
}

function MoreMenu({ onEdit, onText, onScore, onSuppress }: MoreProps) {
  return (
    <Popover
      label={t("More actions")}
      class="small"
      button={
        <>
          {t("More")} <Icon name="down" size={12} />
        </>
      }
    >
      {(close) => (
        <div class="menu">
          <Button
            onClick={() => {
              close()
              onEdit()
            }}
          >
            {t("Edit a field")}…
          </Button>
          {(["add_tags", "remove_tags", "add_note"] as const).map((action) => (
            <Button
              key={action}
              onClick={() => {
                close()
                onText(action)
              }}
            >
              {words(action)}…
            </Button>
          ))}
          <Button
            label={t("Score again")}
            onClick={() => {
              close()
              onScore()
            }}
          />
          <Button
            onClick={() => {
              close()
              onSuppress()
            }}
          >
            {t("Put on the do-not-contact list")}…
          </Button>
        </div>
      )}
    </Popover>
  )
}

interface TextProps {
  action: TextAction
  onClose: () => void
  onDone: (action: BulkAction) => void
}

function TextDialog({ action, onClose, onDone }: TextProps) {
  const isNote = action === "add_note"
  return (
    <Dialog title={words(action)} onClose={onClose} size="small">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          const text = String(new FormData(event.currentTarget).get("text")).trim()
          const tags = text
            .split(",")
            .map((tag) => tag.trim())
            .filter(Boolean)
          onDone({ action, data: isNote ? { content: text } : { tags } })
        }}
      >
        <Labelled
          label={isNote ? t("Note") : t("Tags")}
          hint={isNote ? undefined : t("Several with commas between them.")}
        >
          {isNote ? <textarea name="text" rows={4} required /> : <input name="text" required />}
        </Labelled>
        <button class="primary">{t("Continue")}</button>
      </form>
    </Dialog>
  )
}

interface ConfirmProps {
  target: WriteTarget
  action: BulkAction
  count: number
  onClose: () => void
  onDone: () => void
  onUndone: () => void
}

/** Says what will be touched before it is, counted by the service. */
function Confirm({ target, action, count, onClose, onDone, onUndone }: ConfirmProps) {
  const [answer, setAnswer] = useState<BulkAnswer>()
  const [isBusy, setBusy] = useState(false)
  const [job, setJob] = useState<JobStatus>()
  /** Confirmed before the service had counted: the keys of those who know what comes are faster. */
  const [isConfirmed, setConfirmed] = useState(false)
  const matched = answer?.matched ?? count
  useEffect(() => {
    previewBulk(target, action).then(setAnswer, (error) => {
      sayError(error)
      onClose()
    })
  }, [])
  useEffect(() => {
    if (!answer || !isConfirmed) return
    // What was confirmed is the number that was shown.
    if (answer.matched === count) void run()
    else setConfirmed(false)
  }, [answer])
  async function run() {
    setBusy(true)
    const isDone = await attempt(async () => {
      const { job: id, failed: refused = 0, batch_id: batch } = await startBulk(target, action, matched)
      const failed = id === undefined ? refused : (await jobDone(id, setJob)).failed
      const leads = plural(matched - failed, "lead")
      if (batch !== undefined && action.action !== "score" && !(await hasChanged(batch))) {
        say(t("Nothing changed for {leads}", { leads }))
        return
      }
      const text =
        done(action, leads) + (failed > 0 ? t("; {failed} failed", { failed: formatNumber(failed) }) : "")
      const undo =
        batch === undefined ? undefined : { label: t("Undo"), run: () => void undoBatch(batch, onUndone) }
      say(text, undo)
    })
    setBusy(false)
    setConfirmed(false)
    if (isDone) onDone()
  }
  const isDelete = action.action === "delete"
  return (
    <ConfirmDialog
      title={`${asked(action, plural(matched, "lead"))}?`}
      action={isBusy || isConfirmed ? t("Working…") : asked(action, plural(matched, "lead"))}
      isDanger={isDelete}
      isDisabled={isBusy || isConfirmed}
      onConfirm={() => (answer ? run() : setConfirmed(true))}
      onClose={onClose}
    >
      {!answer && <p>{t("Counting…")}</p>}
      {answer && (
        <p>
          {tx("This touches {b}", { b: <b>{plural(answer.matched, "lead")}</b> })}
          {answer.sample &&
            answer.sample.length > 0 &&
            t(", such as {sample}", {
              sample: answer.sample
                .slice(0, 3)
                .map(({ name }) => name)
                .join(", "),
            })}
          .
        </p>
      )}
      {answer?.preview && <Preview rows={answer.preview} />}
      <p class="muted">{t("You can undo this.")}</p>
      {job && <ProgressBar done={job.done} of={job.of} label={t("Leads that are done")} />}
    </ConfirmDialog>
  )
}

/** A few leads with what becomes of them. */
function Preview({ rows }: { rows: NonNullable<BulkAnswer["preview"]> }) {
  const shown = (name: string, value: unknown) => fieldText(name, value) || "–"
  return (
    <ul class="problems" aria-label={t("Preview")}>
      {rows.slice(0, 3).map(({ lead_id, name, changes = {}, message }) => (
        <li key={lead_id}>
          <b>{name}</b>{" "}
          {message
            ? said(message)
            : Object.entries(changes)
                .filter(([field]) => field !== "updated_at")
                .map(([field, [before, after]]) => (
                  <span class="muted" key={field}>
                    {fieldOf(field).label}: {shown(field, before)} → {shown(field, after)}{" "}
                  </span>
                ))}
        </li>
      ))}
    </ul>
  )
}

/** Whether a batch has changed anything, which can be undone: leads may have been so already. */
async function hasChanged(batch_id: string): Promise<boolean> {
  return (await get<ChangePage>("/changes", { batch_id, limit: 1 })).changes.length > 0
}

async function undoBatch(batch: string, then: () => void): Promise<void> {
  await attempt(async () => {
    say(await revert({ batch_id: batch }))
    then()
  })
}

/** Effect of an action on some leads. */
function asked({ action, data }: BulkAction, leads: string): string {
  const status = statusName(String(data?.status ?? ""))
  return {
    update: data?.status
      ? t("Set status {status} for {leads}", { status, leads })
      : t("Change {leads}", { leads }),
    delete: t("Delete {leads}", { leads }),
    add_tags: t("Tag {leads}", { leads }),
    remove_tags: t("Untag {leads}", { leads }),
    add_note: t("Note on {leads}", { leads }),
    score: t("Score {leads}", { leads }),
  }[action]
}

function done({ action }: BulkAction, leads: string): string {
  return {
    update: t("Changed {leads}", { leads }),
    delete: t("Deleted {leads}", { leads }),
    add_tags: t("Tagged {leads}", { leads }),
    remove_tags: t("Untagged {leads}", { leads }),
    add_note: t("Noted on {leads}", { leads }),
    score: t("Scored {leads}", { leads }),
  }[action]
}
