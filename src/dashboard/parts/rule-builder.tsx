// Rules in words: ready ones, and a builder of a field, a comparison and points.

import { useEffect, useState } from "preact/hooks"
import { ask, isAbort } from "../core/api.ts"
import { FILTER_FIELDS } from "../core/filters.ts"
import { formatNumber, plural } from "../core/format.ts"
import { useDebounced } from "../core/loading.ts"
import { TEMPLATES } from "../core/rule-templates.ts"
import { told } from "../core/said.ts"
import { t } from "../core/text.ts"
import type { RuleTrial } from "../core/types.ts"
import { Button, Score } from "./bits.tsx"
import { ScoreChart } from "./charts.tsx"
import { Input, Select } from "./fields.tsx"
import { Table } from "./things.tsx"

const NUMBER = [
  [">=", t("is at least")],
  ["<=", t("is at most")],
  ["==", "is"],
] as const
const TEXT = [
  ["set", t("is filled in")],
  ["contains", "contains"],
  ["==", t("is exactly")],
] as const
const TIME = [
  ["<", t("was less than so many days ago")],
  [">", t("was more than so many days ago")],
] as const

/** The formula of a condition and its points. */
function formulaOf(field: string, kind: string, comparison: string, value: string, points: number): string {
  const quoted = JSON.stringify(value)
  const condition =
    comparison === "set"
      ? field
      : kind === "tags"
        ? `has(tags, ${quoted})`
        : kind === "time"
          ? `days_since(${field}) ${comparison} ${Number(value) || 0}`
          : kind === "number"
            ? `${field} ${comparison} ${Number(value) || 0}`
            : comparison === "contains"
              ? `contains(${field}, ${quoted})`
              : `${field} == ${quoted}`
  return `${condition} ? ${points} : 0`
}

const FIELDS = FILTER_FIELDS.filter(({ name }) => name !== "score")

function comparisonsOf(kind: string): readonly (readonly [string, string])[] {
  if (kind === "number") return NUMBER
  if (kind === "time") return TIME
  if (kind === "tags") return [["has", "have"]]
  return kind === "status" ? [["==", "is"]] : TEXT
}

interface BuilderProps {
  onFormula: (expression: string, name: string) => void
}

/** Chooses a template, or builds a condition; either writes the formula. */
export function RuleBuilder({ onFormula }: BuilderProps) {
  const [name, setName] = useState("email")
  const [chosen, setComparison] = useState("set")
  const [value, setValue] = useState("")
  const [points, setPoints] = useState("10")
  const field = FIELDS.find((one) => one.name === name)!
  const comparisons = comparisonsOf(field.kind)
  const comparison = (comparisons.find(([one]) => one === chosen) ?? comparisons[0]!)[0]
  const words = comparisons.find(([one]) => one === comparison)![1]
  return (
    <div class="rule-builder">
      <Select
        label={t("Template")}
        value=""
        options={[
          ["", t("Choose a ready rule…")],
          ...TEMPLATES.map((template, i) => [String(i), template.name] as const),
        ]}
        onChange={(value) => {
          const template = TEMPLATES[Number(value)]
          if (template) onFormula(template.expression, template.name)
        }}
      />
      <fieldset class="form-row">
        <legend class="field-label">{t("Or build one")}</legend>
        <Select
          label={t("Field")}
          value={name}
          options={FIELDS.map((one) => [one.name, one.label] as const)}
          onChange={setName}
        />
        <Select label={t("Comparison")} value={comparison} options={comparisons} onChange={setComparison} />
        {comparison !== "set" && (
          <Input
            label={field.kind === "time" ? t("Days") : t("Compared with")}
            value={value}
            onText={setValue}
          />
        )}
        <Input label={t("Points")} type="number" value={points} onText={setPoints} />
        <Button
          label={t("Use it")}
          onClick={() => {
            const given = Number(points) || 0
            const said = comparison === "set" ? words : `${words} ${value}`
            onFormula(
              formulaOf(name, field.kind, comparison, value, given),
              `${field.label} ${said}: ${given > 0 ? "+" : ""}${given}`,
            )
          }}
        />
      </fieldset>
    </div>
  )
}

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
