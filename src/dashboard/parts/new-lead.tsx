import { post } from "../core/api.ts"
import { words } from "../core/format.ts"
import { t } from "../core/text.ts"
import { say } from "../core/toast.ts"
import type { Lead } from "../core/types.ts"
import { Form, Input, type Sent } from "./fields.tsx"
import { Dialog } from "./overlay.tsx"

const MORE = ["email", "phone", "website", "city", "category"] as const

/** A lead written down by hand; one that is there already is filled up. */
export function NewLeadDialog({ onMade }: { onMade: (lead: Lead) => void }) {
  async function make(sent: Sent) {
    const filled = [...sent].filter(([, value]) => String(value).trim() !== "")
    const made = await post<Lead & { duplicate?: boolean }>("/leads", Object.fromEntries(filled))
    say(
      made.duplicate
        ? t("{name} was there already: it was filled up", { name: made.name })
        : t("{name} created", { name: made.name }),
    )
    onMade(made)
  }
  return (
    <Dialog title={t("New lead")} size="small">
      <Form action={t("Create lead")} onSend={make}>
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
      </Form>
    </Dialog>
  )
}
