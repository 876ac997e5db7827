import { t } from "../core/text.ts"
import { Button } from "./button.tsx"
import { Form, Input } from "./fields.tsx"
import { Dialog, useClose } from "./overlay.tsx"

interface LostProps {
  name: string
  before: string | null
  onSave: (reason: string | null) => void
}

/** Asks why a lead is lost; it may be left open. */
export function LostDialog({ name, before, onSave }: LostProps) {
  const close = useClose()
  return (
    <Dialog
      title={t("Why is {name} lost?", { name })}
      size="small"
      footer={
        <>
          <Button label={t("Cancel")} onClick={close} />
          <button class="primary does" form="lost-reason">
            {t("Save")}
          </button>
        </>
      }
    >
      <Form id="lost-reason" onSend={(sent) => onSave(sent.text("reason") || null)}>
        <Input label={t("Lost reason")} name="reason" defaultValue={before ?? ""} maxLength={1_000} />
      </Form>
    </Dialog>
  )
}
