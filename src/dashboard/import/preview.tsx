import { fieldText } from "../core/field-text.ts"
import { fieldOf } from "../core/filters.ts"
import { shown } from "../core/format.ts"
import { t } from "../core/text.ts"
import type { ImportReport } from "../core/types.ts"
import { Card } from "../parts/bits.tsx"

// With the page, not in the style that every page waits for.
const SIDE_BY_SIDE = { display: "flex", flexWrap: "wrap", gap: "16px" }

const LISTS = { emails: t("Emails"), phones: t("Phones") }

type Made = ImportReport["preview"][number]

/** The first leads as the import would make them. */
export function Preview({ leads }: { leads: readonly Made[] }) {
  if (leads.length === 0) return null
  return (
    <Card
      title={t("Resulting leads")}
      more={<p class="muted">{t("The first rows, as leads.")}</p>}
      aria-label={t("Resulting leads")}
    >
      <div style={SIDE_BY_SIDE}>
        {leads.map((lead, i) => (
          <dl class="facts" style={{ flex: "1 1 260px" }} key={i}>
            {factsOf(lead).map(([label, value]) => (
              <div class="fact" key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        ))}
      </div>
    </Card>
  )
}

function factsOf({ attributes = [], ...fields }: Made): [label: string, value: string][] {
  return [
    ...Object.entries(fields)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]): [string, string] => [
        LISTS[name as "emails"] ?? fieldOf(name).label,
        fieldText(name, value),
      ]),
    ...(attributes ?? []).map(({ name, value }): [string, string] => [name, shown(value)]),
  ]
}
