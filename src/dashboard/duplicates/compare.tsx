import type { ComponentChildren } from "preact"
import { keptValue } from "../../lead/kept-value.ts"
import { fieldText } from "../core/field-text.ts"
import { FILTER_FIELDS, type Field } from "../core/filters.ts"
import { t } from "../core/text.ts"

interface Compared {
  id: string
  name: string
}

/** A field of a lead as people read it. */
const comparedText = (lead: object, { name }: Field) =>
  fieldText(name, (lead as Record<string, unknown>)[name])

/** The lead whose value a merge keeps, unless another is chosen; the survivor is the first. */
export function keptOf<T extends Compared>(leads: readonly T[], field: string): string | undefined {
  const values = leads.map((lead) => (lead as Record<string, unknown>)[field] ?? null)
  return leads[keptValue(field, values)]?.id
}

/** Tags are put together, and times are the service's. */
const isChosen = ({ kind }: Field) => kind !== "time" && kind !== "tags"

/** Not what the service works out itself. */
const COMPARED = FILTER_FIELDS.filter(({ name }) => name !== "score" && name !== "company_id")

interface Props<T extends Compared> {
  label: string
  leads: readonly T[]
  head: (lead: T) => ComponentChildren
  /** Whose value is kept where they differ; undefined for no choice at all. */
  kept?: (field: string) => string | undefined
  onKeep?: (field: string, id: string) => void
}

/** Leads side by side, field by field; where they differ a value can be chosen. */
export function Compare<T extends Compared>({ label, leads, head, kept, onKeep }: Props<T>) {
  const rows = COMPARED.filter((field) => leads.some((lead) => comparedText(lead, field) !== ""))
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table class="plain-table compare" style={{ "--leads": leads.length }}>
        <thead>
          <tr>
            <th>{t("Field")}</th>
            {leads.map((lead) => (
              <th key={lead.id}>{head(lead)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((field) => {
            const { name, label } = field
            const texts = leads.map((lead) => comparedText(lead, field))
            const isSame = new Set(texts.map((one) => one.toLowerCase())).size === 1
            const keeper = kept?.(name) ?? keptOf(leads, name)
            return (
              <tr key={name} class={isSame ? "same" : ""}>
                <th scope="row">{label}</th>
                {leads.map(({ id }, i) => (
                  <td key={id} class={kept && !isSame && isChosen(field) && keeper === id ? "kept" : ""}>
                    {isSame || !onKeep || !isChosen(field) ? (
                      texts[i]
                    ) : (
                      <label class="check">
                        <input
                          type="radio"
                          name={name}
                          checked={keeper === id}
                          onChange={() => onKeep(name, id)}
                        />
                        {texts[i] || <span class="nothing">{t("nothing")}</span>}
                      </label>
                    )}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
