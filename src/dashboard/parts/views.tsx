import { useState } from "preact/hooks"
import { get, post, put, remove } from "../core/api.ts"
import { phrase, readFilter } from "../core/filters.ts"
import { type Selection, selectionQuery } from "../core/first-request.ts"
import { formatNumber } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { go, href, query } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { attempt, say } from "../core/toast.ts"
import type { SavedSegment } from "../core/types.ts"
import { Button } from "./button.tsx"
import { Input } from "./fields.tsx"
import { Loaded } from "./loaded.tsx"
import { Dialog } from "./overlay.tsx"

/** The address of what a view chooses, to be changed there. */
function selectionAddress({ filter, q }: SavedSegment): Record<string, string | string[]> {
  return { filter, ...(q && { q }) }
}

const phraseOf = (text: string) => {
  const filter = readFilter(text)
  return filter ? phrase(filter) : text
}

/** Saved views: segments of the account, each with an address of its own. */
export function Views({ selection }: { selection: Selection }) {
  const { data: segments = [], again } = useLoaded(
    (signal) => get<SavedSegment[]>("/segments", {}, signal),
    [],
  )
  const [isSaving, setSaving] = useState(false)
  const [sharing, setSharing] = useState<SavedSegment>()
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
      {segments.map(({ id, name, count }) => (
        <span class="view" key={id}>
          <a href={href("leads", { segment: id })} aria-current={segment === id ? "page" : undefined}>
            {name}
            <small>{formatNumber(count)}</small>
          </a>
          {segment === id && canWrite.value && (
            <Button
              icon="connect"
              size={12}
              class="quiet square"
              aria-label={t("Share list {name}", { name })}
              title={t("Share list")}
              onClick={() => setSharing(segments.find((one) => one.id === id))}
            />
          )}
          {segment === id && canWrite.value && (
            <Button
              icon="close"
              size={12}
              class="quiet square"
              aria-label={t("Delete view {name}", { name })}
              onClick={() =>
                attempt(async () => {
                  await remove(`/segments/${id}`)
                  say(t("View {name} deleted", { name }))
                  go(href("leads"))
                  again()
                })
              }
            />
          )}
        </span>
      ))}
      {shown && (
        <a href={href("leads", { ...selectionAddress(shown), of: shown.id })}>
          {[...shown.filter.map((one) => phraseOf(one)), shown.q && `“${shown.q}”`]
            .filter(Boolean)
            .join(", ")}{" "}
          <small>{t("Edit filters")}</small>
        </a>
      )}
      {canSave && edited && (
        <Button
          label={t("Save as {name}", { name: edited.name })}
          class="quiet"
          onClick={() =>
            attempt(async () => {
              await put(`/segments/${edited.id}`, { q: null, ...selectionQuery(selection) })
              say(t("View {name} saved", { name: edited.name }))
              go(href("leads", { segment: edited.id }))
              again()
            })
          }
        />
      )}
      {canSave && (
        <Button icon="plus" size={12} label={t("Save view")} class="quiet" onClick={() => setSaving(true)} />
      )}
      {sharing && (
        <Loaded
          load={() => import("./share-list.tsx").then(({ ShareList }) => ShareList)}
          props={{ segment: sharing, onClose: () => setSharing(undefined) }}
        />
      )}
      {isSaving && (
        <Dialog title={t("Save this view")} size="small" onClose={() => setSaving(false)}>
          <form
            class="stack"
            onSubmit={(event) => {
              event.preventDefault()
              const name = String(new FormData(event.currentTarget).get("name"))
              void attempt(async () => {
                const { id } = await post<SavedSegment>("/segments", { name, ...selectionQuery(selection) })
                setSaving(false)
                again()
                go(href("leads", { segment: id }))
              })
            }}
          >
            <Input
              label={t("Name")}
              hint={t("Everybody of the account sees it; its address can be sent on.")}
              name="name"
              required
              maxLength={200}
            />
            <button class="primary">{t("Save view")}</button>
          </form>
        </Dialog>
      )}
    </nav>
  )
}
