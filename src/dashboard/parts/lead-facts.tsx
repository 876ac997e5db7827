// The fields of a lead, each to be edited where it stands.

import { useEffect, useRef, useState } from "preact/hooks"
import { put } from "../core/api.ts"
import { fieldText } from "../core/field-text.ts"
import { FILTER_FIELDS, type Field, fieldOf, leadValue } from "../core/filters.ts"
import { formatNumber } from "../core/format.ts"
import { learnMembers } from "../core/members.ts"
import { canWrite } from "../core/session.ts"
import { stages } from "../core/stages.ts"
import { t } from "../core/text.ts"
import { say } from "../core/toast.ts"
import type { Lead } from "../core/types.ts"
import { Button, TagList } from "./bits.tsx"
import { inputText, linkOf } from "./cell.tsx"
import { CellEditor, choicesOf } from "./cell-editor.tsx"
import { FormDialog, Input, Select } from "./fields.tsx"
import { openDialog } from "./overlay.tsx"
import { useShownLead } from "./shown-lead.ts"
import { Fact } from "./things.tsx"

/** The lead's status, and its stage where the account has some. */
export function StatusFields() {
  if (!canWrite.value) return null
  return (
    <div class="panel-section">
      <ChoiceField name="status" />
      {stages().length > 0 && <ChoiceField name="stage" />}
    </div>
  )
}

function ChoiceField({ name }: { name: "status" | "stage" }) {
  const { lead, save } = useShownLead()
  const isByKey = useRef(false)
  const field = fieldOf(name)
  const choose = (value: string) => {
    isByKey.current = false
    if (value !== (lead[name] ?? "")) void save(field, value)
  }
  return (
    <label class="status-field">
      <span>{field.label}</span>
      <Select
        value={lead[name] ?? ""}
        onKeyDown={(event) => {
          // Keys pass over values that are not meant: Enter saves, and so does leaving the field.
          isByKey.current = event.key !== "Enter"
          if (event.key === "Enter") choose(event.currentTarget.value)
        }}
        onPointerDown={() => {
          isByKey.current = false
        }}
        onBlur={(event) => choose(event.currentTarget.value)}
        options={choicesOf(field)!}
        onChange={(value) => {
          if (!isByKey.current) choose(value)
        }}
      />
    </label>
  )
}

/** Fields that say who does what next: they come first. */
const NEXT = ["owner", "next_step", "next_step_at"]
/** Fields on top; all but the last are shown where they say nothing, too. */
const FIRST = [
  ...["name", "company", "job_title", "email", "phone", "website", "city", "category", "source", "tags"],
  "email_status",
]
/** Fields that are folded, with those that are in none of the groups under the last one. */
const GROUPS: readonly (readonly [title: string, names: readonly string[]])[] = [
  [t("Address"), ["address", "postal_code", "state", "country", "latitude", "longitude"]],
  [t("Privacy"), ["lawful_basis", "consent", "consent_at"]],
  [t("More"), []],
]
/** What the service keeps beside what people know: shown with all the others alone. */
const TECHNICAL = new Set([
  ...["source_id", "created_at", "updated_at", "last_interaction_at", "last_note_at"],
  ...["note_count", "last_touched_at"],
])
const CONTACTED = "last_contacted_at"
const ELSEWHERE = new Set(["score", "status", "stage", "company_id", ...NEXT, CONTACTED])

const isEmpty = (value: unknown) =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

/** When the lead was spoken to, and who does what next. */
export function NextStep() {
  const { lead } = useShownLead()
  useEffect(() => void learnMembers(), [])
  return (
    <section class="panel-section" aria-label={t("Next step")}>
      <Facts
        fields={[
          ...NEXT,
          ...(stages().length > 0 ? ["value"] : []),
          ...(lead.status === "disqualified" ? ["lost_reason"] : []),
          ...(lead.last_contacted_at ? [CONTACTED] : []),
        ].map(fieldOf)}
      />
    </section>
  )
}

export function Fields() {
  const { lead } = useShownLead()
  const [isAll, setAll] = useState(false)
  const first = FIRST.filter((name) => name in lead && (name !== "email_status" || lead.email_status))
  const more = FILTER_FIELDS.filter(({ name }) => {
    if (!(name in lead) || ELSEWHERE.has(name) || FIRST.includes(name)) return false
    return isAll || (!TECHNICAL.has(name) && !isEmpty(leadValue(lead, name)))
  })
  const placed = new Set(GROUPS.flatMap(([, names]) => names))
  return (
    <section class="panel-section" aria-label={t("Fields")}>
      <Facts fields={first.map(fieldOf)} />
      {GROUPS.map(([title, names]) => {
        const facts = more.filter(({ name }) => (names.length > 0 ? names.includes(name) : !placed.has(name)))
        if (facts.length === 0) return null
        return (
          <details key={`${title} ${isAll}`} open={isAll}>
            <summary>{title}</summary>
            <Facts fields={facts} />
          </details>
        )
      })}
      <Button
        label={isAll ? t("Show less") : t("Show all fields")}
        class="link small"
        onClick={() => setAll(!isAll)}
      />
    </section>
  )
}

function Facts({ fields }: { fields: readonly Field[] }) {
  return (
    <dl class="facts">
      {fields.map((field) => (
        <FieldFact key={field.name} field={field} />
      ))}
    </dl>
  )
}

