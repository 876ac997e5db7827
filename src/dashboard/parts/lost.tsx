import { useState } from "preact/hooks"
import { t } from "../core/text.ts"
import { Button } from "./button.tsx"
import { Input } from "./fields.tsx"
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
          <Button label={t("Cancel")} onClick={onClose} />
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
        <Input label={t("Lost reason")} value={reason} maxLength={1_000} onText={setReason} />
      </form>
    </Dialog>
  )
}
