import { get } from "../core/api.ts"
import { reasonText } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { href } from "../core/router.ts"
import { t } from "../core/text.ts"
import type { DuplicatePage } from "../core/types.ts"

/** Leads that may be the same as this one, with why. */
export function SameAs({ id, turn }: { id: string; turn: number }) {
  const { data } = useLoaded(
    async (signal) =>
      (await get<DuplicatePage>(`/leads/${id}/duplicates`, { limit: 5 }, signal)).duplicates ?? [],
    [id, turn],
  )
  if (!data || data.length === 0) return null
  return (
    <section class="panel-section">
      <h3>{t("May be the same as")}</h3>
      <ul class="same-as">
        {data.map(({ id: pair, probability, reasons, a, b }) => {
          const other = a.id === id ? b : a
          return (
            <li key={pair}>
              <a href={href(`leads/${other.id}`)}>{other.name}</a> <b>{Math.round(probability * 100)} %</b>
              <p class="muted">{reasonText(reasons)}</p>
            </li>
          )
        })}
      </ul>
      <a href={href("duplicates")}>{t("All duplicates")}</a>
    </section>
  )
}
