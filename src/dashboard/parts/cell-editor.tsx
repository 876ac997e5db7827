import { useLayoutEffect, useRef, useState } from "preact/hooks"
import type { Field } from "../core/filters.ts"
import { words } from "../core/format.ts"
import { LEAD_STATUSES } from "../core/types.ts"

interface Props {
  field: Field
  text: string
  /** With the new text, or nothing where it is left as it was. */
  onDone: (text?: string) => void
}

/** One value being changed: Enter keeps it, Escape does not. */
export function CellEditor({ field, text, onDone }: Props) {
  const [typed, setTyped] = useState(text)
  const input = useRef<HTMLInputElement & HTMLSelectElement>(null)
  const isOver = useRef(false)
  useLayoutEffect(() => {
    input.current?.focus()
    if (field.kind !== "status") input.current?.select()
  }, [])
  function done(value?: string) {
    if (isOver.current) return
    isOver.current = true
    onDone(value === text ? undefined : value)
    // What is refused stays here to be put right.
    isOver.current = false
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === "Enter") done(typed)
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
          done(event.currentTarget.value)
        }}
        onBlur={() => done()}
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
      onBlur={() => done()}
    />
  )
}
