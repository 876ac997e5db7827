import { useEffect, useRef, useState } from "preact/hooks"
import { get } from "../core/api.ts"
import { dayText, formatNumber, plural, words } from "../core/format.ts"
import { type LiveChange, useLive, useLiveLoaded } from "../core/live.ts"
import { useLoaded } from "../core/loading.ts"
import { usePaged } from "../core/paged.ts"
import { href, query, setQuery } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import type { ActivityCounts, ChangeBatch, ChangeBatches, ChangeFeed, FeedChange } from "../core/types.ts"
import { actorName, authorName } from "../parts/actors.ts"
import { Ago, Button, Empty, FailureNote, Head } from "../parts/bits.tsx"
import { Select } from "../parts/fields.tsx"
import { Differences, reasonText } from "../parts/history.tsx"
import { openDialog } from "../parts/overlay.tsx"
import { PutBackDialog } from "../parts/put-back.tsx"
import { Table } from "../parts/things.tsx"

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
  const entries = list.data ?? []
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
      {list.data?.length === 0 && (
        <Empty
          icon="activity"
          title={t("Nothing has happened yet")}
          text={t("Changes of leads are listed here, with who made them and the values before.")}
        />
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

const WEEKS = 6
const DAYS = 42

/** How many contacts each person had in the last weeks. */
function ContactCounts() {
  const { data } = useLiveLoaded(
    (signal) => get<ActivityCounts>("/activities", { by: "member,week", since: `${DAYS}d` }, signal),
    [],
    ({ diff }) => "last_contacted_at" in diff,
  )
  if (!data || data.total === 0) return null
  const cells = data.counts.map(({ name, week, count }) => ({
    name: String(name),
    week: String(week),
    count: Number(count),
  }))
  const weeks = [...new Set(cells.map(({ week }) => week))].toSorted().slice(-WEEKS)
  const people = [...Map.groupBy(cells, ({ name }) => name)]
  const countOf = (ofPerson: typeof cells, week: string) =>
    ofPerson.reduce((sum, one) => sum + (one.week === week ? one.count : 0), 0)
  return (
    <section class="card tile">
      <h2>{t("Contacts by week")}</h2>
      <div class="table-scroll">
        <Table head={[t("Week of"), ...weeks.map((week) => [dayText(week), "number"] as const)]}>
          {people.map(([name, ofPerson]) => (
            <tr key={name}>
              <th scope="row">{authorName(name)}</th>
              {weeks.map((week) => (
                <td class="number" key={week}>
                  {formatNumber(countOf(ofPerson, week))}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      </div>
    </section>
  )
}

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
function Batch({ batch, changes: shown, onReverted }: Props) {
  const { batch_id, import_id, kind, action, leads, actor, ended_at, undone_by } = batch
  const isKnown = shown.length > 0
  const { data: details = [] } = useLoaded(
    async (signal) =>
      isKnown ? [] : (await get<ChangeFeed>("/changes", { batch_id, limit: NAMED }, signal)).changes,
    [batch_id, isKnown],
  )
  const changes = isKnown ? shown : details
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
                openDialog(
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

import "../parts/table.ts"
