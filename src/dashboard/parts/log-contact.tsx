// Logging a call, an email or a meeting with its outcome and what comes next, in one step.

import { useState } from "preact/hooks"
import { get, peek } from "../core/api.ts"
import { CONTACT_CHOICES, type ContactChoice, KINDS, logContact, OUTCOMES } from "../core/contacting.ts"
import { fieldOf } from "../core/filters.ts"
import { words } from "../core/format.ts"
import { useShortcuts } from "../core/keys.ts"
import { useGet, useLoaded } from "../core/loading.ts"
import { href } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { attempt, copy } from "../core/toast.ts"
import type { Lead, MailTemplate, RenderedMail } from "../core/types.ts"
import { Button, Empty, FailureNote } from "./bits.tsx"
import { inputText, parseValue } from "./cell.tsx"
import { Form, Input, Select, type Sent, TextArea } from "./fields.tsx"
import { Dialog, MenuItem, openDialog, Popover, useClose } from "./overlay.tsx"
import { useShownLead } from "./shown-lead.ts"

type Which = Pick<Lead, "id" | "name">

/** Days from now that next steps are due in most often. */
const SOON = [
  [1, t("Tomorrow")],
  [3, t("In 3 days")],
  [7, t("In a week")],
] as const
const DUE_HOUR = 9

interface DialogProps {
  lead: Which
  choice: ContactChoice
  onDone: () => void
}

function LogDialog({ lead: { id, name }, choice, onDone }: DialogProps) {
  const { data, error, again } = useLoaded((signal) => peek<Lead>(`/leads/${id}`, {}, signal), [id])
  return (
    <Dialog title={t("Log a contact with {name}", { name })} size="small">
      {error !== undefined && <FailureNote error={error} again={again} />}
      {data && <LogForm lead={data} choice={choice} onDone={onDone} />}
    </Dialog>
  )
}

function LogForm({ lead, choice, onDone }: { lead: Lead; choice: ContactChoice; onDone: () => void }) {
  const due = fieldOf("next_step_at")
  const dueBefore = inputText(due, lead.next_step_at)
  const [dueText, setDue] = useState(dueBefore)
  async function save(sent: Sent) {
    const next = sent.text("next_step")
    await logContact(lead, {
      kind: sent.text("kind") as ContactChoice["kind"],
      outcome: (sent.text("outcome") as ContactChoice["outcome"]) || null,
      text: sent.text("text"),
      ...(next !== (lead.next_step ?? "") && { next_step: next || null }),
      ...(dueText !== dueBefore && { next_step_at: parseValue(due, dueText) as number | null }),
    })
    onDone()
  }
  return (
    <Form onSend={save}>
      <TextArea
        label={t("What was said")}
        hint={t("Enter logs it, Shift and Enter begin a line.")}
        name="text"
        rows={2}
        // The form is there after its dialog, which focuses what it finds.
        ref={(element) => {
          if (element?.value === "") element.focus()
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return
          event.preventDefault()
          event.currentTarget.form?.requestSubmit()
        }}
      />
      <div class="row">
        <Select label={t("Kind")} name="kind" initial={choice.kind} options={Object.entries(KINDS)} />
        <Select
          label={t("Outcome")}
          name="outcome"
          initial={choice.outcome}
          options={[["", t("None")], ...Object.entries(OUTCOMES)]}
        />
      </div>
      <Input label={fieldOf("next_step").label} name="next_step" defaultValue={lead.next_step ?? ""} />
      <Input label={due.label} type="datetime-local" value={dueText} onText={setDue} />
      <div class="row">
        {SOON.map(([days, label]) => (
          <Button label={label} class="small" key={days} onClick={() => setDue(dueIn(days))} />
        ))}
      </div>
      <div class="row">
        <button class="primary">{t("Log it")}</button>
      </div>
    </Form>
  )
}

