import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { peek } from "../core/api.ts"
import { fieldText } from "../core/field-text.ts"
import { type Field, leadValue } from "../core/filters.ts"
import { saveField } from "../core/lead-writes.ts"
import { learnMembers, memberName, members } from "../core/members.ts"
import { stages } from "../core/stages.ts"
import { statusName, statusOrder } from "../core/statuses.ts"
import { t } from "../core/text.ts"
import { attempt, sayUndo } from "../core/toast.ts"
import type { Lead } from "../core/types.ts"
import { parseValue } from "./cell.tsx"
import { Select } from "./fields.tsx"
import { ConfirmDialog, openOver } from "./overlay.tsx"
import { Fact } from "./things.tsx"

interface Props {
  field: Field
  text: string
  /** With the new text, or nothing where it is left as it was. */
  onDone: (text?: string) => unknown
}

type Choice = readonly [value: string, text: string]

/** What a field may be; undefined where anything may be typed. */
export function choicesOf({ name }: Field): readonly Choice[] | undefined {
  if (name === "status") return statusOrder().map((status): Choice => [status, statusName(status)])
  if (name === "owner")
    return [["", t("Nobody")], ...members.value.map(({ id }): Choice => [id, memberName(id)])]
  if (name !== "stage") return undefined
  return [["", t("No stage")], ...stages().map(({ id, name }): Choice => [id, name])]
}

/** One value being changed: Enter keeps it, Escape does not. */
export function CellEditor({ field, text, onDone }: Props) {
  const [typed, setTyped] = useState(text)
  const input = useRef<HTMLInputElement & HTMLSelectElement>(null)
  const isOver = useRef(false)
  const isByKey = useRef(false)
  useLayoutEffect(() => {
    if (field.name === "owner") void learnMembers()
    input.current?.focus()
    if (input.current instanceof HTMLInputElement) input.current.select()
  }, [])
  async function done(value?: string) {
    if (isOver.current) return
    isOver.current = true
    await onDone(value === text ? undefined : value)
    // What is refused stays here to be put right.
    isOver.current = false
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    isByKey.current = event.key !== "Enter"
    if (event.key === "Enter") void done(typed)
    if (event.key === "Escape") {
      event.preventDefault()
      isOver.current = true
      onDone()
    }
  }
  const choices = choicesOf(field)
  if (choices) {
    return (
      <Select
        ref={input}
        class="cell-editor"
        aria-label={field.label}
        value={typed}
        onKeyDown={onKeyDown}
        onPointerDown={() => {
          isByKey.current = false
        }}
        onBlur={() => void done(typed)}
        options={choices}
        onChange={(value) => {
          setTyped(value)
          // Keys pass over values that are not meant: Enter saves, and so does leaving the field.
          if (!isByKey.current) void done(value)
        }}
      />
    )
  }
  return (
    <input
      ref={input}
      class="cell-editor"
      aria-label={field.label}
      value={typed}
      {...(field.kind === "time" && { type: "datetime-local" as const })}
      inputMode={field.kind === "number" ? "decimal" : "text"}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => void done()}
    />
  )
}

interface ConflictProps {
  lead: Lead
  field: Field
  /** The value as it is now, and the one that was to be saved. */
  theirs: unknown
  mine: unknown
  answer: (isMine: boolean) => void
}

/** Asks which of two values stays, where somebody else has changed a field that is being edited. */
function ConflictDialog({ lead, field, theirs, mine, answer }: ConflictProps) {
  useEffect(() => () => answer(false), [])
  return (
    <ConfirmDialog
      title={t("{label} of {name} was changed meanwhile", { label: field.label, name: lead.name })}
      action={t("Save mine")}
      cancel={t("Keep theirs")}
      isDanger={false}
      work={() => answer(true)}
    >
      <dl class="facts">
        <Fact label={t("Theirs")}>{fieldText(field.name, theirs) || t("empty")}</Fact>
        <Fact label={t("Yours")}>{fieldText(field.name, mine) || t("empty")}</Fact>
      </dl>
    </ConfirmDialog>
  )
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

interface Edit {
  lead: Lead
  field: Field
  /** The new value as it was typed. */
  text: string
  /** The value when the edit began. */
  before: unknown
  /** What is said once it is saved. */
  said: string
  /** Called with the lead as it is then, also after an undo. */
  changed: (lead: Lead) => void
}

/**
 * Saves an edited field, with the way back; where it has changed since the edit began, the person is asked first.
 * Resolves to whether the edit is over; a failure is told.
 */
export function saveTyped({ lead, field, text, before, said, changed }: Edit): Promise<boolean> {
  const { id } = lead
  async function save(mine: unknown): Promise<Lead> {
    const now = await peek<Lead>(`/leads/${id}`)
    const theirs = leadValue(now, field.name)
    if (isSame(theirs, mine)) return now
    const isMine =
      isSame(theirs, before) ||
      (await new Promise<boolean>((answer) =>
        openOver(<ConflictDialog lead={now} {...{ field, theirs, mine, answer }} />),
      ))
    return isMine ? saveField(id, field.name, mine) : now
  }
  const put = async (name: string, value: unknown) => changed(await saveField(id, name, value))
  return attempt(async () => {
    const after = await save(parseValue(field, text))
    changed(after)
    if (isSame(leadValue(after, field.name), before)) return
    // Out of a stage that set the status, the status goes back as well.
    const isOut = field.name === "stage" && before === null && after.status !== lead.status
    sayUndo(said, () => (isOut ? put("status", lead.status) : put(field.name, before)))
  })
}
