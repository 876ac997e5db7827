import { useLayoutEffect, useRef, useState } from "preact/hooks"
import type { Field } from "../core/filters.ts"
import { learnMembers, memberName, members } from "../core/members.ts"
import { statusName, statusOrder } from "../core/statuses.ts"
import { t } from "../core/text.ts"

interface Props {
  field: Field
  text: string
  /** With the new text, or nothing where it is left as it was. */
  onDone: (text?: string) => unknown
}

function choicesOf({ kind }: Field): readonly (readonly [value: string, label: string])[] {
  if (kind === "status") return statusOrder().map((status) => [status, statusName(status)])
  return [["", t("Nobody")], ...members.value.map(({ id }): [string, string] => [id, memberName(id)])]
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
  if (field.kind === "status" || field.name === "owner") {
    return (
      <select
        ref={input}
        class="cell-editor"
        aria-label={field.label}
        value={typed}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          // Keys pass over values that are not meant: Enter saves, and so does leaving the field.
          if (!isByKey.current) void done(event.currentTarget.value)
        }}
        onPointerDown={() => {
          isByKey.current = false
        }}
        onBlur={() => void done(typed)}
      >
        {choicesOf(field).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
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
