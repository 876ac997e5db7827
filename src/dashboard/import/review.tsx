import { useEffect, useState } from "preact/hooks"
import { isAbort } from "../core/api.ts"
import { FILTER_FIELDS, fieldOf } from "../core/filters.ts"
import { formatNumber, moment, plural, shown, words } from "../core/format.ts"
import { useDebounced, useGet } from "../core/loading.ts"
import { go, href } from "../core/router.ts"
import { t } from "../core/text.ts"
import { attempt, sayError } from "../core/toast.ts"
import type { ImportReport, SavedMapping } from "../core/types.ts"
import { Button, Card } from "../parts/bits.tsx"
import { CountryField } from "../parts/country-field.tsx"
import { Input, Select } from "../parts/fields.tsx"
import { Table } from "../parts/things.tsx"
import { Before, Counts, Guesses, MergesCard, Preview, Recognised, Skipped } from "./report.tsx"
import { begin, type Choices, keepFile, NO_CHOICES, previewImport, saidBy, valueKey } from "./sending.ts"
import { ValueMapping, Warnings } from "./values.tsx"

const DEBOUNCE_MS = 250

/** Choices about a file: the option of the API, its label, its values. */
const SELECTS = [
  ["header", t("First row"), { "": t("detect"), true: t("names the columns"), false: t("is a lead") }],
  [
    "on_duplicate",
    t("If the lead already exists"),
    {
      ...{ ask: t("update it, ask if unsure"), overwrite: t("update it") },
      ...{ fill: t("fill its empty fields"), skip: t("skip the row") },
    },
  ],
  ["tags", t("Tags on existing leads"), { "": t("add the row's tags"), replace: t("replace them") }],
  [
    "unknown",
    t("Unmatched columns"),
    { "": t("save as attributes"), ignore: t("ignore"), refuse: t("reject the file") },
  ],
  ["decimal", t("Decimal sign"), { "": t("detect"), point: t("a dot"), comma: t("a comma") }],
  [
    "date_order",
    t("Order of 03/04/2024"),
    { "": t("detect"), dmy: t("day first"), mdy: t("month first"), ymd: t("year first") },
  ],
] as const

/** A dry run of the import, again whenever a choice changes. */
function usePreview(file: File, choices: Choices, turn: number) {
  const [report, setReport] = useState<ImportReport>()
  const [isBusy, setBusy] = useState(false)
  const { save_mapping: _, ...read } = choices
  const on = [JSON.stringify(read), turn]
  useEffect(() => setBusy(true), on)
  useDebounced(
    DEBOUNCE_MS,
    (signal) =>
      void previewImport(file, choices, signal)
        .then(setReport)
        .then(
          () => setBusy(false),
          (error) => {
            if (isAbort(error)) return
            sayError(error)
            setBusy(false)
          },
        ),
    on,
  )
  return { report, isBusy, setBusy }
}

