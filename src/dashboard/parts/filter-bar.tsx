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
import { Choices, choicesOf } from "./cell-editor.tsx"
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
              {(close) => (
                <FilterForm
                  filter={filter}
                  onDone={(changed) => {
                    close()
                    onChange(filters.with(i, writeFilter(changed)))
                  }}
                />
              )}
            </Popover>
            <button
              type="button"
              class="chip-close"
              aria-label={t("Remove filter: {said}", { said })}
              onClick={() => onChange(filters.filter((_, at) => at !== i))}
            >
              <Icon name="close" size={12} />
            </button>
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
        {(close) => (
          <FilterForm
            onDone={(filter) => {
              close()
              onChange([...filters, writeFilter(filter)])
            }}
          />
        )}
      </Popover>
      {filters.length > 1 && (
        <button type="button" class="quiet" onClick={() => onChange([])}>
          {t("Clear")}
        </button>
      )}
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
    <form
      class="filter-form"
      onSubmit={(event) => {
        event.preventDefault()
        onDone(asAsked({ logic, operator: chosen, field: name, value: valueFor(field, value) }))
      }}
    >
      <label class="field">
        <span class="field-label">{t("Field")}</span>
        <select
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value)
            setValue("")
          }}
        >
          <optgroup label={t("Fields")}>
            {FILTER_FIELDS.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
            <option value="location">{t("Location")}</option>
          </optgroup>
          {names.length > 0 && (
            <optgroup label={t("Attributes")}>
              {names.map((attribute) => (
                <option key={attribute} value={`attr:${attribute}`}>
                  {attribute}
                </option>
              ))}
            </optgroup>
          )}
          {name.startsWith("attr:") && !names.includes(name.slice(5)) && (
            <option value={name}>{name.slice(5)}</option>
          )}
        </select>
      </label>
      <label class="field">
        <span class="field-label">{t("Condition")}</span>
        <select value={chosen} onChange={(event) => setOperator(event.currentTarget.value)}>
          {operators.map(([one, words]) => (
            <option key={one} value={one}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {takesValue(chosen) && <ValueInput field={field} operator={chosen} value={value} onInput={setValue} />}
      <label class="check">
        <input
          type="checkbox"
          checked={logic === "or"}
          onChange={(event) => setLogic(event.currentTarget.checked ? "or" : "and")}
        />
        {t("Match any of the marked filters")}
      </label>
      <button class="primary">{filter ? t("Change filter") : t("Add filter")}</button>
    </form>
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
      <label class="field">
        <span class="field-label">{t("Value")}</span>
        <select value={value} onChange={(event) => onInput(event.currentTarget.value)} required>
          <option value="">{t("Choose…")}</option>
          <Choices of={choices} />
        </select>
      </label>
    )
  }
  const isDay = field.kind === "time" && operator !== "between"
  if (operator === DAYS_AGO) {
    return (
      <label class="field">
        <span class="field-label">{t("Days")}</span>
        <input
          type="number"
          min="1"
          max="36500"
          value={value}
          required
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      </label>
    )
  }
  return (
    <label class="field">
      <span class="field-label">{t("Value")}</span>
      {isDay ? (
        <input type="date" value={value} required onInput={(event) => onInput(event.currentTarget.value)} />
      ) : (
        <>
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
        </>
      )}
    </label>
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
