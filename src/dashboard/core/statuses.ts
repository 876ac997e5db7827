// Names, order and colours of the statuses, as the account has set them.
import { signal } from "@preact/signals"
import { peek } from "./api.ts"
import { VALUE_NAMES } from "./filters.ts"
import { words } from "./format.ts"
import { t } from "./text.ts"
import type { Status, StatusLabel } from "./types.ts"
import { LEAD_STATUSES } from "./types.ts"

const KEPT = "leaddb-statuses"

/** As of the last visit until they are known. */
export const statuses = signal<readonly StatusLabel[]>(kept())

function kept(): readonly StatusLabel[] {
  try {
    const all = JSON.parse(localStorage.getItem(KEPT) ?? "")
    if (Array.isArray(all) && all.length === LEAD_STATUSES.length) return all
  } catch {
    // Not kept yet.
  }
  const colors = ["blue", "violet", "teal", "gray", "green"]
  return LEAD_STATUSES.map((value, position) => ({
    value,
    label: words(value),
    color: colors[position]!,
    position,
  }))
}

export function knowStatuses(all: readonly StatusLabel[]): void {
  statuses.value = all
  localStorage.setItem(KEPT, JSON.stringify(all))
}

export async function learnStatuses(): Promise<void> {
  await peek<StatusLabel[]>("/account/statuses").then(knowStatuses, () => {})
}

/** The values in the account's order. */
export const statusOrder = (): readonly Status[] => statuses.value.map(({ value }) => value)

export function statusName(value: string): string {
  const named = statuses.value.find((one) => one.value === value)?.label
  // Labels that nobody has changed are the English ones.
  return named === undefined ? words(value) : t(named)
}

export function statusColor(value: string): string {
  return statuses.value.find((one) => one.value === value)?.color ?? "gray"
}

VALUE_NAMES.status = statusName
