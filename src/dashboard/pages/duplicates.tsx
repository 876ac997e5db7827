import { useEffect, useRef, useState } from "preact/hooks"
import { get, post } from "../core/api.ts"
import { formatNumber, plural } from "../core/format.ts"
import { useShortcuts } from "../core/keys.ts"
import { useLiveLoaded } from "../core/live.ts"
import { type LoadState, usePolling } from "../core/loading.ts"
import { type Paged, usePaged } from "../core/paged.ts"
import { href, query, setQuery } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { say, undoLast } from "../core/toast.ts"
import type { Duplicate, DuplicateGroup, DuplicatePage, MatchingStatus } from "../core/types.ts"
import { GroupView, PairView } from "../duplicates/decide.tsx"
import { Learned } from "../duplicates/learned.tsx"
import { MergeAll } from "../duplicates/merge-all.tsx"
import { Button, Empty, FailureNote, Head } from "../parts/bits.tsx"
import { type Choice, Select } from "../parts/fields.tsx"
import { openDialog } from "../parts/overlay.tsx"
import { Chooser } from "../parts/things.tsx"

const LEVELS = [0.5, 0.8, 0.95]
const STATES: Readonly<Record<string, string>> = {
  open: t("To decide"),
  dismissed: t("Not duplicates"),
  merged: t("Merged"),
}
const PAGE = 50
/** How long until the page looks whether leads that waited have been compared. */
const LOOK_AGAIN_MS = 2_000

/** Likely duplicates, the most probable first: compared side by side, merged or dismissed, all by keyboard. */
export default function Duplicates() {
  const parameters = query.value
  const view = parameters.get("view") ?? "pairs"
  const state = parameters.get("state") ?? "open"
  const least = parameters.get("min") ?? "0.5"
  const [turn, setTurn] = useState(0)
  const status = useLiveLoaded((signal) => get<MatchingStatus>("/duplicates/status", {}, signal), [turn])
  const changed = () => setTurn((before) => before + 1)
  useWaiting(status, changed)
  const shown = { least, turn, onChanged: changed, onDealt: status.again }
  // A merged pair has a `u` of its own.
  useShortcuts(state === "open" ? [{ keys: "u", about: t("Undo"), run: undoLast }] : [])
  const tab = (title: string, name: string) => ({
    title,
    href: href("duplicates", name === "pairs" ? {} : { view: name }),
    isHere: view === name,
  })
  return (
    <div class="page">
      <Head title={t("Duplicates")} note={noteOf(status.data)}>
        {view === "pairs" && (
          <Select
            class="auto"
            aria-label={t("Which pairs")}
            value={state}
            options={STATES}
            onChange={(value) => setQuery({ state: value }, "replace")}
          />
        )}
        {view !== "learned" && (
          <Select
            class="auto"
            aria-label={t("How sure")}
            value={least}
            options={LEVELS.map(
              (level): Choice => [
                String(level),
                t("{level} % and more{countFrom}", {
                  level: level * 100,
                  countFrom: state === "open" && countFrom(level, status.data),
                }),
              ],
            )}
            onChange={(value) => setQuery({ min: value }, "replace")}
          />
        )}
        {canWrite.value && view !== "learned" && (
          <Button
            label={t("Merge likely duplicates")}
            onClick={() => openDialog(<MergeAll onChanged={changed} />)}
          />
        )}
      </Head>
      <Tabs
        label={t("Views")}
        tabs={[tab(t("Pairs"), "pairs"), tab(t("Groups"), "groups"), tab(t("What it learned"), "learned")]}
      />
      {view === "learned" && <Learned />}
      {view === "groups" && <Groups {...shown} />}
      {view === "pairs" && <Pairs key={state} state={state} {...shown} />}
    </div>
  )
}

/** Looks again while leads wait to be compared; the list is read anew once there is something in it. */
function useWaiting({ data, again }: LoadState<MatchingStatus>, onFirst: () => void): void {
  const wasEmpty = useRef(false)
  useEffect(() => {
    if (!data) return
    const isFirst = wasEmpty.current && data.open > 0
    wasEmpty.current = data.open === 0
    if (isFirst) onFirst()
  }, [data])
  usePolling((data?.waiting ?? 0) > 0, LOOK_AGAIN_MS, again, [data])
}

function noteOf(status: MatchingStatus | undefined): string {
  if (!status) return ""
  const waiting =
    status.waiting > 0
      ? t(", {waiting} leads still to be compared", { waiting: formatNumber(status.waiting) })
      : ""
  return t("{open} open{waiting}", { open: formatNumber(status.open), waiting })
}

function countFrom(level: number, status: MatchingStatus | undefined): string {
  if (!status) return ""
  const pairs = status.by_probability.filter(({ from }) => from >= level)
  return ` (${formatNumber(pairs.reduce((sum, { pairs }) => sum + pairs, 0))})`
}

interface ViewProps {
  least: string
  turn: number
  /** The list is another one now. */
  onChanged: () => void
  /** One less is to be decided on. */
  onDealt: () => void
}