function FieldFact({ field }: { field: Field }) {
  const { lead, save } = useShownLead()
  const [isEditing, setEditing] = useState(false)
  const begun = useRef<unknown>(undefined)
  const value = leadValue(lead, field.name)
  const canEdit = canWrite.value && !field.isReadOnly
  async function done(text?: string) {
    if (text !== undefined && !(await save(field, text, begun.current))) return
    setEditing(false)
  }
  return (
    <Fact label={field.label}>
      {isEditing ? (
        <CellEditor field={field} text={inputText(field, value)} onDone={done} />
      ) : (
        <>
          <FactValue field={field} value={value} />
          {canEdit && (
            <Button
              label={t("Edit")}
              class="fact-edit"
              aria-label={t("Edit {name}", { name: field.label })}
              onClick={() => {
                begun.current = value
                setEditing(true)
              }}
            />
          )}
        </>
      )}
    </Fact>
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
  if (name === "review_count" || name === "value") return <span>{formatNumber(value as number)}</span>
  return <LinkedValue name={name} value={value} />
}

/** A field's value, with a link where it is an address. */
function LinkedValue({ name, value }: { name: string; value: unknown }) {
  const { mayContact } = useShownLead()
  const link = linkOf(name, value)
  const isPage = link?.startsWith("http")
  if (!link || !(isPage || mayContact)) return <span>{fieldText(name, value)}</span>
  return (
    <a href={link} target={isPage ? "_blank" : undefined} rel="noreferrer noopener">
      {fieldText(name, value)}
    </a>
  )
}

type List = "emails" | "phones"
type Contact = Lead[List][number]

interface Kind {
  list: List
  field: "email" | "phone"
  title: string
  /** One of them, within a sentence and in front of a number. */
  one: string
  label: string
  inputMode: "email" | "tel"
}

const KINDS: readonly Kind[] = [
  {
    ...{ list: "emails", field: "email", inputMode: "email" },
    ...{ title: t("Emails"), one: t("email"), label: t("Email") },
  },
  {
    ...{ list: "phones", field: "phone", inputMode: "tel" },
    ...{ title: t("Phones"), one: t("phone"), label: t("Phone") },
  },
]
const LABELS = ["work", "home", "mobile", "main", "fax", "other"]

/** A lead's emails and phones where a list says more than its field does; one more can be added. */
export function Contacts() {
  const { lead, renew } = useShownLead()
  const shown = KINDS.filter(
    ({ list }) => lead[list].length > 1 || lead[list].some(({ label, status }) => label || status),
  )
  if (shown.length === 0 && !canWrite.value) return null
  return (
    <section class="panel-section" aria-label={t("Emails and phones")}>
      {shown.map(({ list, field, title }) => (
        <dl class="facts" key={list}>
          <Fact label={title}>
            <ul class="contacts">
              {lead[list].map(({ value, label, status }) => (
                <li key={value}>
                  <LinkedValue name={field} value={value} />
                  {label && <span class="tag">{label}</span>}
                  {status && <span class="tag">{status}</span>}
                </li>
              ))}
            </ul>
          </Fact>
        </dl>
      ))}
      {canWrite.value && (
        <p class="row">
          {KINDS.map((kind) => (
            <Button
              key={kind.list}
              icon="plus"
              size={12}
              label={kind.title}
              class="link small"
              onClick={() => openDialog(<ContactsDialog lead={lead} kind={kind} onDone={renew} />)}
            />
          ))}
        </p>
      )}
    </section>
  )
}

const NONE: Contact = { value: "", label: null }

function ContactsDialog({ lead, kind, onDone }: { lead: Lead; kind: Kind; onDone: () => void }) {
  const { list, title, one, label: name, inputMode } = kind
  const [all, setAll] = useState<Contact[]>([...lead[list], NONE])
  const change = (at: number, changed: Partial<Contact>) =>
    setAll(all.map((contact, i) => (i === at ? { ...contact, ...changed } : contact)))
  return (
    <FormDialog
      title={t("{title} of {name}", { title, name: lead.name })}
      size="small"
      onSend={async () => {
        await put(`/leads/${lead.id}`, { [list]: all.filter(({ value }) => value.trim() !== "") })
        say(t("{title} saved", { title }))
        onDone()
      }}
    >
      <p class="muted">{t("The first one is the lead's {one}. Empty ones are left out.", { one })}</p>
      {all.map(({ value, label }, i) => (
        <div class="row" key={i}>
          <Input
            label={`${name} ${i + 1}`}
            value={value}
            inputMode={inputMode}
            onText={(value) => change(i, { value })}
          />
          <Input
            label={t("Label {i}", { i: i + 1 })}
            value={label ?? ""}
            list="contact-labels"
            maxLength={100}
            onText={(label) => change(i, { label: label || null })}
          />
        </div>
      ))}
      <datalist id="contact-labels">
        {LABELS.map((label) => (
          <option key={label} value={label} />
        ))}
      </datalist>
      <div class="row">
        <button class="primary">{t("Save")}</button>
        <Button label={t("Add another")} onClick={() => setAll([...all, NONE])} />
      </div>
    </FormDialog>
  )
}
