import { useId, useState } from "preact/hooks"
import {
  asAsked,
  asShown,
  DAYS_AGO,
  FILTER_FIELDS,
  type Field,
  type Filter,
  fieldOf,
  OPERATORS,
  phrase,
  readFilter,
  takesValue,
  VALUE_NAMES,
  writeFilter,
} from "../core/filters.ts"
import { formatNumber } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { fetchGroups } from "../core/numbers.ts"
import { t } from "../core/text.ts"
import { attributeNames } from "./attribute-names.ts"
import { Button } from "./bits.tsx"
import { choicesOf } from "./cell-editor.tsx"
import { Check, Form, Input, Labelled, Options, Select } from "./fields.tsx"
import { Icon } from "./icons.tsx"
import { Popover } from "./overlay.tsx"

interface Props {
  filters: readonly string[]
  onChange: (filters: string[]) => void
}

/** The filters as chips that can be changed and taken away, and a button that adds one. */
export function FilterBar({ filters, onChange }: Props) {
  return (
    <div class="filters" role="group" aria-label={t("Filters")}>
      {filters.map((text, i) => {
        const filter = readFilter(text)
        const said = filter ? phrase(filter) : text
        return (
          <span class="chip" key={text}>
            <Popover
              label={t("Change filter: {said}", { said })}
              class="chip-text"
              button={<ChipText filter={filter} said={said} />}
            >
              <FilterForm
                filter={filter}
                onDone={(changed) => onChange(filters.with(i, writeFilter(changed)))}
              />
            </Popover>
            <Button
              icon="close"
              size={12}
              class="chip-close"
              aria-label={t("Remove filter: {said}", { said })}
              onClick={() => onChange(filters.filter((_, at) => at !== i))}
            />
          </span>
        )
      })}
      <Popover
        label={t("Add a filter")}
        class="quiet add-filter"
        button={
          <>
            <Icon name="filter" size={14} />
            {t("Filter")}
          </>
        }
      >
        <FilterForm onDone={(filter) => onChange([...filters, writeFilter(filter)])} />
      </Popover>
      {filters.length > 1 && <Button label={t("Clear")} class="quiet" onClick={() => onChange([])} />}
    </div>
  )
}

function ChipText({ filter, said }: { filter: Filter | undefined; said: string }) {
  return (
    <>
      {filter?.logic === "or" && <em>{t("or")} </em>}
      {said}
    </>
  )
}

const FIELDS = [
  ...FILTER_FIELDS.map(({ name, label }) => [name, label] as const),
  ["location", t("Location")],
] as const

interface FormProps {
  filter?: Filter | undefined
  onDone: (filter: Filter) => void
}

function FilterForm({ filter: asked, onDone }: FormProps) {
  const filter = asked && asShown(asked)
  const [name, setName] = useState(filter?.field ?? "status")
  const [operator, setOperator] = useState(filter?.operator ?? "eq")
  const [value, setValue] = useState(filter?.value ?? "")
  const [logic, setLogic] = useState<"and" | "or">(filter?.logic ?? "and")
  const field = fieldOf(name)
  const operators = OPERATORS[field.kind]
  const isKnown = operators.some(([one]) => one === operator)
  const chosen = isKnown ? operator : operators[0]![0]
  const names = attributeNames.value
  return (
    <Form
      class="filter-form"
      action={filter ? t("Change filter") : t("Add filter")}
      onSend={() => onDone(asAsked({ logic, operator: chosen, field: name, value: valueFor(field, value) }))}
    >
      <Select
        label={t("Field")}
        value={name}
        onChange={(chosen) => {
          setName(chosen)
          setValue("")
        }}
      >
        <optgroup label={t("Fields")}>
          <Options of={FIELDS} />
        </optgroup>
        {names.length > 0 && (
          <optgroup label={t("Attributes")}>
            <Options of={names.map((attribute) => [`attr:${attribute}`, attribute] as const)} />
          </optgroup>
        )}
        {name.startsWith("attr:") && !names.includes(name.slice(5)) && (
          <option value={name}>{name.slice(5)}</option>
        )}
      </Select>
      <Select label={t("Condition")} value={chosen} options={operators} onChange={setOperator} />
      {takesValue(chosen) && <ValueInput field={field} operator={chosen} value={value} onInput={setValue} />}
      <Check
        label={t("Match any of the marked filters")}
        checked={logic === "or"}
        onChange={(isOn) => setLogic(isOn ? "or" : "and")}
      />
    </Form>
  )
}

interface ValueProps {
  field: Field
  operator: string
  value: string
  onInput: (value: string) => void
}

function ValueInput({ field, operator, value, onInput }: ValueProps) {
  const id = useId()
  const { data } = useLoaded((signal) => suggested(field, signal), [field.name])
  const choices = choicesOf(field)?.filter(([value]) => value !== "")
  if (choices && (operator === "eq" || operator === "neq")) {
    return (
      <Select
        label={t("Value")}
        value={value}
        required
        options={[["", t("Choose…")], ...choices]}
        onChange={onInput}
      />
    )
  }
  const isDay = field.kind === "time" && operator !== "between"
  if (operator === DAYS_AGO) {
    return (
      <Input label={t("Days")} type="number" min="1" max="36500" value={value} required onText={onInput} />
    )
  }
  if (isDay) return <Input label={t("Value")} type="date" value={value} required onText={onInput} />
  return (
    <Labelled label={t("Value")}>
      <input
        value={value}
        required
        list={id}
        placeholder={placeholderOf(field, operator)}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <datalist id={id}>
        {data?.map(({ value, count }) => (
          <option
            key={value}
            value={value}
            label={`${VALUE_NAMES[field.name]?.(value) ?? value} (${formatNumber(count)})`}
          />
        ))}
      </datalist>
    </Labelled>
  )
}

const SUGGESTED_MAX = 50

/** The commonest values of a field, with their counts; none of numbers and times. */
async function suggested({ name, kind }: Field, signal: AbortSignal) {
  if (kind !== "text" && kind !== "tags" && kind !== "attribute") return []
  const { groups } = await fetchGroups({ group_by: name, limit: SUGGESTED_MAX }, signal).catch(() => ({
    groups: [],
  }))
  return groups.flatMap((group: Record<string, unknown>) => {
    const value = group[name]
    return value === null || value === "" ? [] : [{ value: String(value), count: Number(group.count) }]
  })
}

function placeholderOf({ kind }: Field, operator: string): string {
  if (operator === "within_radius") return t("52.52, 13.405, 25 (latitude, longitude, km)")
  if (operator === "between") return kind === "time" ? "2026-01-01, 2026-01-31" : "1, 10"
  return /(^|_)(in|any|all)$/.test(operator) ? t("one, two, three") : ""
}

/** Spaces after commas are how people write lists, not part of what they look for. */
function valueFor({ kind }: Field, value: string): string {
  const trimmed = value.trim()
  return kind === "text" || kind === "attribute" ? trimmed : trimmed.replace(/\s*,\s*/g, ",")
}