/** The morning so many days from now, as the input takes it. */
function dueIn(days: number): string {
  const at = new Date()
  at.setDate(at.getDate() + days)
  at.setHours(DUE_HOUR, 0, 0, 0)
  return inputText(fieldOf("next_step_at"), at.getTime() / 1000)
}

/** The keys that log a contact with the lead that is at hand. */
export function LogKeys({ find, onDone }: { find: () => Which | undefined; onDone: (id: string) => void }) {
  const choices = canWrite.value ? CONTACT_CHOICES : []
  useShortcuts(
    choices.map((choice) => ({
      keys: `c ${choice.key}`,
      about: t("Log: {what}", { what: choice.label }),
      run() {
        const lead = find()
        if (lead) openDialog(<LogDialog lead={lead} choice={choice} onDone={() => onDone(lead.id)} />)
      },
    })),
  )
  return null
}

/** What can be logged of a lead, and mails from templates. */
export function LogMenu() {
  const { lead, mayContact, renew } = useShownLead()
  if (!canWrite.value) return null
  return (
    <Popover label={t("Log a contact")} isNamed class="small" button={t("Log a contact")}>
      <div class="menu">
        {CONTACT_CHOICES.map((choice) => (
          <MenuItem
            key={choice.key}
            label={choice.label}
            onClick={() => openDialog(<LogDialog lead={lead} choice={choice} onDone={renew} />)}
          >
            <kbd>c {choice.key}</kbd>
          </MenuItem>
        ))}
        {mayContact && lead.email && (
          <MenuItem
            label={t("Write from a template…")}
            onClick={() => openDialog(<MailDialog lead={lead} onDone={renew} />)}
          />
        )}
      </div>
    </Popover>
  )
}

// A template filled for a lead, to be opened in the person's mail program or copied.

function MailDialog({ lead, onDone }: { lead: Lead; onDone: () => void }) {
  const templates = useGet<MailTemplate[]>("/templates")
  const [chosen, setChosen] = useState("")
  const close = useClose()
  const id = chosen || templates.data?.[0]?.id
  const mail = useLoaded(
    async (signal) =>
      id === undefined
        ? undefined
        : get<RenderedMail>(`/templates/${id}/render`, { lead_id: lead.id }, signal),
    [id],
  )
  const { data } = mail
  async function record() {
    await logContact(lead, { kind: "email", text: data!.subject })
    close()
    onDone()
  }
  const failed = templates.error ?? mail.error
  return (
    <Dialog
      title={t("Write to {name}", { name: lead.name })}
      footer={
        data && (
          <>
            <Button
              label={t("Copy and log it")}
              work={async () => {
                await copy(`${data.subject}\n\n${data.body}`, t("Mail"))
                await record()
              }}
            />
            {data.mailto && (
              <a class="button primary does" href={data.mailto} onClick={() => void attempt(record)}>
                {t("Open in the mail program and log it")}
              </a>
            )}
          </>
        )
      }
    >
      {failed !== undefined && <FailureNote error={failed} again={mail.again} />}
      {templates.data?.length === 0 && (
        <Empty icon="forms" title={t("No templates yet")}>
          <p>
            <a class="button" href={href("templates")}>
              {t("Templates")}
            </a>
          </p>
        </Empty>
      )}
      {id !== undefined && (
        <div class="stack">
          <Select
            label={t("Template")}
            value={id}
            options={templates.data?.map((one) => [one.id, one.name] as const)}
            onChange={setChosen}
          />
          {data && (
            <>
              {data.missing.length > 0 && (
                <p class="warning">
                  {t("This lead has nothing for: {fields}", {
                    fields: data.missing.map((name) => words(name.replace(/^attr:/, ""))).join(", "),
                  })}
                </p>
              )}
              <Input label={t("Subject")} readOnly value={data.subject} />
              <TextArea label={t("Text")} readOnly rows={10} value={data.body} />
            </>
          )}
        </div>
      )}
    </Dialog>
  )
}
