import type { ComponentChildren } from "preact"
import { FIELDS } from "../core/filters.ts"
import { shown } from "../core/format.ts"

interface Compared {
  id: string
  name: string
}

const COMPARED = FIELDS.filter(({ name }) => name !== "score")

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
  const text = (lead: T, name: string) => shown((lead as unknown as Record<string, unknown>)[name])
  const rows = COMPARED.filter(({ name }) => leads.some((lead) => text(lead, name) !== ""))
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table class="plain-table compare">
        <thead>
          <tr>
            <th>Field</th>
            {leads.map((lead) => (
              <th key={lead.id}>{head(lead)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, label }) => {
            const texts = leads.map((lead) => text(lead, name))
            const isSame = new Set(texts.map((one) => one.toLowerCase())).size === 1
            const keeper = kept?.(name) ?? leads.find((_, i) => texts[i] !== "")?.id
            return (
              <tr key={name} class={isSame ? "same" : ""}>
                <th scope="row">{label}</th>
                {leads.map(({ id }, i) => (
                  <td key={id} class={kept && !isSame && keeper === id ? "kept" : ""}>
                    {isSame || !onKeep ? (
                      texts[i]
                    ) : (
                      <label class="check">
                        <input
                          type="radio"
                          name={name}
                          checked={keeper === id}
                          onChange={() => onKeep(name, id)}
                        />
                        {texts[i] || <span class="nothing">nothing</span>}
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
