import { useState } from "preact/hooks"
import { get, post, put, remove } from "../core/api.ts"
import { FILTER_FIELDS } from "../core/filters.ts"
import { plural } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { attempt, say } from "../core/toast.ts"
import type { MailTemplate } from "../core/types.ts"
import { Empty, FailureNote, Head } from "../parts/bits.tsx"
import { Button } from "../parts/button.tsx"
import { Input, Select, TextArea } from "../parts/fields.tsx"
import { Dialog } from "../parts/overlay.tsx"

/** Mails with fields of leads in them. */
export default function TemplatesPage() {
  const { data, error, again } = useLoaded((signal) => get<MailTemplate[]>("/templates", {}, signal), [])
  const [edited, setEdited] = useState<MailTemplate | "new">()
  const all = data ?? []
  return (
    <div class="page narrow">
      <Head title={t("Templates")} note={data ? plural(all.length, "template") : ""}>
        {canWrite.value && (
          <Button icon="plus" label={t("New template")} class="primary" onClick={() => setEdited("new")} />
        )}
      </Head>
      <p class="lead-in">
        {t(
          "Mails that you write often. A lead's menu fills them in for your mail program, and logs that you wrote.",
        )}
      </p>
      {error !== undefined && <FailureNote error={error} again={again} />}
      {data && all.length === 0 && <Empty icon="forms" title={t("No templates yet")} />}
      {all.length > 0 && (
        <ul class="card rows">
          {all.map((template) => (
            <li key={template.id}>
              <div class="row-main">
                <p>
                  <b>{template.name}</b>
                </p>
                <p class="muted">{template.subject}</p>
              </div>
              {canWrite.value && (
                <Button
                  label={t("Edit")}
                  class="small"
                  aria-label={t("Edit {name}", { name: template.name })}
                  onClick={() => setEdited(template)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {edited && (
        <TemplateDialog
          template={edited === "new" ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onDone={() => {
            setEdited(undefined)
            again()
          }}
        />
      )}
    </div>
  )
}

interface DialogProps {
  template: MailTemplate | undefined
  onClose: () => void
  onDone: () => void
}

function TemplateDialog({ template, onClose, onDone }: DialogProps) {
  const [body, setBody] = useState(template?.body ?? "")
  async function save(form: HTMLFormElement) {
    const sent = new FormData(form)
    const written = { name: sent.get("name"), subject: sent.get("subject"), body }
    await attempt(async () => {
      if (template) await put(`/templates/${template.id}`, written)
      else await post("/templates", written)
      say(t("Template saved"))
      onDone()
    })
  }
  const drop = async ({ id, name, subject, body }: MailTemplate) => {
    const isDone = await attempt(() => remove(`/templates/${id}`))
    if (!isDone) return
    say(t("{name} deleted", { name }), {
      label: t("Undo"),
      run: () => void attempt(() => post("/templates", { name, subject, body })),
    })
    onDone()
  }
  return (
    <Dialog title={template ? t("Edit template") : t("New template")} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void save(event.currentTarget)
        }}
      >
        <Input label={t("Name")} name="name" required maxLength={1_000} defaultValue={template?.name} />
        <Input
          label={t("Subject")}
          name="subject"
          required
          maxLength={1_000}
          defaultValue={template?.subject}
        />
        <TextArea label={t("Text")} required rows={10} maxLength={20_000} value={body} onText={setBody} />
        <Select
          label={t("Add a field")}
          hint={t("What stands in double braces is filled in; an attribute is attr: and its name.")}
          value=""
          options={[
            ["", t("Choose…")],
            ["sender", t("Who writes")],
            ...FILTER_FIELDS.map(({ name, label }) => [name, label] as const),
          ]}
          onChange={(value) => {
            setBody(`${body}{{${value}}}`)
            value = ""
          }}
        />
        <div class="row">
          <button class="primary">{t("Save")}</button>
          {template && <Button label={t("Delete")} class="danger" onClick={() => void drop(template)} />}
        </div>
      </form>
    </Dialog>
  )
}
