import { fieldText } from "../core/field-text.ts"
import { fieldOf } from "../core/filters.ts"
import { formatNumber } from "../core/format.ts"
import { t, tx } from "../core/text.ts"
import type { MergeManyAnswer } from "../core/types.ts"

export type Group = NonNullable<MergeManyAnswer["sample"]>[number]

/** Groups that would be merged, the least sure first, with the values that are not kept. */
export function MergeSamples({ groups }: { groups: readonly Group[] }) {
  if (groups.length === 0) return null
  return (
    <ul class="problems" aria-label={t("Groups, the least sure first")}>
      {groups.map((group) => (
        <Sample key={group.survivor.id} group={group} />
      ))}
    </ul>
  )
}

function Sample({ group: { survivor, losers, lost, probability } }: { group: Group }) {
  const removed = losers.map(({ name }) => name).join(", ")
  const values = lost.map(({ field, value }) => `${fieldOf(field).label} ${fieldText(field, value)}`)
  return (
    <li>
      {tx("{removed} into {kept}", { removed: <b>{removed}</b>, kept: <b>{survivor.name}</b> })}{" "}
      <span class="muted">
        {formatNumber(Math.floor(probability * 1000) / 10)} %
        {values.length > 0 && t("; not kept: {values}", { values: values.join(", ") })}
      </span>
    </li>
  )
}
