import { useLayoutEffect, useRef, useState } from "preact/hooks"
import type { Field } from "../core/filters.ts"
import { words } from "../core/format.ts"
import { LEAD_STATUSES } from "../core/types.ts"

interface Props {
  field: Field
  text: string
  /** With the new text, or nothing where it is left as it was. */
  onDone: (text?: string) => unknown
}

/** One value being changed: Enter keeps it, Escape does not. */
export function CellEditor({ field, text, onDone }: Props) {
  const [typed, setTyped] = useState(text)
  const input = useRef<HTMLInputElement & HTMLSelectElement>(null)
  const isOver = useRef(false)
  const isByKey = useRef(false)
  useLayoutEffect(() => {
    input.current?.focus()
    if (field.kind !== "status") input.current?.select()
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
  if (field.kind === "status") {
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
        {LEAD_STATUSES.map((status) => (
          <option key={status} value={status}>
            {words(status)}
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
      inputMode={field.kind === "number" ? "decimal" : "text"}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => void done()}
    />
  )
}
