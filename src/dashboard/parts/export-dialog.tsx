import { useState } from "preact/hooks"
import { address, curl, type Query } from "../core/api.ts"
import { fieldOf } from "../core/filters.ts"
import { t } from "../core/text.ts"
import { copy } from "../core/toast.ts"
import { Labelled } from "./bits.tsx"
import { Dialog } from "./overlay.tsx"

interface Props {
  /** The listed selection. */
  query: Query
  /** The columns of the table. */
  columns: readonly string[]
  count: string
  onClose: () => void
}

const FORMATS = [
  ["csv", "CSV"],
  ["xlsx", t("Excel")],
  ["json", "JSON"],
  ["vcf", t("vCard (contacts)")],
] as const
const PRESETS = [
  ["hubspot", t("HubSpot format")],
  ["salesforce", t("Salesforce format")],
  ["google_contacts", t("Google Contacts format")],
  ["mailchimp", t("Mailchimp format")],
] as const

/** Exports the listed leads, in a format and with the columns that the person chooses. */
export function ExportDialog({ query, columns, count, onClose }: Props) {
  const [format, setFormat] = useState("csv")
  const [shape, setShape] = useState("all")
  const [dates, setDates] = useState("excel")
  const [isForExcel, setForExcel] = useState(false)
  const isTable = format === "csv" || format === "xlsx"
  const isPreset = PRESETS.some(([name]) => name === shape)
  const url = address("/leads/export", {
    ...query,
    format,
    ...(isTable && {
      ...(shape === "shown" && { fields: columns.join(",") }),
      ...(isPreset && { preset: shape }),
      dates,
      ...(format === "csv" && isForExcel && { bom: true }),
    }),
  })
  return (
    <Dialog
      title={t("Export")}
      size="small"
      onClose={onClose}
      footer={
        <a class="button primary" href={url} download onClick={onClose}>
          {t("Export {count}", { count })}
        </a>
      }
    >
      <div class="stack">
        <Labelled label={t("Format")}>
          <select value={format} onChange={(event) => setFormat(event.currentTarget.value)}>
            {FORMATS.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </Labelled>
        {isTable && (
          <Labelled
            label={t("Columns")}
            hint={shape === "shown" ? columns.map((name) => fieldOf(name).label).join(", ") : undefined}
          >
            <select value={shape} onChange={(event) => setShape(event.currentTarget.value)}>
              <option value="all">{t("all fields and attributes")}</option>
              <option value="shown">{t("those of the table")}</option>
              {PRESETS.map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </select>
          </Labelled>
        )}
        <details class="advanced">
          <summary>{t("Advanced")}</summary>
          <div class="stack">
            {isTable && (
              <Labelled label={t("Dates")}>
                <select value={dates} onChange={(event) => setDates(event.currentTarget.value)}>
                  <option value="excel">{t("For spreadsheets, in UTC")}</option>
                  <option value="iso">{t("ISO 8601")}</option>
                  <option value="unix">{t("Unix seconds")}</option>
                </select>
              </Labelled>
            )}
            {format === "csv" && (
              <label class="check">
                <input
                  type="checkbox"
                  checked={isForExcel}
                  onChange={(event) => setForExcel(event.currentTarget.checked)}
                />
                {t("Add a BOM for Excel")}
              </label>
            )}
            <button type="button" onClick={() => copy(curl("GET", url), t("curl command"))}>
              {t("Copy as curl")}
            </button>
          </div>
        </details>
      </div>
    </Dialog>
  )
}
