import { get } from "../core/api.ts"
import { useLoaded } from "../core/loading.ts"
import { href } from "../core/router.ts"
import { t, tx } from "../core/text.ts"
import type { ExplainedScore } from "../core/types.ts"
import { Score } from "./bits.tsx"

const tidy = (value: number) => String(Math.round(value * 100) / 100)

/** The score rule by rule, by a call that changes nothing. */
export function WhyScore({ id, turn }: { id: string; turn: number }) {
  const { data } = useLoaded((signal) => get<ExplainedScore>(`/leads/${id}/score`, {}, signal), [id, turn])
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
