import { signal } from "@preact/signals"
import { curl } from "./api.ts"
import { told } from "./said.ts"
import { t } from "./text.ts"

export interface Toast {
  id: number
  text: string
  kind: "done" | "failed"
  action?: { label: string; run: () => void }
}

export const toasts = signal<Toast[]>([])
let last = 0
const STAYS_MS = 8_000

/** Undo stack of this tab, newest last. */
const undoable: { id: number; run: () => void }[] = []
const UNDO_MAX = 50

/** Undoes the newest thing that this tab did. */
export function undoLast(): void {
  const newest = undoable.pop()
  if (newest) {
    dismissToast(newest.id)
    newest.run()
  } else say(t("There is nothing to undo"))
}

/** Runs the action of a toast. What it undoes can not be undone again. */
export function runAction({ id, action }: Toast): void {
  dismissToast(id)
  const at = undoable.findIndex((one) => one.id === id)
  if (at >= 0) undoable.splice(at, 1)
  action?.run()
}

/** Says what has happened, with what can be done about it. An action "Undo" can also be run by Ctrl+Z. */
export function say(text: string, action?: Toast["action"], kind: Toast["kind"] = "done"): void {
  const id = ++last
  if (action?.label === t("Undo")) undoable.push({ id, run: action.run })
  if (undoable.length > UNDO_MAX) undoable.shift()
  toasts.value = [...toasts.value.slice(-2), { id, text, kind, ...(action && { action }) }]
  setTimeout(() => dismissToast(id), kind === "failed" ? STAYS_MS * 2 : STAYS_MS)
}

/** Says what was done, with the way back, whose failures are told as well; `then` is called after it, whatever came of it. */
export function sayUndo(text: string, undo: () => Promise<unknown>, then?: () => void): void {
  say(text, { label: t("Undo"), run: () => void attempt(undo).then(then) })
}

export function dismissToast(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

export function sayError(error: unknown): void {
  say(told(error), undefined, "failed")
}

/** Runs what a person asked for; when it fails they are told. Resolves to whether it was done. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    sayError(error)
    return false
  }
}

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    say(t("{what} copied", { what }))
  } catch {
    say(t("The browser does not let this page copy: it needs HTTPS or a localhost name"), undefined, "failed")
  }
}

/** Copies a reading request. */
export const copyCurl = (url: string) => copy(curl(url), t("curl command"))
