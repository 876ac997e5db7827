import { useEffect, useState } from "preact/hooks"
import { get, isAbort } from "../core/api.ts"
import { plural } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { go, href } from "../core/router.ts"
import { t } from "../core/text.ts"
import { attempt, sayError } from "../core/toast.ts"
import type { ImportReport, SavedMapping } from "../core/types.ts"
import { Labelled } from "../parts/bits.tsx"
import { keepFile } from "./kept-file.ts"
import { Mapping } from "./mapping.tsx"
import { PlannedMerges } from "./merges.tsx"
import { Problems, Recognised, Sums } from "./report.tsx"
import { begin, type Choices, NO_CHOICES, previewImport } from "./sending.ts"

const DEBOUNCE_MS = 250

const SELECTS = [
  [
    "on_duplicate",
    t("If the lead already exists"),
    [
      ["ask", t("update it, ask if unsure")],
      ["overwrite", t("update it")],
      ["fill", t("fill its empty fields")],
      ["skip", t("skip the row")],
    ],
  ],
  [
    "tags",
    t("Tags on existing leads"),
    [
      ["", t("add the row's tags")],
      ["replace", t("replace them")],
    ],
  ],
  [
    "unknown",
    t("Unmatched columns"),
    [
      ["", t("save as attributes")],
      ["ignore", "ignore"],
      ["refuse", t("reject the file")],
    ],
  ],
  [
    "decimal",
    t("Decimal sign"),
    [
      ["", "detect"],
      ["dot", "a dot"],
      ["comma", "a comma"],
    ],
  ],
] as const

/** A dry run of the import, again whenever a choice changes. */
function usePreview(file: File, choices: Choices) {
  const [report, setReport] = useState<ImportReport>()
  const [isBusy, setBusy] = useState(false)
  const { save_mapping: _, ...read } = choices
  useEffect(() => {
    const stop = new AbortController()
    setBusy(true)
    const timer = setTimeout(() => {
      previewImport(file, choices, stop.signal).then(
        (answer) => {
          setReport(answer)
          setBusy(false)
        },
        (error) => {
          if (isAbort(error)) return
          sayError(error)
          setBusy(false)
        },
      )
    }, DEBOUNCE_MS)
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [JSON.stringify(read)])
  return { report, isBusy, setBusy }
}

/** Shows what an import of the file would do, with its choices, and starts it. */
export function Review({ file }: { file: File }) {
  const [choices, setChoices] = useState<Choices>({ ...NO_CHOICES, source: file.name.replace(/\.\w+$/, "") })
  const { report, isBusy, setBusy } = usePreview(file, choices)
  const mappings = useLoaded((signal) => get<SavedMapping[]>("/import-mappings", {}, signal), [])
  const change = (changes: Partial<Choices>) => setChoices({ ...choices, ...changes })
  async function run() {
    setBusy(true)
    await attempt(async () => {
      const { id } = await begin(file, choices)
      keepFile(id, file)
      go(href("import", { import: id }))
    })
    setBusy(false)
  }
  if (!report)
    return <p class="muted">{isBusy ? t("Looking at the file…") : t("The file could not be read.")}</p>
  const rows = report.total - report.rejected
  return (
    <>
      <section class="card tile" aria-busy={isBusy}>
        <Sums report={report} />
        <Recognised report={report} />
        <div class="form-row">
          <Labelled label={t("Default source")}>
            <input
              value={choices.source}
              maxLength={1000}
              onChange={(event) => change({ source: event.currentTarget.value })}
            />
          </Labelled>
          {SELECTS.map(([name, label, options]) => (
            <Labelled key={name} label={label}>
              <select
                value={choices[name]}
                onChange={(event) => change({ [name]: event.currentTarget.value })}
              >
                {options.map(([value, words]) => (
                  <option key={value} value={value}>
                    {words}
                  </option>
                ))}
              </select>
            </Labelled>
          ))}
          {(mappings.data?.length ?? 0) > 0 && (
            <Labelled label={t("Saved mapping")}>
              <select
                value={choices.mapping}
                onChange={(event) => {
                  const mapping = event.currentTarget.value
                  const options = mappings.data?.find(({ name }) => name === mapping)?.options
                  change({
                    mapping,
                    map: {},
                    on_duplicate: String(options?.on_duplicate ?? NO_CHOICES.on_duplicate),
                  })
                }}
              >
                <option value="">{t("none")}</option>
                {mappings.data?.map(({ name }) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </select>
            </Labelled>
          )}
          <Labelled label={t("Save this mapping (optional)")}>
            <input
              value={choices.save_mapping}
              maxLength={1000}
              onChange={(event) => change({ save_mapping: event.currentTarget.value.trim() })}
            />
          </Labelled>
          <button type="button" class="primary" disabled={isBusy || rows === 0} onClick={run}>
            {isBusy ? t("Working…") : t("Import {rows}", { rows: plural(rows, "row") })}
          </button>
        </div>
      </section>
      <Mapping
        columns={report.columns}
        onMap={(column, target) => {
          // A mapping that is kept holds for all columns or for none: with one of them changed all are said.
          const kept = report.mapping ? report.columns.map(({ column, target }) => [column, target]) : []
          change({ map: { ...Object.fromEntries(kept), ...choices.map, [column]: target } })
        }}
      />
      <PlannedMerges report={report} />
      <Problems report={report} file={file} />
    </>
  )
}
