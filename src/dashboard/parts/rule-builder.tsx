// Rules in words: ready ones, and a builder of a field, a comparison and points.

import { useEffect, useRef, useState } from "preact/hooks"
import { ask, isAbort, post } from "../core/api.ts"
import { FILTER_FIELDS } from "../core/filters.ts"
import { formatNumber, plural } from "../core/format.ts"
import { useDebounced } from "../core/loading.ts"
import { TEMPLATES } from "../core/rule-templates.ts"
import { said, told } from "../core/said.ts"
import { t } from "../core/text.ts"
import type { RuleTrial } from "../core/types.ts"
import { Button, Score } from "./bits.tsx"
import { ScoreChart } from "./charts.tsx"
import { Input, Select } from "./fields.tsx"
import { Table } from "./things.tsx"

const NUMBER = [
  [">=", t("is at least")],
  ["<=", t("is at most")],
  ["==", t("is")],
] as const
const TEXT = [
  ["set", t("is filled in")],
  ["contains", t("contains")],
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
  if (kind === "tags") return [["has", t("have")]]
  return kind === "status" ? [["==", t("is")]] : TEXT
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

interface ExpressionProps {
  value: string
  names: readonly string[]
  attributes: readonly string[]
  onInput: (value: string) => void
}

const FUNCTIONS = [
  "min(",
  "max(",
  "abs(",
  "round(",
  "floor(",
  "ceil(",
  "log(",
  "sqrt(",
  "contains(",
  "has(",
  "len(",
  "days_since(",
]
const CHECK_MS = 200
const OFFERED = 6

/** The service's check of a formula, once typing pauses; undefined for an empty one. */
function useChecked(value: string): RuleTrial | undefined {
  const [checked, setChecked] = useState<RuleTrial>()
  const isEmpty = value.trim() === ""
  useDebounced(
    isEmpty ? 0 : CHECK_MS,
    (signal) => {
      if (isEmpty) return setChecked(undefined)
      post<RuleTrial>("/scoring-rules/preview", { expression: value }).then(
        (answer) => !signal.aborted && setChecked(answer),
        () => {},
      )
    },
    [value],
  )
  return checked
}

/** A formula, checked by the language itself while it is typed, with names offered for the word at the caret. */
export function ExpressionField({ value, names, attributes, onInput }: ExpressionProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const checked = useChecked(value)
  const [offered, setOffered] = useState<string[]>([])
  const [at, setAt] = useState(0)

  function wordAtCaret(): string {
    const { selectionStart = 0, value = "" } = field.current ?? {}
    return /[a-z_][\w]*$/i.exec(value.slice(0, selectionStart))?.[0] ?? ""
  }

  function offer() {
    const word = wordAtCaret().toLowerCase()
    const safe = attributes.filter((name) => /^\w+$/.test(name)).map((name) => `attr_${name}`)
    const all = [...names, ...safe, ...FUNCTIONS]
    setOffered(
      word === "" ? [] : all.filter((name) => name.startsWith(word) && name !== word).slice(0, OFFERED),
    )
    setAt(0)
  }

  function take(name: string) {
    const element = field.current!
    const end = element.selectionStart
    const start = end - wordAtCaret().length
    element.setRangeText(name, start, end, "end")
    onInput(element.value)
    setOffered([])
    element.focus()
  }

  const problem = checked?.error
  return (
    <div class="expression">
      <label class="field">
        <span class="field-label">{t("Formula")}</span>
        <textarea
          ref={field}
          class="code-input"
          rows={3}
          required
          spellcheck={false}
          autocomplete="off"
          placeholder="rating >= 4.5 ? 25 : rating * 4"
          aria-describedby="expression-state"
          aria-invalid={problem !== undefined}
          value={value}
          onInput={(event) => {
            onInput(event.currentTarget.value)
            offer()
          }}
          onBlur={() => setOffered([])}
          onKeyDown={(event) => {
            if (offered.length === 0) return
            if (event.key === "ArrowDown") setAt((at + 1) % offered.length)
            else if (event.key === "ArrowUp") setAt((at + offered.length - 1) % offered.length)
            else if (event.key === "Tab" || event.key === "Enter") take(offered[at]!)
            else if (event.key === "Escape") setOffered([])
            else return
            event.preventDefault()
            event.stopPropagation()
          }}
        />
      </label>
      {offered.length > 0 && (
        <ul class="offers" role="listbox" aria-label={t("Names that fit")}>
          {offered.map((name, i) => (
            <li
              key={name}
              role="option"
              aria-selected={i === at}
              onMouseDown={(event) => {
                event.preventDefault()
                take(name)
              }}
            >
              {name}
            </li>
          ))}
        </ul>
      )}
      <div id="expression-state" class="expression-state" role="status">
        {problem && <Mistake value={value} message={problem.message} position={problem.position} />}
        {checked?.valid && <p class="fine">{t("The formula is fine.")}</p>}
      </div>
    </div>
  )
}

/** The formula with the place of its mistake marked. */
function Mistake({ value, message, position }: { value: string; message: string; position: number }) {
  const index = Math.min(Math.max(0, position - 1), value.length)
  return (
    <div class="mistake">
      <pre>
        {value.slice(Math.max(0, index - 40), index)}
        <mark>{value.slice(index, index + 1) || " "}</mark>
        {value.slice(index + 1, index + 40)}
      </pre>
      <p>{said(message)}</p>
    </div>
  )
}
