import { get, remove } from "../core/api.ts"
import { ago, day, moment, plural, roleName } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { signOut } from "../core/session.ts"
import { t, tx } from "../core/text.ts"
import { attempt, say } from "../core/toast.ts"
import type { ListedSession } from "../core/types.ts"
import { FailureNote, Head } from "../parts/bits.tsx"
import { Button } from "../parts/button.tsx"

export default function Sessions() {
  const { data, error, again } = useLoaded((signal) => get<ListedSession[]>("/sessions", {}, signal), [])
  const list = data ?? []
  return (
    <div class="page narrow">
      <Head
        title={t("Sessions")}
        note={data ? t("{browsers} signed in", { browsers: plural(list.length, "browser") }) : ""}
      />
      {error !== undefined && <FailureNote error={error} again={again} />}
      <ul class="card rows">
        {list.map((session) => (
          <li key={session.id}>
            <div class="row-main">
              <p>
                <b>{session.actor.kind === "code" ? t("This machine") : session.actor.name}</b>{" "}
                <span class="tag">{roleName(session.role)}</span>
                {session.current && <span class="tag here-tag">{t("this browser")}</span>}
              </p>
              <p class="muted">
                {tx("{browserOf}, signed in {time}, used {last_used_at}, ends {expires_at}", {
                  browserOf: browserOf(session.agent),
                  time: <time title={moment(session.created_at)}>{ago(session.created_at)}</time>,
                  last_used_at: ago(session.last_used_at),
                  expires_at: day(session.expires_at),
                })}
              </p>
            </div>
            <Button
              label={session.current ? t("Sign out") : t("End")}
              class="small danger"
              aria-label={
                session.current ? t("Sign out") : t("End the session of {name}", { name: session.actor.name })
              }
              onClick={() =>
                session.current
                  ? signOut()
                  : attempt(async () => {
                      await remove(`/sessions/${session.id}`)
                      say(t("The session has ended"))
                      again()
                    })
              }
            />
          </li>
        ))}
      </ul>
      <p class="muted">
        {t(
          "A session ends after 12 hours without use, after 30 days, and with the key or member that opened it.",
        )}
      </p>
    </div>
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
