import { get } from "../core/api.ts"
import { dayText, formatNumber } from "../core/format.ts"
import { useLiveLoaded } from "../core/live.ts"
import { t } from "../core/text.ts"
import type { ActivityCounts } from "../core/types.ts"
import { authorName } from "./actors.ts"
import { Table } from "./things.tsx"

const WEEKS = 6
const DAYS = 42

/** How many contacts each person had in the last weeks. */
export function ContactCounts() {
  const { data } = useLiveLoaded(
    (signal) => get<ActivityCounts>("/activities", { by: "member,week", since: `${DAYS}d` }, signal),
    [],
    ({ diff }) => "last_contacted_at" in diff,
  )
  if (!data || data.total === 0) return null
  const cells = data.counts.map(({ name, week, count }) => ({
    name: String(name),
    week: String(week),
    count: Number(count),
  }))
  const weeks = [...new Set(cells.map(({ week }) => week))].toSorted().slice(-WEEKS)
  const people = [...Map.groupBy(cells, ({ name }) => name)]
  const countOf = (own: typeof cells, week: string) =>
    own.reduce((sum, one) => sum + (one.week === week ? one.count : 0), 0)
  return (
    <section class="card tile">
      <h2>{t("Contacts by week")}</h2>
      <div class="table-scroll">
        <Table head={[t("Week of"), ...weeks.map((week) => [dayText(week), "number"] as const)]}>
          {people.map(([name, own]) => (
            <tr key={name}>
              <th scope="row">{authorName(name)}</th>
              {weeks.map((week) => (
                <td class="number" key={week}>
                  {formatNumber(countOf(own, week))}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      </div>
    </section>
  )
}
