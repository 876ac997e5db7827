import { fieldText } from "../core/field-text.ts"
import { fieldOf, writeFilter } from "../core/filters.ts"
import { type Selection, selectionQuery } from "../core/first-request.ts"
import { formatNumber, shown } from "../core/format.ts"
import { useRefresh } from "../core/live.ts"
import { useGet } from "../core/loading.ts"
import { query, setQuery } from "../core/router.ts"
import { t } from "../core/text.ts"
import type { Groups } from "../core/types.ts"
import { Select } from "./fields.tsx"

const FIELDS = ["status", "stage", "city", "country", "category", "company_id", "source", "owner"]
const SHOWN = 30

/** The field that the table is grouped by; "" for none. */
export const groupField = () => {
  const field = query.value.get("group") ?? ""
  return FIELDS.includes(field) ? field : ""
}

/** Chooses the field by which the table is grouped: its leads are sorted by it. */
export function GroupMenu() {
  const field = groupField()
  return (
    <label class="wide-only">
      <span class="unseen">{t("Group by")}</span>
      <Select
        class="auto"
        value={field}
        options={[
          ["", t("No groups")],
          ...FIELDS.map(
            (name) =>
              [
                name,
                t("By {field}", { field: fieldOf(name === "company_id" ? "company" : name).label }),
              ] as const,
          ),
        ]}
        onChange={(value) => {
          const chosen = value
          setQuery({ group: chosen, sort: chosen, order: chosen === "" ? "" : "asc" })
        }}
      />
    </label>
  )
}

/** The groups with their counts; one of them shows its leads alone. */
export function GroupList({ field, selection }: { field: string; selection: Selection }) {
  const {
    sort_by: _,
    sort_order: __,
    ...chosen
  } = selectionQuery({ ...selection, sort: "" }) as Record<string, string | readonly string[]>
  const loaded = useGet<Groups>(
    "/leads/aggregate",
    { ...chosen, group_by: field, metrics: "count", limit: SHOWN },
    [JSON.stringify(chosen)],
  )
  useRefresh(loaded)
  const { groups = [], other } = loaded.data ?? {}
  if (groups.length === 0) return null
  return (
    <nav class="views" aria-label={t("Groups by {field}", { field: fieldOf(field).label })}>
      {groups.map((group) => {
        const value = group[field] ?? null
        const operator = value === null ? "is_empty" : "eq"
        const filter = writeFilter({ logic: "and", operator, field, value: shown(value) })
        return (
          <a
            key={filter}
            href={`?${new URLSearchParams([...query.value, ["filter", filter]])}`}
            onClick={(event) => {
              event.preventDefault()
              setQuery({ filter: [...selection.filter, filter] })
            }}
          >
            {nameOf(field, value)} <small>{formatNumber(Number(group.count))}</small>
          </a>
        )
      })}
      {other !== null && other !== undefined && Number(other.count) > 0 && (
        <span class="muted">{t("and {count} others", { count: formatNumber(Number(other.count)) })}</span>
      )}
    </nav>
  )
}

function nameOf(field: string, value: unknown): string {
  if (value === null) return t("none")
  return fieldText(field, value)
}
