import { post, put, remove } from "../core/api.ts"
import { ago, day, plural, words } from "../core/format.ts"
import { useFresh, useGet } from "../core/loading.ts"
import { setQuery } from "../core/router.ts"
import { said } from "../core/said.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { say } from "../core/toast.ts"
import type { Delivery, Webhook } from "../core/types.ts"
import { Ago, Button, FailureNote } from "../parts/bits.tsx"
import { FormDialog, Input } from "../parts/fields.tsx"
import { openDialog } from "../parts/overlay.tsx"
import { AddressedChooser, AskingButton, Things } from "../parts/things.tsx"

const choose = (webhook: string | undefined) => setQuery({ webhook }, "replace")

export default function Webhooks() {
  const hooks = useFresh<Webhook[]>("/webhooks")
  return (
    <Things
      title={t("Webhooks")}
      loaded={hooks}
      count={({ length }) => plural(length, "address", "addresses")}
      add={canWrite.value && t("New webhook")}
      onAdd={() => openDialog(<NewWebhook />)}
      empty={[
        "webhooks",
        t("No webhooks yet"),
        t(
          "Your URL receives every new, changed and scored lead at once. Requests are signed, and repeated until your URL answers.",
        ),
      ]}
    >
      <AddressedChooser
        parameter="webhook"
        label={t("Addresses")}
        things={hooks.data ?? []}
        title={({ url }) => url.replace(/^https?:\/\//, "")}
        note={({ active, events, has_secret }) =>
          (active ? plural(events.length, "event") : t("turned off")) + (has_secret ? t(", signed") : "")
        }
        view={(hook) => <Details key={hook.id} hook={hook} />}
      />
    </Things>
  )
}

function Details({ hook }: { hook: Webhook }) {
  const path = `/webhooks/${hook.id}`
  const deliveries = useGet<{ deliveries: Delivery[] }>(`${path}/deliveries`, { limit: 50 })
  const list = deliveries.data?.deliveries ?? []
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
            work={async () => {
              await post(`${path}/test`)
              say(t("A test event is on its way"))
              setTimeout(deliveries.again, 800)
            }}
          />
          <Button
            label={hook.active ? t("Turn off") : t("Turn on")}
            work={() => put(path, { active: !hook.active })}
          />
          <AskingButton
            label={t("Delete")}
            class="danger"
            title={t("Delete this webhook?")}
            text={t("What waits to be sent to {url} is dropped.", { url: hook.url })}
            work={async () => {
              await remove(path)
              choose(undefined)
            }}
          />
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
          <Ago at={created_at} class="muted" />
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
              work={async () => {
                await post(`/webhooks/${hook.id}/deliveries/${id}/retry`)
                say(t("It is sent again"))
                setTimeout(onRetried, 800)
              }}
            />
          )}
        </div>
      </details>
    </li>
  )
}

function NewWebhook() {
  return (
    <FormDialog
      title={t("New webhook")}
      size="small"
      action={t("Create webhook")}
      onSend={async (sent) => {
        const secret = String(sent.get("secret"))
        choose((await post<Webhook>("/webhooks", { url: sent.get("url"), ...(secret && { secret }) })).id)
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
    </FormDialog>
  )
}
