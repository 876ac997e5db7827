// Names of the account's members, by their ids.

import { signal } from "@preact/signals"
import { peek } from "./api.ts"
import { VALUE_NAMES } from "./filters.ts"
import { once } from "./loading.ts"
import { session } from "./session.ts"
import { t } from "./text.ts"
import type { Member } from "./types.ts"

export const members = signal<readonly Pick<Member, "id" | "name">[]>([])
const isKnown = signal(false)

export const learnMembers = once(async () => {
  members.value = await peek<Member[]>("/members")
  isKnown.value = true
})

/** The name of a member, or the one that an import left in place of an id. */
export function memberName(id: string): string {
  if (session.value?.actor.id === id) return t("You")
  if (!id.startsWith("mem_")) return id
  return members.value.find((one) => one.id === id)?.name ?? (isKnown.value ? t("A former member") : "")
}

VALUE_NAMES.owner = memberName

/** The id of the member that is signed in; undefined for keys and codes. */
export function ownId(): string | undefined {
  const actor = session.value?.actor
  return actor?.kind === "member" && actor.id !== null ? actor.id : undefined
}
