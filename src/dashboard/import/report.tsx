import { peek } from "../core/api.ts"
import { download } from "../core/download.ts"
import { formatNumber, plural, words } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { href } from "../core/router.ts"
import { t, tx } from "../core/text.ts"
import type { ImportRecord, ImportReport } from "../core/types.ts"
import { Ago, Card } from "../parts/bits.tsx"
import { Button } from "../parts/button.tsx"
import { Sums } from "../parts/things.tsx"
import { remark } from "./guesses.tsx"

type ReportCounts = Pick<ImportReport, "dry_run" | "total" | "created" | "merged" | "skipped" | "rejected">

/** The contents of a file, or the result of its import. */
export function Counts({ report }: { report: ReportCounts }) {
  const { dry_run, total, created, merged, skipped, rejected } = report
  const rows: readonly (readonly [string, number])[] = [
    [t("Rows"), total],
    [dry_run ? t("New leads") : t("Created"), created],
    [dry_run ? t("Merge into leads") : t("Merged"), merged],
    ...(skipped > 0 ? [[t("Left as they are"), skipped] as const] : []),
  ]
  return (
    <Sums
      label={t("What the file holds")}
      of={[
        ...rows.map(([name, count]) => [name, formatNumber(count)] as const),
        [t("Rejected"), formatNumber(rejected), rejected > 0 ? "bad" : ""],
      ]}
    />
  )
}

/** As what the file was recognised, and whether the plan has room for it. */
export function Recognised({ report: { preset, sheet, mapping, summary } }: { report: ImportReport }) {
  const { room, without_room: outside } = summary
  return (
    <>
      {(preset || sheet || mapping) && (
        <p class="muted">
          {preset && <>{tx("Recognised as a file of {b}.", { b: <b>{preset}</b> })} </>}
          {sheet && <>{t("Sheet {sheet}.", { sheet })} </>}
          {mapping?.is_reused && <>{t("Columns as the last time for a file with this header.")} </>}
          {mapping?.name && <>{t("Columns by the mapping {name}.", { name: mapping.name })}</>}
        </p>
      )}
      {room && (
        <p class={room.fits ? "muted" : "warning"}>
          {t("The plan {plan} has room for {leads} more{more}", {
            plan: words(room.plan),
            leads: plural(room.leads_left, "lead"),
            more: room.fits
              ? "."
              : t(": {rows} would not go in. Merges go on.", { rows: plural(outside, "row") }),
          })}
        </p>
      )}
    </>
  )
}

/** Says that this file, or one of its name, came in already. */
export function Before({ file, report }: { file: File; report: ImportReport }) {
  const same = report.warnings.find(({ kind }) => kind === "imported_before")?.value
  const { data: before } = useLoaded(
    async (signal) => {
      if (same) return peek<ImportRecord>(`/imports/${same}`, {}, signal)
      const { imports } = await peek<{ imports: ImportRecord[] }>("/imports", { limit: 100 }, signal)
      return imports.find(({ name, state }) => name === file.name && state !== "undone")
    },
    [file, same],
  )
  if (!before) return null
  const said = {
    name: <a href={href("import", { import: before.id })}>{before.name}</a>,
    time: <Ago at={before.created_at} />,
    created: formatNumber(before.created),
    merged: formatNumber(before.merged),
  }
  return (
    <p class="warning" role="alert">
      {before.name !== file.name
        ? tx("You imported this file {time} as {name}: {created} created, {merged} merged.", said)
        : tx("You imported {name} {time}: {created} created, {merged} merged.", said)}
    </p>
  )
}

const SHOWN = 50

/** Lists the skipped rows of an import. */
export function Skipped({ report, file }: { report: ImportReport; file?: File }) {
  const { errors, errors_truncated: isCut } = report
  if (errors.length === 0) return null
  return (
    <Card
      title={t("Skipped rows")}
      more={
        <Button
          label={t("Download as a file")}
          class="small"
          onClick={async () =>
            download(await rejectedCsv(report, file), `rejected-${file?.name ?? "rows"}.csv`, "text/csv")
          }
        />
      }
    >
      {isCut && (
        <p class="muted">{t("The first {errors} are named.", { errors: formatNumber(errors.length) })}</p>
      )}
      <ul class="problems">
        {errors.slice(0, SHOWN).map(({ line, message }) => (
          <li key={`${line}${message}`}>
            <span class="tag">{t("line {line}", { line })}</span> {remark(message)}
          </li>
        ))}
      </ul>
    </Card>
  )
}

// Rejected rows as a file that can be corrected and imported: the rows as they were, why in front.

const REASON = "rejected_because"
/** Files above are not read again only for this. */
const BYTES_MOST = 64 * 1024 * 1024

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`

/** Rows of a delimited text by the line on which each begins; a quoted cell may go over several. */
function rowsOf(text: string): Map<number, string> {
  const rows = new Map<number, string>()
  let isQuoted = false
  let line = 1
  let from = 0
  let fromLine = 1
  for (let at = 0; at <= text.length; at++) {
    const sign = text[at]
    if (sign === '"') isQuoted = !isQuoted
    if (sign !== "\n" && sign !== undefined) continue
    line++
    if (isQuoted && sign !== undefined) continue
    rows.set(fromLine, text.slice(from, at).replace(/\r$/, ""))
    from = at + 1
    fromLine = line
  }
  return rows
}

function delimiterOf(header: string): string {
  const counted = [",", ";", "\t", "|"].map((sign) => [sign, header.split(sign).length] as const)
  return counted.toSorted((a, b) => b[1] - a[1])[0]![0]
}

/** With the rows themselves where the file is at hand and a table of text; else with their lines alone. */
async function rejectedCsv({ errors, format }: ImportReport, file?: File): Promise<string> {
  const rows =
    file && format === "csv" && file.size <= BYTES_MOST && !/\.(gz|zip)$/i.test(file.name)
      ? rowsOf((await file.text()).replace(/^\uFEFF/, ""))
      : undefined
  const header = rows && [...rows.values()].find((row) => row.trim() !== "")
  if (!rows || header === undefined) {
    return `line,problem\n${errors.map(({ line, message }) => `${line},${cell(message)}`).join("\n")}\n`
  }
  const delimiter = delimiterOf(header)
  const lines = errors.map(({ line, message }) => `${cell(message)}${delimiter}${rows.get(line) ?? ""}`)
  return `${[`${REASON}${delimiter}${header}`, ...lines].join("\n")}\n`
}
