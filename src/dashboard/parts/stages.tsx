import { useState } from "preact/hooks"
import { post, put, remove } from "../core/api.ts"
import { plural } from "../core/format.ts"
import { stages } from "../core/stages.ts"
import { statusName, statusOrder } from "../core/statuses.ts"
import { t } from "../core/text.ts"
import { attempt, say } from "../core/toast.ts"
import type { Stage, Status } from "../core/types.ts"
import { Button } from "./button.tsx"
import { ColorSelect, UpButton } from "./colors.tsx"
import { Form, Select } from "./fields.tsx"
import { Dialog } from "./overlay.tsx"

/** The account's own stages: each is saved as it is changed. */
export function StagesDialog({ onChanged }: { onChanged: () => void }) {
  return (
    <Dialog title={t("Stages")}>
      <p class="muted">{t("Your own steps within the five statuses: a lead's stage sets its status.")}</p>
      <ul class="status-labels">
        {stages().map((stage, i) => (
          <StageRow key={stage.id} stage={stage} at={i} onChanged={onChanged} />
        ))}
      </ul>
      <NewStage onMade={onChanged} />
    </Dialog>
  )
}

function StageRow({ stage, at, onChanged }: { stage: Stage; at: number; onChanged: () => void }) {
  const { id, name } = stage
  const change = (changes: Partial<Stage>) =>
    void attempt(async () => {
      await put(`/stages/${id}`, changes)
      onChanged()
    })
  async function drop() {
    const { leads = 0 } = await remove<{ leads?: number }>(`/stages/${id}`)
    say(
      leads > 0
        ? t("{name} deleted; {leads} keep their status", { name, leads: plural(leads, "lead") })
        : t("{name} deleted", { name }),
    )
    onChanged()
  }
  return (
    <li class="row">
      <input
        aria-label={t("Name of {value}", { value: name })}
        value={name}
        maxLength={100}
        onChange={(event) => {
          const text = event.currentTarget.value.trim()
          if (text && text !== name) change({ name: text })
        }}
      />
      <StatusSelect
        label={t("Status of {value}", { value: name })}
        value={stage.status}
        onChange={(status) => change({ status })}
      />
      <ColorSelect of={name} value={stage.color} onChange={(color) => change({ color })} />
      {at > 0 && <UpButton of={name} onClick={() => change({ position: at - 1 })} />}
      <Button
        label={t("Delete")}
        class="small danger"
        aria-label={t("Delete {name}", { name })}
        work={drop}
      />
    </li>
  )
}

function NewStage({ onMade }: { onMade: () => void }) {
  const [name, setName] = useState("")
  const [status, setStatus] = useState<Status>("new")
  return (
    <Form
      class="row"
      staysOpen
      onSend={async () => {
        await post("/stages", { name, status })
        setName("")
        onMade()
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
    </Form>
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
