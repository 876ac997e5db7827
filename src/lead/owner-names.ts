// Names by which files and other programs say whose lead it is, until they are members of the account.
import { fold } from "../text/text.ts"

/** Whether an owner is the id of a member, and no name. */
export const isMemberId = (owner: string): boolean => owner.startsWith("mem_")

/** The names that a text may stand for, folded: `eva.klein@corp.example` is Eva Klein, too. */
export function ownerKeys(text: string): string[] {
  const [local = "", domain] = text.trim().split("@")
  return domain === undefined ? [fold(text)] : [fold(text), fold(local.replace(/[._-]+/g, " "))]
}

/** Returns a function that gives the id of the member whom a text names. */
export function ownersAmong(members: readonly { id: string; name: string }[]) {
  const ids = new Map(members.map(({ id, name }) => [fold(name), id]))
  return (text: string): string | undefined => {
    if (isMemberId(text)) return text
    const key = ownerKeys(text).find((one) => ids.has(one))
    return key === undefined ? undefined : ids.get(key)
  }
}
