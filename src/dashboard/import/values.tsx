import { useState } from "preact/hooks"
import { formatNumber } from "../core/format.ts"
import { statusName, statusOrder } from "../core/statuses.ts"
import { t } from "../core/text.ts"
import type { ImportReport } from "../core/types.ts"
import { Button, Card } from "../parts/bits.tsx"
import { Form, Labelled, Options, Select } from "../parts/fields.tsx"
import { Dialog } from "../parts/overlay.tsx"
import { Table } from "../parts/things.tsx"
import { canMap, type MappedValues, valueKey } from "./sending.ts"

const SHOWN = 20

interface Props {
  columns: ImportReport["columns"]
  values: MappedValues
  onMap: (column: string, word: string, value: string | undefined) => void
}

/** The statuses and tags of the file, each with what it becomes. */
export function ValueMapping({ columns, values, onMap }: Props) {
  const listed = columns.filter(({ values: own }) => own && own.length > 0)
  if (listed.length === 0) return null
  return (
    <Card
      title={t("Values")}
      more={<p class="muted">{t("What the file's statuses and tags become.")}</p>}
      aria-label={t("Values")}
    >
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

export interface AskedValue {
  column: string
  value: string
  count: number
  isStatus: boolean
}

interface DialogProps {
  asked: AskedValue
  onMap: Props["onMap"]
}

/** Asks what a value of the file is to become. */
export function MapValueDialog({ asked: { column, value, isStatus }, onMap }: DialogProps) {
  const [chosen, setChosen] = useState<string | null>(isStatus ? null : "")
  return (
    <Dialog title={t("Map “{value}”", { value })} size="small">
      <Form
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
      </Form>
    </Dialog>
  )
}
