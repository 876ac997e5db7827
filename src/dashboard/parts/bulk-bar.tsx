import type { ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import { get } from "../core/api.ts"
import { fieldText } from "../core/field-text.ts"
import { FILTER_FIELDS, fieldOf } from "../core/filters.ts"
import { firstRows, type Selection } from "../core/first-request.ts"
import { formatNumber, plural, words } from "../core/format.ts"
import { jobDone } from "../core/jobs.ts"
import { type BulkAction, previewBulk, revert, startBulk, type WriteTarget } from "../core/lead-writes.ts"
import { learnMembers, memberName, members } from "../core/members.ts"
import { said } from "../core/said.ts"
import { statusName, statusOrder } from "../core/statuses.ts"
import { suppress } from "../core/suppress.ts"
import { t, tx } from "../core/text.ts"
import { say, sayError, sayUndo } from "../core/toast.ts"
import type { BulkAnswer, ChangePage, JobStatus, LeadPage } from "../core/types.ts"
import { attributes, learnAttributeNames } from "./attribute-names.ts"
import { typedValue, ValueField } from "./attributes.tsx"
import { Button, ProgressBar } from "./bits.tsx"
import { parseValue, tagsIn } from "./cell.tsx"
import { choicesOf } from "./cell-editor.tsx"
import { Check, FormDialog, Input, Labelled, Select, type Sent, TextArea } from "./fields.tsx"
import { Icon } from "./icons.tsx"
import { ConfirmDialog, MenuItem, openDialog, Popover, useClose, useFocusAfter } from "./overlay.tsx"

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
  const target: WriteTarget = isAll ? { selection } : { ids: [...ids] }
  const count = isAll ? (total ?? ids.size) : ids.size
  const canAll = !isAll && total !== undefined && total > ids.size
  function done() {
    onClear()
    onChanged()
  }
  const ask = (action: BulkAction) =>
    openDialog(<Confirm target={target} action={action} count={count} onDone={done} onUndone={onChanged} />)
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
        <MenuItem label={`${t("Edit a field")}…`} onClick={() => openDialog(<BulkEdit onDone={ask} />)} />
        {(["add_tags", "remove_tags", "add_note"] as const).map((action) => (
          <MenuItem
            key={action}
            label={`${words(action)}…`}
            onClick={() => openDialog(<TextDialog action={action} onDone={ask} />)}
          />
        ))}
        <MenuItem label={t("Score again")} onClick={() => ask({ action: "score" })} />
        <MenuItem
          label={`${t("Put on the do-not-contact list")}…`}
          onClick={() => openDialog(<SuppressMany target={target} count={count} onDone={onChanged} />)}
        />
      </Menu>
      {isAll && <Button label={t("Export")} class="small" onClick={onExport} />}
      <Button label={t("Delete")} class="small danger" onClick={() => ask({ action: "delete" })} />
      <Button label={t("Clear")} class="quiet small" onClick={onClear} />
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
    <FormDialog
      title={words(action)}
      size="small"
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
    </FormDialog>
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
      t(TEXTS[action.action][1], { leads }) +
      (failed > 0 ? t("; {failed} failed", { failed: formatNumber(failed) }) : "")
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

/** What each action does to some leads, and what it has done. */
const TEXTS: Readonly<Record<BulkAction["action"], readonly [asked: string, done: string]>> = {
  update: [t("Change {leads}"), t("Changed {leads}")],
  delete: [t("Delete {leads}"), t("Deleted {leads}")],
  add_tags: [t("Tag {leads}"), t("Tagged {leads}")],
  remove_tags: [t("Untag {leads}"), t("Untagged {leads}")],
  add_note: [t("Note on {leads}"), t("Noted on {leads}")],
  score: [t("Score {leads}"), t("Scored {leads}")],
}

function asked({ action, data }: BulkAction, leads: string): string {
  if (data?.status)
    return t("Set status {status} for {leads}", { status: statusName(String(data.status)), leads })
  return t(TEXTS[action][0], { leads })
}

/** Fields that differ from lead to lead, or have an action of their own. */
const NOT_ALIKE = new Set(["name", "email", "phone", "source_id", "tags", "latitude", "longitude"])

/** Asks for one field and its new value for many leads; several owners get them in turn. */
function BulkEdit({ onDone }: { onDone: (action: BulkAction) => void }) {
  const [name, setName] = useState("owner")
  useEffect(() => {
    void learnMembers()
    void learnAttributeNames()
  }, [])
  const fields = FILTER_FIELDS.filter(({ name, isReadOnly }) => !isReadOnly && !NOT_ALIKE.has(name))
  const field = fieldOf(name)
  const choices = choicesOf(field)
  const attribute = attributes.value.find((one) => name === `attr:${one.name}`)
  function dataOf(sent: Sent): Record<string, unknown> {
    const text = sent.text("value")
    const owners = sent.getAll("owner")
    if (name === "owner") return { owner: owners.length > 0 ? owners : null }
    if (!attribute) return { [name]: parseValue(field, text) }
    return { attributes: { [attribute.name]: text === "" ? null : typedValue(attribute.type, text) } }
  }
  return (
    <FormDialog
      title={t("Edit a field")}
      size="small"
      action={t("Continue")}
      onSend={(sent) => onDone({ action: "update", data: dataOf(sent) })}
    >
      <Select
        label={t("Field")}
        value={name}
        options={[
          ...fields.map(({ name, label }) => [name, label] as const),
          ...attributes.value.map(({ name }) => [`attr:${name}`, name] as const),
        ]}
        onChange={setName}
      />
      {name === "owner" ? (
        <fieldset class="form-fields">
          <legend>{t("Owner: several get the leads in turn, nobody when none is chosen")}</legend>
          {members.value.map(({ id }) => (
            <Check key={id} label={memberName(id)} name="owner" value={id} />
          ))}
        </fieldset>
      ) : attribute ? (
        <ValueField key={name} type={attribute.type} value={undefined} definition={undefined} />
      ) : (
        <Labelled label={t("New value")} hint={choices ? undefined : t("Empty clears the field.")}>
          {choices ? (
            <Select name="value" key={name} options={choices} />
          ) : (
            <input
              key={name}
              name="value"
              {...(field.kind === "time" && { type: "datetime-local" as const })}
              inputMode={field.kind === "number" ? "decimal" : "text"}
            />
          )}
        </Labelled>
      )}
    </FormDialog>
  )
}

const PAGE = 1_000
/** Ids that one filter holds. */
const IDS = 300

/** The emails and phones of many leads. */
async function contactsOf(target: WriteTarget): Promise<string[]> {
  const values = new Set<string>()
  async function read(query: Record<string, unknown>) {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: LeadPage = await get("/leads", { ...query, limit: PAGE, ...(cursor && { cursor }) })
      for (const { emails = [], phones = [] } of page.leads)
        for (const { value } of [...emails, ...phones]) values.add(value)
      cursor = page.has_more ? page.next_cursor : null
    }
  }
  if ("selection" in target) {
    const { fields: _, ...query } = firstRows(target.selection, [])
    await read(query)
  } else
    for (let at = 0; at < target.ids.length; at += IDS)
      await read({ filter: [`and.in.id.${target.ids.slice(at, at + IDS).join(",")}`] })
  return [...values]
}

interface SuppressProps {
  target: WriteTarget
  count: number
  onDone: () => void
}

/** Asks before all contacts of many leads go on the do-not-contact list. */
function SuppressMany({ target, count, onDone }: SuppressProps) {
  const [values, setValues] = useState<string[]>()
  const close = useClose()
  useEffect(() => {
    contactsOf(target).then(setValues, (error) => {
      sayError(error)
      close()
    })
  }, [])
  const leads = plural(count, "lead")
  return (
    <ConfirmDialog
      title={t("Contact {leads} no more?", { leads })}
      action={t("Put on the do-not-contact list")}
      isDisabled={!values?.length}
      busy={t("Working…")}
      work={async () => {
        await suppress(values!, t("{leads} on the do-not-contact list", { leads }), onDone)
      }}
    >
      <p>
        {values
          ? t("{values} go on the do-not-contact list.", {
              values: plural(values.length, "email or phone", "emails and phones"),
            })
          : t("Counting…")}
      </p>
      <p class="muted">{t("You can undo this.")}</p>
    </ConfirmDialog>
  )
}
