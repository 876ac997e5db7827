import { useState } from "preact/hooks"
import { get, post, put, remove } from "../core/api.ts"
import { ago, moment, plural } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { query, setQuery } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import { attempt, copy, say } from "../core/toast.ts"
import type { FormSpamPage, LeadForm } from "../core/types.ts"
import { Empty, FailureNote, Head } from "../parts/bits.tsx"
import { Icon } from "../parts/icons.tsx"
import { NewForm } from "../parts/new-form.tsx"
import { ConfirmDialog } from "../parts/overlay.tsx"

const REASONS: Readonly<Record<string, string>> = {
  honeypot: "filled in the hidden field",
  time_trap: "sent too fast, or not from the page",
  captcha: "wrong captcha",
  captcha_unavailable: "captcha could not be checked",
  leads_limit_reached: "no spam: the plan has no room",
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
      <Head title="Forms" note={forms.data ? plural(list.length, "form") : ""}>
        {canWrite.value && (
          <button type="button" class="primary" onClick={() => setAdding(true)}>
            <Icon name="plus" size={14} />
            New form
          </button>
        )}
      </Head>
      {forms.error !== undefined && <FailureNote error={forms.error} again={forms.again} />}
      {forms.data && list.length === 0 && (
        <Empty icon="forms" title="No forms yet">
          <p>
            A form has a page of its own and a snippet for your website. What people send becomes a lead, and
            spam is kept apart.
          </p>
        </Empty>
      )}
      {list.length > 0 && (
        <div class="columns narrow-wide">
          <section class="card tile" aria-label="All forms">
            <ul class="hooks">
              {list.map((form) => (
                <li key={form.id}>
                  <button
                    type="button"
                    class="hook"
                    aria-pressed={form.id === shownId}
                    onClick={() => setQuery({ form: form.id }, "replace")}
                  >
                    <span class="hook-url">{form.name}</span>
                    <small>
                      {form.active ? plural(form.fields.length, "field") : "closed"}
                      {form.spam > 0 && `, ${form.spam} spam`}
                    </small>
                  </button>
                </li>
              ))}
            </ul>
          </section>
          {shown && <Details key={shown.id} form={shown} onChanged={forms.again} />}
        </div>
      )}
      {isAdding && (
        <NewForm
          onClose={() => setAdding(false)}
          onMade={({ id }) => {
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
        Asks for {fields.map(({ label, required }) => (required ? `${label} (required)` : label)).join(", ")}.
        Source “{source}”{tags.length > 0 && `, tags ${tags.join(", ")}`}; {limit_per_address} posts a minute
        from one address
        {form.double_opt_in && "; the address is confirmed first"}.
      </p>
      <p class="muted">
        {origins.length > 0
          ? `Pages of ${origins.join(", ")} may post to it.`
          : "The snippet works on a website once its origin is allowed."}
      </p>
      <div class="row">
        <button type="button" onClick={() => copy(url, "Address")}>
          Copy address
        </button>
        <button type="button" onClick={() => copy(snippet, "Snippet")}>
          Copy snippet
        </button>
        {canWrite.value && (
          <>
            <button
              type="button"
              onClick={() =>
                attempt(async () => {
                  await put(`/forms/${id}`, { active: !active })
                  onChanged()
                })
              }
            >
              {active ? "Close" : "Open again"}
            </button>
            <button type="button" class="danger" onClick={() => setDeleting(true)}>
              Delete
            </button>
          </>
        )}
      </div>
      <Spam form={form} onReleased={onChanged} />
      {isDeleting && (
        <ConfirmDialog
          title="Delete this form?"
          action="Delete"
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
          <p>Its address stops working and its spam is deleted. Its leads stay.</p>
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
      say("It is a lead now")
      spam.again()
      onReleased()
    })
  return (
    <>
      <header class="card-head">
        <h3>Spam</h3>
        <button type="button" class="link small" onClick={spam.again}>
          Look again
        </button>
      </header>
      {spam.error !== undefined && <FailureNote error={spam.error} again={spam.again} />}
      {spam.data && list.length === 0 && <p class="muted">Nothing was kept apart in the last 7 days.</p>}
      <ul class="deliveries">
        {list.map(({ id, reason, lead, created_at }) => (
          <li key={id} class="spam">
            <span class="spam-who">{[lead.name, lead.email].filter(Boolean).join(", ")}</span>
            <span class="muted">{REASONS[reason] ?? reason}</span>
            <time class="muted" title={moment(created_at)}>
              {ago(created_at)}
            </time>
            {canWrite.value && (
              <button type="button" class="small" onClick={() => release(id)}>
                Not spam
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
