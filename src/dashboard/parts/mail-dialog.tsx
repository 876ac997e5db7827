// A template filled for a lead, to be opened in the person's mail program or copied.

import { useState } from "preact/hooks"
import { get } from "../core/api.ts"
import { logContact } from "../core/contacting.ts"
import { words } from "../core/format.ts"
import { useGet, useLoaded } from "../core/loading.ts"
import { href } from "../core/router.ts"
import { t } from "../core/text.ts"
import { attempt, copy } from "../core/toast.ts"
import type { Lead, MailTemplate, RenderedMail } from "../core/types.ts"
import { Empty, FailureNote } from "./bits.tsx"
import { Button } from "./button.tsx"
import { Input, Select, TextArea } from "./fields.tsx"
import { Dialog, useClose } from "./overlay.tsx"

export function MailDialog({ lead, onDone }: { lead: Lead; onDone: () => void }) {
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
