import { peek } from "../core/api.ts"
import { useLoaded } from "../core/loading.ts"
import { href } from "../core/router.ts"
import { t } from "../core/text.ts"
import type { SuppressionPage } from "../core/types.ts"

/** The mark of a lead on the do-not-contact list, with the reason. */
export function Suppressed({ id, contacts }: { id: string; contacts: string }) {
  const { data } = useLoaded(
    async (signal) => (await peek<SuppressionPage>("/suppressions", { lead_id: id }, signal)).suppressions,
    [id, contacts],
  )
  const [first] = data ?? []
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
