import { peek } from "../core/api.ts"
import { plural } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { href } from "../core/router.ts"
import { t, tx } from "../core/text.ts"
import type { RetentionRule } from "../core/types.ts"

/** Says that rules of retention are about to erase leads. */
export function RetentionNote() {
  const { data = [] } = useLoaded((signal) => peek<RetentionRule[]>("/retention-rules", {}, signal), [])
  const matched = data.reduce((sum, rule) => sum + rule.matched, 0)
  if (matched === 0) return null
  return (
    <p class="note-line" role="status">
      {tx("{leads} will be erased by retention rules. {a}", {
        leads: plural(matched, "lead"),
        a: <a href={href("privacy")}>{t("Review")}</a>,
      })}
    </p>
  )
}
