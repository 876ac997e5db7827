import { t } from "../core/text.ts"
import type { ImportReport, SavedMapping } from "../core/types.ts"
import { Button } from "../parts/button.tsx"
import { type Choices, NO_CHOICES } from "./sending.ts"

/** The choices that a saved mapping makes; "" for none. */
export function mappingChoices(name: string, saved: readonly SavedMapping[]): Partial<Choices> {
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
export function MappingOffer({ report, saved, choices, onUse, onDetect }: OfferProps) {
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
