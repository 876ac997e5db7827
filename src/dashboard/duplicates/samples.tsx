import { get } from "../core/api.ts"
import { words } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { t, tx } from "../core/text.ts"
import type { Duplicate, DuplicatePage } from "../core/types.ts"

const SHOWN = 10
/** Fields whose value the older lead keeps where both have one. */
const COMPARED = ["name", "email", "phone", "website", "city", "source"] as const

/** Some pairs that would be merged, with the values that are not kept. */
export function MergeSamples({ least }: { least: number }) {
  const { data } = useLoaded(
    (signal) => get<DuplicatePage>("/duplicates", { min_probability: least, limit: SHOWN }, signal),
    [least],
  )
  const pairs = data?.duplicates ?? []
  if (pairs.length === 0) return null
  return (
    <ul class="problems" aria-label={t("Some of them")}>
      {pairs.map((pair) => (
        <Sample key={pair.id} pair={pair} />
      ))}
    </ul>
  )
}

function Sample({ pair: { a, b, probability } }: { pair: Duplicate }) {
  const lost = COMPARED.flatMap((field) => {
    const [kept, removed] = [a[field], b[field]]
    const isLost = kept && removed && String(kept).toLowerCase() !== String(removed).toLowerCase()
    return isLost ? [`${words(field)} ${removed}`] : []
  })
  return (
    <li>
      {tx("{removed} into {kept}", { removed: <b>{b.name}</b>, kept: <b>{a.name}</b> })}{" "}
      <span class="muted">
        {Math.floor(probability * 1000) / 10} %
        {lost.length > 0 && t("; not kept: {values}", { values: lost.join(", ") })}
      </span>
    </li>
  )
}
