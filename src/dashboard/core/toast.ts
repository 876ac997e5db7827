import { signal } from "@preact/signals"
import { told } from "./api.ts"

export interface Toast {
  id: number
  text: string
  kind: "done" | "failed"
  action?: { label: string; run: () => void }
}

export const toasts = signal<Toast[]>([])
let last = 0
const STAYS_MS = 8_000

/** Says what has happened, with what can be done about it. */
export function say(text: string, action?: Toast["action"], kind: Toast["kind"] = "done"): void {
  const id = ++last
  toasts.value = [...toasts.value.slice(-2), { id, text, kind, ...(action && { action }) }]
  setTimeout(() => dismissToast(id), kind === "failed" ? STAYS_MS * 2 : STAYS_MS)
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
    say(`${what} copied`)
  } catch {
    say("The browser does not let this page copy: it needs HTTPS or a localhost name", undefined, "failed")
  }
}
