import { useState } from "preact/hooks"
import { get, post, put, remove } from "../core/api.ts"
import { ago, moment, plural } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { query, setQuery } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { attempt, copy, say } from "../core/toast.ts"
import type { FormSpamPage, LeadForm } from "../core/types.ts"
import { Empty, FailureNote, Head } from "../parts/bits.tsx"
import { Button } from "../parts/button.tsx"
import { FormDialog, FormLanguage } from "../parts/new-form.tsx"
import { ConfirmDialog } from "../parts/overlay.tsx"

const REASONS: Readonly<Record<string, string>> = {
  honeypot: t("filled in the hidden field"),
  time_trap: t("sent too fast, or not from the page"),
  captcha: t("wrong captcha"),
  captcha_unavailable: t("captcha could not be checked"),
  leads_limit_reached: t("no spam: the plan has no room"),
}

/** Public addresses that leads come in by, and what was kept apart. */
export default function Forms() {
  const forms = useLoaded((signal) => get<LeadForm[]>("/forms", {}, signal), [])
  const [isAdding, setAdding] = useState(false)
  const list = forms.data ?? []
  const shownId = query.value.get("form") ?? list[0]?.id
  const shown = list.find(({ id }) => id === shownId)
  return (
    <div class="page">
      <Head title={t("Forms")} note={forms.data ? plural(list.length, "form") : ""}>
        {canWrite.value && (
          <Button icon="plus" label={t("New form")} class="primary" onClick={() => setAdding(true)} />
        )}
      </Head>
      {forms.error !== undefined && <FailureNote error={forms.error} again={forms.again} />}
      {forms.data && list.length === 0 && (
        <Empty icon="forms" title={t("No forms yet")}>
          <p>
            {t(
              "A form has a page of its own and a snippet for your website. What people send becomes a lead, and spam is kept apart.",
            )}
          </p>
        </Empty>
      )}
      {list.length > 0 && (
        <div class="columns narrow-wide">
          <section class="card tile" aria-label={t("All forms")}>
            <ul class="hooks">
              {list.map((form) => (
                <li key={form.id}>
                  <Button
                    class="hook"
                    aria-pressed={form.id === shownId}
                    onClick={() => setQuery({ form: form.id }, "replace")}
                  >
                    <span class="hook-url">{form.name}</span>
                    <small>
                      {form.active ? plural(form.fields.length, "field") : t("closed")}
                      {form.spam > 0 && t(", {spam} spam", { spam: form.spam })}
                    </small>
                  </Button>
                </li>
              ))}
            </ul>
          </section>
          {shown && <Details key={shown.id} form={shown} onChanged={forms.again} />}
        </div>
      )}
      {isAdding && (
        <FormDialog
          onClose={() => setAdding(false)}
          onSaved={({ id }) => {
            setAdding(false)
            forms.again()
            setQuery({ form: id }, "replace")
          }}
        />
      )}
    </div>
  )
}

function Details({ form, onChanged }: { form: LeadForm; onChanged: () => void }) {
  const { id, name, url, active, fields, source, tags, origins, limit_per_address, snippet } = form
  const [isDeleting, setDeleting] = useState(false)
  const [isEditing, setEditing] = useState(false)
  const change = (changes: Partial<LeadForm>) =>
    void attempt(async () => {
      await put(`/forms/${id}`, changes)
      onChanged()
    })
  return (
    <section class="card tile">
      <header class="card-head">
        <h2 class="hook-url">{name}</h2>
      </header>
      <p>
        <a href={url} target="_blank" rel="noreferrer" class="hook-url">
          {url}
        </a>
      </p>
      <p class="muted">
        {t(
          "Asks for {fields}. Source “{source}”{more}; {limit_per_address} posts a minute from one address{more2}.",
          {
            fields: fields
              .map(({ label, required }) =>
                required ? t("{label} (required)", { label: t(label) }) : t(label),
              )
              .join(", "),
            source,
            more: tags.length > 0 && t(", tags {tags}", { tags: tags.join(", ") }),
            limit_per_address,
            more2: form.double_opt_in && t("; the address is confirmed first"),
          },
        )}
      </p>
      <p class="muted">
        {origins.length > 0
          ? t("Pages of {origins} may post to it.", { origins: origins.join(", ") })
          : t("The snippet works on a website once its origin is allowed.")}
      </p>
      <div class="row">
        <Button label={t("Copy address")} onClick={() => copy(url, t("Address"))} />
        <Button label={t("Copy snippet")} onClick={() => copy(snippet, t("Snippet"))} />
        {canWrite.value && (
          <>
            <Button label={t("Edit")} onClick={() => setEditing(true)} />
            <Button
              label={active ? t("Close") : t("Open again")}
              onClick={() => change({ active: !active })}
            />
            <Button label={t("Delete")} class="danger" onClick={() => setDeleting(true)} />
          </>
        )}
      </div>
      {canWrite.value && (
        <FormLanguage
          value={form.language}
          onChange={(language) => change({ language: language as LeadForm["language"] })}
        />
      )}
      {isEditing && (
        <FormDialog
          form={form}
          onClose={() => setEditing(false)}
          onSaved={() => {
            setEditing(false)
            onChanged()
          }}
        />
      )}
      {active && (
        <>
          <h3>{t("Preview")}</h3>
          {/* The page itself; nothing is sent from here. */}
          <iframe
            key={JSON.stringify(form)}
            class="form-preview"
            sandbox=""
            title={t("Preview")}
            src={new URL(url).pathname}
          />
        </>
      )}
      <Spam form={form} onReleased={onChanged} />
      {isDeleting && (
        <ConfirmDialog
          title={t("Delete this form?")}
          action={t("Delete")}
          onConfirm={() =>
            attempt(async () => {
              await remove(`/forms/${id}`)
              setDeleting(false)
              setQuery({ form: undefined }, "replace")
              onChanged()
            })
          }
          onClose={() => setDeleting(false)}
        >
          <p>{t("Its address stops working and its spam is deleted. Its leads stay.")}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

function Spam({ form, onReleased }: { form: LeadForm; onReleased: () => void }) {
  const path = `/forms/${form.id}/spam`
  const spam = useLoaded(
    async (signal) => (await get<FormSpamPage>(path, { limit: 50 }, signal)).spam,
    [form.id],
  )
  const list = spam.data ?? []
  const release = (id: string) =>
    attempt(async () => {
      await post(`${path}/${id}/release`)
      say(t("It is a lead now"))
      spam.again()
      onReleased()
    })
  return (
    <>
      <header class="card-head">
        <h3>{t("Spam")}</h3>
        <Button label={t("Look again")} class="link small" onClick={spam.again} />
      </header>
      {spam.error !== undefined && <FailureNote error={spam.error} again={spam.again} />}
      {spam.data && list.length === 0 && (
        <p class="muted">{t("Nothing was kept apart in the last 7 days.")}</p>
      )}
      <ul class="deliveries">
        {list.map(({ id, reason, lead, created_at }) => (
          <li key={id} class="spam">
            <span class="spam-who">{[lead.name, lead.email].filter(Boolean).join(", ")}</span>
            <span class="muted">{REASONS[reason] ?? reason}</span>
            <time class="muted" title={moment(created_at)}>
              {ago(created_at)}
            </time>
            {canWrite.value && <Button label={t("Not spam")} class="small" onClick={() => release(id)} />}
          </li>
        ))}
      </ul>
    </>
  )
}
