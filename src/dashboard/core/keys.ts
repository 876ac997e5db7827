// Keys that work everywhere, and those of the page that is shown.
import { useLayoutEffect } from "preact/hooks"

interface Shortcut {
  /** As a person reads it: `/`, `g l`, `Mod+K`, `Shift+ArrowDown`. */
  keys: string
  about: string
  run: (event: KeyboardEvent) => void
  /** Also while something is typed into a field. */
  whileTyping?: boolean
}

const active: Shortcut[][] = []
let first = ""
let firstAt = 0
const SEQUENCE_MS = 1_500

/** All that work now, for the help. */
export function shortcuts(): readonly Shortcut[] {
  return active.flat()
}

/** Keys that work while a component is shown; the newest wins. */
export function useShortcuts(list: readonly Shortcut[]): void {
  // With what is shown, not after: a key that follows at once must find what the last one chose.
  useLayoutEffect(() => {
    const handlers = [...list]
    active.push(handlers)
    return () => void active.splice(active.indexOf(handlers), 1)
  })
}

/** Whether the first key of a sequence was pressed, so that this one is its second. */
export function isInSequence({ timeStamp }: KeyboardEvent): boolean {
  return first !== "" && timeStamp - firstAt < SEQUENCE_MS
}

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]")
  )
}

function nameOf(event: KeyboardEvent): string {
  const { key } = event
  const mod = event.metaKey || event.ctrlKey ? "Mod+" : ""
  const alt = event.altKey ? "Alt+" : ""
  const shift = event.shiftKey && key.length > 1 ? "Shift+" : ""
  return mod + alt + shift + (key.length === 1 && mod ? key.toUpperCase() : key)
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing) return
  // Escape is the browser's own there: what is open closes, and nothing behind it.
  if (document.querySelector("dialog[open]")) return
  if (event.key === "Escape" && document.querySelector(":popover-open")) return
  const name = nameOf(event)
  const typing = isTyping(event.target)
  const all = active.flat()
  const wanted = isInSequence(event) ? `${first} ${name}` : name
  first = ""
  const handler = all.findLast(({ keys, whileTyping }) => keys === wanted && (!typing || whileTyping))
  if (handler) {
    event.preventDefault()
    handler.run(event)
  } else if (!typing && all.some(({ keys }) => keys.startsWith(`${name} `))) {
    first = name
    firstAt = event.timeStamp
  }
})
