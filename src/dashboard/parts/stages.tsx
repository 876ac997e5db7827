import { useState } from "preact/hooks"
import { post, put, remove } from "../core/api.ts"
import { plural, words } from "../core/format.ts"
import { statusName, statusOrder } from "../core/statuses.ts"
import { t } from "../core/text.ts"
import { attempt, say } from "../core/toast.ts"
import type { Stage, Status } from "../core/types.ts"
import { Button } from "./button.tsx"
import { Select } from "./fields.tsx"
import { Dialog } from "./overlay.tsx"

const COLORS = ["gray", "blue", "teal", "green", "amber", "red", "violet"]

interface StagesProps {
  stages: readonly Stage[]
  onChanged: () => void
  onClose: () => void
}

/** The account's own stages: each is saved as it is changed. */
export function StagesDialog({ stages, onChanged, onClose }: StagesProps) {
  const [name, setName] = useState("")
  const [status, setStatus] = useState<Status>("new")
  const save = (work: () => Promise<unknown>) =>
    void attempt(async () => {
      await work()
      onChanged()
    })
  const change = (id: string, changes: Partial<Stage>) => save(() => put(`/stages/${id}`, changes))
  const drop = (stage: Stage) =>
    save(async () => {
      const { leads = 0 } = await remove<{ leads?: number }>(`/stages/${stage.id}`)
      say(
        leads > 0
          ? t("{name} deleted; {leads} keep their status", { name: stage.name, leads: plural(leads, "lead") })
          : t("{name} deleted", { name: stage.name }),
      )
    })
  return (
    <Dialog title={t("Stages")} onClose={onClose}>
      <p class="muted">{t("Your own steps within the five statuses: a lead's stage sets its status.")}</p>
      <ul class="status-labels">
        {stages.map((stage, i) => (
          <li key={stage.id} class="row">
            <input
              aria-label={t("Name of {value}", { value: stage.name })}
              value={stage.name}
              maxLength={100}
              onChange={(event) => {
                const text = event.currentTarget.value.trim()
                if (text && text !== stage.name) change(stage.id, { name: text })
              }}
            />
            <StatusSelect
              label={t("Status of {value}", { value: stage.name })}
              value={stage.status}
              onChange={(next) => change(stage.id, { status: next })}
            />
            <Select
              class="auto"
              aria-label={t("Color of {value}", { value: stage.name })}
              value={stage.color}
              options={[...new Set([...COLORS, stage.color])].map((one) => [one, words(one)] as const)}
              onChange={(value) => change(stage.id, { color: value })}
            />
            {i > 0 && (
              <Button
                label={t("Up")}
                class="small"
                aria-label={t("Move {value} up", { value: stage.name })}
                onClick={() => change(stage.id, { position: i - 1 })}
              />
            )}
            <Button
              label={t("Delete")}
              class="small danger"
              aria-label={t("Delete {name}", { name: stage.name })}
              onClick={() => drop(stage)}
            />
          </li>
        ))}
      </ul>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          save(async () => {
            await post("/stages", { name, status })
            setName("")
          })
        }}
      >
        <input
          aria-label={t("Name of the new stage")}
          placeholder={t("Name of the new stage")}
          value={name}
          maxLength={100}
          required
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <StatusSelect label={t("Status of the new stage")} value={status} onChange={setStatus} />
        <button class="primary">{t("Add")}</button>
      </form>
    </Dialog>
  )
}

interface SelectProps {
  label: string
  value: Status
  onChange: (status: Status) => void
}

function StatusSelect({ label, value, onChange }: SelectProps) {
  return (
    <Select
      class="auto"
      aria-label={label}
      value={value}
      options={statusOrder().map((status) => [status, statusName(status)] as const)}
      onChange={(value) => onChange(value as Status)}
    />
  )
}
