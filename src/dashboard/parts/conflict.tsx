import { fieldText } from "../core/field-text.ts"
import { conflict } from "../core/lead-writes.ts"
import { t } from "../core/text.ts"
import { ConfirmDialog } from "./overlay.tsx"
import { Fact } from "./things.tsx"

/** Asks which of two values stays, where somebody else has changed a field that is being edited. */
export function ConflictDialog() {
  const { value } = conflict
  if (!value) return null
  const { lead, field, theirs, mine, answer } = value
  return (
    <ConfirmDialog
      title={t("{label} of {name} was changed meanwhile", { label: field.label, name: lead.name })}
      action={t("Save mine")}
      cancel={t("Keep theirs")}
      isDanger={false}
      work={() => answer(true)}
      onClose={() => answer(false)}
    >
      <dl class="facts">
        <Fact label={t("Theirs")}>{fieldText(field.name, theirs) || t("empty")}</Fact>
        <Fact label={t("Yours")}>{fieldText(field.name, mine) || t("empty")}</Fact>
      </dl>
    </ConfirmDialog>
  )
}

import "./table.ts"
