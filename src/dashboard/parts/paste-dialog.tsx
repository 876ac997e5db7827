import { useState } from "preact/hooks"
import { ask } from "../core/api.ts"
import { fieldText } from "../core/field-text.ts"
import { type Field, leadValue } from "../core/filters.ts"
import { formatNumber, plural } from "../core/format.ts"
import { t } from "../core/text.ts"
import { attempt, sayUndo } from "../core/toast.ts"
import type { Lead } from "../core/types.ts"
import { headerOf, PASTED_ROWS_MAX, pastedValue } from "./cells.ts"
import { ConfirmDialog } from "./overlay.tsx"

/** Cells that were pasted, and the leads and columns that they go to. */
export interface Pasted {
  cells: readonly (readonly string[])[]
  leads: readonly Lead[]
  columns: readonly Field[]
}

type Data = Record<string, unknown>
interface Change {
  lead: Lead
  data: Data
  before: Data
}

const SHOWN = 10
const BATCH = 100

/** Changes that pasting would make. */
function planOf({ cells, leads, columns }: Pasted) {
  const header = cells.length > 1 ? headerOf(cells[0] ?? []) : undefined
  const rows = header ? cells.slice(1) : cells
  const fields = header ?? columns
  const isOneForAll = rows.length === 1 && leads.length > 1
  const problems = new Set<string>()
  const changes: Change[] = []
  for (const [i, lead] of leads.slice(0, isOneForAll ? PASTED_ROWS_MAX : rows.length).entries()) {
    const change: Change = { lead, data: {}, before: {} }
    for (const [at, text] of (rows[isOneForAll ? 0 : i] ?? []).entries()) {
      const field = fields[at]
      if (!field) continue
      // Rows hold what is shown alone: of anything else it is not known what undoing would put back.
      if (!(field.name in lead)) problems.add(t("{label}: show its column first", { label: field.label }))
      else if (field.isReadOnly) problems.add(t("{label} cannot be changed here", { label: field.label }))
      else note(change, field, text, problems)
    }
    if (Object.keys(change.data).length > 0) changes.push(change)
  }
  const beyond = isOneForAll ? 0 : Math.max(0, rows.length - leads.length)
  return { changes, problems: [...problems], beyond }
}

function note({ lead, data, before }: Change, field: Field, text: string, problems: Set<string>): void {
  try {
    const value = pastedValue(field, text)
    const old = leadValue(lead, field.name) ?? null
    if (JSON.stringify(value) === JSON.stringify(old)) return
    data[field.name] = value
    before[field.name] = old
  } catch (error) {
    problems.add((error as Error).message)
  }
}

/** Writes each lead's own values, those that are alike in one request. Resolves to what failed. */
async function write(changes: readonly { lead: Lead; data: Data }[]): Promise<string[]> {
  const alike = Map.groupBy(changes, ({ data }) => JSON.stringify(data))
  const failed: string[] = []
  for (const group of alike.values()) {
    for (let from = 0; from < group.length; from += BATCH) {
      const some = group.slice(from, from + BATCH)
      const body = { ids: some.map(({ lead }) => lead.id), data: some[0]!.data }
      const { results } = await ask<{ results: { index: number; success: boolean; message?: string }[] }>(
        "PUT",
        "/leads/batch",
        { body },
      )
      for (const { index, success, message = "" } of results)
        if (!success) failed.push(`${some[index]?.lead.name ?? ""}: ${message}`)
    }
  }
  return failed
}

/** Shows what pasting would change before it does. */
export function PasteDialog({ pasted, onChanged }: { pasted: Pasted; onChanged: () => void }) {
  const [{ changes, problems, beyond }] = useState(() => planOf(pasted))
  const leads = plural(changes.length, "lead")
  async function paste() {
    const failed = await write(changes)
    const done = changes.length - failed.length
    if (done > 0)
      sayUndo(t("Pasted into {leads}", { leads: plural(done, "lead") }), async () => {
        await write(changes.map(({ lead, before }) => ({ lead, data: before })))
        onChanged()
      })
    if (failed.length > 0) throw new Error(failed.slice(0, 3).join("; "))
  }
  return (
    <ConfirmDialog
      title={t("Paste into {leads}?", { leads })}
      action={t("Paste into {leads}", { leads })}
      isDanger={false}
      isDisabled={changes.length === 0}
      busy={t("Working…")}
      work={async () => {
        await attempt(paste)
        onChanged()
      }}
    >
      {changes.length === 0 && <p>{t("Nothing would change.")}</p>}
      <ul class="problems">
        {changes.slice(0, SHOWN).map(({ lead, data, before }) => (
          <li key={lead.id}>
            <b>{lead.name}</b>
            {Object.entries(data).map(([name, value]) => (
              <div key={name} class="muted">
                <del>{fieldText(name, before[name])}</del> {fieldText(name, value)}
              </div>
            ))}
          </li>
        ))}
      </ul>
      {changes.length > SHOWN && (
        <p class="muted">{t("and {count} more", { count: formatNumber(changes.length - SHOWN) })}</p>
      )}
      {problems.slice(0, 5).map((problem) => (
        <p class="warning" key={problem}>
          {problem}
        </p>
      ))}
      {beyond > 0 && (
        <p class="warning">
          {t("{rows} are left out: the table has no leads for them.", { rows: plural(beyond, "row") })}
        </p>
      )}
      <p class="muted">{t("You can undo this.")}</p>
    </ConfirmDialog>
  )
}
