import { useEffect, useRef, useState } from "preact/hooks"
import { ask, get } from "../core/api.ts"
import { FIELDS } from "../core/filters.ts"
import { ago, moment, number, plural } from "../core/format.ts"
import { revert } from "../core/lead-writes.ts"
import { useLoaded } from "../core/loading.ts"
import { href } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import { attempt, say, sayError } from "../core/toast.ts"
import type { ImportRecord, ImportReport } from "../core/types.ts"
import { Empty, Head, Labelled } from "../parts/bits.tsx"
import { Icon } from "../parts/icons.tsx"

const FORMATS: Readonly<Record<string, { format: string; type: string }>> = {
  csv: { format: "csv", type: "text/csv" },
  tsv: { format: "csv", type: "text/csv" },
  txt: { format: "csv", type: "text/csv" },
  json: { format: "json", type: "application/json" },
  ndjson: { format: "ndjson", type: "application/x-ndjson" },
  jsonl: { format: "ndjson", type: "application/x-ndjson" },
  xlsx: { format: "xlsx", type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" },
}

/** How a file's columns go in, as the person put them right. */
interface Choices {
  map: Readonly<Record<string, string>>
  source: string
  onDuplicate: string
}

export default function Import() {
  const [file, setFile] = useState<File>()
  if (!canWrite.value) {
    return (
      <div class="page">
        <Head title="Import" />
        <Empty icon="import" title="Only editors and owners import">
          <p>Ask an owner of the account for another role.</p>
        </Empty>
      </div>
    )
  }
  return (
    <div class="page">
      <Head title="Import" note={file?.name}>
        {file && (
          <button type="button" onClick={() => setFile(undefined)}>
            Another file
          </button>
        )}
      </Head>
      {file ? <Review key={`${file.name}${file.lastModified}`} file={file} /> : <Drop onFile={setFile} />}
      {!file && <Past />}
    </div>
  )
}

function Drop({ onFile }: { onFile: (file: File) => void }) {
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  function take(file: File | null | undefined) {
    if (!file) return
    const extension = file.name.split(".").at(-1)?.toLowerCase() ?? ""
    if (extension in FORMATS) onFile(file)
    else say(`${file.name} is no CSV, Excel or JSON file`, undefined, "failed")
  }
  return (
    <div
      class={`drop ${isOver ? "over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer?.files[0])
      }}
    >
      <span class="empty-icon">
        <Icon name="import" size={22} />
      </span>
      <h2>Drop a file of leads here</h2>
      <p class="muted">
        CSV, Excel (.xlsx), JSON or NDJSON, up to 2 GB. You look at it before anything is kept.
      </p>
      <label class="button primary file-button">
        Choose a file
        <input
          ref={input}
          class="unseen"
          type="file"
          accept=".csv,.tsv,.txt,.json,.ndjson,.jsonl,.xlsx"
          onChange={(event) => take(event.currentTarget.files?.[0])}
        />
      </label>
    </div>
  )
}

function send(file: File, choices: Choices, isRehearsal: boolean): Promise<ImportReport> {
  const extension = file.name.split(".").at(-1)?.toLowerCase() ?? ""
  const { format, type } = FORMATS[extension] ?? FORMATS.csv!
  const map = Object.entries(choices.map).map(([column, target]) => `${column}:${target}`)
  return ask<ImportReport>("POST", "/leads/import", {
    query: {
      format,
      map,
      source: choices.source.trim() || undefined,
      on_duplicate: choices.onDuplicate,
      ...(isRehearsal && { dry_run: true }),
    },
    file: { data: file, type },
  })
}

/** The file as it would go in; it goes in when the person says so. */
function Review({ file }: { file: File }) {
  const [choices, setChoices] = useState<Choices>({
    map: {},
    source: file.name.replace(/\.\w+$/, ""),
    onDuplicate: "",
  })
  const [report, setReport] = useState<ImportReport>()
  const [done, setDone] = useState<ImportReport>()
  const [isBusy, setBusy] = useState(false)
  const asked = JSON.stringify(choices)
  useEffect(() => {
    let isHere = true
    setBusy(true)
    const timer = setTimeout(() => {
      send(file, choices, true).then(
        (answer) => {
          if (!isHere) return
          setReport(answer)
          setBusy(false)
        },
        (error) => {
          if (!isHere) return
          sayError(error)
          setBusy(false)
        },
      )
    }, 250)
    return () => {
      isHere = false
      clearTimeout(timer)
    }
  }, [asked])
  if (done) return <Done report={done} file={file} />
  async function run() {
    setBusy(true)
    await attempt(async () => setDone(await send(file, choices, false)))
    setBusy(false)
  }
  if (!report) return <p class="muted">{isBusy ? "Looking at the file…" : "The file could not be read."}</p>
  return (
    <>
      <section class="card tile" aria-busy={isBusy}>
        <Sums report={report} />
        <div class="form-row">
          <Labelled label="Source of rows that have none">
            <input
              value={choices.source}
              maxLength={1000}
              onChange={(event) => setChoices({ ...choices, source: event.currentTarget.value })}
            />
          </Labelled>
          <Labelled label="A row that repeats a lead">
            <select
              value={choices.onDuplicate}
              onChange={(event) => setChoices({ ...choices, onDuplicate: event.currentTarget.value })}
            >
              <option value="">overwrites its fields</option>
              <option value="fill">fills what is empty</option>
              <option value="skip">is left out</option>
            </select>
          </Labelled>
          <button
            type="button"
            class="primary"
            disabled={isBusy || report.total === report.rejected}
            onClick={run}
          >
            {isBusy ? "Working…" : `Import ${plural(report.total - report.rejected, "row")}`}
          </button>
        </div>
      </section>
      <Mapping
        report={report}
        onMap={(column, target) => setChoices({ ...choices, map: { ...choices.map, [column]: target } })}
      />
      <Problems report={report} file={file} />
    </>
  )
}

function Sums({ report }: { report: ImportReport }) {
  const sums = [
    ["Rows", report.total],
    [report.dry_run ? "New leads" : "Created", report.created],
    [report.dry_run ? "Merge into leads" : "Merged", report.merged],
    ["Rejected", report.rejected],
  ] as const
  return (
    <>
      <dl class="sums" role="group" aria-label="What the file holds">
        {sums.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd class={label === "Rejected" && value > 0 ? "bad" : ""}>{number(value)}</dd>
          </div>
        ))}
      </dl>
      {report.preset && (
        <p class="muted">
          Recognised as a file of <b>{report.preset}</b>
          {report.sheet && <>, sheet {report.sheet}</>}.
        </p>
      )}
    </>
  )
}

interface MappingProps {
  report: ImportReport
  onMap: (column: string, target: string) => void
}

const FIXED = new Set(["score", "created_at", "updated_at", "last_interaction_at"])

/** Each column of the file with a sample, and the field that it goes into. */
function Mapping({ report, onMap }: MappingProps) {
  const fields = FIELDS.filter(({ name }) => !FIXED.has(name))
  return (
    <section class="card tile">
      <header class="card-head">
        <h2>Columns</h2>
        <p class="muted">Change what was recognised wrongly.</p>
      </header>
      <div class="table-scroll" tabIndex={0} role="region" aria-label="Columns of the file">
        <table class="plain-table">
          <thead>
            <tr>
              <th>Column</th>
              <th>Sample</th>
              <th class="number">Filled</th>
              <th>Goes into</th>
            </tr>
          </thead>
          <tbody>
            {report.columns.map(({ column, target, example, filled }) => {
              const isAttribute = target.startsWith("attr:")
              const isKnown = target === "-" || isAttribute || fields.some(({ name }) => name === target)
              return (
                <tr key={column}>
                  <th scope="row">{column}</th>
                  <td class="sample">{example}</td>
                  <td class="number">{filled === undefined ? "" : number(filled)}</td>
                  <td>
                    <select
                      aria-label={`Field for ${column}`}
                      value={target}
                      onChange={(event) => onMap(column, event.currentTarget.value)}
                    >
                      <option value="-">Leave out</option>
                      {isAttribute && <option value={target}>{attributeText(target)}</option>}
                      {!isAttribute && (
                        <option value={`attr:${column}:text`}>Attribute {column} (text)</option>
                      )}
                      {!isKnown && <option value={target}>{target}</option>}
                      {fields.map(({ name, label }) => (
                        <option key={name} value={name}>
                          {label}
                        </option>
                      ))}
                    </select>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function attributeText(target: string): string {
  const [, ...rest] = target.split(":")
  const type = rest.length > 1 ? rest.pop() : undefined
  return `Attribute ${rest.join(":")}${type ? ` (${type})` : ""}`
}

function Problems({ report, file }: { report: ImportReport; file: File }) {
  const warnings = report.warnings ?? []
  if (report.errors.length === 0 && warnings.length === 0) return null
  return (
    <section class="card tile">
      <header class="card-head">
        <h2>{report.errors.length > 0 ? "Rows that do not go in" : "Worth knowing"}</h2>
        {report.errors.length > 0 && (
          <button
            type="button"
            class="small"
            onClick={() => save(rejectedFile(report), `rejected-${file.name}.csv`)}
          >
            Download as a file
          </button>
        )}
      </header>
      <ul class="problems">
        {report.errors.slice(0, 50).map(({ line, message }) => (
          <li key={`${line}${message}`}>
            <span class="tag">line {line}</span> {message}
          </li>
        ))}
        {warnings.slice(0, 20).map(({ line, column, message }) => (
          <li key={`${line}${column}${message}`} class="muted">
            <span class="tag">line {line}</span> {column}: {message}
          </li>
        ))}
      </ul>
    </section>
  )
}

function rejectedFile({ errors }: ImportReport): string {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
  return `line,problem\n${errors.map(({ line, message }) => `${line},${cell(message)}`).join("\n")}\n`
}

/** Gives a text to the person as a file. */
function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

function Done({ report, file }: { report: ImportReport; file: File }) {
  const [isUndone, setUndone] = useState(false)
  const canUndo = report.id !== null && !isUndone
  return (
    <>
      <section class="card tile">
        <header class="card-head">
          <h2>{isUndone ? "Taken back" : "The file is in"}</h2>
        </header>
        <Sums report={report} />
        <p class="row">
          <a class="button primary" href={href("leads", { sort: "updated_at", order: "desc" })}>
            Look at the leads
          </a>
          {canUndo && (
            <button
              type="button"
              onClick={() =>
                attempt(async () => {
                  say(await revert({ import_id: report.id ?? "" }))
                  setUndone(true)
                })
              }
            >
              <Icon name="undo" size={14} />
              Undo the import
            </button>
          )}
        </p>
      </section>
      <Problems report={report} file={file} />
    </>
  )
}

function Past() {
  const { data, again } = useLoaded(
    async (signal) => (await get<{ imports: ImportRecord[] }>("/imports", {}, signal)).imports,
    [],
  )
  const list = data ?? []
  if (list.length === 0) return null
  return (
    <section class="card tile">
      <header class="card-head">
        <h2>Earlier imports</h2>
      </header>
      <ul class="latest">
        {list.map((one) => (
          <li key={one.id}>
            <b>{one.name}</b>
            <span class="muted">
              {number(one.created)} created, {number(one.merged)} merged, {number(one.rejected)} rejected
            </span>
            <time class="muted" title={moment(one.created_at)}>
              {ago(one.created_at)}
            </time>
            <button
              type="button"
              class="link small"
              onClick={() =>
                attempt(async () => {
                  say(await revert({ import_id: one.id }))
                  again()
                })
              }
            >
              Undo
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
