// Files on their way to POST /leads/import, with what a person said of their columns.
import { ask } from "../core/api.ts"
import type { ImportReport, ImportStarted } from "../core/types.ts"

const FORMATS: Readonly<Record<string, { format: string; type: string }>> = {
  csv: { format: "csv", type: "text/csv" },
  tsv: { format: "csv", type: "text/csv" },
  txt: { format: "csv", type: "text/csv" },
  json: { format: "json", type: "application/json" },
  ndjson: { format: "ndjson", type: "application/x-ndjson" },
  jsonl: { format: "ndjson", type: "application/x-ndjson" },
  vcf: { format: "vcf", type: "text/vcard" },
  xlsx: { format: "xlsx", type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" },
}
/** The service looks into others, and names those that it cannot read. */
const ANY = { format: "", type: "application/octet-stream" }

const extensionOf = (name: string) => name.split(".").at(-1)?.toLowerCase() ?? ""

/** How a file goes in, as the person put it right; "" leaves it to the service. */
export const NO_CHOICES = {
  map: {} as Readonly<Record<string, string>>,
  values: {} as MappedValues,
  source: "",
  mapping: "",
  save_mapping: "",
  on_duplicate: "ask",
  tags: "",
  unknown: "",
  decimal: "",
  date_order: "",
  sheet: "",
  header: "",
}
export type Choices = Readonly<typeof NO_CHOICES>

function request(file: File, { map, values, source, ...others }: Choices, more: Record<string, boolean>) {
  const { format, type } = FORMATS[extensionOf(file.name)] ?? ANY
  return {
    query: {
      ...others,
      ...more,
      format,
      name: file.name,
      map: Object.entries(map).map(([column, target]) => `${column}:${target}`),
      map_value: mapValueTexts(values),
      source: source.trim(),
    },
    file: { data: file, type },
  }
}

/** A dry run of an import. */
export function previewImport(file: File, choices: Choices, signal: AbortSignal): Promise<ImportReport> {
  return ask<ImportReport>("POST", "/leads/import", {
    ...request(file, choices, { dry_run: true, details: true }),
    signal,
  })
}

/** Hands the file over: the import goes on behind the answer. */
export function begin(file: File, choices: Choices): Promise<ImportStarted> {
  return ask<ImportStarted>("POST", "/leads/import", request(file, choices, { background: true }))
}

// Values of a file that a person maps to others: the texts of `map_value`.

/** New values by `COLUMN:WORD`; "" leaves the value out. */
export type MappedValues = Readonly<Record<string, string>>

export const valueKey = (column: string, word: string) => `${column}:${word}`

/** The texts that the API takes. */
function mapValueTexts(values: MappedValues): string[] {
  return Object.entries(values).map(([key, value]) => `${key}=${value}`)
}

/** Columns and values of a mapping, so that more can be added to it. */
export function saidBy({ mapping }: ImportReport): { map: Record<string, string>; values: MappedValues } {
  const { map = [], map_value = [] } = (mapping?.options ?? {}) as { map?: string[]; map_value?: string[] }
  return {
    map: Object.fromEntries(
      map.map((text) => {
        const attribute = text.indexOf(":attr:", 1)
        return parted(text, attribute > 0 ? attribute : text.lastIndexOf(":"))
      }),
    ),
    values: Object.fromEntries(
      map_value.map((text) => parted(text, Math.max(text.lastIndexOf("="), 0) || text.lastIndexOf(":"))),
    ),
  }
}

const parted = (text: string, at: number): [string, string] => [text.slice(0, at), text.slice(at + 1)]

/** Whether a value can be mapped: longer ones are cut in the report. */
export const canMap = (value: string | null): value is string =>
  value !== null && value !== "" && value.length < 200 && !value.endsWith("…")

// The file of the import that was begun last, as long as this page is open: its rejected rows are cut out of it.
let lastFile: { id: string; file: File } | undefined

export function keepFile(id: string, file: File): void {
  lastFile = { id, file }
}

export const keptFile = (id: string) => (lastFile?.id === id ? lastFile.file : undefined)
