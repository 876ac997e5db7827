import { get } from "../core/api.ts"
import { formatNumber, words } from "../core/format.ts"
import { useRefresh } from "../core/live.ts"
import { usePolling } from "../core/loading.ts"
import { usePaged } from "../core/paged.ts"
import { href } from "../core/router.ts"
import { t } from "../core/text.ts"
import type { ImportRecord } from "../core/types.ts"
import { actorName } from "../parts/actors.ts"
import { Ago, Card } from "../parts/bits.tsx"
import { Button } from "../parts/button.tsx"
import { LOOK_AGAIN_MS, Running } from "./record.tsx"

const PAGE = 20

/** Imports so far, newest first; those that go on say how far they are. */
export function Past() {
  const list = usePaged<ImportRecord>(async (after, signal) => {
    const { imports } = await get<{ imports: ImportRecord[] }>("/imports", { limit: PAGE, after }, signal)
    return { items: imports, next: imports.length === PAGE ? imports.at(-1)!.id : null }
  }, [])
  const { items, error, again, hasMore, more } = list
  // Not while older ones are shown, which a first page would take away.
  useRefresh(list, () => items === undefined || items.length <= PAGE)
  const isRunning = items?.some(({ state }) => state === "running") ?? false
  usePolling(isRunning, LOOK_AGAIN_MS, again, [items])
  if (error || !items || items.length === 0) return null
  return (
    <Card title={t("Imports so far")}>
      <ul class="latest imports">
        {items.map((one) => (
          <li key={one.id}>
            <span class={`outcome ${OUTCOMES[one.state]}`}>{words(one.state)}</span>
            <a href={href("import", { import: one.id })}>{one.name}</a>
            <span class="muted">
              {t("{created} created, {merged} merged, {rejected} rejected, by {actorName}", {
                created: formatNumber(one.created),
                merged: formatNumber(one.merged),
                rejected: formatNumber(one.rejected),
                actorName: actorName(one.actor_id),
              })}
            </span>
            <Ago at={one.created_at} class="muted" />
            {one.state === "running" && (
              <div class="import-running">
                <Running record={one} />
              </div>
            )}
          </li>
        ))}
      </ul>
      {hasMore && <Button label={t("Older")} onClick={more} />}
    </Card>
  )
}

const OUTCOMES = {
  running: "pending",
  done: "succeeded",
  failed: "failed",
  interrupted: "failed",
  undone: "",
}
