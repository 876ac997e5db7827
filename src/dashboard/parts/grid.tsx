// A table of any length: only the rows that are seen are there. It is used with the keys as a spreadsheet is.

import { type Signal, signal, useSignal } from "@preact/signals"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { fieldText } from "../core/field-text.ts"
import { type Field, leadValue } from "../core/filters.ts"
import { formatNumber } from "../core/format.ts"
import { isInSequence, isTyping } from "../core/keys.ts"
import type { LeadList } from "../core/lead-list.ts"
import { painted } from "../core/loading.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import type { Lead } from "../core/types.ts"
import { Button } from "./bits.tsx"
import { inputText, LeadCell } from "./cell.tsx"
import { CellEditor } from "./cell-editor.tsx"
import { textOf } from "./cells.ts"
import { Icon } from "./icons.tsx"

const NARROW = matchMedia("(max-width: 760px)")
const isNarrow = signal(NARROW.matches)
NARROW.addEventListener("change", ({ matches }) => {
  isNarrow.value = matches
})
/** Height of the head, and of a row where it is no card, in pixels. */
const HEAD = 36
/** Height of the cards that rows are on phones. */
const CARD = 96
/** Rows beyond the seen ones, so that a quick turn of the wheel shows no gap. */
const SPARE = 10
/** Height above the rows in pixels, until it is measured. */
const ABOVE = 160
/** Browsers give up on taller elements: rows beyond are reached at a scale. */
const HEIGHT_MAX = 12_000_000
/** How near the end the next page is asked for, in rows. */
const AHEAD = 150
const CHECK_WIDTH = 40

interface GridProps {
  list: LeadList
  columns: readonly Field[]
  sort: string
  order: "ASC" | "DESC"
  onSort: (field: string) => void
  onWidth: (name: string, width: number) => void
  /** Moves a column to the place of another. */
  onMove: (name: string, to: string) => void
  onOpen: (lead: Lead) => void
  onEdit: (lead: Lead, field: Field, text: string) => Promise<boolean>
  /** Takes a pasted text; `leads` are the selected ones, else those from the active cell on. */
  onPaste: (text: string, leads: readonly Lead[], columns: readonly Field[]) => void
  /** Ids. */
  selected: Signal<ReadonlySet<string>>
  /** The lead that is open beside the table. */
  openId: string
  /** Gets the lead of the active row. */
  active: { current: Lead | undefined }
}

