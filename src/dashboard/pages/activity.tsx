import { useEffect, useRef, useState } from "preact/hooks"
import { get, isAbort } from "../core/api.ts"
import { ago, moment, plural, words } from "../core/format.ts"
import { revert } from "../core/lead-writes.ts"
import { type LiveChange, useLive } from "../core/live.ts"
import { href, query, setQuery } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { attempt, say } from "../core/toast.ts"
import type { ChangeFeed, FeedChange } from "../core/types.ts"
import { actorName, learnActors } from "../parts/actors.ts"
import { Empty, FailureNote, Head } from "../parts/bits.tsx"
import { Differences, reasonOf } from "../parts/history.tsx"

const REFRESH_MS = 1_000

/** Everything that has changed, newest first; what was done together stands together and can be put back. */
export default function Activity() {
  const [pages, setPages] = useState<ChangeFeed[]>([])
  const [error, setError] = useState<unknown>()
  const [turn, setTurn] = useState(0)
  const [fresh, setFresh] = useState(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const action = query.value.get("action") ?? ""
  const actor = query.value.get("actor") ?? ""
  const filters = { action: action || undefined, actor_id: actor || undefined }
  useEffect(() => {
    const stop = new AbortController()
    void learnActors()
    setError(undefined)
    get<ChangeFeed>("/changes", { ...filters, limit: 60 }, stop.signal).then(
      (page) => {
        setPages([page])
        setFresh(0)
      },
      (problem) => !isAbort(problem) && setError(problem),
    )
    return () => stop.abort()
  }, [action, actor, turn])
  const isWanted = (change: LiveChange) =>
    (action === "" || change.action === action) && (actor === "" || change.actor_id === actor)
  useLive(({ changes, hasGap }) => {
    const count = hasGap ? 1 : changes.filter(isWanted).length
    if (count === 0) return
    // What is read further down stays where it is.
    if (pages.length > 1 || (document.getElementById("main")?.scrollTop ?? 0) > 0) setFresh(fresh + count)
    else if (!timer.current) {
      timer.current = setTimeout(() => {
        timer.current = undefined
        setTurn((before) => before + 1)
      }, REFRESH_MS)
    }
  })
  const last = pages.at(-1)
  const groups = grouped(pages.flatMap(({ changes }) => changes))
  return (
    <div class="page narrow">
      <Head title={t("Activity")}>
        <select
          class="auto"
          aria-label={t("What happened")}
          value={action}
          onChange={(event) => setQuery({ action: event.currentTarget.value })}
        >
          <option value="">{t("Everything")}</option>
          <option value="created">{t("Created")}</option>
          <option value="updated">{t("Updated")}</option>
          <option value="merged">{t("Merged")}</option>
          <option value="deleted">{t("Deleted")}</option>
        </select>
      </Head>
      {error !== undefined && <FailureNote error={error} again={() => setTurn(turn + 1)} />}
      {fresh > 0 && (
        <p class="note-line" role="status">
          {plural(fresh, "new change")}:{" "}
          <button type="button" class="link" onClick={() => setTurn(turn + 1)}>
            {t("show")}
          </button>
        </p>
      )}
      {last && groups.length === 0 && (
        <Empty icon="activity" title={t("Nothing has happened yet")}>
          <p>{t("Changes of leads are listed here, with who made them and the values before.")}</p>
        </Empty>
      )}
      <ol class="activity">
        {groups.map((group) => (
          <Group key={group[0]!.id} changes={group} onReverted={() => setTurn(turn + 1)} />
        ))}
      </ol>
      {last?.has_more && (
        <button
          type="button"
          onClick={() =>
            attempt(async () => {
              const next = await get<ChangeFeed>("/changes", {
                ...filters,
                limit: 60,
                cursor: last.next_cursor ?? undefined,
              })
              setPages([...pages, next])
            })
          }
        >
          {t("Older")}
        </button>
      )}
    </div>
  )
}

/** Neighbours that one request, import or batch made. */
function grouped(changes: readonly FeedChange[]): FeedChange[][] {
  const groups: FeedChange[][] = []
  for (const change of changes) {
    const before = groups.at(-1)
    if (before && before[0]!.batch_id === change.batch_id) before.push(change)
    else groups.push([change])
  }
  return groups
}

function Group({ changes, onReverted }: { changes: FeedChange[]; onReverted: () => void }) {
  const [first] = changes
  if (!first) return null
  const isMany = changes.length > 1
  const batch = first.batch_id
  return (
    <li class="card">
      <p class="activity-head">
        <span class={`action ${first.action}`}>{words(first.action)}</span>
        {isMany ? (
          <b>{plural(changes.length, "lead")}</b>
        ) : (
          <a href={href(`leads/${first.lead_id}`)}>
            {first.after?.name ?? first.before?.name ?? first.lead_id}
          </a>
        )}
        <span class="muted">
          {t("by")}{" "}
          <button type="button" class="link" onClick={() => setQuery({ actor: first.actor_id })}>
            {actorName(first.actor_id)}
          </button>
        </span>
        {first.reason && <span class="tag">{reasonOf(first.reason)}</span>}
        <span class="activity-end">
          <time class="muted" title={moment(first.created_at)}>
            {ago(first.created_at)}
          </time>
          {canWrite.value && (
            <button
              type="button"
              class="link small"
              onClick={() =>
                attempt(async () => {
                  say(await revert(isMany ? { batch_id: batch } : { change_ids: [first.id] }))
                  onReverted()
                })
              }
            >
              {t("Put back")}
            </button>
          )}
        </span>
      </p>
      {isMany ? (
        <p class="muted clamp">
          {changes
            .slice(0, 8)
            .map(({ after, before }) => after?.name ?? before?.name)
            .join(", ")}
        </p>
      ) : (
        <Differences change={first} />
      )}
    </li>
  )
}
