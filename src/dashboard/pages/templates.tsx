import { useState } from "preact/hooks"
import { post, put, remove } from "../core/api.ts"
import { FILTER_FIELDS } from "../core/filters.ts"
import { plural } from "../core/format.ts"
import { useFresh } from "../core/loading.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { say, sayUndo } from "../core/toast.ts"
import type { MailTemplate } from "../core/types.ts"
import { Button } from "../parts/bits.tsx"
import { FormDialog, Input, Select, TextArea } from "../parts/fields.tsx"
import { openDialog, useClose } from "../parts/overlay.tsx"
import { Row, Things } from "../parts/things.tsx"

/** Mails with fields of leads in them. */
export default function TemplatesPage() {
  const templates = useFresh<MailTemplate[]>("/templates")
  const edit = (template?: MailTemplate) => openDialog(<TemplateDialog template={template} />)
  return (
    <Things
      title={t("Templates")}
      loaded={templates}
      count={({ length }) => plural(length, "template")}
      add={canWrite.value && t("New template")}
      onAdd={() => edit()}
      intro={t(
        "Mails that you write often. A lead's menu fills them in for your mail program, and logs that you wrote.",
      )}
      empty={["forms", t("No templates yet")]}
      row={(template) => (
        <Row key={template.id} name={template.name} note={template.subject}>
          {canWrite.value && (
            <Button
              label={t("Edit")}
              class="small"
              aria-label={t("Edit {name}", { name: template.name })}
              onClick={() => edit(template)}
            />
          )}
        </Row>
      )}
    />
  )
}

function TemplateDialog({ template }: { template: MailTemplate | undefined }) {
  const [body, setBody] = useState(template?.body ?? "")
  const close = useClose()
  async function drop({ id, name, subject, body }: MailTemplate) {
    await remove(`/templates/${id}`)
    sayUndo(t("{name} deleted", { name }), () => post("/templates", { name, subject, body }))
    close()
  }
  return (
    <FormDialog
      title={template ? t("Edit template") : t("New template")}
      onSend={async (sent) => {
        const written = { name: sent.get("name"), subject: sent.get("subject"), body }
        if (template) await put(`/templates/${template.id}`, written)
        else await post("/templates", written)
        say(t("Template saved"))
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
        onInput={(event) => {
          setBody(`${body}{{${event.currentTarget.value}}}`)
          event.currentTarget.value = ""
        }}
      />
      <div class="row">
        <button class="primary">{t("Save")}</button>
        {template && <Button label={t("Delete")} class="danger" work={() => drop(template)} />}
      </div>
    </FormDialog>
  )
}
