import { useState } from "preact/hooks"
import { get, post, put, remove } from "../core/api.ts"
import { ago, day, moment, plural, words } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { query, setQuery } from "../core/router.ts"
import { said } from "../core/said.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { attempt, say } from "../core/toast.ts"
import type { Delivery, Webhook } from "../core/types.ts"
import { Empty, FailureNote, Head } from "../parts/bits.tsx"
import { Button } from "../parts/button.tsx"
import { Input } from "../parts/fields.tsx"
import { ConfirmDialog, Dialog } from "../parts/overlay.tsx"

export default function Webhooks() {
  const hooks = useLoaded((signal) => get<Webhook[]>("/webhooks", {}, signal), [])
  const [isAdding, setAdding] = useState(false)
  const list = hooks.data ?? []
  const shownId = query.value.get("webhook") ?? list[0]?.id
  const shown = list.find(({ id }) => id === shownId)
  return (
    <div class="page">
      <Head title={t("Webhooks")} note={hooks.data ? plural(list.length, "address", "addresses") : ""}>
        {canWrite.value && (
          <Button icon="plus" label={t("New webhook")} class="primary" onClick={() => setAdding(true)} />
        )}
      </Head>
      {hooks.error !== undefined && <FailureNote error={hooks.error} again={hooks.again} />}
      {hooks.data && list.length === 0 && (
        <Empty icon="webhooks" title={t("No webhooks yet")}>
          <p>
            {t(
              "Your URL receives every new, changed and scored lead at once. Requests are signed, and repeated until your URL answers.",
            )}
          </p>
        </Empty>
      )}
      {list.length > 0 && (
        <div class="columns narrow-wide">
          <section class="card tile" aria-label={t("Addresses")}>
            <ul class="hooks">
              {list.map((hook) => (
                <li key={hook.id}>
                  <Button
                    class="hook"
                    aria-pressed={hook.id === shownId}
                    onClick={() => setQuery({ webhook: hook.id }, "replace")}
                  >
                    <span class="hook-url">{hook.url.replace(/^https?:\/\//, "")}</span>
                    <small>
                      {hook.active ? plural(hook.events.length, "event") : t("turned off")}
                      {hook.has_secret ? t(", signed") : ""}
                    </small>
                  </Button>
                </li>
              ))}
            </ul>
          </section>
          {shown && <Details key={shown.id} hook={shown} onChanged={hooks.again} />}
        </div>
      )}
      {isAdding && (
        <NewWebhook
          onClose={() => setAdding(false)}
          onMade={(hook) => {
            setAdding(false)
            hooks.again()
            setQuery({ webhook: hook.id }, "replace")
          }}
        />
      )}
    </div>
  )
}

function Details({ hook, onChanged }: { hook: Webhook; onChanged: () => void }) {
  const deliveries = useLoaded(
    async (signal) =>
      (await get<{ deliveries: Delivery[] }>(`/webhooks/${hook.id}/deliveries`, { limit: 50 }, signal))
        .deliveries,
    [hook.id],
  )
  const [isDeleting, setDeleting] = useState(false)
  const list = deliveries.data ?? []
  return (
    <section class="card tile">
      <header class="card-head">
        <h2 class="hook-url">{hook.url}</h2>
      </header>
      {hook.disabled_reason && <p class="problem">{said(hook.disabled_reason)}</p>}
      {hook.active && hook.expires_at !== undefined && (
        <p class="muted">
          {t("Ends {expires_at}, with the API key that made it.", { expires_at: day(hook.expires_at) })}
        </p>
      )}
      <p class="muted">{t("Events: {events}", { events: hook.events.join(", ") })}</p>
      {canWrite.value && (
        <div class="row">
          <Button
            label={t("Send a test")}
            onClick={() =>
              attempt(async () => {
                await post(`/webhooks/${hook.id}/test`)
                say(t("A test event is on its way"))
                setTimeout(deliveries.again, 800)
              })
            }
          />
          <Button
            label={hook.active ? t("Turn off") : t("Turn on")}
            onClick={() =>
              attempt(async () => {
                await put(`/webhooks/${hook.id}`, { active: !hook.active })
                onChanged()
              })
            }
          />
          <Button label={t("Delete")} class="danger" onClick={() => setDeleting(true)} />
        </div>
      )}
      <header class="card-head">
        <h3>{t("Deliveries")}</h3>
        <Button label={t("Look again")} class="link small" onClick={deliveries.again} />
      </header>
      {deliveries.error !== undefined && <FailureNote error={deliveries.error} again={deliveries.again} />}
      {deliveries.data && list.length === 0 && (
        <p class="muted">{t("Nothing was sent in the last 30 days.")}</p>
      )}
      <ul class="deliveries">
        {list.map((delivery) => (
          <DeliveryRow key={delivery.id} hook={hook} delivery={delivery} onRetried={deliveries.again} />
        ))}
      </ul>
      {isDeleting && (
        <ConfirmDialog
          title={t("Delete this webhook?")}
          action={t("Delete")}
          onConfirm={() =>
            attempt(async () => {
              await remove(`/webhooks/${hook.id}`)
              setDeleting(false)
              setQuery({ webhook: undefined }, "replace")
              onChanged()
            })
          }
          onClose={() => setDeleting(false)}
        >
          <p>{t("What waits to be sent to {url} is dropped.", { url: hook.url })}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

interface RowProps {
  hook: Webhook
  delivery: Delivery
  onRetried: () => void
}

function DeliveryRow({ hook, delivery, onRetried }: RowProps) {
  const { id, event, status, attempts, code, error, milliseconds, answer, next_attempt_at, created_at } =
    delivery
  return (
    <li>
      <details>
        <summary>
          <span class={`outcome ${status}`}>{words(status)}</span>
          <span class="delivery-event">{event}</span>
          <span class="muted">
            {code ?? (error && said(error))}
            {milliseconds !== null && t(" · {milliseconds} ms", { milliseconds })}
            {attempts > 1 && t(" · {attempts} attempts", { attempts })}
          </span>
          <time class="muted" title={moment(created_at)}>
            {ago(created_at)}
          </time>
        </summary>
        <div class="delivery-more">
          {error && <p>{said(error)}</p>}
          {next_attempt_at !== null && status === "pending" && (
            <p>{t("Next attempt {next_attempt_at}.", { next_attempt_at: ago(next_attempt_at) })}</p>
          )}
          {answer !== null && (
            <>
              <p class="muted">{t("What the address answered")}</p>
              <pre>{answer || `(${t("nothing")})`}</pre>
            </>
          )}
          {canWrite.value && status !== "pending" && (
            <Button
              label={t("Send again")}
              class="small"
              onClick={() =>
                attempt(async () => {
                  await post(`/webhooks/${hook.id}/deliveries/${id}/retry`)
                  say(t("It is sent again"))
                  setTimeout(onRetried, 800)
                })
              }
            />
          )}
        </div>
      </details>
    </li>
  )
}

function NewWebhook({ onClose, onMade }: { onClose: () => void; onMade: (hook: Webhook) => void }) {
  return (
    <Dialog title={t("New webhook")} size="small" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          const secret = String(form.get("secret"))
          void attempt(async () =>
            onMade(
              await post<Webhook>("/webhooks", { url: String(form.get("url")), ...(secret && { secret }) }),
            ),
          )
        }}
      >
        <Input
          label={t("Address")}
          name="url"
          type="url"
          required
          placeholder="https://crm.example.com/leads"
        />
        <Input
          label={t("Secret")}
          hint={t("Signs what is sent, so that you know it is from here. It is never shown again.")}
          name="secret"
          autocomplete="off"
          spellcheck={false}
        />
        <button class="primary">{t("Create webhook")}</button>
      </form>
    </Dialog>
  )
}
