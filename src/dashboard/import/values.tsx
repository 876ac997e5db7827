import { useState } from "preact/hooks"
import { formatNumber, plural } from "../core/format.ts"
import { statusName, statusOrder } from "../core/statuses.ts"
import { t } from "../core/text.ts"
import type { ImportReport } from "../core/types.ts"
import { Button, Card } from "../parts/bits.tsx"
import { FormDialog, Labelled, Options, Select } from "../parts/fields.tsx"
import { openDialog } from "../parts/overlay.tsx"
import { Table } from "../parts/things.tsx"
import { remark } from "./report.tsx"
import { canMap, type MappedValues, valueKey } from "./sending.ts"

const SHOWN = 20

interface Props {
  columns: ImportReport["columns"]
  values: MappedValues
  onMap: (column: string, word: string, value: string | undefined) => void
}

/** The statuses and tags of the file, each with what it becomes. */
export function ValueMapping({ columns, values, onMap }: Props) {
  const listed = columns.filter(({ values: samples }) => samples && samples.length > 0)
  if (listed.length === 0) return null
  return (
    <Card title={t("Values")} note={t("What the file's statuses and tags become.")} isRegion>
      {listed.map((column) => (
        <ColumnValues key={column.column} column={column} values={values} onMap={onMap} />
      ))}
    </Card>
  )
}

type Column = ImportReport["columns"][number]

function ColumnValues({ column, values, onMap }: Omit<Props, "columns"> & { column: Column }) {
  const [isAll, setAll] = useState(false)
  const all = column.values ?? []
  return (
    <div
      class="table-scroll"
      tabIndex={0}
      role="region"
      aria-label={t("Values of {column}", { column: column.column })}
    >
      <Table head={[column.column, [t("Rows"), "number"], t("Becomes")]}>
        {(isAll ? all : all.slice(0, SHOWN)).map(({ value, count, becomes }) => (
          <tr key={value}>
            <th scope="row">{value}</th>
            <td class="number">{formatNumber(count)}</td>
            <td>
              {!canMap(value) ? (
                becomes
              ) : column.target === "status" ? (
                <StatusSelect
                  label={t("Status for {value}", { value })}
                  value={values[valueKey(column.column, value)] ?? becomes}
                  onChange={(status) => onMap(column.column, value, status)}
                />
              ) : (
                <input
                  aria-label={t("Tag for {value}", { value })}
                  value={values[valueKey(column.column, value)] ?? becomes ?? ""}
                  placeholder={t("left out")}
                  maxLength={200}
                  onChange={(event) => onMap(column.column, value, event.currentTarget.value.trim())}
                />
              )}
            </td>
          </tr>
        ))}
      </Table>
      {!isAll && all.length > SHOWN && (
        <Button
          label={t("Show all {values}", { values: formatNumber(all.length) })}
          class="small"
          onClick={() => setAll(true)}
        />
      )}
    </div>
  )
}

interface SelectProps {
  label: string
  /** Null for no status, "" for one that is left out. */
  value: string | null
  onChange: (status: string | undefined) => void
}

const KEPT = "-"

function StatusSelect({ label, value, onChange }: SelectProps) {
  return (
    <Select
      aria-label={label}
      value={value ?? KEPT}
      onChange={(chosen) => onChange(chosen === KEPT ? undefined : chosen)}
    >
      <option value={KEPT} disabled={value !== null}>
        {t("Unknown: saved as an attribute")}
      </option>
      <Options of={statusOrder().map((status) => [status, statusName(status)] as const)} />
      <option value="">{t("Leave out")}</option>
    </Select>
  )
}

interface DialogProps {
  column: string
  value: string
  isStatus: boolean
  onMap: Props["onMap"]
}

/** Asks what a value of the file is to become. */
function MapValueDialog({ column, value, isStatus, onMap }: DialogProps) {
  const [chosen, setChosen] = useState<string | null>(isStatus ? null : "")
  return (
    <FormDialog
      title={t("Map “{value}”", { value })}
      size="small"
      action={t("Map the value")}
      isDisabled={chosen === null}
      onSend={() => onMap(column, value, chosen!.trim())}
    >
      <Labelled
        label={t("New value in {column}", { column })}
        hint={isStatus ? undefined : t("Leave it empty to import the rows without this value.")}
      >
        {isStatus ? (
          <StatusSelect
            label={t("New value in {column}", { column })}
            value={chosen}
            onChange={(status) => setChosen(status ?? null)}
          />
        ) : (
          <input value={chosen ?? ""} onInput={(event) => setChosen(event.currentTarget.value)} />
        )}
      </Labelled>
    </FormDialog>
  )
}

type Warning = ImportReport["warnings"][number]
type Group = NonNullable<ImportReport["warning_groups"]>[number]

