import { post, put, remove } from "../core/api.ts"
import { phraseOf } from "../core/filters.ts"
import { type Selection, selectionQuery } from "../core/first-request.ts"
import { formatNumber } from "../core/format.ts"
import { useGet } from "../core/loading.ts"
import { go, href, query } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { say } from "../core/toast.ts"
import type { SavedSegment } from "../core/types.ts"
import { Button, Loaded } from "./bits.tsx"
import { Form, Input } from "./fields.tsx"
import { Dialog, useDialog } from "./overlay.tsx"

/** The address of what a view chooses, to be changed there. */
function selectionAddress({ filter, q }: SavedSegment): Record<string, string | string[]> {
  return { filter, ...(q && { q }) }
}

/** Saved views: segments of the account, each with an address of its own. */
export function Views({ selection }: { selection: Selection }) {
  const { data: segments = [], again } = useGet<SavedSegment[]>("/segments")
  const [dialog, open] = useDialog()
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
                  onClick={() => open(<Loaded load={shareList} props={{ segment: one }} />)}
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
          onClick={() => open(<SaveView selection={selection} onSaved={again} />)}
        />
      )}
      {dialog}
    </nav>
  )
}

const shareList = () => import("./share-list.tsx").then(({ ShareList }) => ShareList)

function SaveView({ selection, onSaved }: { selection: Selection; onSaved: () => void }) {
  return (
    <Dialog title={t("Save this view")} size="small">
      <Form
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
      </Form>
    </Dialog>
  )
}
