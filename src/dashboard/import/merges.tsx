import { useState } from "preact/hooks"
import { fieldText } from "../core/field-text.ts"
import { fieldOf } from "../core/filters.ts"
import { formatNumber, plural } from "../core/format.ts"
import { t } from "../core/text.ts"
import type { ImportReport } from "../core/types.ts"
import { Card } from "../parts/bits.tsx"
import { Button } from "../parts/button.tsx"
import { reasonText } from "../parts/history.tsx"

type Merges = NonNullable<ImportReport["merges"]>
type Sample = Merges["samples"][number]

const SHOWN = 10

/** Lists the rows that an import would merge, with the reason and the fields that change. */
export function MergesCard({ report: { merges, asked = 0 } }: { report: ImportReport }) {
  const [isAll, setAll] = useState(false)
  if (!merges || merges.into_leads + merges.within_file + asked === 0) return null
  const { samples } = merges
  return (
    <Card title={t("Merges")} aria-label={t("Merges")}>
      <p class="muted">
        {t("{rows} into existing leads, {within_file} within the file.{more}", {
          rows: plural(merges.into_leads, "row"),
          within_file: formatNumber(merges.within_file),
          more:
            asked > 0 &&
            t(
              " {rows} with a shared mailbox or phone and another name: created as new leads, to review under Duplicates.",
              { rows: plural(asked, "row") },
            ),
        })}
      </p>
      <ul class="problems">
        {(isAll ? samples : samples.slice(0, SHOWN)).map((sample) => (
          <Merge key={sample.rows.join(" ")} sample={sample} />
        ))}
      </ul>
      {!isAll && samples.length > SHOWN && (
        <Button
          label={t("Show {samples}", { samples: formatNumber(samples.length) })}
          class="small"
          onClick={() => setAll(true)}
        />
      )}
    </Card>
  )
}

function Merge({ sample: { rows, lead_id, name, reason, changes } }: { sample: Sample }) {
  const changed = Object.entries(changes)
  return (
    <li>
      <span class="tag">{t("line {rows}", { rows: formatNumber(rows.at(-1)!) })}</span>{" "}
      {lead_id ? <b>{name}</b> : t("line {rows}, {name}", { rows: formatNumber(rows[0]!), name })}
      <span class="muted">
        : {whyText(reason)}
        {changed.length === 0 && t("; no field changes")}
      </span>
      {changed.map(([field, [before, after]]) => (
        <div key={field} class="muted">
          {fieldOf(field).label}: {before !== null && <del>{said(field, before)}</del>} {said(field, after)}
        </div>
      ))}
    </li>
  )
}

/** `same phone (+49 …) and a similar name` in the person's language. */
function whyText(reason: string): string {
  const [, field = "", value = "", more] = /^same (\w+)( \(.*\))?( and a similar name)?$/.exec(reason) ?? []
  if (field === "") return reason
  return reasonText(`dedup:${field}`) + value + (more ? t(" and a similar name") : "")
}

function said(field: string, value: unknown): string {
  const text = fieldText(field, value) || t("empty")
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
