import { useRef, useState } from "preact/hooks"
import { get, post, put, remove } from "../core/api.ts"
import { KINDS, OUTCOMES } from "../core/contacting.ts"
import { useGet, useLoaded } from "../core/loading.ts"
import { ownId } from "../core/members.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import type { Activity, ActivityPage, Note } from "../core/types.ts"
import { authorName } from "./actors.ts"
import { Ago, Button } from "./bits.tsx"
import { Form } from "./fields.tsx"
import { useShownLead } from "./shown-lead.ts"

/** The notes on a lead, newest first. */
export function Notes() {
  const { lead, turn, renew } = useShownLead()
  const { id, note_count: count } = lead
  const { data } = useLoaded(
    async (signal) => (await get<Note[]>(`/leads/${id}/notes`, {}, signal)).toReversed(),
    [id, count, turn],
  )
  const [edited, setEdited] = useState("")
  const notes = data ?? []
  if (notes.length === 0 && !canWrite.value) return null
  return (
    <section class="panel-section">
      <h3>{t("Notes{more}", { more: count > 0 && ` (${count})` })}</h3>
      {canWrite.value && (
        <NoteForm
          label={t("New note")}
          onSave={async (content) => {
            await post(`/leads/${id}/notes`, { content })
            renew()
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
                  renew()
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
                      renew()
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
  const form = useRef<HTMLFormElement>(null)
  return (
    <Form
      ref={form}
      class="note-form"
      staysOpen
      onSend={async (sent) => {
        const content = sent.text("content")
        if (content === "") return
        await onSave(content)
        form.current?.reset()
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
    </Form>
  )
}

const STEP = 10
const MOST = 1_000

/** The contacts with a lead, newest first. */
export function ContactLog() {
  const { lead, turn, renew } = useShownLead()
  const [limit, setLimit] = useState(STEP)
  const { data } = useGet<ActivityPage>(`/leads/${lead.id}/activities`, { limit }, [turn])
  if (!data || data.count === 0) return null
  return (
    <section class="panel-section">
      <h3>{t("Contacts")}</h3>
      <ul class="notes">
        {data.activities.map((one) => (
          <li key={one.id}>
            <p>
              <b>{KINDS[one.kind]}</b> {one.outcome && <span class="tag">{OUTCOMES[one.outcome]}</span>}
            </p>
            {one.text && <p class="note-text">{one.text}</p>}
            <p class="note-foot">
              <span>{authorOf(one)}</span>
              <Ago at={one.at} />
              {canWrite.value && (
                <Button
                  label={t("Delete")}
                  class="link"
                  work={async () => {
                    await remove(`/activities/${one.id}`)
                    renew()
                  }}
                />
              )}
            </p>
          </li>
        ))}
      </ul>
      {data.has_more && limit < MOST && (
        <Button label={t("Older")} class="link small" onClick={() => setLimit(MOST)} />
      )}
    </section>
  )
}

const authorOf = ({ author, member_id }: Activity) =>
  member_id !== null && member_id === ownId() ? t("You") : authorName(author)
