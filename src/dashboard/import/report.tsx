import { useState } from "preact/hooks"
import { peek } from "../core/api.ts"
import { download } from "../core/download.ts"
import { fieldText } from "../core/field-text.ts"
import { fieldOf } from "../core/filters.ts"
import { dayText, formatNumber, plural, shown, words } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { href } from "../core/router.ts"
import { said } from "../core/said.ts"
import { t, tx } from "../core/text.ts"
import type { ImportRecord, ImportReport } from "../core/types.ts"
import { Ago, Button, Card } from "../parts/bits.tsx"
import { reasonText } from "../parts/history.tsx"
import { Fact, Sums } from "../parts/things.tsx"

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

/** Guesses about what the file leaves open, and the words that stand for no value. */
export function Guesses({ report: { guesses, dropped } }: { report: ImportReport }) {
  if (guesses.length + dropped.length === 0) return null
  return (
    <Card title={t("Guesses")} note={t("Check these: the file does not say them for sure.")} isRegion>
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

type Merges = NonNullable<ImportReport["merges"]>
type Sample = Merges["samples"][number]

const MERGES_SHOWN = 10

/** Lists the rows that an import would merge, with the reason and the fields that change. */
export function MergesCard({ report: { merges, asked = 0 } }: { report: ImportReport }) {
  const [isAll, setAll] = useState(false)
  if (!merges || merges.into_leads + merges.within_file + asked === 0) return null
  const { samples } = merges
  return (
    <Card title={t("Merges")} isRegion>
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
        {(isAll ? samples : samples.slice(0, MERGES_SHOWN)).map((sample) => (
          <Merge key={sample.rows.join(" ")} sample={sample} />
        ))}
      </ul>
      {!isAll && samples.length > MERGES_SHOWN && (
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
      <span class="tag">{t("line {line}", { line: formatNumber(rows.at(-1)!) })}</span>{" "}
      {lead_id ? <b>{name}</b> : t("line {rows}, {name}", { rows: formatNumber(rows[0]!), name })}
      <span class="muted">
        : {whyText(reason)}
        {changed.length === 0 && t("; no field changes")}
      </span>
      {changed.map(([field, [before, after]]) => (
        <div key={field} class="muted">
          {fieldOf(field).label}: {before !== null && <del>{shortText(field, before)}</del>}{" "}
          {shortText(field, after)}
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

function shortText(field: string, value: unknown): string {
  const text = fieldText(field, value) || t("empty")
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

// With the page, not in the style that every page waits for.
const SIDE_BY_SIDE = { display: "flex", flexWrap: "wrap", gap: "16px" }

const LISTS = { emails: t("Emails"), phones: t("Phones") }

type Made = ImportReport["preview"][number]

/** The first leads as the import would make them. */
export function Preview({ leads }: { leads: readonly Made[] }) {
  if (leads.length === 0) return null
  return (
    <Card title={t("Resulting leads")} note={t("The first rows, as leads.")} isRegion>
      <div style={SIDE_BY_SIDE}>
        {leads.map((lead, i) => (
          <dl class="facts" style={{ flex: "1 1 260px" }} key={i}>
            {factsOf(lead).map(([label, value]) => (
              <Fact key={label} label={label}>
                {value}
              </Fact>
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
