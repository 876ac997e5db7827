import { useState } from "preact/hooks"
import { put } from "../core/api.ts"
import { words } from "../core/format.ts"
import { isOwner } from "../core/session.ts"
import { knowStatuses, statuses } from "../core/statuses.ts"
import { t } from "../core/text.ts"
import { say } from "../core/toast.ts"
import type { StatusLabel } from "../core/types.ts"
import { ColorSelect, UpButton } from "./colors.tsx"
import { Form } from "./fields.tsx"

/** The account's names, order and colours of the five statuses. */
export function StatusLabels() {
  const [list, setList] = useState(statuses.value)
  const change = (at: number, changed: Partial<StatusLabel>) =>
    setList(list.map((one, i) => (i === at ? { ...one, ...changed } : one)))
  const up = (at: number) => {
    const next = [...list]
    next.splice(at - 1, 0, ...next.splice(at, 1))
    setList(next)
  }
  return (
    <section class="card tile">
      <h2>{t("Statuses")}</h2>
      <p class="muted">{t("Names, order and colours on screens. The API keeps the five values.")}</p>
      <Form
        onSend={async () => {
          const sent = list.map((one, position) => ({ ...one, position }))
          knowStatuses(await put<StatusLabel[]>("/account/statuses", { statuses: sent }))
          say(t("Statuses saved"))
        }}
      >
        <ul class="status-labels">
          {list.map(({ value, label, color }, i) => (
            <li key={value} class="row">
              <span class={`status c-${color}`}>{words(value)}</span>
              <input
                aria-label={t("Name of {value}", { value: words(value) })}
                value={t(label)}
                maxLength={40}
                required
                disabled={!isOwner.value}
                onInput={(event) => change(i, { label: event.currentTarget.value })}
              />
              <ColorSelect
                of={words(value)}
                value={color}
                disabled={!isOwner.value}
                onChange={(color) => change(i, { color })}
              />
              {isOwner.value && i > 0 && <UpButton of={words(value)} onClick={() => up(i)} />}
            </li>
          ))}
        </ul>
        {isOwner.value && <button class="primary">{t("Save statuses")}</button>}
      </Form>
    </section>
  )
}
