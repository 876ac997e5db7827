import { FILTER_FIELDS, fieldOf } from "../core/filters.ts"
import { formatNumber, moment, shown, words } from "../core/format.ts"
import { t } from "../core/text.ts"
import type { ImportReport } from "../core/types.ts"
import { Card } from "../parts/bits.tsx"
import { Select } from "../parts/fields.tsx"
import { Table } from "../parts/things.tsx"

interface Props {
  columns: ImportReport["columns"]
  onMap: (column: string, target: string) => void
}

const FIXED = new Set([
  ...["score", "created_at", "updated_at", "last_interaction_at"],
  ...["last_note_at", "note_count", "last_contacted_at", "last_touched_at", "email_status", "company_id"],
])

/** Each column of the file with a sample, and the field that it goes into. */
export function Mapping({ columns, onMap }: Props) {
  const fields = [
    ...FILTER_FIELDS.filter(({ name }) => !FIXED.has(name)),
    { name: "emails", label: t("Further emails") },
    { name: "phones", label: t("Further phones") },
  ]
  return (
    <Card title={t("Columns")} more={<p class="muted">{t("Change what was recognised wrongly.")}</p>}>
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
