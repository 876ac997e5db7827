// Values of a file that a person maps to others: the texts of `map_value`.
import type { ImportReport } from "../core/types.ts"

/** New values by `COLUMN:WORD`; "" leaves the value out. */
export type MappedValues = Readonly<Record<string, string>>

export const valueKey = (column: string, word: string) => `${column}:${word}`

/** The texts that the API takes. */
export function mapValueTexts(values: MappedValues): string[] {
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
