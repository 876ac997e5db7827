import { useSignal } from "@preact/signals"
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks"
import { get, post } from "../core/api.ts"
import { type Field, fieldOf, leadValue } from "../core/filters.ts"
import { fieldsFor, selectionQuery } from "../core/first-request.ts"
import { formatNumber, plural, words } from "../core/format.ts"
import { useShortcuts } from "../core/keys.ts"
import { LeadList, useLiveRows } from "../core/lead-list.ts"
import { keepColumns, keepWidth, leadsView, widths } from "../core/leads-view.ts"
import { painted } from "../core/loading.ts"
import { go, href, place, query, setQuery } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { say, sayError } from "../core/toast.ts"
import type { Lead } from "../core/types.ts"
import { learnAttributeNames } from "../parts/attribute-names.ts"
import { Button, Empty, FailureNote } from "../parts/bits.tsx"
import { BulkBar } from "../parts/bulk-bar.tsx"
import { saveTyped } from "../parts/cell-editor.tsx"
import { cellsIn } from "../parts/cells.ts"
import { ColumnsMenu } from "../parts/columns-menu.tsx"
import { ExportDialog } from "../parts/export-dialog.tsx"
import { FormDialog, Input, type Sent } from "../parts/fields.tsx"
import { FilterBar } from "../parts/filter-bar.tsx"
import { Grid } from "../parts/grid.tsx"
import { Icon } from "../parts/icons.tsx"
import { LeadPanel } from "../parts/lead-panel.tsx"
import { LogKeys } from "../parts/log-contact.tsx"
import { openDialog } from "../parts/overlay.tsx"
import { PasteDialog } from "../parts/paste-dialog.tsx"
import { GroupList, GroupMenu, groupField, Views } from "../parts/views.tsx"

const DEBOUNCE_MS = 150

export default function Leads() {
  const [, id] = place.value
  return id ? <LeadPanel id={id} isWhole onClose={() => go(href("leads"))} /> : <LeadsTable />
}

