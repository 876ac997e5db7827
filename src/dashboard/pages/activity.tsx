import { useEffect, useRef, useState } from "preact/hooks"
import { get } from "../core/api.ts"
import { plural } from "../core/format.ts"
import { type LiveChange, useLive } from "../core/live.ts"
import { usePaged } from "../core/paged.ts"
import { query, setQuery } from "../core/router.ts"
import { t } from "../core/text.ts"
import type { ChangeBatches, ChangeFeed } from "../core/types.ts"
import { Batch } from "../parts/batch.tsx"
import { Empty, FailureNote, Head } from "../parts/bits.tsx"
import { Button } from "../parts/button.tsx"
import { ContactCounts } from "../parts/contact-counts.tsx"
import { Select } from "../parts/fields.tsx"

const REFRESH_MS = 1_000
const BATCHES = 30
/** Changes that are read beside a page of batches, to name their leads. */
const CHANGES = 100

type Filters = { action: string | undefined; actor_id: string | undefined }

/** A page of batches, each with its newest changes as far as they are among the latest ones. */
async function load(filters: Filters, cursor?: string, signal?: AbortSignal) {
  const query = { ...filters, view: "batches", limit: BATCHES, cursor }
  const page = await get<ChangeBatches>("/changes", query, signal)
  const [newest] = page.batches
  const until = newest?.ended_at
  const { changes } = newest
    ? await get<ChangeFeed>("/changes", { ...filters, limit: CHANGES, until }, signal)
    : { changes: [] }
  const byBatch = Map.groupBy(changes, ({ batch_id }) => batch_id)
  const items = page.batches.map((batch) => ({ batch, changes: byBatch.get(batch.batch_id) ?? [] }))
  return { items, next: page.has_more ? page.next_cursor : null }
}

/** Lists changes, newest first: each batch is one entry and can be put back. */
export default function Activity() {
  const [fresh, setFresh] = useState(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const action = query.value.get("action") ?? ""
  const actor = query.value.get("actor") ?? ""
  const filters = { action: action || undefined, actor_id: actor || undefined }
  const list = usePaged(
    async (cursor, signal) => {
      const page = await load(filters, cursor, signal)
      if (cursor === undefined) setFresh(0)
      return page
    },
    [action, actor],
  )
  const entries = list.items ?? []
  const isWanted = (change: LiveChange) =>
    (action === "" || change.action === action) && (actor === "" || change.actor_id === actor)
  useLive(({ changes, hasGap }) => {
    const count = hasGap ? 1 : changes.filter(isWanted).length
    if (count === 0) return
    // What is read further down stays where it is.
    if (entries.length > BATCHES || (document.getElementById("main")?.scrollTop ?? 0) > 0)
      setFresh(fresh + count)
    else if (!timer.current) {
      timer.current = setTimeout(() => {
        timer.current = undefined
        list.again()
      }, REFRESH_MS)
    }
  })
  return (
    <div class="page narrow">
      <Head title={t("Activity")}>
        <Select
          class="auto"
          aria-label={t("What happened")}
          value={action}
          options={{
            "": t("Everything"),
            created: t("Created"),
            updated: t("Updated"),
            merged: t("Merged"),
            deleted: t("Deleted"),
          }}
          onChange={(value) => setQuery({ action: value })}
        />
      </Head>
      <ContactCounts />
      {list.error !== undefined && <FailureNote error={list.error} again={list.again} />}
      {fresh > 0 && (
        <p class="note-line" role="status">
          {plural(fresh, "new change")}: <Button label={t("show")} class="link" onClick={list.again} />
        </p>
      )}
      {list.items?.length === 0 && (
        <Empty icon="activity" title={t("Nothing has happened yet")}>
          <p>{t("Changes of leads are listed here, with who made them and the values before.")}</p>
        </Empty>
      )}
      <ol class="activity">
        {entries.map(({ batch, changes }) => (
          <Batch key={batch.batch_id} batch={batch} changes={changes} onReverted={list.again} />
        ))}
      </ol>
      {list.hasMore && <Button label={t("Older")} onClick={list.more} />}
    </div>
  )
}

import "../parts/table.ts"
