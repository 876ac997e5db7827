import { fieldOf } from "../core/filters.ts"
import { dayText, formatNumber } from "../core/format.ts"
import { said } from "../core/said.ts"
import { t } from "../core/text.ts"
import type { ImportReport } from "../core/types.ts"
import { Card } from "../parts/bits.tsx"

/** A remark on a file in the person's language, without the hints for programs at its end. */
export const remark = (text: string): string =>
  said(
    text
      .replace(
        /(?:; (?:date_order|decimal=\w+) says otherwise| unless map says \w+| \((?:dmy|mdy|ymd)\))$/,
        "",
      )
      .replace(/^(\S+) is (\d{4}-\d\d-\d\d.*)$/, (_, from, to) => `${from} → ${dayText(to)}`),
  )

/** What the file does not decide, and the words for no value that are left out. */
export function Guesses({ report: { guesses, dropped } }: { report: ImportReport }) {
  if (guesses.length + dropped.length === 0) return null
  return (
    <Card
      title={t("Guesses")}
      more={<p class="muted">{t("Check these: the file does not say them for sure.")}</p>}
      aria-label={t("Guesses")}
    >
      <ul>
        {guesses.map(({ column, what, reason, example }) => (
          <li key={`${column} ${what}`}>
            <b>{column}</b>: {/^\w+$/.test(what) ? fieldOf(what).label : remark(what)}{" "}
            <span class="muted">({remark(example)})</span>. {remark(reason)}.
          </li>
        ))}
        {dropped.map(({ column, count, example }) => (
          <li key={column}>
            {t("{column}: {count} values such as {example} mean no value and are left out.", {
              column,
              count: formatNumber(count),
              example,
            })}
          </li>
        ))}
      </ul>
    </Card>
  )
}
