import { useState } from "preact/hooks"
import { put } from "../core/api.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { say } from "../core/toast.ts"
import type { Lead } from "../core/types.ts"
import { Button } from "./bits.tsx"
import { LinkedValue } from "./cell.tsx"
import { Form, Input } from "./fields.tsx"
import { Dialog, useDialog } from "./overlay.tsx"
import { Fact } from "./things.tsx"

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
export function Contacts({ lead, onSaved }: { lead: Lead; onSaved: () => void }) {
  const [dialog, open] = useDialog()
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
              onClick={() => open(<ContactsDialog lead={lead} kind={kind} onDone={onSaved} />)}
            />
          ))}
        </p>
      )}
      {dialog}
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
    <Dialog title={t("{title} of {name}", { title, name: lead.name })} size="small">
      <Form
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
      </Form>
    </Dialog>
  )
}
