import { useState } from "preact/hooks"
import { t } from "../core/text.ts"
import { Labelled } from "./bits.tsx"
import { Dialog } from "./overlay.tsx"

interface LostProps {
  name: string
  before: string | null
  onClose: () => void
  onSave: (reason: string | null) => void
}

/** Asks why a lead is lost; it may be left open. */
export function LostDialog({ name, before, onClose, onSave }: LostProps) {
  const [reason, setReason] = useState(before ?? "")
  return (
    <Dialog
      title={t("Why is {name} lost?", { name })}
      size="small"
      onClose={onClose}
      footer={
        <>
          <button type="button" onClick={onClose}>
            {t("Cancel")}
          </button>
          <button class="primary does" form="lost-reason">
            {t("Save")}
          </button>
        </>
      }
    >
      <form
        id="lost-reason"
        onSubmit={(event) => {
          event.preventDefault()
          onSave(reason.trim() || null)
        }}
      >
        <Labelled label={t("Lost reason")}>
          <input value={reason} maxLength={1_000} onInput={(event) => setReason(event.currentTarget.value)} />
        </Labelled>
      </form>
    </Dialog>
  )
}
