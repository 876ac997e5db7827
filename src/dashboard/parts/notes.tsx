import { useState } from "preact/hooks"
import { get, post, put, remove } from "../core/api.ts"
import { useLoaded } from "../core/loading.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { attempt } from "../core/toast.ts"
import type { Note } from "../core/types.ts"
import { authorName } from "./actors.ts"
import { Ago } from "./bits.tsx"
import { Button } from "./button.tsx"

interface Props {
  id: string
  count: number
  turn: number
  onChanged: () => void
}

/** The notes on a lead, newest first. */
export function Notes({ id, count, turn, onChanged }: Props) {
  const { data, again } = useLoaded(
    async (signal) => (await get<Note[]>(`/leads/${id}/notes`, {}, signal)).toReversed(),
    [id, count, turn],
  )
  const [edited, setEdited] = useState("")
  const notes = data ?? []
  function changed() {
    again()
    onChanged()
  }
  if (notes.length === 0 && !canWrite.value) return null
  return (
    <section class="panel-section">
      <h3>{t("Notes{more}", { more: count > 0 && ` (${count})` })}</h3>
      {canWrite.value && (
        <NoteForm
          label={t("New note")}
          onSave={async (content) => {
            await post(`/leads/${id}/notes`, { content })
            changed()
          }}
        />
      )}
      <ul class="notes">
        {notes.map((note) => (
          <li key={note.id}>
            {edited === note.id ? (
              <NoteForm
                label={t("Note")}
                text={note.content}
                onSave={async (content) => {
                  await put(`/notes/${note.id}`, { content })
                  setEdited("")
                  again()
                }}
              />
            ) : (
              <p class="note-text">{note.content}</p>
            )}
            <p class="note-foot">
              {note.author !== null && <span>{authorName(note.author)}</span>}
              <Ago at={note.created_at} />
              {canWrite.value && edited !== note.id && (
                <>
                  <Button label={t("Edit")} class="link" onClick={() => setEdited(note.id)} />
                  <Button
                    label={t("Delete")}
                    class="link"
                    work={async () => {
                      await remove(`/notes/${note.id}`)
                      changed()
                    }}
                  />
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface FormProps {
  label: string
  text?: string
  onSave: (content: string) => Promise<void>
}

function NoteForm({ label, text = "", onSave }: FormProps) {
  return (
    <form
      class="note-form"
      onSubmit={(event) => {
        event.preventDefault()
        const form = event.currentTarget
        const content = String(new FormData(form).get("content")).trim()
        if (content === "") return
        void attempt(async () => {
          await onSave(content)
          form.reset()
        })
      }}
    >
      <textarea
        name="content"
        aria-label={label}
        placeholder={t("Write a note")}
        rows={2}
        defaultValue={text}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
            event.currentTarget.form?.requestSubmit()
        }}
      />
      <button class="small">{t("Save note")}</button>
    </form>
  )
}
