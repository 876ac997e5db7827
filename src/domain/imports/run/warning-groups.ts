// The warnings of a dry run by kind, column and value, so that what many rows have in common is told once.

import type { WarningKind } from "../cells/values.ts"
import type { ImportWarning } from "../convert/draft.ts"

/** Warnings of one kind in one column; `value` is null where their values differ. */
interface WarningGroup {
  kind: WarningKind
  column: string
  value: string | null
  count: number
  /** Line and message of the first. */
  line: number
  message: string
}

export interface WarningGroups {
  add(warning: ImportWarning): void
  /** Commonest first. */
  list(): WarningGroup[]
}

const GROUPS_MAX = 200
/** Kinds of which a single value can be mapped to another. */
const BY_VALUE: ReadonlySet<WarningKind> = new Set<WarningKind>(["status_kept", "kept_as_text", "left_out"])

export function warningGroups(): WarningGroups {
  const groups = new Map<string, WarningGroup>()
  function add({ kind, column, value, line, message }: ImportWarning): void {
    const own = BY_VALUE.has(kind) ? value : null
    const key = JSON.stringify([kind, column, own])
    const whole = JSON.stringify([kind, column, null])
    const group = groups.get(key) ?? (groups.size < GROUPS_MAX ? undefined : groups.get(whole))
    if (group) {
      group.count++
      return
    }
    // Values beyond the bound count with their column, and columns beyond the next one in the summary alone.
    const isKept = groups.size < GROUPS_MAX
    if (groups.size >= 2 * GROUPS_MAX) return
    groups.set(isKept ? key : whole, { kind, column, value: isKept ? own : null, count: 1, line, message })
  }
  return { add, list: () => [...groups.values()].toSorted((a, b) => b.count - a.count) }
}
