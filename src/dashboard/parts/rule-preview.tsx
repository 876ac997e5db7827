import { useEffect, useState } from "preact/hooks"
import { ask, isAbort } from "../core/api.ts"
import { formatNumber, plural } from "../core/format.ts"
import { useDebounced } from "../core/loading.ts"
import { told } from "../core/said.ts"
import { t } from "../core/text.ts"
import type { RuleTrial } from "../core/types.ts"
import { Score } from "./bits.tsx"
import { ScoreChart } from "./charts.tsx"
import { Table } from "./things.tsx"

const DEBOUNCE_MS = 400

interface Props {
  expression: string
  weight: string
  /** The rule that is changed; undefined for a new one. */
  ruleId: string | undefined
}

/** Shows a rule's effect on the scores of all leads while it is being written. */
export function RulePreview({ expression, weight, ruleId }: Props) {
  const [trial, setTrial] = useState<RuleTrial>()
  const [problem, setProblem] = useState("")
  const factor = weight.trim() === "" ? Number.NaN : Number(weight)
  const isReady = expression.trim() !== "" && !Number.isNaN(factor)
  useEffect(() => {
    setProblem("")
    if (!isReady) setTrial(undefined)
  }, [expression, factor, ruleId])
  useDebounced(
    DEBOUNCE_MS,
    (signal) => {
      if (!isReady) return
      const body = { expression, weight: factor, all: true, ...(ruleId !== undefined && { rule_id: ruleId }) }
      ask<RuleTrial>("POST", "/scoring-rules/preview", { body, signal }).then(
        setTrial,
        (error) => !isAbort(error) && setProblem(told(error)),
      )
    },
    [expression, factor, ruleId],
  )
  if (problem !== "") return <p class="muted">{problem}</p>
  if (!trial?.scores || !trial.leads) return null
  const { leads, changed = 0, scores, before, after, sample = [] } = trial
  return (
    <section class="preview" aria-label={t("Preview over all leads")}>
      <h3>{t("Preview over all leads")}</h3>
      <p role="status">
        {t(
          "{changed} of {leads} get another score. Average {before} before, {after} after; hot {hot} before, {hot2} after.",
          {
            changed: formatNumber(changed),
            leads: plural(leads, "lead"),
            before: formatNumber(before?.average ?? 0),
            after: formatNumber(after?.average ?? 0),
            hot: formatNumber(before?.hot ?? 0),
            hot2: formatNumber(after?.hot ?? 0),
          },
        )}
      </p>
      <p class="muted">{t("grey: before")}</p>
      {/* Its bars are links elsewhere, which would take the rule away that is being written. */}
      <div inert style={{ maxWidth: "420px" }}>
        <ScoreChart counts={scores.after} before={scores.before} />
      </div>
      {sample.length > 0 && (
        <Table head={[t("Most changed"), [t("Before"), "number"], [t("After"), "number"]]}>
          {sample.map(({ id, name, before, after }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              <td class="number">
                <Score value={before} />
              </td>
              <td class="number">
                <Score value={after} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  )
}
