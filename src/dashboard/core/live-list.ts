// Keeps the table of leads as the leads are, without moving the rows that are being read.
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import type { Selection } from "./first-request.ts"
import type { LeadList } from "./lead-list.ts"
import { type LiveChange, useLive, useRefresh } from "./live.ts"
import type { Lead } from "./types.ts"

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
  const known = attributes.find((one) => one.name === name)
  const next = typeof value === "object" && "value" in value ? value : { value }
  return known
    ? attributes.map((one) => (one === known ? { ...known, ...next } : one))
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
