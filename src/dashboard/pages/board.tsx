import { useSignal } from "@preact/signals"
import { useEffect, useState } from "preact/hooks"
import { post, put, remove } from "../core/api.ts"
import { type Field, fieldOf, leadValue } from "../core/filters.ts"
import { formatNumber, plural } from "../core/format.ts"
import { type Lane, loadLanes, moved } from "../core/lanes.ts"
import { useLiveLoaded } from "../core/live.ts"
import { href, query, setQuery } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import { stages } from "../core/stages.ts"
import { statusName, statusOrder } from "../core/statuses.ts"
import { t, tx } from "../core/text.ts"
import { attempt, say, sayUndo } from "../core/toast.ts"
import type { Lead, Stage, Status } from "../core/types.ts"
import { learnAttributeNames } from "../parts/attribute-names.ts"
import { Button, FailureNote, Head } from "../parts/bits.tsx"
import { LeadCell } from "../parts/cell.tsx"
import { ColorSelect, UpButton } from "../parts/colors.tsx"
import { ColumnsMenu } from "../parts/columns-menu.tsx"
import { Form, Input, Select } from "../parts/fields.tsx"
import { FilterBar } from "../parts/filter-bar.tsx"
import { Dialog, openDialog, useClose } from "../parts/overlay.tsx"

interface Move {
  lead: Lead
  from: Lane
  to: Lane
}

const CARD_KEY = "leaddb-card"
const CARD = "company,city,value,score"

/** The best leads of each stage or status, side by side; they are dragged, or moved with `[` and `]`. */
export default function Board() {
  const filters = query.value.getAll("filter")
  const card = useSignal((localStorage.getItem(CARD_KEY) ?? CARD).split(","))
  useEffect(() => void learnAttributeNames(), [])
  const { data, error, again, set } = useLiveLoaded(
    (signal) => loadLanes(filters, signal),
    [filters.join("\n")],
  )
  const [over, setOver] = useState<string>()
  if (error) {
    return (
      <div class="page">
        <Head title={t("Board")} />
        <FailureNote error={error} again={again} />
      </div>
    )
  }
  async function save({ lead, from, to }: Move, more: Partial<Lead> = {}) {
    if (!data) return
    const { id, name } = lead
    const back = { ...from.data, ...(!lead.stage && { status: lead.status }), lost_reason: lead.lost_reason }
    set(moved(data, { ...lead, ...more }, from, to))
    requestAnimationFrame(() => document.getElementById(`card-${id}`)?.focus())
    async function undo() {
      await put(`/leads/${id}`, back)
      say(t("{name} is {statusName} again", { name, statusName: from.name }))
    }
    const isDone = await attempt(async () => {
      await put(`/leads/${id}`, { ...to.data, ...more })
      sayUndo(t("{name} is {statusName}", { name, statusName: to.name }), undo, again)
    })
    if (!isDone) again()
  }
  function move(id: string, to: Lane) {
    const from = data?.find(({ leads }) => leads.some((one) => one.id === id))
    const lead = from?.leads.find((one) => one.id === id)
    if (!from || !lead || from.key === to.key) return
    const asked = { lead, from, to }
    if (!to.isLost || from.isLost) return void save(asked)
    openDialog(
      <LostDialog
        name={lead.name}
        before={lead.lost_reason}
        onSave={(lost_reason) => void save(asked, { lost_reason })}
      />,
    )
  }
  const lanes = data ?? []
  return (
    <div class="page board-page">
      <Head
        title={t("Board")}
        note={canWrite.value && <span class="by-keys">{t("Drag a lead, or move it with [ and ]")}</span>}
      >
        <ColumnsMenu
          label={t("Card fields")}
          fixed="name"
          columns={card.value}
          onChange={(names) => {
            card.value = names
            localStorage.setItem(CARD_KEY, names.join(","))
          }}
        />
        {canWrite.value && data && (
          <Button label={t("Stages")} onClick={() => openDialog(<StagesDialog onChanged={again} />)} />
        )}
      </Head>
      <FilterBar filters={filters} onChange={(filter) => setQuery({ filter })} />
      {data && filters.length === 0 && lanes.every(({ count }) => count === 0) && (
        <p class="note-line">
          {tx("Leads appear here by status. {a}", { a: <a href={href("import")}>{t("Import a file")}</a> })}
        </p>
      )}
      <div class="board">
        {lanes.map((lane, at) => (
          <section
            key={lane.key}
            class={`lane ${over === lane.key ? "over" : ""}`}
            aria-label={lane.name}
            onDragOver={(event) => {
              if (!canWrite.value) return
              event.preventDefault()
              setOver(lane.key)
            }}
            onDragLeave={() => setOver(undefined)}
            onDrop={(event) => {
              event.preventDefault()
              setOver(undefined)
              move(event.dataTransfer?.getData("text/plain") ?? "", lane)
            }}
          >
            <h2 class="lane-head">
              <span class={`status c-${lane.color}`}>{lane.name}</span>
              {lane.value !== null && <span class="muted">{formatNumber(lane.value)}</span>}
              <a
                href={href("leads", { filter: [lane.filter, ...filters] })}
                aria-label={t("{counts} {statusName}: show all", {
                  counts: formatNumber(lane.count),
                  statusName: lane.name,
                })}
              >
                {formatNumber(lane.count)}
              </a>
            </h2>
            <ul class="lane-cards">
              {lane.leads.map((lead) => (
                <LeadCard
                  key={lead.id}
                  lead={lead}
                  fields={card.value.map(fieldOf)}
                  onStep={(step) => {
                    const to = lanes[at + step]
                    if (to) move(lead.id, to)
                  }}
                />
              ))}
              {lane.leads.length === 0 && <li class="lane-empty">{t("No leads")}</li>}
            </ul>
          </section>
        ))}
      </div>
    </div>
  )
}

