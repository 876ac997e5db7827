import { useState } from "preact/hooks"
import { put } from "../core/api.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { attempt, say } from "../core/toast.ts"
import type { Lead } from "../core/types.ts"
import { Button } from "./button.tsx"
import { LinkedValue } from "./cell.tsx"
import { Input } from "./fields.tsx"
import { Dialog } from "./overlay.tsx"

type List = "emails" | "phones"
type Contact = Lead[List][number]

const LISTS = [
  ["emails", "email", t("Emails"), t("email")],
  ["phones", "phone", t("Phones"), t("phone")],
] as const
const LABELS = ["work", "home", "mobile", "main", "fax", "other"]

/** A lead's emails and phones where a list says more than its field does; one more can be added. */
export function Contacts({ lead, onSaved }: { lead: Lead; onSaved: () => void }) {
  const [edited, setEdited] = useState<List>()
  const shown = LISTS.filter(
    ([list]) => lead[list].length > 1 || lead[list].some(({ label, status }) => label || status),
  )
  if (shown.length === 0 && !canWrite.value) return null
  return (
    <section class="panel-section" aria-label={t("Emails and phones")}>
      {shown.map(([list, field, title]) => (
        <dl class="facts" key={list}>
          <div class="fact">
            <dt>{title}</dt>
            <dd>
              <ul class="contacts">
                {lead[list].map(({ value, label, status }) => (
                  <li key={value}>
                    <LinkedValue name={field} value={value} />
                    {label && <span class="tag">{label}</span>}
                    {status && <span class="tag">{status}</span>}
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        </dl>
      ))}
      {canWrite.value && (
        <p class="row">
          {LISTS.map(([list, , title]) => (
            <Button
              icon="plus"
              size={12}
              label={title}
              class="link small"
              key={list}
              onClick={() => setEdited(list)}
            />
          ))}
        </p>
      )}
      {edited && (
        <ContactsDialog
          lead={lead}
          list={edited}
          onClose={() => setEdited(undefined)}
          onDone={() => {
            setEdited(undefined)
            onSaved()
          }}
        />
      )}
    </section>
  )
}

interface DialogProps {
  lead: Lead
  list: List
  onClose: () => void
  onDone: () => void
}

function ContactsDialog({ lead, list, onClose, onDone }: DialogProps) {
  const [, , title, one] = LISTS.find(([name]) => name === list)!
  const [all, setAll] = useState<Contact[]>([...lead[list], { value: "", label: null }])
  const change = (at: number, changed: Partial<Contact>) =>
    setAll(all.map((contact, i) => (i === at ? { ...contact, ...changed } : contact)))
  return (
    <Dialog title={t("{title} of {name}", { title, name: lead.name })} size="small" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void attempt(async () => {
            await put(`/leads/${lead.id}`, { [list]: all.filter(({ value }) => value.trim() !== "") })
            say(t("{title} saved", { title }))
            onDone()
          })
        }}
      >
        <p class="muted">{t("The first one is the lead's {one}. Empty ones are left out.", { one })}</p>
        {all.map(({ value, label }, i) => (
          <div class="row" key={i}>
            <Input
              label={`${one === "email" ? t("Email") : t("Phone")} ${i + 1}`}
              value={value}
              inputMode={one === "email" ? "email" : "tel"}
              onText={(chosen) => change(i, { value: chosen })}
            />
            <Input
              label={t("Label {i}", { i: i + 1 })}
              value={label ?? ""}
              list="contact-labels"
              maxLength={100}
              onText={(value) => change(i, { label: value || null })}
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
          <Button label={t("Add another")} onClick={() => setAll([...all, { value: "", label: null }])} />
        </div>
      </form>
    </Dialog>
  )
}
