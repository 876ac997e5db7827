import { can, get } from "../core/api.ts"
import { useLoaded } from "../core/loading.ts"
import { href } from "../core/router.ts"

interface Pair {
  id: string
  probability: number
  reasons: { text: string }[]
  a: { id: string; name: string }
  b: { id: string; name: string }
}

/** Leads that may be the same as this one, with why. */
export function SameAs({ id, turn }: { id: string; turn: number }) {
  const { data } = useLoaded(
    async (signal) => {
      if (!can("GET /leads/:id/duplicates")) return []
      const answer = await get<{ duplicates?: Pair[] } | Pair[]>(`/leads/${id}/duplicates`, {}, signal)
      return Array.isArray(answer) ? answer : (answer.duplicates ?? [])
    },
    [id, turn],
  )
  if (!data || data.length === 0) return null
  return (
    <section class="panel-section">
      <h3>May be the same as</h3>
      <ul class="same-as">
        {data.slice(0, 5).map(({ id: pair, probability, reasons, a, b }) => {
          const other = a.id === id ? b : a
          return (
            <li key={pair}>
              <a href={href(`leads/${other.id}`)}>{other.name}</a> <b>{Math.round(probability * 100)} %</b>
              <p class="muted">{reasons.map(({ text }) => text).join(", ")}</p>
            </li>
          )
        })}
      </ul>
      <a href={href("duplicates")}>All duplicates</a>
    </section>
  )
}
