import { computed, signal } from "@preact/signals"
import { ApiError, get, isSignedOut, remove } from "./api.ts"
import { SESSION_KEY } from "./first-request.ts"
import type { Session } from "./types.ts"

/** Who is signed in: null for nobody, undefined while it is not known. */
export const session = signal<Session | null | undefined>(undefined)

const saved = localStorage.getItem(SESSION_KEY)

/** The person's rights; those of the last visit until they are known. */
const role = computed(() => (session.value === undefined ? saved : session.value?.role))
export const canWrite = computed(() => role.value === "editor" || role.value === "owner")
export const isOwner = computed(() => role.value === "owner")

isSignedOut.subscribe((isOut) => {
  if (isOut) signedOut()
})

export const mayBeSignedIn = () => localStorage.getItem(SESSION_KEY) !== null

/** Asks who is signed in, where anybody may be: one that is expected has come back from the provider. */
export async function loadSession(isExpected = false): Promise<void> {
  if (!isExpected && !mayBeSignedIn()) return signedOut()
  try {
    signedIn(await get<Session>("/sessions/current"))
  } catch (error) {
    if (error instanceof ApiError && error.status === 0) return
    signedOut()
  }
}

export function signedIn(now: Session): void {
  isSignedOut.value = false
  localStorage.setItem(SESSION_KEY, now.role)
  session.value = now
}

export async function signOut(): Promise<void> {
  await remove("/sessions/current").catch(() => {})
  signedOut()
}

function signedOut(): void {
  localStorage.removeItem(SESSION_KEY)
  session.value = null
}
