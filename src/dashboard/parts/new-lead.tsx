import { post } from "../core/api.ts"
import { words } from "../core/format.ts"
import { t } from "../core/text.ts"
import { attempt, say } from "../core/toast.ts"
import type { Lead } from "../core/types.ts"
import { Input } from "./fields.tsx"
import { Dialog } from "./overlay.tsx"

interface Props {
  onClose: () => void
  onMade: (lead: Lead) => void
}

const MORE = ["email", "phone", "website", "city", "category"] as const

/** A lead written down by hand; one that is there already is filled up. */
export function NewLeadDialog({ onClose, onMade }: Props) {
  return (
    <Dialog title={t("New lead")} onClose={onClose} size="small">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          const typed = Object.fromEntries(new FormData(event.currentTarget))
          const lead = Object.fromEntries(
            Object.entries(typed).filter(([, value]) => String(value).trim() !== ""),
          )
          void attempt(async () => {
            const made = await post<Lead & { duplicate?: boolean }>("/leads", lead)
            say(
              made.duplicate
                ? t("{name} was there already: it was filled up", { name: made.name })
                : t("{name} created", { name: made.name }),
            )
            onMade(made)
          })
        }}
      >
        <Input label={t("Name")} name="name" required maxLength={1000} />
        <Input
          label={t("Source")}
          hint={t("Where it comes from, such as a fair or a form.")}
          name="source"
          required
          defaultValue="manual"
          maxLength={1000}
        />
        {MORE.map((name) => (
          <Input key={name} label={words(name)} name={name} maxLength={1000} />
        ))}
        <button class="primary">{t("Create lead")}</button>
      </form>
    </Dialog>
  )
}
