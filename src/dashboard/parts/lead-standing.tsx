import { useEffect } from "preact/hooks"
import { peek, post } from "../core/api.ts"
import { shown } from "../core/format.ts"
import { useGet, useLoaded } from "../core/loading.ts"
import { href } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import { suppress } from "../core/suppress.ts"
import { t, tx } from "../core/text.ts"
import type { ExplainedScore, Suppression, SuppressionPage } from "../core/types.ts"
import { Button, Score } from "./bits.tsx"
import { useClose } from "./overlay.tsx"
import { useShownLead } from "./shown-lead.ts"

const OLD_MS = 1_000
const tidy = (value: number) => shown(Math.round(value * 100) / 100)

/** The score rule by rule; where the stored one is another, as rules count days or have changed, it is stored anew. */
export function WhyScore() {
  const { lead, turn, renew } = useShownLead()
  const { id, score } = lead
  const { data } = useGet<ExplainedScore>(`/leads/${id}/score`, {}, [turn])
  const isOld = data?.id === id && data.score !== score
  useEffect(() => {
    if (!isOld || !canWrite.value) return
    // What was read a moment apart differs without being old.
    const timer = setTimeout(() => post(`/leads/${id}/score`).then(renew, () => {}), OLD_MS)
    return () => clearTimeout(timer)
  }, [isOld])
  if (!data) return null
  const most = Math.max(1, ...data.rules.map(({ contribution }) => Math.abs(contribution)))
  return (
    <section class="panel-section">
      <h3>{t("Why this score")}</h3>
      {data.rules.length === 0 ? (
        <p class="muted">
          {tx("There are no rules yet. {a}", { a: <a href={href("scoring")}>{t("Write one")}</a> })}
        </p>
      ) : (
        <table class="why">
          <thead class="unseen">
            <tr>
              <th>{t("Rule")}</th>
              <th>{t("Share")}</th>
              <th>{t("Points")}</th>
            </tr>
          </thead>
          <tbody>
            {data.rules.map(({ id, name, value, weight, contribution }) => (
              <tr key={id} class={contribution === 0 ? "none" : ""}>
                <th scope="row">{name}</th>
                <td class="why-bar">
                  <span
                    class={contribution < 0 ? "minus" : ""}
                    style={{ width: `${(Math.abs(contribution) / most) * 100}%` }}
                  />
                </td>
                <td class="number" title={weight === 1 ? undefined : `${tidy(value)} × ${tidy(weight)}`}>
                  {contribution > 0 ? "+" : ""}
                  {tidy(contribution)}
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t("Sum, kept within 0 and 100")}</th>
              <td />
              <td class="number">
                <Score value={data.score} />
              </td>
            </tr>
          </tfoot>
        </table>
      )}
    </section>
  )
}

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
export function SuppressButton() {
  const { lead, renew } = useShownLead()
  const close = useClose()
  const values = new Set([...lead.emails, ...lead.phones].map(({ value }) => value))
  if (values.size === 0) return null
  const text = t("{name} is on the do-not-contact list", { name: lead.name })
  return (
    <Button
      icon="close"
      size={16}
      label={t("Put on the do-not-contact list")}
      onClick={() =>
        void suppress([...values], text, () => {
          close()
          renew()
        })
      }
    />
  )
}
