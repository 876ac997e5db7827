import { useState } from "preact/hooks"
import { remove } from "../core/api.ts"
import { KINDS, OUTCOMES } from "../core/contacting.ts"
import { useGet } from "../core/loading.ts"
import { ownId } from "../core/members.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import type { Activity, ActivityPage } from "../core/types.ts"
import { authorName } from "./actors.ts"
import { Ago } from "./bits.tsx"
import { Button } from "./button.tsx"

const STEP = 10
const MOST = 1_000

/** The contacts with a lead, newest first. */
export function ContactLog({ id, turn, onChanged }: { id: string; turn: number; onChanged: () => void }) {
  const [limit, setLimit] = useState(STEP)
  const { data, again } = useGet<ActivityPage>(`/leads/${id}/activities`, { limit }, [turn])
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
                    again()
                    onChanged()
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
