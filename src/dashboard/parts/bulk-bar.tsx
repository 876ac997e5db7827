import type { ComponentChildren } from "preact"
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
import { say, sayError, sayUndo } from "../core/toast.ts"
import type { BulkAnswer, ChangePage, JobStatus } from "../core/types.ts"
import { Button, ProgressBar } from "./bits.tsx"
import { BulkEdit, SuppressMany } from "./bulk-edit.tsx"
import { tagsIn } from "./cell.tsx"
import { Form, Input, TextArea } from "./fields.tsx"
import { Icon } from "./icons.tsx"
import { ConfirmDialog, Dialog, MenuItem, Popover, useClose, useDialog, useFocusAfter } from "./overlay.tsx"

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
  const [dialog, open] = useDialog()
  const target: WriteTarget = isAll ? { selection } : { ids: [...ids] }
  const count = isAll ? (total ?? ids.size) : ids.size
  const canAll = !isAll && total !== undefined && total > ids.size
  function done() {
    onClear()
    onChanged()
  }
  const ask = (action: BulkAction) =>
    open(<Confirm target={target} action={action} count={count} onDone={done} onUndone={onChanged} />)
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
      <Menu label={t("Set status")} text={t("Status")}>
        {statusOrder().map((status) => (
          <MenuItem
            key={status}
            label={statusName(status)}
            onClick={() => ask({ action: "update", data: { status } })}
          />
        ))}
      </Menu>
      <Menu label={t("More actions")} text={t("More")}>
        <MenuItem label={`${t("Edit a field")}…`} onClick={() => open(<BulkEdit onDone={ask} />)} />
        {(["add_tags", "remove_tags", "add_note"] as const).map((action) => (
          <MenuItem
            key={action}
            label={`${words(action)}…`}
            onClick={() => open(<TextDialog action={action} onDone={ask} />)}
          />
        ))}
        <MenuItem label={t("Score again")} onClick={() => ask({ action: "score" })} />
        <MenuItem
          label={`${t("Put on the do-not-contact list")}…`}
          onClick={() => open(<SuppressMany target={target} count={count} onDone={onChanged} />)}
        />
      </Menu>
      {isAll && <Button label={t("Export")} class="small" onClick={onExport} />}
      <Button label={t("Delete")} class="small danger" onClick={() => ask({ action: "delete" })} />
      <Button label={t("Clear")} class="quiet small" onClick={onClear} />
      {dialog}
    </div>
  )
}

function Menu({ label, text, children }: { label: string; text: string; children: ComponentChildren }) {
  return (
    <Popover
      label={label}
      class="small"
      button={
        <>
          {text} <Icon name="down" size={12} />
        </>
      }
    >
      <div class="menu">{children}</div>
    </Popover>
  )
}

interface TextProps {
  action: "add_tags" | "remove_tags" | "add_note"
  onDone: (action: BulkAction) => void
}

function TextDialog({ action, onDone }: TextProps) {
  const isNote = action === "add_note"
  return (
    <Dialog title={words(action)} size="small">
      <Form
        action={t("Continue")}
        onSend={(sent) => {
          const text = sent.text("text")
          onDone({ action, data: isNote ? { content: text } : { tags: tagsIn(text) } })
        }}
      >
        {isNote ? (
          <TextArea label={t("Note")} name="text" rows={4} required />
        ) : (
          <Input label={t("Tags")} hint={t("Several with commas between them.")} name="text" required />
        )}
      </Form>
    </Dialog>
  )
}

interface ConfirmProps {
  target: WriteTarget
  action: BulkAction
  count: number
  onDone: () => void
  onUndone: () => void
}

/** Says what will be touched before it is, counted by the service. */
function Confirm({ target, action, count, onDone, onUndone }: ConfirmProps) {
  const [answer, setAnswer] = useState<BulkAnswer>()
  const [job, setJob] = useState<JobStatus>()
  const close = useClose()
  const [preview] = useState(() => previewBulk(target, action))
  const matched = answer?.matched ?? count
  useEffect(() => {
    preview.then(setAnswer, (error) => {
      sayError(error)
      close()
    })
  }, [])
  async function run() {
    // Those who know what comes are faster than the service counts: what they confirm is the number that is shown.
    if (!answer && (await preview.catch(() => undefined))?.matched !== count) return false
    const { job: id, failed: refused = 0, batch_id } = await startBulk(target, action, matched)
    const failed = id === undefined ? refused : (await jobDone(id, setJob)).failed
    const leads = plural(matched - failed, "lead")
    const text =
      done(action, leads) + (failed > 0 ? t("; {failed} failed", { failed: formatNumber(failed) }) : "")
    if (batch_id === undefined) say(text)
    else if (action.action !== "score" && !(await hasChanged(batch_id)))
      say(t("Nothing changed for {leads}", { leads }))
    else
      sayUndo(text, async () => {
        say(await revert({ batch_id }))
        onUndone()
      })
    onDone()
    return true
  }
  return (
    <ConfirmDialog
      title={`${asked(action, plural(matched, "lead"))}?`}
      action={asked(action, plural(matched, "lead"))}
      isDanger={action.action === "delete"}
      busy={t("Working…")}
      work={run}
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
