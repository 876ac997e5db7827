import { useState } from "preact/hooks"
import { formatNumber, plural, words } from "../core/format.ts"
import type { ImportReport } from "../core/types.ts"

type Merges = NonNullable<ImportReport["merges"]>
type Sample = Merges["samples"][number]

const SHOWN = 10

/** Lists the rows that an import would merge, with the reason and the fields that change. */
export function PlannedMerges({ report: { merges, asked = 0 } }: { report: ImportReport }) {
  const [isAll, setAll] = useState(false)
  if (!merges || merges.into_leads + merges.within_file + asked === 0) return null
  const { samples } = merges
  return (
    <section class="card tile" aria-label="Merges">
      <header class="card-head">
        <h2>Merges</h2>
      </header>
      <p class="muted">
        {plural(merges.into_leads, "row")} into existing leads, {formatNumber(merges.within_file)} within the
        file.
        {asked > 0 &&
          ` ${plural(asked, "row")} with a shared mailbox or phone and another name: created as new leads, to review under Duplicates.`}
      </p>
      <ul class="problems">
        {(isAll ? samples : samples.slice(0, SHOWN)).map((sample) => (
          <Merge key={sample.rows.join(" ")} sample={sample} />
        ))}
      </ul>
      {!isAll && samples.length > SHOWN && (
        <button type="button" class="small" onClick={() => setAll(true)}>
          Show {formatNumber(samples.length)}
        </button>
      )}
    </section>
  )
}

function Merge({ sample: { rows, lead_id, name, reason, changes } }: { sample: Sample }) {
  const changed = Object.entries(changes)
  return (
    <li>
      <span class="tag">line {formatNumber(rows.at(-1)!)}</span>{" "}
      {lead_id ? <b>{name}</b> : `line ${formatNumber(rows[0]!)}, ${name}`}
      <span class="muted">
        : {reason}
        {changed.length === 0 && "; no field changes"}
      </span>
      {changed.map(([field, [before, after]]) => (
        <div key={field} class="muted">
          {words(field.replace(/^attr:/, ""))}: {before !== null && <del>{shown(before)}</del>} {shown(after)}
        </div>
      ))}
    </li>
  )
}

function shown(value: unknown): string {
  const text = value === null ? "empty" : typeof value === "string" ? value : JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
