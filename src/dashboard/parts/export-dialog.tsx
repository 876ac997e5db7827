import { useState } from "preact/hooks"
import { address, type Query } from "../core/api.ts"
import { fieldOf } from "../core/filters.ts"
import { t } from "../core/text.ts"
import { copyCurl } from "../core/toast.ts"
import { Button } from "./bits.tsx"
import { Check, Select } from "./fields.tsx"
import { Dialog, useClose } from "./overlay.tsx"

interface Props {
  /** The listed selection. */
  query: Query
  /** The columns of the table. */
  columns: readonly string[]
  count: string
}

const FORMATS: Readonly<Record<string, string>> = {
  csv: "CSV",
  xlsx: t("Excel"),
  json: "JSON",
  vcf: t("vCard (contacts)"),
}
const PRESETS: Readonly<Record<string, string>> = {
  hubspot: t("HubSpot format"),
  salesforce: t("Salesforce format"),
  google_contacts: t("Google Contacts format"),
  mailchimp: t("Mailchimp format"),
}

/** Exports the listed leads, in a format and with the columns that the person chooses. */
export function ExportDialog({ query, columns, count }: Props) {
  const close = useClose()
  const [format, setFormat] = useState("csv")
  const [shape, setShape] = useState("all")
  const [dates, setDates] = useState("excel")
  const [isForExcel, setForExcel] = useState(false)
  const isTable = format === "csv" || format === "xlsx"
  const isPreset = shape in PRESETS
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
      footer={
        <a class="button primary" href={url} download onClick={close}>
          {t("Export {count}", { count })}
        </a>
      }
    >
      <div class="stack">
        <Select label={t("Format")} value={format} options={FORMATS} onChange={setFormat} />
        {isTable && (
          <Select
            label={t("Columns")}
            hint={shape === "shown" ? columns.map((name) => fieldOf(name).label).join(", ") : undefined}
            value={shape}
            options={{ all: t("all fields and attributes"), shown: t("those of the table"), ...PRESETS }}
            onChange={setShape}
          />
        )}
        <details class="advanced">
          <summary>{t("Advanced")}</summary>
          <div class="stack">
            {isTable && (
              <Select
                label={t("Dates")}
                value={dates}
                options={{
                  excel: t("For spreadsheets, in UTC"),
                  iso: t("ISO 8601"),
                  unix: t("Unix seconds"),
                }}
                onChange={setDates}
              />
            )}
            {format === "csv" && (
              <Check label={t("Add a BOM for Excel")} checked={isForExcel} onChange={setForExcel} />
            )}
            <Button label={t("Copy as curl")} onClick={() => copyCurl(url)} />
          </div>
        </details>
      </div>
    </Dialog>
  )
}