function Pairs({ state, least, turn, onChanged, onDealt }: ViewProps & { state: string }) {
  const list = usePaged<Duplicate>(
    async (cursor, signal) => {
      const page = await get<DuplicatePage>(
        "/duplicates",
        { min_probability: least, state, limit: PAGE, cursor },
        signal,
      )
      return { items: page.duplicates ?? [], next: page.next_cursor }
    },
    [least, state, turn],
  )
  return (
    <Decider
      list={list}
      onDealt={onDealt}
      label={t("Pairs")}
      keyOf={({ id }) => id}
      title={({ a }) => a.name}
      note={({ b, probability }) => `${b.name} · ${Math.round(probability * 100)}\u00a0%`}
      empty={<NoPairs state={state} onChanged={onChanged} />}
      view={(pair, onDone) => <PairView key={pair.id} pair={pair} onDone={onDone} onUndone={onChanged} />}
    />
  )
}

function Groups({ least, turn, onChanged, onDealt }: ViewProps) {
  const list = usePaged<DuplicateGroup>(
    async (cursor, signal) => {
      const page = await get<DuplicatePage>(
        "/duplicates",
        { view: "groups", min_probability: least, limit: PAGE, cursor },
        signal,
      )
      return { items: page.groups ?? [], next: page.next_cursor }
    },
    [least, turn],
  )
  return (
    <Decider
      list={list}
      onDealt={onDealt}
      label={t("Groups")}
      keyOf={({ pairs }) => pairs[0] ?? ""}
      title={({ leads }) => leads[0]?.name ?? ""}
      note={({ leads, probability }) =>
        `${plural(leads.length, "lead")} · ${Math.round(probability * 100)}\u00a0%`
      }
      empty={<NoPairs state="open" onChanged={onChanged} />}
      view={(group, onDone) => (
        <GroupView key={group.pairs.join()} group={group} onDone={onDone} onUndone={onChanged} />
      )}
    />
  )
}

/** What is said where no pair is in a state. */
const NONE: Readonly<Record<string, readonly [title: string, text: string]>> = {
  merged: [t("Nothing was merged yet"), t("Merged pairs are listed here. You can undo each merge.")],
  dismissed: [
    t("No pairs marked as not duplicates yet"),
    t("Pairs that you marked as not duplicates are listed here. You can reopen them."),
  ],
}
const NONE_OPEN = [
  t("No duplicates to look at"),
  t("New leads are compared with all others as they come in. Likely duplicates appear here."),
] as const

function NoPairs({ state, onChanged }: { state: string; onChanged: () => void }) {
  const [title, text] = NONE[state] ?? NONE_OPEN
  return (
    <Empty icon="duplicates" title={title} text={text}>
      {canWrite.value && !NONE[state] && (
        <Button
          label={t("Compare all leads again")}
          work={async () => {
            await post("/duplicates/rescan")
            say(t("Comparing all leads again; duplicates appear here"))
            onChanged()
          }}
        />
      )}
    </Empty>
  )
}

interface DeciderProps<T> {
  list: Paged<T>
  onDealt: () => void
  label: string
  keyOf: (item: T) => string
  title: (item: T) => string
  note: (item: T) => string
  empty: preact.ComponentChildren
  view: (item: T, onDone: () => void) => preact.ComponentChildren
}

/** A list with what is chosen of it beside it; `j` and `k` go through it. */
function Decider<T>({ list, onDealt, label, keyOf, title, note, empty, view }: DeciderProps<T>) {
  const [at, setAt] = useState(0)
  const { data: items, error, again, hasMore, isLoading, more, drop } = list
  const all = items ?? []
  const place = Math.min(at, all.length - 1)
  const chosen = all[place]
  const go = (to: number) => setAt(Math.max(0, Math.min(all.length - 1, to)))
  useShortcuts([
    { keys: "j", about: t("The next"), run: () => go(place + 1) },
    { keys: "k", about: t("The one before"), run: () => go(place - 1) },
  ])
  function done(item: T) {
    drop(item)
    onDealt()
    if (all.length <= 1) again()
    else if (hasMore && all.length < PAGE / 2) void more()
  }
  if (error) return <FailureNote error={error} again={again} />
  if (!items) return <p class="muted">{t("Looking…")}</p>
  if (!chosen) return <>{empty}</>
  return (
    <Chooser
      label={label}
      things={all}
      keyOf={keyOf}
      chosen={keyOf(chosen)}
      title={title}
      note={note}
      onChoose={(key) => setAt(all.findIndex((item) => keyOf(item) === key))}
      more={
        hasMore && (
          <Button label={isLoading ? t("Loading…") : t("Load more")} disabled={isLoading} onClick={more} />
        )
      }
    >
      {view(chosen, () => done(chosen))}
    </Chooser>
  )
}

interface Props {
  label: string
  tabs: readonly { title: string; href: string; isHere: boolean }[]
}

/** Views of one page, each with an address of its own. */
function Tabs({ label, tabs }: Props) {
  return (
    <nav class="views tabs" aria-label={label}>
      {tabs.map(({ title, href, isHere }) => (
        <a key={href} href={href} aria-current={isHere ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  )
}

import "../parts/table.ts"
