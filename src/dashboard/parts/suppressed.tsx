import { peek } from "../core/api.ts"
import { useLoaded } from "../core/loading.ts"
import { href } from "../core/router.ts"
import { suppress } from "../core/suppress.ts"
import { t } from "../core/text.ts"
import type { Lead, Suppression, SuppressionPage } from "../core/types.ts"
import { Button } from "./button.tsx"

/** The entries of the do-not-contact list that stop a lead; undefined while they are not known. */
export function useSuppressions(id: string, turn: number): readonly Suppression[] | undefined {
  const { data } = useLoaded(
    async (signal) => ({
      id,
      found: (await peek<SuppressionPage>("/suppressions", { lead_id: id }, signal)).suppressions,
    }),
    [id, turn],
  )
  return data?.id === id ? data.found : undefined
}

/** The mark of a lead on the do-not-contact list, with the reason. */
export function Suppressed({ entries: [first] }: { entries: readonly Suppression[] }) {
  if (!first) return null
  const why = [first.kind === "hash" ? t("erased person") : first.value, first.reason]
    .filter(Boolean)
    .join(": ")
  return (
    <p class="suppressed">
      <a class="tag danger" href={href("do-not-contact")}>
        {t("Do not contact")}
      </a>{" "}
      <span class="muted">{why}</span>
    </p>
  )
}

/** Puts a lead's emails and phones on the list. */
export function SuppressButton({ lead, onDone }: { lead: Lead; onDone: () => void }) {
  const values = new Set([...lead.emails, ...lead.phones].map(({ value }) => value))
  if (values.size === 0) return null
  const text = t("{name} is on the do-not-contact list", { name: lead.name })
  return (
    <Button
      icon="close"
      size={16}
      label={t("Put on the do-not-contact list")}
      onClick={() => void suppress([...values], text, onDone)}
    />
  )
}
