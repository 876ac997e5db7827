import { shown } from "../core/format.ts"
import { conflict } from "../core/lead-writes.ts"
import { ConfirmDialog } from "./overlay.tsx"

/** Asks which of two values stays, where somebody else has changed a field that is being edited. */
export function ConflictDialog() {
  const { value } = conflict
  if (!value) return null
  const { lead, field, theirs, mine, answer } = value
  return (
    <ConfirmDialog
      title={`${field.label} of ${lead.name} was changed meanwhile`}
      action="Save mine"
      cancel="Keep theirs"
      isDanger={false}
      onConfirm={() => answer(true)}
      onClose={() => answer(false)}
    >
      <dl class="facts">
        <div class="fact">
          <dt>Theirs</dt>
          <dd>{shown(theirs) || "empty"}</dd>
        </div>
        <div class="fact">
          <dt>Yours</dt>
          <dd>{shown(mine) || "empty"}</dd>
        </div>
      </dl>
    </ConfirmDialog>
  )
}
