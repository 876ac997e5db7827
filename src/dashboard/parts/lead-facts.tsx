// The fields of a lead, each to be edited where it stands.
import { useEffect, useRef, useState } from "preact/hooks"
import { FILTER_FIELDS, type Field, fieldOf } from "../core/filters.ts"
import { formatNumber, moment, shown } from "../core/format.ts"
import { leadValue } from "../core/lead-values.ts"
import { learnMembers, memberName } from "../core/members.ts"
import { canWrite } from "../core/session.ts"
import { statusName, statusOrder } from "../core/statuses.ts"
import { t } from "../core/text.ts"
import { sayError } from "../core/toast.ts"
import type { Lead } from "../core/types.ts"
import { TagList } from "./bits.tsx"
import { inputText, linkOf, parseValue, READ_ONLY } from "./cell.tsx"
import { CellEditor } from "./cell-editor.tsx"

type Save = (field: Field, value: unknown, before?: unknown) => Promise<boolean>

export function StatusField({ lead, onSave }: { lead: Lead; onSave: Save }) {
  const isByKey = useRef(false)
  if (!canWrite.value) return null
  const save = (value: string) => {
    isByKey.current = false
    if (value !== lead.status) void onSave(fieldOf("status"), value)
  }
  return (
    <label class="status-field">
      <span>{t("Status")}</span>
      <select
        value={lead.status}
        onKeyDown={(event) => {
          // Keys pass over values that are not meant: Enter saves, and so does leaving the field.
          isByKey.current = event.key !== "Enter"
          if (event.key === "Enter") save(event.currentTarget.value)
        }}
        onPointerDown={() => {
          isByKey.current = false
        }}
        onBlur={(event) => save(event.currentTarget.value)}
        onChange={(event) => {
          if (!isByKey.current) save(event.currentTarget.value)
        }}
      >
        {statusOrder().map((status) => (
          <option key={status} value={status}>
            {statusName(status)}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Fields that say who does what next: they come first. */
const NEXT = ["owner", "next_step", "next_step_at"]
/** Fields that are always shown; others only where they say something. */
const ALWAYS = new Set([...NEXT, "email", "phone", "website", "city", "category", "source", "tags"])
const ELSEWHERE = new Set(["score", "name"])

export function Fields({ lead, onSave }: { lead: Lead; onSave: Save }) {
  const [isAll, setAll] = useState(false)
  useEffect(() => void learnMembers(), [])
  const fields = FILTER_FIELDS.filter(({ name }) => {
    if (ELSEWHERE.has(name) || (name === "status" && canWrite.value) || !(name in lead)) return false
    const value = leadValue(lead, name)
    const isNone = Array.isArray(value) ? value.length === 0 : name === "note_count" && value === 0
    const isEmpty = value === null || value === undefined || isNone
    return isAll || !isEmpty || ALWAYS.has(name)
  })
  const isNext = ({ name }: Field) => NEXT.includes(name)
  return (
    <section class="panel-section" aria-label={t("Fields")}>
      <dl class="facts">
        {fields.filter(isNext).map((field) => (
          <Fact key={field.name} lead={lead} field={field} onSave={onSave} />
        ))}
        {canWrite.value && <Fact lead={lead} field={fieldOf("name")} onSave={onSave} />}
        {fields
          .filter((field) => !isNext(field))
          .map((field) => (
            <Fact key={field.name} lead={lead} field={field} onSave={onSave} />
          ))}
      </dl>
      {!isAll && canWrite.value && (
        <button type="button" class="link small" onClick={() => setAll(true)}>
          {t("Show empty fields")}
        </button>
      )}
    </section>
  )
}

function Fact({ lead, field, onSave }: { lead: Lead; field: Field; onSave: Save }) {
  const [isEditing, setEditing] = useState(false)
  const begun = useRef<unknown>(undefined)
  const value = leadValue(lead, field.name)
  const canEdit = canWrite.value && !READ_ONLY.has(field.name)
  async function done(text?: string) {
    if (text !== undefined) {
      try {
        if (!(await onSave(field, parseValue(field, text), begun.current))) return
      } catch (error) {
        return sayError(error)
      }
    }
    setEditing(false)
  }
  return (
    <div class="fact">
      <dt>{field.label}</dt>
      <dd>
        {isEditing ? (
          <CellEditor field={field} text={inputText(field, value)} onDone={done} />
        ) : (
          <>
            <FactValue field={field} value={value} />
            {canEdit && (
              <button
                type="button"
                class="fact-edit"
                aria-label={t("Edit {label}", { label: field.label })}
                onClick={() => {
                  begun.current = value
                  setEditing(true)
                }}
              >
                {t("Edit")}
              </button>
            )}
          </>
        )}
      </dd>
    </div>
  )
}

function FactValue({ field: { name, kind }, value }: { field: Field; value: unknown }) {
  if (value === null || value === undefined || value === "") return <span class="nothing">–</span>
  if (kind === "tags")
    return (value as string[]).length > 0 ? (
      <span>
        <TagList tags={value as string[]} />
      </span>
    ) : (
      <span class="nothing">–</span>
    )
  if (name === "owner") return <span>{memberName(value as string)}</span>
  if (name === "review_count") return <span>{formatNumber(value as number)}</span>
  if (kind === "time") return <time>{moment(value as number)}</time>
  const link = linkOf(name, value)
  if (!link) return <span>{shown(value)}</span>
  return (
    <a href={link} target={link.startsWith("http") ? "_blank" : undefined} rel="noreferrer noopener">
      {shown(value)}
    </a>
  )
}