/** Shows what an import of the file would do, with its choices, and starts it. */
export function Review({ file }: { file: File }) {
  const [choices, setChoices] = useState<Choices>({ ...NO_CHOICES, source: file.name.replace(/\.\w+$/, "") })
  const [turn, setTurn] = useState(0)
  const { report, isBusy, setBusy } = usePreview(file, choices, turn)
  const mappings = useGet<SavedMapping[]>("/import-mappings")
  const change = (changes: Partial<Choices>) => setChoices({ ...choices, ...changes })
  async function run() {
    setBusy(true)
    await attempt(async () => {
      const { id } = await begin(file, choices)
      keepFile(id, file)
      go(href("import", { import: id }))
    })
    setBusy(false)
  }
  if (!report)
    return (
      <>
        <p class="muted">{isBusy ? t("Looking at the file…") : t("The file could not be read.")}</p>
        {!isBusy && (
          <div class="form-row">
            <Selects choices={choices} onChange={change} />
          </div>
        )}
      </>
    )
  const rows = report.total - report.rejected
  const saved = mappings.data ?? []
  // A mapping that is kept holds as a whole or not at all: what is changed is added to what it says.
  const said = saidBy(report)
  function mapValue(column: string, word: string, value: string | undefined): void {
    const { [valueKey(column, word)]: _, ...others } = { ...said.values, ...choices.values }
    const values = value === undefined ? others : { ...others, [valueKey(column, word)]: value }
    change({ map: { ...said.map, ...choices.map }, values })
  }
  return (
    <>
      <Before file={file} report={report} />
      <section class="card tile" aria-busy={isBusy}>
        <Counts report={report} />
        <Recognised report={report} />
        <MappingOffer
          {...{ report, saved, choices }}
          onUse={(mapping) => change(mappingChoices(mapping, saved))}
          onDetect={() =>
            change({ mapping: "", map: {}, values: {}, unknown: choices.unknown || "attributes" })
          }
        />
        <div class="form-row">
          <Input
            label={t("Default source")}
            value={choices.source}
            maxLength={1000}
            onChange={(event) => change({ source: event.currentTarget.value })}
          />
          <Selects choices={choices} onChange={change} />
          {needsCountry(report) && <CountryField isAsked onChanged={() => setTurn(turn + 1)} />}
          {report.sheet !== null && (
            <Input
              label={t("Sheet (all for every one)")}
              value={choices.sheet}
              placeholder={report.sheet}
              maxLength={1000}
              onChange={(event) => change({ sheet: event.currentTarget.value.trim() })}
            />
          )}
          {saved.length > 0 && (
            <Select
              label={t("Saved mapping")}
              value={choices.mapping}
              options={[["", t("none")], ...saved.map(({ name }) => name)]}
              onChange={(value) => change(mappingChoices(value, saved))}
            />
          )}
          <Input
            label={t("Save this mapping (optional)")}
            value={choices.save_mapping}
            maxLength={1000}
            onChange={(event) => change({ save_mapping: event.currentTarget.value.trim() })}
          />
          <Button
            label={isBusy ? t("Working…") : t("Import {rows}", { rows: plural(rows, "row") })}
            class="primary"
            disabled={isBusy || rows === 0}
            onClick={run}
          />
        </div>
      </section>
      <Mapping
        columns={report.columns}
        onMap={(column, target) =>
          change({
            map: { ...said.map, ...choices.map, [column]: target },
            values: { ...said.values, ...choices.values },
          })
        }
      />
      <ValueMapping columns={report.columns} values={choices.values} onMap={mapValue} />
      <Guesses report={report} />
      <Warnings report={report} onMap={mapValue} />
      <Preview leads={report.preview} />
      <MergesCard report={report} />
      <Skipped report={report} file={file} />
    </>
  )
}

/** Whether there are phones whose country neither they nor their rows name. */
function needsCountry({ columns }: ImportReport): boolean {
  const isPhone = ({ target, example }: ImportReport["columns"][number]) =>
    /^phones?$/.test(target) && example !== null && !/^\W*(\+|00)/.test(example)
  return columns.some(isPhone) && !columns.some(({ target }) => target === "country")
}

/** What is said of columns at first: those of a file without a header have no name to be known by. */
const mapOf = (header: string): Choices["map"] => (header === "false" ? { "Column 1": "name" } : {})

interface SelectsProps {
  choices: Choices
  onChange: (changes: Partial<Choices>) => void
}

function Selects({ choices, onChange }: SelectsProps) {
  return (
    <>
      {SELECTS.map(([name, label, options]) => (
        <Select
          key={name}
          label={label}
          value={choices[name]}
          options={options}
          onChange={(value) =>
            // Columns have other names without a header.
            onChange({ [name]: value, ...(name === "header" && { map: mapOf(value), values: {} }) })
          }
        />
      ))}
    </>
  )
}

/** The choices that a saved mapping makes; "" for none. */
function mappingChoices(name: string, saved: readonly SavedMapping[]): Partial<Choices> {
  const options = saved.find((one) => one.name === name)?.options
  return {
    mapping: name,
    map: {},
    values: {},
    on_duplicate: String(options?.on_duplicate ?? NO_CHOICES.on_duplicate),
  }
}

