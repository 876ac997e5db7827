import { useEffect, useRef, useState } from "preact/hooks"
import { get, isAbort } from "../core/api.ts"
import { plural } from "../core/format.ts"
import { type LiveChange, useLive } from "../core/live.ts"
import { query, setQuery } from "../core/router.ts"
import { t } from "../core/text.ts"
import type { ChangeBatches, ChangeFeed, FeedChange } from "../core/types.ts"
import { Batch } from "../parts/batch.tsx"
import { Empty, FailureNote, Head } from "../parts/bits.tsx"
import { Button } from "../parts/button.tsx"
import { ContactCounts } from "../parts/contact-counts.tsx"
import { Select } from "../parts/fields.tsx"

const REFRESH_MS = 1_000
const BATCHES = 30
/** Changes that are read beside a page of batches, to name their leads. */
const CHANGES = 100

interface Page extends ChangeBatches {
  changes: Map<string, FeedChange[]>
}

type Filters = { action: string | undefined; actor_id: string | undefined }

/** A page of batches, with the newest changes of each as far as they are among the latest ones. */
async function load(filters: Filters, cursor?: string, signal?: AbortSignal): Promise<Page> {
  const query = { ...filters, view: "batches", limit: BATCHES, cursor }
  const page = await get<ChangeBatches>("/changes", query, signal)
  const [newest] = page.batches
  const until = newest?.ended_at
  const { changes } = newest
    ? await get<ChangeFeed>("/changes", { ...filters, limit: CHANGES, until }, signal)
    : { changes: [] }
  return { ...page, changes: Map.groupBy(changes, ({ batch_id }) => batch_id) }
}

/** Lists changes, newest first: each batch is one entry and can be put back. */
export default function Activity() {
  const [pages, setPages] = useState<Page[]>([])
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
    setError(undefined)
    load(filters, undefined, stop.signal).then(
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
  const entries = pages.flatMap(({ batches, changes }) =>
    batches.map((batch) => ({ batch, changes: changes.get(batch.batch_id) ?? [] })),
  )
  return (
    <div class="page narrow">
      <Head title={t("Activity")}>
        <Select
          class="auto"
          aria-label={t("What happened")}
          value={action}
          options={[
            ["", t("Everything")],
            ["created", t("Created")],
            ["updated", t("Updated")],
            ["merged", t("Merged")],
            ["deleted", t("Deleted")],
          ]}
          onChange={(value) => setQuery({ action: value })}
        />
      </Head>
      <ContactCounts />
      {error !== undefined && <FailureNote error={error} again={() => setTurn(turn + 1)} />}
      {fresh > 0 && (
        <p class="note-line" role="status">
          {plural(fresh, "new change")}:{" "}
          <Button label={t("show")} class="link" onClick={() => setTurn(turn + 1)} />
        </p>
      )}
      {last && entries.length === 0 && (
        <Empty icon="activity" title={t("Nothing has happened yet")}>
          <p>{t("Changes of leads are listed here, with who made them and the values before.")}</p>
        </Empty>
      )}
      <ol class="activity">
        {entries.map(({ batch, changes }) => (
          <Batch
            key={batch.batch_id}
            batch={batch}
            changes={changes}
            onReverted={() => setTurn((before) => before + 1)}
          />
        ))}
      </ol>
      {last?.has_more && (
        <Button
          label={t("Older")}
          work={async () => {
            const next = await load(filters, last.next_cursor ?? undefined)
            setPages([...pages, next])
          }}
        />
      )}
    </div>
  )
}

import "../parts/table.ts"
