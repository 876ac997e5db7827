import { useState } from "preact/hooks"
import { get } from "../core/api.ts"
import { formatNumber } from "../core/format.ts"
import { saveField } from "../core/lead-writes.ts"
import { useLiveLoaded } from "../core/live.ts"
import { href } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import { statusColor, statusName, statusOrder } from "../core/statuses.ts"
import { t, tx } from "../core/text.ts"
import { say, sayError } from "../core/toast.ts"
import { LEAD_STATUSES, type Lead, type LeadPage, type Stats, type Status } from "../core/types.ts"
import { FailureNote, Head, Score } from "../parts/bits.tsx"

const SHOWN = 50
type Lanes = Record<Status, Lead[]>

async function loadLanes(signal: AbortSignal): Promise<{ lanes: Lanes; counts: Stats["by_status"] }> {
  const [stats, ...pages] = await Promise.all([
    get<Stats>("/stats", {}, signal),
    ...LEAD_STATUSES.map((status) =>
      get<LeadPage>(
        "/leads",
        { filter: [`and.eq.status.${status}`], sort_by: "score", sort_order: "DESC", limit: SHOWN },
        signal,
      ),
    ),
  ])
  const lanes = Object.fromEntries(LEAD_STATUSES.map((status, i) => [status, pages[i]!.leads])) as Lanes
  return { lanes, counts: stats.by_status }
}

/** The best leads of each status, side by side; they are dragged, or moved with `[` and `]`. */
export default function Board() {
  const { data, error, again, set } = useLiveLoaded(loadLanes, [])
  const [over, setOver] = useState<Status>()
  if (error) {
    return (
      <div class="page">
        <Head title={t("Board")} />
        <FailureNote error={error} again={again} />
      </div>
    )
  }
  async function move(lead: Lead, to: Status, isUndo = false) {
    const from = lead.status
    if (!data || from === to) return
    const place = (status: Status, next: Status, current: Lanes): Lanes => ({
      ...current,
      [status]: current[status].filter(({ id }) => id !== lead.id),
      [next]: [{ ...lead, status: next }, ...current[next].filter(({ id }) => id !== lead.id)],
    })
    const counts = { ...data.counts, [from]: data.counts[from] - 1, [to]: data.counts[to] + 1 }
    set({ lanes: place(from, to, data.lanes), counts })
    requestAnimationFrame(() => document.getElementById(`card-${lead.id}`)?.focus())
    try {
      await saveField(lead.id, "status", to)
      if (!isUndo)
        say(t("{name} is {statusName}", { name: lead.name, statusName: statusName(to) }), {
          label: t("Undo"),
          run: () => void undo(lead, from),
        })
    } catch (problem) {
      sayError(problem)
      again()
    }
  }
  async function undo(lead: Lead, to: Status) {
    try {
      await saveField(lead.id, "status", to)
      say(t("{name} is {statusName} again", { name: lead.name, statusName: statusName(to) }))
    } catch (problem) {
      sayError(problem)
    }
    again()
  }
  return (
    <div class="page board-page">
      <Head
        title={t("Board")}
        note={canWrite.value ? t("Drag a lead, or move it with [ and ]") : undefined}
      />
      {data && LEAD_STATUSES.every((status) => data.counts[status] === 0) && (
        <p class="note-line">
          {tx("Leads appear here by status. {a}", { a: <a href={href("import")}>{t("Import a file")}</a> })}
        </p>
      )}
      <div class="board">
        {statusOrder().map((status) => (
          <section
            key={status}
            class={`lane ${over === status ? "over" : ""}`}
            aria-label={statusName(status)}
            onDragOver={(event) => {
              if (!canWrite.value) return
              event.preventDefault()
              setOver(status)
            }}
            onDragLeave={() => setOver(undefined)}
            onDrop={(event) => {
              event.preventDefault()
              setOver(undefined)
              const id = event.dataTransfer?.getData("text/plain")
              const lead =
                data && LEAD_STATUSES.flatMap((one) => data.lanes[one]).find((one) => one.id === id)
              if (lead) void move(lead, status)
            }}
          >
            <h2 class="lane-head">
              <span class={`status c-${statusColor(status)}`}>{statusName(status)}</span>
              <a
                href={href("leads", { filter: `and.eq.status.${status}` })}
                aria-label={t("{counts} {statusName}: show all", {
                  counts: data ? formatNumber(data.counts[status]) : "",
                  statusName: statusName(status),
                })}
              >
                {data ? formatNumber(data.counts[status]) : ""}
              </a>
            </h2>
            <ul class="lane-cards">
              {data?.lanes[status].map((lead) => (
                <LeadCard key={lead.id} lead={lead} status={status} onMove={(to) => void move(lead, to)} />
              ))}
              {data && data.lanes[status].length === 0 && <li class="lane-empty">{t("No leads")}</li>}
            </ul>
          </section>
        ))}
      </div>
    </div>
  )
}

interface CardProps {
  lead: Lead
  status: Status
  onMove: (to: Status) => void
}

/** A lead of a lane; `[` and `]` move it to the lanes beside. */
function LeadCard({ lead, status, onMove }: CardProps) {
  return (
    <li>
      <a
        id={`card-${lead.id}`}
        class="lead-card"
        href={href(`leads/${lead.id}`)}
        draggable={canWrite.value}
        onDragStart={(event) => event.dataTransfer?.setData("text/plain", lead.id)}
        onKeyDown={(event) => {
          const step = event.key === "]" ? 1 : event.key === "[" ? -1 : 0
          const to = statusOrder()[statusOrder().indexOf(status) + step]
          if (step === 0 || !to || !canWrite.value) return
          event.preventDefault()
          onMove(to)
        }}
      >
        <b>{lead.name}</b>
        <span class="lead-card-foot">
          <small>{[lead.category, lead.city].filter(Boolean).join(" · ") || lead.source}</small>
          <Score value={lead.score} />
        </span>
      </a>
    </li>
  )
}