interface CardProps {
  lead: Lead
  fields: readonly Field[]
  /** To the lane before or behind. */
  onStep: (step: 1 | -1) => void
}

/** A lead of a lane; `[` and `]` move it to the lanes beside. */
function LeadCard({ lead, fields, onStep }: CardProps) {
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
          if (step === 0 || !canWrite.value) return
          event.preventDefault()
          onStep(step)
        }}
      >
        <b>{lead.name}</b>
        <span class="lead-card-foot">
          {fields
            .filter(({ name }) => !["", null, undefined].includes(leadValue(lead, name) as null))
            .map((field) => (
              <small key={field.name} title={field.label}>
                <LeadCell lead={lead} field={field} isPlain />
              </small>
            ))}
        </span>
      </a>
    </li>
  )
}

interface LostProps {
  name: string
  before: string | null
  onSave: (reason: string | null) => void
}

/** Asks why a lead is lost; it may be left open. */
function LostDialog({ name, before, onSave }: LostProps) {
  const close = useClose()
  return (
    <Dialog
      title={t("Why is {name} lost?", { name })}
      size="small"
      footer={
        <>
          <Button label={t("Cancel")} onClick={close} />
          <button class="primary does" form="lost-reason">
            {t("Save")}
          </button>
        </>
      }
    >
      <Form id="lost-reason" onSend={(sent) => onSave(sent.text("reason") || null)}>
        <Input label={t("Lost reason")} name="reason" defaultValue={before ?? ""} maxLength={1_000} />
      </Form>
    </Dialog>
  )
}

/** The account's own stages: each is saved as it is changed. */
function StagesDialog({ onChanged }: { onChanged: () => void }) {
  return (
    <Dialog title={t("Stages")}>
      <p class="muted">{t("Your own steps within the five statuses: a lead's stage sets its status.")}</p>
      <ul class="status-labels">
        {stages().map((stage, i) => (
          <StageRow key={stage.id} stage={stage} at={i} onChanged={onChanged} />
        ))}
      </ul>
      <NewStage onMade={onChanged} />
    </Dialog>
  )
}

function StageRow({ stage, at, onChanged }: { stage: Stage; at: number; onChanged: () => void }) {
  const { id, name } = stage
  const change = (changes: Partial<Stage>) =>
    void attempt(async () => {
      await put(`/stages/${id}`, changes)
      onChanged()
    })
  async function drop() {
    const { leads = 0 } = await remove<{ leads?: number }>(`/stages/${id}`)
    say(
      leads > 0
        ? t("{name} deleted; {leads} keep their status", { name, leads: plural(leads, "lead") })
        : t("{name} deleted", { name }),
    )
    onChanged()
  }
  return (
    <li class="row">
      <input
        aria-label={t("Name of {value}", { value: name })}
        value={name}
        maxLength={100}
        onChange={(event) => {
          const text = event.currentTarget.value.trim()
          if (text && text !== name) change({ name: text })
        }}
      />
      <StatusSelect
        label={t("Status of {value}", { value: name })}
        value={stage.status}
        onChange={(status) => change({ status })}
      />
      <ColorSelect of={name} value={stage.color} onChange={(color) => change({ color })} />
      {at > 0 && <UpButton of={name} onClick={() => change({ position: at - 1 })} />}
      <Button
        label={t("Delete")}
        class="small danger"
        aria-label={t("Delete {name}", { name })}
        work={drop}
      />
    </li>
  )
}

function NewStage({ onMade }: { onMade: () => void }) {
  const [name, setName] = useState("")
  const [status, setStatus] = useState<Status>("new")
  return (
    <Form
      class="row"
      staysOpen
      onSend={async () => {
        await post("/stages", { name, status })
        setName("")
        onMade()
      }}
    >
      <input
        aria-label={t("Name of the new stage")}
        placeholder={t("Name of the new stage")}
        value={name}
        maxLength={100}
        required
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <StatusSelect label={t("Status of the new stage")} value={status} onChange={setStatus} />
      <button class="primary">{t("Add")}</button>
    </Form>
  )
}

interface SelectProps {
  label: string
  value: Status
  onChange: (status: Status) => void
}

function StatusSelect({ label, value, onChange }: SelectProps) {
  return (
    <Select
      class="auto"
      aria-label={label}
      value={value}
      options={statusOrder().map((status) => [status, statusName(status)] as const)}
      onChange={(value) => onChange(value as Status)}
    />
  )
}

import "../parts/table.ts"
