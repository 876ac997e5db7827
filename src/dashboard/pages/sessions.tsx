import { remove } from "../core/api.ts"
import { ago, day, plural, roleName } from "../core/format.ts"
import { useFresh } from "../core/loading.ts"
import { signOut } from "../core/session.ts"
import { t, tx } from "../core/text.ts"
import { say } from "../core/toast.ts"
import type { ListedSession } from "../core/types.ts"
import { Ago, Button } from "../parts/bits.tsx"
import { Row, Things } from "../parts/things.tsx"

export default function Sessions() {
  const sessions = useFresh<ListedSession[]>("/sessions")
  async function end({ id, current }: ListedSession) {
    if (current) return signOut()
    await remove(`/sessions/${id}`)
    say(t("The session has ended"))
  }
  return (
    <Things
      title={t("Sessions")}
      loaded={sessions}
      count={({ length }) => t("{browsers} signed in", { browsers: plural(length, "browser") })}
      row={(session) => (
        <Row
          key={session.id}
          name={session.actor.kind === "code" ? t("This machine") : session.actor.name}
          tags={
            <>
              <span class="tag">{roleName(session.role)}</span>
              {session.current && <span class="tag here-tag">{t("this browser")}</span>}
            </>
          }
          note={tx("{browserOf}, signed in {time}, used {last_used_at}, ends {expires_at}", {
            browserOf: browserOf(session.agent),
            time: <Ago at={session.created_at} />,
            last_used_at: ago(session.last_used_at),
            expires_at: day(session.expires_at),
          })}
        >
          <Button
            label={session.current ? t("Sign out") : t("End")}
            class="small danger"
            aria-label={
              session.current ? t("Sign out") : t("End the session of {name}", { name: session.actor.name })
            }
            work={() => end(session)}
          />
        </Row>
      )}
    >
      <p class="muted">
        {t(
          "A session ends after 12 hours without use, after 30 days, and with the key or member that opened it.",
        )}
      </p>
    </Things>
  )
}

/** The common name of a browser, by its user agent. */
function browserOf(agent: string): string {
  const system = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(agent)?.[0]
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)/.exec(agent)?.[0]
  const names: Record<string, string> = { Edg: "Edge", OPR: "Opera", "Mac OS": "macOS" }
  const parts = [browser, system].filter((part) => part !== undefined).map((part) => names[part] ?? part)
  return parts.length === 0
    ? t("A program")
    : parts.length === 1
      ? parts[0]!
      : t("{browser} on {system}", { browser: parts[0], system: parts[1] })
}

import "../parts/fields.tsx"
