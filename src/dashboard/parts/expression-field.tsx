import { useRef, useState } from "preact/hooks"
import { post } from "../core/api.ts"
import { useDebounced } from "../core/loading.ts"
import { said } from "../core/said.ts"
import { t } from "../core/text.ts"

interface Props {
  value: string
  names: readonly string[]
  attributes: readonly string[]
  onInput: (value: string) => void
}

const FUNCTIONS = [
  "min(",
  "max(",
  "abs(",
  "round(",
  "floor(",
  "ceil(",
  "log(",
  "sqrt(",
  "contains(",
  "has(",
  "len(",
  "days_since(",
]
const DEBOUNCE_MS = 200
const OFFERED = 6

interface Checked {
  valid: boolean
  error?: { message: string; position: number }
}

/** The service's check of a formula, once typing pauses; undefined for an empty one. */
function useChecked(value: string): Checked | undefined {
  const [checked, setChecked] = useState<Checked>()
  const isEmpty = value.trim() === ""
  useDebounced(
    isEmpty ? 0 : DEBOUNCE_MS,
    (signal) => {
      if (isEmpty) return setChecked(undefined)
      post<Checked>("/scoring-rules/preview", { expression: value }).then(
        (answer) => !signal.aborted && setChecked(answer),
        () => {},
      )
    },
    [value],
  )
  return checked
}

/** A formula, checked by the language itself while it is typed, with names offered for the word at the caret. */
export function ExpressionField({ value, names, attributes, onInput }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  const checked = useChecked(value)
  const [offered, setOffered] = useState<string[]>([])
  const [at, setAt] = useState(0)

  function wordAtCaret(): string {
    const { selectionStart = 0, value = "" } = field.current ?? {}
    return /[a-z_][\w]*$/i.exec(value.slice(0, selectionStart))?.[0] ?? ""
  }

  function offer() {
    const word = wordAtCaret().toLowerCase()
    const safe = attributes.filter((name) => /^\w+$/.test(name)).map((name) => `attr_${name}`)
    const all = [...names, ...safe, ...FUNCTIONS]
    setOffered(
      word === "" ? [] : all.filter((name) => name.startsWith(word) && name !== word).slice(0, OFFERED),
    )
    setAt(0)
  }

  function take(name: string) {
    const element = field.current!
    const end = element.selectionStart
    const start = end - wordAtCaret().length
    element.setRangeText(name, start, end, "end")
    onInput(element.value)
    setOffered([])
    element.focus()
  }

  const problem = checked?.error
  return (
    <div class="expression">
      <label class="field">
        <span class="field-label">{t("Formula")}</span>
        <textarea
          ref={field}
          class="code-input"
          rows={3}
          required
          spellcheck={false}
          autocomplete="off"
          placeholder="rating >= 4.5 ? 25 : rating * 4"
          aria-describedby="expression-state"
          aria-invalid={problem !== undefined}
          value={value}
          onInput={(event) => {
            onInput(event.currentTarget.value)
            offer()
          }}
          onBlur={() => setOffered([])}
          onKeyDown={(event) => {
            if (offered.length === 0) return
            if (event.key === "ArrowDown") setAt((at + 1) % offered.length)
            else if (event.key === "ArrowUp") setAt((at + offered.length - 1) % offered.length)
            else if (event.key === "Tab" || event.key === "Enter") take(offered[at]!)
            else if (event.key === "Escape") setOffered([])
            else return
            event.preventDefault()
            event.stopPropagation()
          }}
        />
      </label>
      {offered.length > 0 && (
        <ul class="offers" role="listbox" aria-label={t("Names that fit")}>
          {offered.map((name, i) => (
            <li
              key={name}
              role="option"
              aria-selected={i === at}
              onMouseDown={(event) => {
                event.preventDefault()
                take(name)
              }}
            >
              {name}
            </li>
          ))}
        </ul>
      )}
      <div id="expression-state" class="expression-state" role="status">
        {problem && <Mistake value={value} message={problem.message} position={problem.position} />}
        {checked?.valid && <p class="fine">{t("The formula is fine.")}</p>}
      </div>
    </div>
  )
}

/** The formula with the place of its mistake marked. */
function Mistake({ value, message, position }: { value: string; message: string; position: number }) {
  const index = Math.min(Math.max(0, position - 1), value.length)
  return (
    <div class="mistake">
      <pre>
        {value.slice(Math.max(0, index - 40), index)}
        <mark>{value.slice(index, index + 1) || " "}</mark>
        {value.slice(index + 1, index + 40)}
      </pre>
      <p>{said(message)}</p>
    </div>
  )
}
