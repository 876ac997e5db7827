import { get, remove } from "../core/api.ts"
import { ago, day, moment, plural, words } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { signOut } from "../core/session.ts"
import { attempt, say } from "../core/toast.ts"
import type { ListedSession } from "../core/types.ts"
import { FailureNote, Head } from "../parts/bits.tsx"

export default function Sessions() {
  const { data, error, again } = useLoaded((signal) => get<ListedSession[]>("/sessions", {}, signal), [])
  const list = data ?? []
  return (
    <div class="page narrow">
      <Head title="Sessions" note={data ? `${plural(list.length, "browser")} signed in` : ""} />
      {error !== undefined && <FailureNote error={error} again={again} />}
      <ul class="card rows">
        {list.map((session) => (
          <li key={session.id}>
            <div class="row-main">
              <p>
                <b>{session.actor.kind === "code" ? "This machine" : session.actor.name}</b>{" "}
                <span class="tag">{words(session.role)}</span>
                {session.current && <span class="tag here-tag">this browser</span>}
              </p>
              <p class="muted">
                {browserOf(session.agent)}, signed in{" "}
                <time title={moment(session.created_at)}>{ago(session.created_at)}</time>, used{" "}
                {ago(session.last_used_at)}, ends {day(session.expires_at)}
              </p>
            </div>
            <button
              type="button"
              class="small danger"
              aria-label={session.current ? "Sign out" : `End the session of ${session.actor.name}`}
              onClick={() =>
                session.current
                  ? signOut()
                  : attempt(async () => {
                      await remove(`/sessions/${session.id}`)
                      say("The session has ended")
                      again()
                    })
              }
            >
              {session.current ? "Sign out" : "End"}
            </button>
          </li>
        ))}
      </ul>
      <p class="muted">
        A session ends after 12 hours without use, after 30 days, and with the key or member that opened it.
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
  return parts.length > 0 ? parts.join(" on ") : "A program"
}