const GROUPS_SHOWN = 20
const VALUES_SHOWN = 5

/** Warnings of one kind in one column. */
interface Subject {
  kind: Warning["kind"]
  column: string
  count: number
  values: Group[]
}

const BY_VALUE = new Set<string>(["status_kept", "kept_as_text", "left_out"])

/** The groups of a dry run; else those of the warnings that the report lists. */
function groupsOf({ warning_groups, warnings }: ImportReport): Group[] {
  if (warning_groups) return warning_groups
  const groups = new Map<string, Group>()
  for (const { kind, column, value, line, message } of warnings) {
    const shownValue = BY_VALUE.has(kind) ? value : null
    const key = JSON.stringify([kind, column, shownValue])
    const group = groups.get(key)
    if (group) group.count++
    else groups.set(key, { kind, column, value: shownValue, count: 1, line, message })
  }
  return [...groups.values()]
}

function subjectsOf(report: ImportReport): Subject[] {
  const subjects = new Map<string, Subject>()
  for (const group of groupsOf(report)) {
    // Said above all else, of the file.
    if (group.kind === "imported_before") continue
    const { kind, column, count } = group
    const key = `${kind} ${column}`
    const subject = subjects.get(key) ?? { kind, column, count: 0, values: [] }
    subject.count += count
    subject.values.push(group)
    subjects.set(key, subject)
  }
  return [...subjects.values()].toSorted((a, b) => b.count - a.count)
}

/** The warnings of an import by what they have in common; values that can be mapped have a button for it. */
export function Warnings({ report, onMap }: { report: ImportReport; onMap?: Props["onMap"] }) {
  const subjects = subjectsOf(report)
  if (subjects.length === 0) return null
  return (
    <Card title={t("Warnings")} note={t("These rows are imported all the same.")} isRegion>
      <ul class="problems" style={{ gap: "12px" }}>
        {subjects.slice(0, GROUPS_SHOWN).map((subject) => (
          <SubjectItem key={`${subject.kind} ${subject.column}`} subject={subject} onMap={onMap} />
        ))}
      </ul>
      {report.warnings_truncated && !report.warning_groups && (
        <p class="muted">
          {t("The first {warnings} are counted.", { warnings: formatNumber(report.warnings.length) })}
        </p>
      )}
    </Card>
  )
}

interface ItemProps {
  subject: Subject
  onMap: Props["onMap"] | undefined
}

function SubjectItem({ subject: { kind, column, count, values }, onMap }: ItemProps) {
  const [isAll, setAll] = useState(false)
  const named = values.filter(({ value }) => value !== null)
  return (
    <li>
      <p>
        <b>{plural(count, "row")}</b> {TEXTS[kind]?.(column) ?? column}
      </p>
      {named.length === 0 && values[0] && (
        <p class="muted">
          {t("Line {line}: {message}", {
            line: formatNumber(values[0].line),
            message: remark(values[0].message),
          })}
        </p>
      )}
      {named.length > 0 && (
        <ul style={{ display: "grid", gap: "4px", marginTop: "4px" }}>
          {(isAll ? named : named.slice(0, VALUES_SHOWN)).map(({ value, count, line }) => (
            <li key={value} class="row">
              <span class="tag">{formatNumber(count)} ×</span>
              <span title={t("First in line {line}", { line: formatNumber(line) })}>{value}</span>
              {onMap && canMap(value) && (
                <Button
                  label={t("Map it")}
                  class="small"
                  aria-label={t("Map “{value}”", { value })}
                  onClick={() =>
                    openDialog(
                      <MapValueDialog {...{ column, value, onMap }} isStatus={kind === "status_kept"} />,
                    )
                  }
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {!isAll && named.length > VALUES_SHOWN && (
        <Button
          label={t("Show all {values}", { values: formatNumber(named.length) })}
          class="link small"
          onClick={() => setAll(true)}
        />
      )}
    </li>
  )
}

const TEXTS: Readonly<Record<Warning["kind"], (column: string) => string>> = {
  status_kept: (column) => t("with an unknown status in {column}; saved as an attribute.", { column }),
  kept_as_text: (column) => t("with another type of value in {column}; kept as text.", { column }),
  left_out: (column) => t("with an invalid value in {column}; the value is left out.", { column }),
  cut: (column) => t("with a value that is too long in {column}; cut.", { column }),
  name_made: () => t("without a name; another field is used as the name."),
  row_shape: () => t("with more or fewer cells than the header, or a remark on the file."),
  conflict: (column) => t("with a {column} that another lead has.", { column }),
  too_many: (column) => t("with too many values in {column}.", { column }),
  imported_before: () => "",
  missing: (column) => t("without the required {column}.", { column }),
}