/** Whether a file has all columns that a mapping names. */
function fits({ options }: SavedMapping, { columns }: ImportReport): boolean {
  const names = new Set(columns.map(({ column }) => column))
  const map: unknown[] = Array.isArray(options.map) ? options.map : []
  return (
    map.length > 0 &&
    map.every((text) => {
      const attribute = String(text).indexOf(":attr:", 1)
      return names.has(String(text).slice(0, attribute > 0 ? attribute : String(text).lastIndexOf(":")))
    })
  )
}

interface OfferProps {
  report: ImportReport
  saved: readonly SavedMapping[]
  choices: Choices
  onUse: (name: string) => void
  onDetect: () => void
}

/** Offers the saved mappings that fit a file, or to leave the one that was used the last time. */
function MappingOffer({ report, saved, choices, onUse, onDetect }: OfferProps) {
  if (report.mapping) {
    return (
      <p class="row">
        <Button label={t("Detect the columns anew")} class="small" onClick={onDetect} />
      </p>
    )
  }
  const isChanged = Object.keys(choices.map).length + Object.keys(choices.values).length > 0
  const fitting = isChanged ? [] : saved.filter((mapping) => fits(mapping, report)).slice(0, 3)
  if (fitting.length === 0) return null
  return (
    <p class="row" role="status">
      {t("A saved mapping fits this file:")}
      {fitting.map(({ name }) => (
        <Button label={t("Use “{name}”", { name })} key={name} class="small" onClick={() => onUse(name)} />
      ))}
    </p>
  )
}

interface Props {
  columns: ImportReport["columns"]
  onMap: (column: string, target: string) => void
}

/** Each column of the file with a sample, and the field that it goes into. */
function Mapping({ columns, onMap }: Props) {
  const fields = [
    ...FILTER_FIELDS.filter(({ isReadOnly }) => !isReadOnly),
    { name: "emails", label: t("Further emails") },
    { name: "phones", label: t("Further phones") },
  ]
  return (
    <Card title={t("Columns")} note={t("Change what was recognised wrongly.")}>
      <div class="table-scroll" tabIndex={0} role="region" aria-label={t("Columns of the file")}>
        <Table head={[t("Column"), t("Sample"), [t("Filled"), "number", "wide-only"], t("Goes into")]}>
          {columns.map(({ column, target, example, filled }) => {
            const isAttribute = target.startsWith("attr:")
            const isKnown = target === "-" || isAttribute || fields.some(({ name }) => name === target)
            return (
              <tr key={column}>
                <th scope="row">{column}</th>
                <td class="sample">{sampleText(target, example)}</td>
                <td class="number wide-only">{formatNumber(filled)}</td>
                <td>
                  <Select
                    aria-label={t("Field for {column}", { column })}
                    value={target}
                    options={[
                      ["-", t("Leave out")],
                      isAttribute
                        ? [target, attributeText(target)]
                        : [`attr:${column}:text`, t("Attribute {column} (text)", { column })],
                      ...(isKnown ? [] : [target]),
                      ...fields.map(({ name, label }) => [name, label] as const),
                    ]}
                    onChange={(field) => onMap(column, field)}
                  />
                </td>
              </tr>
            )
          })}
        </Table>
      </div>
    </Card>
  )
}

/** A value of the file; Unix seconds of a time as a date, lists and objects as text. */
function sampleText(target: string, example: string | null): string | null {
  if (example === null) return example
  if (fieldOf(target).kind === "time" && /^\d{9,10}$/.test(example)) return moment(Number(example))
  try {
    return /^[[{]/.test(example) ? shown(JSON.parse(example)) : example
  } catch {
    return example
  }
}

function attributeText(target: string): string {
  const [, ...rest] = target.split(":")
  const type = rest.length > 1 ? rest.pop() : undefined
  return t("Attribute {name}", { name: `${rest.join(":")}${type ? ` (${words(type)})` : ""}` })
}