function LeadsTable() {
  const list = useMemo(() => new LeadList(), [])
  const selected = useSignal<ReadonlySet<string>>(new Set())
  const { selection, columns: names } = leadsView(query.value)
  const { filter: filters, q, sort, order, segment } = selection
  const openId = query.value.get("lead") ?? ""
  const columns = names.map((name) => {
    const field = fieldOf(name)
    return { ...field, width: widths.value[name] ?? field.width }
  })
  const asked = JSON.stringify([selection, fieldsFor(names)])
  const reload = () => list.begin(selection, names)
  // Before anything is painted: the rows are what people wait for.
  useLayoutEffect(() => {
    void reload()
    selected.value = new Set()
  }, [asked])
  const fresh = useLiveRows(list, selection, reload)
  const hasRows = list.version.value > 0
  const isPainted = useSignal(false)
  useEffect(() => {
    if (!hasRows) return
    void painted().then(() => {
      isPainted.value = true
      return learnAttributeNames()
    })
  }, [hasRows])

  function showFresh() {
    if (sort === "created_at" && order === "DESC") void reload()
    else setQuery({ sort: "created_at", order: "desc" })
  }

  const active = useRef<Lead>(undefined)
  /** The lead whose row has the focus, else the one that is open. */
  function atHand(): Lead | undefined {
    const isOpen = openId !== "" && !document.activeElement?.matches(".grid")
    return isOpen ? list.rows.find(({ id }) => id === openId) : active.current
  }
  const search = useRef<HTMLInputElement>(null)
  function add() {
    if (canWrite.value) openDialog(<NewLeadDialog onMade={made} />)
  }
  function made({ id }: Lead) {
    void reload()
    setQuery({ lead: id })
  }
  const exportThem = () =>
    openDialog(<ExportDialog query={selectionQuery(selection)} columns={names} count={countText(list)} />)
  function clear() {
    selected.value = new Set()
  }
  useShortcuts([
    { keys: "/", about: t("Search leads"), run: () => search.current?.focus() },
    { keys: "n", about: t("New lead"), run: add },
    {
      keys: "Escape",
      about: t("Close the lead, or end the selection"),
      run: () => (openId ? setQuery({ lead: undefined }) : clear()),
    },
  ])

  function onSort(field: string) {
    const isSame = sort === field
    const next = isSame ? (order === "ASC" ? "desc" : "asc") : fieldOf(field).kind === "text" ? "asc" : "desc"
    setQuery({ sort: field, order: next })
  }

  const onEdit = (lead: Lead, field: Field, text: string) =>
    saveTyped({
      ...{ lead, field, text },
      before: leadValue(lead, field.name),
      said: t("{label} of {name} changed", { label: field.label, name: lead.name }),
      changed: (after) => list.patch(new Set([lead.id]), () => after),
    })

  const isFiltered = filters.length > 0 || q !== "" || segment !== ""
  const isEmpty = hasRows && list.rows.length === 0 && !list.isLoading.value
  return (
    <div class={`leads ${openId ? "with-panel" : ""}`}>
      <section class="leads-main" aria-label={t("Leads")}>
        <header class="head">
          <h1>{t("Leads")}</h1>
          <p class="head-note" role="status">
            {countText(list)}
          </p>
          {/* In a line that is there anyway: rows that are being read stay where they are. */}
          {fresh > 0 && (
            <p class="fresh" role="status">
              <Button class="link" onClick={showFresh}>
                {plural(fresh, "new lead")}: {t("show")}
              </Button>
            </p>
          )}
          <div class="head-actions">
            <Button class="quiet" aria-label={t("Export")} onClick={exportThem}>
              <Icon name="export" size={14} />
              <span class="wide-only">{t("Export")}</span>
            </Button>
            <ColumnsMenu
              columns={names}
              onChange={(columns) => {
                keepColumns(columns)
                setQuery({ columns: columns.join(",") }, "replace")
              }}
            />
            {canWrite.value && (
              <Button class="primary" aria-label={t("New lead")} onClick={add}>
                <Icon name="plus" size={14} />
                <span class="wide-only">{t("New lead")}</span>
              </Button>
            )}
          </div>
        </header>
        {isPainted.value && <Views selection={selection} />}
        <div class="bar">
          <SearchBox key="search" q={q} input={search} />
          <FilterBar filters={filters} onChange={(filter) => setQuery({ filter })} />
          <GroupMenu />
        </div>
        {isPainted.value && groupField() !== "" && <GroupList field={groupField()} selection={selection} />}
        {list.warnings.value.map((warning) => (
          <p class="warning" key={warning}>
            {/^No lead has all/.test(warning)
              ? t("No lead has all the words: these have most of them")
              : warning}
          </p>
        ))}
        {list.error.value !== undefined && (
          <FailureNote error={list.error.value} again={() => list.again()} />
        )}
        {isEmpty && !list.error.value ? (
          <Nothing isFiltered={isFiltered} onAdd={add} />
        ) : (
          <Grid
            list={list}
            columns={columns}
            sort={sort}
            order={order}
            onSort={onSort}
            onWidth={keepWidth}
            onMove={(name, to) => {
              const others = names.filter((one) => one !== name)
              const at = others.indexOf(to) + (names.indexOf(name) < names.indexOf(to) ? 1 : 0)
              const moved = others.toSpliced(at, 0, name)
              keepColumns(moved)
              setQuery({ columns: moved.join(",") }, "replace")
            }}
            onOpen={(lead) => setQuery({ lead: lead.id }, openId ? "replace" : "push")}
            onEdit={onEdit}
            onPaste={(text, leads, columns) =>
              openDialog(<PasteDialog pasted={{ cells: cellsIn(text), leads, columns }} onChanged={reload} />)
            }
            selected={selected}
            openId={openId}
            active={active}
          />
        )}
        {selected.value.size > 0 && canWrite.value && (
          <BulkBar
            ids={selected.value}
            selection={selection}
            total={list.total.value}
            onExport={exportThem}
            onClear={clear}
            onChanged={reload}
          />
        )}
      </section>
      {openId && (
        <LeadPanel
          key={openId}
          id={openId}
          onClose={() => setQuery({ lead: undefined })}
          onChanged={(lead) => list.patch(new Set([lead.id]), () => lead)}
          onDeleted={(id) => {
            list.drop(new Set([id]))
            setQuery({ lead: undefined })
          }}
        />
      )}
      <LogKeys
        find={atHand}
        onDone={(id) =>
          void get<Lead>(`/leads/${id}`).then((lead) => list.patch(new Set([id]), () => lead), sayError)
        }
      />
    </div>
  )
}

