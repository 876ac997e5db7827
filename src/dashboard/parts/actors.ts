import { signal } from "@preact/signals"
import { peek } from "../core/api.ts"
import { once } from "../core/loading.ts"
import { learnMembers, memberName } from "../core/members.ts"
import { isOwner, session } from "../core/session.ts"
import { t } from "../core/text.ts"
import type { ApiKey } from "../core/types.ts"

/** Names of keys by their ids, which is how the trail knows them. */
const keyNames = signal<ReadonlyMap<string, string>>(new Map())

const learnKeys = once(async () => {
  const keys = await peek<ApiKey[]>("/api-keys")
  keyNames.value = new Map(keys.map(({ id, name }) => [id, name]))
})

/** The name of a key by its id, which is asked for once it is shown; undefined for others. */
function keyName(id: string): string | undefined {
  if (id.startsWith("key_") && isOwner.value) void learnKeys()
  return keyNames.value.get(id)
}

/** Who acted, as people know them, behind “by”. */
export function actorName(id: string): string {
  if (id === "command line") return t("the command line")
  if (id === "machine" || id === "local") return t("this machine")
  if (session.value?.actor.id === id) return t("you")
  if (id.startsWith("mem_")) {
    void learnMembers()
    return memberName(id)
  }
  const key = keyName(id)
  if (key !== undefined) return t("the key {key}", { key })
  return id.startsWith("key_") ? t("an API key") : id
}

/** Who wrote or logged something, by their id or name, where it stands alone. */
export function authorName(author: string): string {
  const { id, name } = session.value?.actor ?? {}
  return author === id || author === name ? t("You") : (keyName(author) ?? actorName(author))
}
