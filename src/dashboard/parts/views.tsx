import { post, put, remove } from "../core/api.ts"
import { fieldText } from "../core/field-text.ts"
import { fieldOf, phraseOf, writeFilter } from "../core/filters.ts"
import { type Selection, selectionQuery } from "../core/first-request.ts"
import { formatNumber, shown } from "../core/format.ts"
import { useRefresh } from "../core/live.ts"
import { useGet } from "../core/loading.ts"
import { go, href, query, setQuery } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { say } from "../core/toast.ts"
import type { Groups, SavedSegment } from "../core/types.ts"
import { Button, Loaded } from "./bits.tsx"
import { type Choice, FormDialog, Input, Select } from "./fields.tsx"
import { openDialog } from "./overlay.tsx"

/** The address of what a view chooses, to be changed there. */
function selectionAddress({ filter, q }: SavedSegment): Record<string, string | string[]> {
  return { filter, ...(q && { q }) }
}

/** Saved views: segments of the account, each with an address of its own. */
export function Views({ selection }: { selection: Selection }) {
  const { data: segments = [], again } = useGet<SavedSegment[]>("/segments")
  const { filter, q, segment } = selection
  const canSave = canWrite.value && segment === "" && (filter.length > 0 || q !== "")
  const shown = segments.find(({ id }) => id === segment)
  const edited = segments.find(({ id }) => id === query.value.get("of"))
  if (segments.length === 0 && !canSave) return null
  return (
    <nav class="views" aria-label={t("Saved views")}>
      <a
        href={href("leads")}
        aria-current={segment === "" && filter.length === 0 && q === "" ? "page" : undefined}
      >
        {t("All")}
      </a>
      {segments.map((one) => {
        const { id, name, count } = one
        return (
          <span class="view" key={id}>
            <a href={href("leads", { segment: id })} aria-current={segment === id ? "page" : undefined}>
              {name}
              <small>{formatNumber(count)}</small>
            </a>
            {segment === id && canWrite.value && (
              <>
                <Button
                  icon="connect"
                  size={12}
                  class="quiet square"
                  aria-label={t("Share list {name}", { name })}
                  title={t("Share list")}
                  onClick={() => openDialog(<Loaded load={shareList} props={{ segment: one }} />)}
                />
                <Button
                  icon="close"
                  size={12}
                  class="quiet square"
                  aria-label={t("Delete view {name}", { name })}
                  work={async () => {
                    await remove(`/segments/${id}`)
                    say(t("View {name} deleted", { name }))
                    go(href("leads"))
                    again()
                  }}
                />
              </>
            )}
          </span>
        )
      })}
      {shown && (
        <a href={href("leads", { ...selectionAddress(shown), of: shown.id })}>
          {[...shown.filter.map(phraseOf), shown.q && `“${shown.q}”`].filter(Boolean).join(", ")}{" "}
          <small>{t("Edit filters")}</small>
        </a>
      )}
      {canSave && edited && (
        <Button
          label={t("Save as {name}", { name: edited.name })}
          class="quiet"
          work={async () => {
            await put(`/segments/${edited.id}`, { q: null, ...selectionQuery(selection) })
            say(t("View {name} saved", { name: edited.name }))
            go(href("leads", { segment: edited.id }))
            again()
          }}
        />
      )}
      {canSave && (
        <Button
          icon="plus"
          size={12}
          label={t("Save view")}
          class="quiet"
          onClick={() => openDialog(<SaveView selection={selection} onSaved={again} />)}
        />
      )}
    </nav>
  )
}

const shareList = () => import("./share-list.tsx").then(({ ShareList }) => ShareList)

function SaveView({ selection, onSaved }: { selection: Selection; onSaved: () => void }) {
  return (
    <FormDialog
      title={t("Save this view")}
      size="small"
      action={t("Save view")}
      onSend={async (sent) => {
        const body = { name: sent.get("name"), ...selectionQuery(selection) }
        const { id } = await post<SavedSegment>("/segments", body)
        onSaved()
        go(href("leads", { segment: id }))
      }}
    >
      <Input
        label={t("Name")}
        hint={t("Everybody of the account sees it; its address can be sent on.")}
        name="name"
        required
        maxLength={200}
      />
    </FormDialog>
  )
}

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
            (name): Choice => [
              name,
              t("By {field}", { field: fieldOf(name === "company_id" ? "company" : name).label }),
            ],
          ),
        ]}
        onChange={(value) => setQuery({ group: value, sort: value, order: value === "" ? "" : "asc" })}
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
