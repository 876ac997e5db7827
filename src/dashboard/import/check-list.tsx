import { useState } from "preact/hooks"
import { ask } from "../core/api.ts"
import { download } from "../core/download.ts"
import { formatNumber, plural, reasonText } from "../core/format.ts"
import { href } from "../core/router.ts"
import { t } from "../core/text.ts"
import { sayError } from "../core/toast.ts"
import type { MatchAnswer } from "../core/types.ts"
import { Button } from "../parts/bits.tsx"
import { headerOf } from "../parts/cells.ts"
import { Form, TextArea } from "../parts/fields.tsx"
import { Dialog } from "../parts/overlay.tsx"

type Answer = MatchAnswer["results"][number]

interface Checked extends Listed {
  answers: readonly Answer[]
}

/** Leads of one request. */
const TOGETHER = 1_000
const SHOWN = 200

/** Asks which rows of a pasted list the account has already; nothing is written. */
export function CheckList() {
  const [checked, setChecked] = useState<Checked>()
  const [isBusy, setBusy] = useState(false)

  async function run(text: string) {
    setBusy(true)
    try {
      const listed = rowsIn(text)
      if (listed.rows.length > LISTED_MAX)
        throw new Error(t("A list has at most {count} rows.", { count: formatNumber(LISTED_MAX) }))
      const answers: Answer[] = []
      for (let from = 0; from < listed.rows.length; from += TOGETHER) {
        const leads = listed.rows.slice(from, from + TOGETHER).map(({ lead }) => lead)
        const { results } = await ask<MatchAnswer>("POST", "/leads/match", { body: { leads } })
        answers.push(...results)
      }
      setChecked({ ...listed, answers })
    } catch (error) {
      sayError(error)
    }
    setBusy(false)
  }

  return (
    <Dialog title={t("Do we have these?")}>
      <Form staysOpen onSend={(sent) => run(String(sent.get("rows")))}>
        <TextArea
          label={t("Leads to look for")}
          hint={t(
            "A row each: an email, a phone, a website or a name; or columns of a spreadsheet with their names in the first row, such as name, email, city. Nothing is saved.",
          )}
          name="rows"
          rows={6}
          required
        />
        <button class="primary" disabled={isBusy}>
          {isBusy ? t("Working…") : t("Check the list")}
        </button>
      </Form>
      {checked && <Result checked={checked} />}
    </Dialog>
  )
}

function Result({ checked: { header, rows, answers } }: { checked: Checked }) {
  const counted = (match: Answer["match"]) => answers.filter((answer) => answer.match === match).length
  const fresh = rows.filter((_, i) => answers[i]?.match === "none")
  return (
    <section aria-label={t("Result")}>
      <p role="status">
        {t("{exact} there already, {likely} likely, {none} new.", {
          exact: formatNumber(counted("exact")),
          likely: formatNumber(counted("likely")),
          none: formatNumber(counted("none")),
        })}
      </p>
      {fresh.length > 0 && (
        <Button
          label={t("Download the new ones ({rows})", { rows: plural(fresh.length, "row") })}
          onClick={() =>
            download(
              [...(header === undefined ? [] : [header]), ...fresh.map(({ text }) => text), ""].join("\n"),
              "new-leads.txt",
              "text/plain",
            )
          }
        />
      )}
      <ul class="problems">
        {rows.slice(0, SHOWN).map(({ text }, i) => (
          <li key={i}>
            <b>{text}</b>
            <Found answer={answers[i]!} />
          </li>
        ))}
      </ul>
      {rows.length > SHOWN && (
        <p class="muted">{t("and {count} more", { count: formatNumber(rows.length - SHOWN) })}</p>
      )}
    </section>
  )
}

function Found({ answer: { match, lead_id, probability = 0, reasons = [] } }: { answer: Answer }) {
  if (match === "none" || !lead_id) return <div class="muted">{t("New")}</div>
  const why = reasonText(reasons)
  return (
    <div class="muted">
      <a href={href(`leads/${lead_id}`)}>
        {match === "exact"
          ? t("There already")
          : t("Likely there, {percent} %", { percent: Math.round(probability * 100) })}
      </a>
      {why && `: ${why}`}
    </div>
  )
}

// Rows of a pasted list as leads to look for.

const LISTED_MAX = 10_000
const CELL_MAX = 500

/** Columns of a list that tell leads apart. */
const TELLING = new Set([
  ...["name", "email", "phone", "website", "linkedin_url", "company", "source_id"],
  ...["address", "city", "state", "postal_code", "country", "category"],
])

interface Listed {
  /** The line that names the columns. */
  header?: string
  rows: { text: string; lead: Record<string, string> }[]
}

/** Reads a list: with names of columns in its first line, or with values that tell what they are. */
function rowsIn(text: string): Listed {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "")
  const [first = "", ...rest] = lines
  for (const separator of ["\t", ";", ","]) {
    const names = headerOf(cellsOf(first, separator))?.map(({ name }) => name)
    if (names)
      return { header: first, rows: rest.map((line) => rowOf(line, cellsOf(line, separator), names)) }
  }
  return { rows: lines.map((line) => rowOf(line, piecesOf(line))) }
}

function rowOf(text: string, cells: readonly string[], names?: readonly string[]) {
  const lead: Record<string, string> = {}
  for (const [i, cell] of cells.entries()) {
    const name = names ? names[i] : kindOf(cell)
    const isUsable = cell !== "" && cell.length <= CELL_MAX && (name !== "email" || kindOf(cell) === "email")
    if (name !== undefined && isUsable && TELLING.has(name)) lead[name] ??= cell
  }
  return { text, lead }
}

/** The values of a line without names; names of companies may hold commas. */
function piecesOf(line: string): string[] {
  const parts = cellsOf(line, /[\t;]/.test(line) ? (line.includes("\t") ? "\t" : ";") : ",")
  return parts.some((part) => kindOf(part) !== "name") ? parts : [line.trim()]
}

function kindOf(cell: string): string {
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell)) return "email"
  if (/^\+?[\d\s()/.-]{6,}$/.test(cell)) return "phone"
  return /^(https?:\/\/\S+|[\w-]+(\.[\w-]+)+(\/\S*)?)$/i.test(cell) ? "website" : "name"
}

/** The cells of a line; one in quotes may hold the separator. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = []
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}]*))(${separator}|$)`, "g")
  for (const { 1: quoted, 2: plain = "", 3: end } of line.matchAll(cell)) {
    cells.push((quoted === undefined ? plain : quoted.replaceAll('""', '"')).trim())
    if (end === "") break
  }
  return cells
}