export function Grid(props: GridProps) {
  const { list, columns, sort, order, onSort, onOpen, onEdit, selected, openId } = props
  const canSelect = canWrite.value
  list.version.value
  const { rows } = list
  const scroller = useRef<HTMLDivElement>(null)
  const top = useSignal(0)
  const [height, setHeight] = useState(innerHeight - ABOVE)
  const [isPainted, setPainted] = useState(false)
  const [active, setActive] = useState({ row: 0, column: 0 })
  const [editing, setEditing] = useState(false)
  /** The lead as it was when the edit began. */
  const begun = useRef<Lead>(undefined)
  const anchor = useRef(0)
  props.active.current = rows[active.row]
  const ROW = isNarrow.value ? CARD : HEAD
  const full = rows.length * ROW
  const tall = Math.min(full, HEIGHT_MAX)
  // Where the list is taller than browsers can show, a pixel of the scroll bar stands for more than one.
  const scale = tall === full ? 1 : (full - height) / (tall - height)
  const offset = top.value * scale
  const spare = isPainted ? SPARE : 0
  const first = Math.max(0, Math.floor(offset / ROW) - spare)
  const last = Math.min(rows.length, Math.ceil((offset + height) / ROW) + spare)
  const width = columns.reduce((sum, column) => sum + column.width, canSelect ? CHECK_WIDTH : 12)
  // Names are what is cut most often: they get what is left.
  const widest = (columns.find(({ name }) => name === "name") ?? columns.at(-1))?.name
  const template = [
    canSelect ? `${CHECK_WIDTH}px` : "12px",
    ...columns.map(({ name, width }) => (name === widest ? `minmax(${width}px, 1fr)` : `${width}px`)),
  ].join(" ")

  useLayoutEffect(() => {
    const element = scroller.current!
    // It is called at once, too, but after the layout that is made anyway.
    const watch = new ResizeObserver(() => setHeight(element.clientHeight))
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  const hasRows = rows.length > 0
  useEffect(() => {
    if (hasRows) void painted().then(opened)
    else setPainted(false)
  }, [hasRows])
  useEffect(() => {
    if (isPainted && last + AHEAD > rows.length) void list.more()
  }, [isPainted, last, rows.length, list.isLoading.value])

  function opened(): void {
    setPainted(true)
    const { activeElement: focused, body } = document
    // Where the way to the page was a link or a key; not while something else is used.
    const isFree = !focused || focused === body || focused.id === "main" || focused.closest("nav") !== null
    if (isFree) scroller.current?.focus({ preventScroll: true })
  }

  function move(row: number, column = active.column, extend = false) {
    const to = Math.max(0, Math.min(rows.length - 1, row))
    if (extend && canSelect) selectRange(anchor.current, to)
    else anchor.current = to
    setActive({ row: to, column: Math.max(0, Math.min(columns.length - 1, column)) })
    show(to)
  }

  function show(row: number) {
    const element = scroller.current!
    const head = isNarrow.value ? 0 : HEAD
    const from = (row * ROW) / scale
    if (from < element.scrollTop) element.scrollTop = from
    else if (from + ROW + head > element.scrollTop + element.clientHeight) {
      element.scrollTop = from + ROW + head - element.clientHeight
    }
  }

  function selectRange(from: number, to: number) {
    const ids = rows.slice(Math.min(from, to), Math.max(from, to) + 1).map(({ id }) => id)
    selected.value = new Set([...selected.value, ...ids])
  }

  function toggle(lead: Lead) {
    const next = new Set(selected.value)
    if (!next.delete(lead.id)) next.add(lead.id)
    selected.value = next
  }

  function toggleAll() {
    const isAll = selected.value.size >= rows.length
    selected.value = new Set(isAll ? [] : rows.map(({ id }) => id))
  }

  function edit() {
    const field = columns[active.column]
    const lead = rows[active.row]
    if (!canWrite.value || !field || !lead || field.isReadOnly) return
    begun.current = lead
    setEditing(true)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (editing || isTyping(event.target) || isInSequence(event)) return
    const page = Math.max(1, Math.floor(height / ROW) - 2)
    const { row, column } = active
    const lead = rows[row]
    const mod = event.metaKey || event.ctrlKey
    const shift = event.shiftKey
    const moves: Record<string, () => void> = {
      ArrowDown: () => move(row + 1, column, shift),
      ArrowUp: () => move(row - 1, column, shift),
      j: () => move(row + 1),
      k: () => move(row - 1),
      ArrowRight: () => move(row, column + 1),
      ArrowLeft: () => move(row, column - 1),
      PageDown: () => move(row + page, column, shift),
      PageUp: () => move(row - page, column, shift),
      Home: () => move(mod ? 0 : row, 0),
      End: () => move(mod ? rows.length - 1 : row, columns.length - 1),
      Enter: () => lead && onOpen(lead),
      F2: edit,
      e: edit,
      x: () => lead && canSelect && toggle(lead),
      " ": () => lead && canSelect && toggle(lead),
      a: () => mod && canSelect && selectRange(0, rows.length - 1),
    }
    const run = mod && !["a", "Home", "End"].includes(event.key) ? undefined : moves[event.key]
    if (!run || (event.key === "a" && !mod)) return
    event.preventDefault()
    event.stopPropagation()
    run()
  }

  /** The selected leads with all columns, else the active cell. */
  function onCopy(event: ClipboardEvent) {
    const lead = rows[active.row]
    const field = columns[active.column]
    if (editing || isTyping(event.target) || getSelection()?.toString() || !lead || !field) return
    const chosen = rows.filter(({ id }) => selected.value.has(id))
    const text = chosen.length > 0 ? textOf(chosen, columns, true) : textOf([lead], [field], false)
    event.clipboardData?.setData("text/plain", text)
    event.preventDefault()
  }

  function onPaste(event: ClipboardEvent) {
    const text = event.clipboardData?.getData("text/plain") ?? ""
    if (editing || isTyping(event.target) || !canWrite.value || text === "") return
    event.preventDefault()
    const chosen = rows.filter(({ id }) => selected.value.has(id))
    props.onPaste(text, chosen.length > 0 ? chosen : rows.slice(active.row), columns.slice(active.column))
  }

  const activeField = columns[active.column]
  return (
    <div
      class="grid"
      ref={scroller}
      role="grid"
      aria-label={t("Leads")}
      aria-rowcount={(list.total.value ?? rows.length) + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable={canSelect}
      aria-busy={list.isLoading.value}
      aria-activedescendant={rows[active.row] ? `cell-${active.row}-${active.column}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onCopy={onCopy}
      onPaste={onPaste}
      onScroll={(event) => {
        top.value = event.currentTarget.scrollTop
      }}
    >
      <div class="grid-head" role="rowgroup" style={{ minWidth: `${width}px` }}>
        <div class="grid-row" role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
          <div role="columnheader" class="grid-check">
            {canSelect ? (
              <input
                type="checkbox"
                tabIndex={-1}
                aria-label={t("Select all {rows} shown", { rows: formatNumber(rows.length) })}
                checked={rows.length > 0 && selected.value.size >= rows.length}
                onChange={toggleAll}
              />
            ) : (
              <span class="unseen">{t("Selected")}</span>
            )}
          </div>
          {columns.map((column) => (
            <HeadCell
              key={column.name}
              {...{ column, sort, order, onSort }}
              onWidth={props.onWidth}
              onMove={props.onMove}
            />
          ))}
        </div>
      </div>
      <div class="grid-body" role="rowgroup" style={{ height: `${tall}px`, minWidth: `${width}px` }}>
        {rows.slice(first, last).map((lead, i) => {
          const row = first + i
          const isActive = row === active.row
          const isListed = list.listed.value.has(lead.id)
          return (
            <div
              // By its place: other leads in it only change its texts.
              key={row}
              role="row"
              aria-rowindex={row + 2}
              aria-selected={canSelect ? selected.value.has(lead.id) : undefined}
              class={`grid-row ${selected.value.has(lead.id) ? "selected" : ""} ${lead.id === openId ? "open" : ""} ${isActive ? "active" : ""} ${"isGone" in lead ? "gone" : ""} ${isListed ? "listed" : ""}`}
              style={{
                gridTemplateColumns: template,
                transform: `translateY(${row * ROW - offset + top.value}px)`,
              }}
              onClick={(event) => {
                if (event.shiftKey && canSelect) selectRange(anchor.current, row)
                else anchor.current = row
              }}
            >
              <div role="gridcell" class="grid-check">
                {canSelect && (
                  <input
                    type="checkbox"
                    tabIndex={-1}
                    aria-label={t("Select {name}", { name: lead.name })}
                    checked={selected.value.has(lead.id)}
                    onChange={() => toggle(lead)}
                  />
                )}
              </div>
              {columns.map((column, at) => {
                const isHere = isActive && at === active.column
                return (
                  <div
                    key={column.name}
                    id={`cell-${row}-${at}`}
                    role="gridcell"
                    aria-colindex={at + 2}
                    class={`of-${column.kind} col-${column.name} ${isHere ? "here" : ""}`}
                    title={
                      isListed && (column.name === "email" || column.name === "phone")
                        ? t("Do not contact")
                        : fieldText(column.name, leadValue(lead, column.name)).slice(0, 200) || undefined
                    }
                    onClick={() => {
                      setActive({ row, column: at })
                      if (column.name === "name") onOpen(lead)
                    }}
                    onDblClick={edit}
                  >
                    {isHere && editing && activeField ? (
                      <CellEditor
                        key={lead.id}
                        field={activeField}
                        text={inputText(activeField, leadValue(lead, activeField.name))}
                        onDone={async (text) => {
                          const isKept =
                            text === undefined || (await onEdit(begun.current ?? lead, activeField, text))
                          if (isKept === false) return
                          setEditing(false)
                          scroller.current?.focus()
                        }}
                      />
                    ) : (
                      <LeadCell lead={lead} field={column} />
                    )}
                  </div>
                )
              })}
            </div>
          )
        })}
      </div>
    </div>
  )
}

const WIDTH_LEAST = 48
/** What a dragged head carries. */
const COLUMN = "application/x-leaddb-column"

interface HeadCellProps extends Pick<GridProps, "onWidth" | "onMove"> {
  column: Field
  sort: string
  order: "ASC" | "DESC"
  onSort: (field: string) => void
}

function HeadCell({ column, sort, order, onSort, onWidth, onMove }: HeadCellProps) {
  const { name, label, kind } = column
  const isSorted = sort === name
  const direction = order === "ASC" ? "ascending" : "descending"
  return (
    <div
      role="columnheader"
      class={`of-${kind}`}
      aria-sort={isSorted ? direction : "none"}
      draggable
      onDragStart={(event) => event.dataTransfer?.setData(COLUMN, name)}
      onDragOver={(event) => {
        if (event.dataTransfer?.types.includes(COLUMN)) event.preventDefault()
      }}
      onDrop={(event) => {
        const moved = event.dataTransfer?.getData(COLUMN) ?? ""
        if (moved !== "" && moved !== name) onMove(moved, name)
      }}
    >
      {kind === "tags" ? (
        label
      ) : (
        <Button class="sort" tabIndex={-1} onClick={() => onSort(name)}>
          {label}
          {isSorted && (
            <span class={`arrow ${order === "ASC" ? "up" : ""}`}>
              <Icon name="down" size={12} />
            </span>
          )}
        </Button>
      )}
      <span
        class="resize"
        aria-hidden="true"
        draggable
        onDragStart={(event) => {
          event.preventDefault()
          event.stopPropagation()
        }}
        onPointerDown={(event) => {
          event.preventDefault()
          event.currentTarget.setPointerCapture(event.pointerId)
          const from = event.clientX
          const before = event.currentTarget.parentElement?.offsetWidth ?? column.width
          const move = (moved: PointerEvent) =>
            onWidth(name, Math.max(WIDTH_LEAST, before + moved.clientX - from))
          const handle = event.currentTarget
          handle.addEventListener("pointermove", move)
          handle.addEventListener(
            "lostpointercapture",
            () => handle.removeEventListener("pointermove", move),
            {
              once: true,
            },
          )
        }}
      />
    </div>
  )
}
