import { get } from "../core/api.ts"
import { plural, words } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { href, setQuery } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import type { ChangeBatch, ChangeFeed, FeedChange } from "../core/types.ts"
import { actorName } from "./actors.ts"
import { Ago } from "./bits.tsx"
import { Button } from "./button.tsx"
import { Differences, reasonText } from "./history.tsx"
import { useDialog } from "./overlay.tsx"
import { PutBackDialog } from "./put-back.tsx"

/** Changes of a batch that are named. */
const NAMED = 8

const KINDS = {
  import: t("Imported"),
  bulk: t("Changed"),
  merge: t("Merged"),
  undo: t("Undone"),
  revert: t("Put back"),
  erase: t("Erased"),
  single: t("Changed"),
} as const

interface Props {
  batch: ChangeBatch
  /** Some of its changes; where there are none it asks for them itself. */
  changes: readonly FeedChange[]
  onReverted: () => void
}

/** Shows a batch as one entry with its exact number of leads and its undo. */
export function Batch({ batch, changes: known, onReverted }: Props) {
  const [dialog, open] = useDialog()
  const { batch_id, import_id, kind, action, leads, actor, ended_at, undone_by } = batch
  const isKnown = known.length > 0
  const { data: own = [] } = useLoaded(
    async (signal) =>
      isKnown ? [] : (await get<ChangeFeed>("/changes", { batch_id, limit: NAMED }, signal)).changes,
    [batch_id, isKnown],
  )
  const changes = isKnown ? known : own
  const [first] = changes
  const did = kind === "bulk" || kind === "single" ? action : undefined
  return (
    <li class="card">
      <p class="activity-head">
        <span class={`action ${did ?? kind}`}>{did ? words(did) : KINDS[kind]}</span>
        {leads === 1 && first ? (
          <a href={href(`leads/${first.lead_id}`)}>
            {first.after?.name ?? first.before?.name ?? first.lead_id}
          </a>
        ) : (
          <b>{plural(leads, "lead")}</b>
        )}
        <span class="muted">
          {t("by")} <Button label={actorName(actor)} class="link" onClick={() => setQuery({ actor })} />
        </span>
        {first?.reason && <span class="tag">{reasonText(first.reason)}</span>}
        {undone_by && <span class="tag">{t("put back")}</span>}
        <span class="activity-end">
          <Ago at={ended_at} class="muted" />
          {canWrite.value && kind !== "erase" && !undone_by && (
            <Button
              label={t("Put back")}
              class="link small"
              onClick={() =>
                open(
                  <PutBackDialog
                    what={import_id === undefined ? { batch_id } : { import_id }}
                    title={t("Put back {leads}?", { leads: plural(leads, "lead") })}
                    onDone={onReverted}
                  />,
                )
              }
            />
          )}
        </span>
      </p>
      <Contents batch={batch} changes={changes} />
      {dialog}
    </li>
  )
}

/** The names of the leads, or the differences of one. */
function Contents({
  batch: { changes: all, leads },
  changes,
}: {
  batch: ChangeBatch
  changes: readonly FeedChange[]
}) {
  const [first] = changes
  if (!first) return null
  if (all === 1) return <Differences change={first} />
  const names = new Map(changes.map(({ lead_id, after, before }) => [lead_id, after?.name ?? before?.name]))
  const shown = [...names.values()].slice(0, NAMED)
  return (
    <p class="muted clamp">
      {shown.join(", ")}
      {leads > shown.length && t(" and {leads}", { leads: plural(leads - shown.length, "more lead") })}
    </p>
  )
}