function countText(list: LeadList): string {
  const total = list.total.value
  list.version.value
  if (total !== undefined) return plural(total, "lead")
  if (list.rows.length === 0) return list.isLoading.value ? t("Loading…") : ""
  return `${formatNumber(list.rows.length)}${list.hasMore.value ? t(" or more") : ""}`
}

interface SearchProps {
  q: string
  input: { current: HTMLInputElement | null }
}

/** Searches while it is typed in, a moment after the last key. */
function SearchBox({ q, input }: SearchProps) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const look = (words: string) => setQuery({ q: words.trim(), sort: undefined, order: undefined }, "replace")
  useEffect(() => {
    // Back and forward change the address behind the field.
    if (input.current && document.activeElement !== input.current) input.current.value = q
  }, [q])
  return (
    <label class="search">
      <Icon name="search" size={14} />
      <span class="unseen">{t("Search leads")}</span>
      <input
        ref={input}
        type="search"
        defaultValue={q}
        placeholder={t("Search leads")}
        onInput={(event) => {
          clearTimeout(timer.current)
          const words = event.currentTarget.value
          timer.current = setTimeout(() => look(words), DEBOUNCE_MS)
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.stopPropagation()
            event.currentTarget.blur()
          }
          if (event.key === "Enter" || event.key === "ArrowDown") {
            event.preventDefault()
            document.querySelector<HTMLElement>(".grid")?.focus()
          }
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
  )
}

function Nothing({ isFiltered, onAdd }: { isFiltered: boolean; onAdd: () => void }) {
  if (isFiltered) {
    return (
      <Empty
        icon="filter"
        title={t("No lead matches")}
        text={t("Remove a filter, or search for other words.")}
      >
        <Button
          label={t("Show all leads")}
          onClick={() => setQuery({ filter: undefined, q: undefined, segment: undefined })}
        />
      </Empty>
    )
  }
  return (
    <Empty
      icon="leads"
      title={t("No leads yet")}
      text={t("Import a file, connect a program, or add a lead.")}
    >
      {canWrite.value && (
        <p class="actions">
          <a class="button primary" href={href("import")}>
            {t("Import a file")}
          </a>
          <Button label={t("New lead")} onClick={onAdd} />
          <a class="button" href={href("connect")}>
            {t("Connect a program")}
          </a>
        </p>
      )}
    </Empty>
  )
}

const MORE = ["email", "phone", "website", "city", "category"] as const

/** A lead written down by hand; one that is there already is filled up. */
function NewLeadDialog({ onMade }: { onMade: (lead: Lead) => void }) {
  async function make(sent: Sent) {
    const filled = [...sent].filter(([, value]) => String(value).trim() !== "")
    const made = await post<Lead & { duplicate?: boolean }>("/leads", Object.fromEntries(filled))
    say(
      made.duplicate
        ? t("{name} was there already: it was filled up", { name: made.name })
        : t("{name} created", { name: made.name }),
    )
    onMade(made)
  }
  return (
    <FormDialog title={t("New lead")} size="small" action={t("Create lead")} onSend={make}>
      <Input label={t("Name")} name="name" required maxLength={1000} />
      <Input
        label={t("Source")}
        hint={t("Where it comes from, such as a fair or a form.")}
        name="source"
        required
        defaultValue="manual"
        maxLength={1000}
      />
      {MORE.map((name) => (
        <Input key={name} label={words(name)} name={name} maxLength={1000} />
      ))}
    </FormDialog>
  )
}

import "../parts/table.ts"
