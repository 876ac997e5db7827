// The leads of a list as far as they have been read: pages of the API, one behind the other.
import { signal, useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { get, isAbort, peek, type Query } from "./api.ts"
import { fieldsFor, firstRows, type Selection, selectionQuery } from "./first-request.ts"
import { listedAmong } from "./listed.ts"
import { type LiveChange, useLive, useRefresh } from "./live.ts"
import { painted } from "./loading.ts"
import type { Lead, LeadPage } from "./types.ts"

const NEXT_PAGE = 500
/** Rows that are read again at most. */
const REFRESHED = 1_000

export class LeadList {
  /** Filled page by page; `version` says that it has changed. */
  rows: Lead[] = []
  readonly version = signal(0)
  readonly isLoading = signal(false)
  readonly isRefreshing = signal(false)
  readonly error = signal<unknown>(undefined)
  readonly hasMore = signal(true)
  /** All that match; undefined while it is not known. */
  readonly total = signal<number | undefined>(undefined)
  /** Those of the rows that are on the do-not-contact list. */
  readonly listed = signal<ReadonlySet<string>>(new Set())
  readonly warnings = signal<readonly string[]>([])
  /** Counts how often the list was read anew. */
  readonly begun = signal(0)
  /** Leads that this tab has deleted: the total goes without them already. */
  readonly dropped = new Set<string>()
  #selection: Selection | undefined
  #fields: readonly string[] = []
  #cursor: string | null = null
  #stop = new AbortController()

  /** Begins anew. What is shown stays until the first page is there. */
  async begin(selection: Selection, columns: readonly string[]): Promise<void> {
    this.#stop.abort()
    this.#stop = new AbortController()
    this.#selection = selection
    this.#fields = fieldsFor(columns)
    this.#cursor = null
    this.total.value = undefined
    this.isLoading.value = false
    const { signal } = this.#stop
    await this.#read(true)
    // The rows are what people wait for.
    await painted()
    if (!signal.aborted) void this.#count(selection, signal)
  }

  async more(): Promise<void> {
    if (this.isLoading.value || !this.hasMore.value || this.error.value) return
    await this.#read(false)
  }

  again(): Promise<void> {
    return this.#read(this.rows.length === 0)
  }

  async #read(isFirst: boolean): Promise<void> {
    const { signal } = this.#stop
    this.isLoading.value = true
    this.error.value = undefined
    try {
      const page = await get<LeadPage>("/leads", this.#query(isFirst), signal)
      const rows = page.leads.map((lead) => this.#slim(lead))
      if (isFirst) this.begun.value++
      this.rows = isFirst ? rows : this.rows.concat(rows)
      this.#cursor = page.next_cursor
      this.hasMore.value = page.has_more
      this.warnings.value = page.warnings ?? []
      if (!page.has_more) this.total.value = this.rows.length
      this.version.value++
      void this.#look(signal)
    } catch (error) {
      if (isAbort(error)) return
      this.error.value = error
    }
    if (!signal.aborted) this.isLoading.value = false
  }

  #query(isFirst: boolean): Query {
    const first = firstRows(this.#selection!, this.#fields)
    if (isFirst || !this.#cursor) return first
    return { ...first, limit: NEXT_PAGE, cursor: this.#cursor }
  }

  /** Only what is shown stays in memory: lists grow long. */
  #slim(lead: Lead): Lead {
    const slim: Record<string, unknown> = { id: lead.id }
    const whole = lead as unknown as Record<string, unknown>
    for (const field of this.#fields) if (field in whole) slim[field] = whole[field]
    if (this.#fields.some((field) => field.startsWith("attr:"))) slim.attributes = lead.attributes
    return slim as unknown as Lead
  }

  async #count(selection: Selection, signal: AbortSignal): Promise<void> {
    if (this.total.value !== undefined || this.error.value) return
    try {
      const total = await countOf(selection, signal)
      if (!signal.aborted) this.total.value ??= total
    } catch {
      // Only a number is missing.
    }
  }

  /** Counts anew. Resolves to how many more leads there are; 0 where that is not known, or the list is another by then. */
  async recount(): Promise<number> {
    const { signal } = this.#stop
    const before = this.total.value
    const total = await countOf(this.#selection!, signal).catch(() => undefined)
    if (signal.aborted || total === undefined || before === undefined) return 0
    this.total.value = total
    return total - before
  }

  /** Reads again what the rows show, each in its place. */
  async refresh(): Promise<void> {
    const { signal } = this.#stop
    if (this.rows.length === 0) return
    const query = {
      ...firstRows(this.#selection!, this.#fields),
      limit: Math.min(REFRESHED, this.rows.length),
    }
    this.isRefreshing.value = true
    const page = await peek<LeadPage>("/leads", query, signal).catch(() => undefined)
    this.isRefreshing.value = false
    if (signal.aborted || !page) return
    const fresh = new Map(page.leads.map((lead) => [lead.id, this.#slim(lead)]))
    this.patch(new Set(fresh.keys()), ({ id }) => fresh.get(id)!)
    void this.#look(signal)
  }

  /** Looks which of the rows must not be contacted, once they are seen. */
  async #look(signal: AbortSignal): Promise<void> {
    await painted()
    if (signal.aborted || this.rows.length === 0) return
    const listedNow = await listedAmong(this.rows.slice(0, REFRESHED)).catch(() => undefined)
    if (!signal.aborted && listedNow) this.listed.value = listedNow
  }

  /** Puts what has changed into the rows that are shown. */
  patch(ids: ReadonlySet<string>, change: (lead: Lead) => Lead): void {
    this.rows = this.rows.map((lead) => (ids.has(lead.id) ? change(lead) : lead))
    this.version.value++
  }

  drop(ids: ReadonlySet<string>): void {
    this.rows = this.rows.filter(({ id }) => !ids.has(id))
    for (const id of ids) this.dropped.add(id)
    if (this.total.value !== undefined) this.total.value -= ids.size
    this.version.value++
  }
}

/** How many leads a selection has. */
async function countOf(selection: Selection, signal?: AbortSignal): Promise<number | undefined> {
  const { sort_by: _, sort_order: __, ...query } = selectionQuery(selection)
  return (await peek<LeadPage>("/leads", { ...query, total: true, limit: 1, fields: "name" }, signal)).total
}

// Keeps the table of leads as the leads are, without moving the rows that are being read.

const RECOUNT_MS = 1_000
const PATIENCE = 10

/** A lead as it is after a change; `isGone` marks a deleted one, whose row stays until the list is read again. */
function applied(lead: Lead, { action, diff }: LiveChange): Lead {
  if (action === "deleted") return { ...lead, isGone: true } as Lead
  const after: Record<string, unknown> = { ...lead }
  for (const [name, [, value]] of Object.entries(diff)) {
    if (name.startsWith("attr:")) after.attributes = attributesWith(after.attributes, name.slice(5), value)
    else if (name in lead) after[name] = value
  }
  return after as unknown as Lead
}

function attributesWith(attributes: unknown, name: string, value: unknown): unknown {
  if (!Array.isArray(attributes)) return attributes
  const others = attributes.filter((one) => one.name !== name)
  if (value === null || value === undefined) return others
  const attribute = attributes.find((one) => one.name === name)
  const next = typeof value === "object" && "value" in value ? value : { value }
  return attribute
    ? attributes.map((one) => (one === attribute ? { ...attribute, ...next } : one))
    : [...others, { id: "", name, type: "text", ...next }]
}

/**
 * Puts changes into the rows of a list. Returns how many new leads the list does not show; `reload` is called where
 * there is nothing that could move, and after a gap.
 */
export function useLiveRows(list: LeadList, selection: Selection, reload: () => void): number {
  const isWhole = selection.filter.length === 0 && selection.q === "" && selection.segment === ""
  const fresh = useSignal(0)
  const created = useRef(new Set<string>())
  const counting = useRef<{ timer?: ReturnType<typeof setTimeout> | undefined; next: number }>({ next: 0 })
  const begun = list.begun.value
  useEffect(() => {
    created.current.clear()
    fresh.value = 0
  }, [begun])
  useEffect(() => () => clearTimeout(counting.current.timer), [])

  function recount(): void {
    const { current } = counting
    if (current.timer !== undefined) return
    current.timer = setTimeout(
      async () => {
        const from = performance.now()
        const more = await list.recount()
        current.next = performance.now() + Math.max(RECOUNT_MS, (performance.now() - from) * PATIENCE)
        current.timer = undefined
        fresh.value = Math.max(0, fresh.value + more)
      },
      Math.max(0, current.next - performance.now()),
    )
  }

  useRefresh({ again: () => void list.refresh(), isLoading: list.isRefreshing.value }, () => false)
  useLive(({ changes, hasGap }) => {
    if (hasGap || list.rows.length === 0) {
      if (!list.isLoading.value) reload()
      return
    }
    patchRows(list, changes)
    if (!isWhole || list.isLoading.value) return recount()
    const shown = new Set(list.rows.map(({ id }) => id))
    let total = 0
    for (const { action, lead_id } of changes) {
      if (action === "created" && !shown.has(lead_id) && !created.current.has(lead_id)) {
        created.current.add(lead_id)
        total++
      }
      if (action === "deleted" && (created.current.delete(lead_id) || !list.dropped.has(lead_id))) total--
    }
    fresh.value = created.current.size
    if (list.total.value !== undefined) list.total.value += total
  })
  return fresh.value
}

function patchRows(list: LeadList, changes: readonly LiveChange[]): void {
  const byLead = new Map<string, LiveChange[]>()
  for (const change of changes) byLead.set(change.lead_id, [...(byLead.get(change.lead_id) ?? []), change])
  const ids = new Set(list.rows.flatMap(({ id }) => (byLead.has(id) ? [id] : [])))
  if (ids.size > 0) list.patch(ids, (lead) => byLead.get(lead.id)!.reduce(applied, lead))
}
