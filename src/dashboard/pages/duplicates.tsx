import { useEffect, useState } from "preact/hooks"
import { get, post } from "../core/api.ts"
import { FIELDS } from "../core/filters.ts"
import { number, shown } from "../core/format.ts"
import { isTyping, useShortcuts } from "../core/keys.ts"
import { useLoaded } from "../core/loading.ts"
import { href, query, setQuery } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import { attempt, say, sayError } from "../core/toast.ts"
import type { Duplicate, DuplicatePage, DuplicateStatus, Lead, MergeAnswer } from "../core/types.ts"
import { Empty, Failure, Head, Score } from "../parts/bits.tsx"

/** Worked on by the pair that is shown; named here for the help. */
const PAIR_KEYS = [
  { keys: "m", about: "Merge the pair", run: () => {} },
  { keys: "n", about: "Not the same", run: () => {} },
]

const LEVELS = [
  ["0.5", "50 % and more"],
  ["0.8", "80 % and more"],
  ["0.95", "95 % and more"],
] as const

/** Pairs that may be the same, the surest first: looked at side by side, merged or told apart, all by keys. */
export default function Duplicates() {
  const least = query.value.get("min") ?? "0.5"
  const { data, error, again, set } = useLoaded(
    (signal) =>
      get<DuplicatePage>("/duplicates", { min_probability: least, state: "open", limit: 50 }, signal),
    [least],
  )
  const status = useLoaded((signal) => get<DuplicateStatus>("/duplicates/status", {}, signal), [least])
  const [at, setAt] = useState(0)
  useShortcuts([
    {
      keys: "u",
      about: "Undo",
      run: () => document.querySelector<HTMLButtonElement>(".toast button:not(.square)")?.click(),
    },
    ...PAIR_KEYS,
  ])
  const pairs = data?.duplicates ?? []
  const pair = pairs[Math.min(at, pairs.length - 1)]
  function drop(id: string) {
    if (data) set({ ...data, duplicates: pairs.filter((one) => one.id !== id) })
    if (pairs.length <= 1) again()
  }
  return (
    <div class="page">
      <Head title="Duplicates" note={noteOf(status.data)}>
        <select
          class="auto"
          aria-label="How sure"
          value={least}
          onChange={(event) => setQuery({ min: event.currentTarget.value }, "replace")}
        >
          {LEVELS.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
        {canWrite.value && pairs.length > 0 && <MergeAll least={least} onDone={again} />}
      </Head>
      {error !== undefined && <Failure error={error} again={again} />}
      {data && pairs.length === 0 && (
        <Empty icon="duplicates" title="No duplicates to look at">
          <p>
            New leads are compared with all others as they come in. What looks the same waits here for you.
          </p>
          {canWrite.value && (
            <button
              type="button"
              onClick={() =>
                attempt(async () => {
                  await post("/duplicates/rescan")
                  say("All leads are compared anew; what is found appears here")
                  status.again()
                })
              }
            >
              Compare all leads anew
            </button>
          )}
        </Empty>
      )}
      {pair && (
        <div class="columns narrow-wide">
          <section class="card tile" aria-label="Pairs">
            <ul class="hooks">
              {pairs.map((one, i) => (
                <li key={one.id}>
                  <button
                    type="button"
                    class="hook"
                    aria-pressed={one.id === pair.id}
                    onClick={() => setAt(i)}
                  >
                    <span class="hook-url">{one.a.name}</span>
                    <small>
                      {one.b.name} · {Math.round(one.probability * 100)} %
                    </small>
                  </button>
                </li>
              ))}
            </ul>
          </section>
          <PairView
            key={pair.id}
            pair={pair}
            onDone={() => drop(pair.id)}
            onUndone={again}
            onMove={(step) =>
              setAt(Math.max(0, Math.min(pairs.length - 1, Math.min(at, pairs.length - 1) + step)))
            }
          />
        </div>
      )}
    </div>
  )
}

function noteOf(status: DuplicateStatus | undefined): string {
  if (!status) return ""
  const waiting = status.waiting > 0 ? `, ${number(status.waiting)} leads still to be compared` : ""
  return `${number(status.open)} open${waiting}`
}

interface PairProps {
  pair: Duplicate
  onDone: () => void
  onUndone: () => void
  onMove: (step: number) => void
}

const COMPARED = FIELDS.filter(({ name }) => name !== "score")
type Side = "a" | "b"

function PairView({ pair, onDone, onUndone, onMove }: PairProps) {
  const { data } = useLoaded(
    (signal) =>
      Promise.all([
        get<Lead>(`/leads/${pair.a.id}`, {}, signal),
        get<Lead>(`/leads/${pair.b.id}`, {}, signal),
      ]),
    [pair.id],
  )
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({})
  const [a, b] = data ?? [pair.a, pair.b]
  const value = (lead: object, name: string) => (lead as Record<string, unknown>)[name]
  const rows = COMPARED.filter(({ name }) => shown(value(a, name)) !== "" || shown(value(b, name)) !== "")
  async function merge() {
    await attempt(async () => {
      const fields = Object.fromEntries(
        Object.entries(chosen).map(([name, side]) => [name, side === "a" ? pair.a.id : pair.b.id]),
      )
      const { merge_id } = await post<MergeAnswer>("/leads/merge", {
        survivor: pair.a.id,
        losers: [pair.b.id],
        ...(Object.keys(fields).length > 0 && { fields }),
      })
      onDone()
      say(`${pair.b.name} is merged into ${pair.a.name}`, undoAction(merge_id, onUndone))
    })
  }
  async function dismiss() {
    await attempt(async () => {
      await post(`/duplicates/${pair.id}/dismiss`)
      onDone()
      say(`${pair.a.name} and ${pair.b.name} are not the same`, reopenAction(pair.id, onUndone))
    })
  }
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]"))
        return
      const act: Record<string, () => void> = {
        m: () => canWrite.value && void merge(),
        n: () => canWrite.value && void dismiss(),
        j: () => onMove(1),
        k: () => onMove(-1),
      }
      const run = act[event.key]
      if (!run) return
      event.preventDefault()
      run()
    }
    document.addEventListener("keydown", press)
    return () => document.removeEventListener("keydown", press)
  })
  return (
    <section class="card tile">
      <header class="card-head">
        <h2>{Math.round(pair.probability * 100)} % the same</h2>
        {canWrite.value && (
          <div class="row">
            <button type="button" class="primary" onClick={merge}>
              Merge <kbd>m</kbd>
            </button>
            <button type="button" onClick={dismiss}>
              Not the same <kbd>n</kbd>
            </button>
          </div>
        )}
      </header>
      <p class="reasons">
        {pair.reasons.map(({ field, text }) => (
          <span class="tag" key={field + text}>
            {text}
          </span>
        ))}
      </p>
      <div class="table-scroll" tabIndex={0} role="region" aria-label="Both leads">
        <table class="plain-table compare">
          <thead>
            <tr>
              <th>Field</th>
              {[a, b].map((lead) => (
                <th key={lead.id}>
                  <a href={href(`leads/${lead.id}`)}>{lead.name}</a>{" "}
                  {lead.score !== undefined && <Score value={lead.score} />}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, label }) => {
              const [left, right] = [shown(value(a, name)), shown(value(b, name))]
              const isSame = left.toLowerCase() === right.toLowerCase()
              const kept = chosen[name] ?? (left === "" ? "b" : "a")
              return (
                <tr key={name} class={isSame ? "same" : ""}>
                  <th scope="row">{label}</th>
                  {(["a", "b"] as const).map((side) => (
                    <td key={side} class={!isSame && kept === side ? "kept" : ""}>
                      {isSame || !canWrite.value ? (
                        side === "a" ? (
                          left
                        ) : (
                          right
                        )
                      ) : (
                        <label class="check">
                          <input
                            type="radio"
                            name={name}
                            checked={kept === side}
                            onChange={() => setChosen({ ...chosen, [name]: side })}
                          />
                          {(side === "a" ? left : right) || <span class="nothing">nothing</span>}
                        </label>
                      )}
                    </td>
                  ))}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function reopenAction(id: string, then: () => void) {
  return { label: "Undo", run: () => void post(`/duplicates/${id}/reopen`).then(then, sayError) }
}

function undoAction(id: string | null, then: () => void) {
  if (id === null) return undefined
  return {
    label: "Undo",
    run: () =>
      void post(`/merges/${id}/undo`).then(() => {
        say("The merge is taken back")
        then()
      }, sayError),
  }
}

function MergeAll({ least, onDone }: { least: string; onDone: () => void }) {
  return (
    <button
      type="button"
      onClick={() =>
        attempt(async () => {
          const min_probability = Math.max(0.95, Number(least))
          const { matched } = await post<{ matched: number }>("/duplicates/merge", {
            min_probability,
            dry_run: true,
          })
          if (matched === 0) return say("None is as sure as 95 %")
          await post("/duplicates/merge", { min_probability, expect: matched })
          say(`${number(matched)} pairs are being merged`)
          onDone()
        })
      }
    >
      Merge all from 95 %
    </button>
  )
}
