import { useState } from "preact/hooks"
import { get } from "../core/api.ts"
import { ago, moment, shown, words } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { t } from "../core/text.ts"
import { attempt } from "../core/toast.ts"
import type { AdminLog } from "../core/types.ts"
import { actorName } from "../parts/actors.ts"
import { Empty, FailureNote, Head } from "../parts/bits.tsx"
import { Button } from "../parts/button.tsx"

/** How a person signed in. */
const WAYS: Readonly<Record<string, string>> = {
  code: t("a one-time code"),
  key: t("an API key"),
  password: t("a password"),
  passkey: t("a passkey"),
  oidc: t("a provider"),
}

/** The log of changes to keys, people, sessions, webhooks and plans. */
export default function AdminLogPage() {
  const first = useLoaded((signal) => get<AdminLog>("/admin-log", { limit: 100 }, signal), [])
  const [more, setMore] = useState<AdminLog[]>([])
  const pages = first.data ? [first.data, ...more] : []
  const entries = pages.flatMap(({ entries }) => entries)
  const last = pages.at(-1)
  return (
    <div class="page narrow">
      <Head title={t("Admin log")} />
      {first.error !== undefined && <FailureNote error={first.error} again={first.again} />}
      {first.data && entries.length === 0 && (
        <Empty icon="activity" title={t("Nothing yet")}>
          <p>
            {t(
              "Keys that are made and revoked, people, sign-ins, webhooks, plans and restores are written down here.",
            )}
          </p>
        </Empty>
      )}
      {entries.length > 0 && (
        <p class="lead-in">{t("Sign-ins, keys and settings. Changes of leads are listed under Activity.")}</p>
      )}
      {entries.length > 0 && (
        <ul class="card rows">
          {entries.map(({ id, action, key_id, actor_id, details, created_at }) => (
            <li key={id}>
              <div class="row-main">
                <p>
                  <b>{words(action.replace(".", " "))}</b>{" "}
                  <span class="muted">
                    {shown(
                      details.name ??
                        details.url ??
                        details.plan ??
                        details.default_country ??
                        details.time_zone,
                    )}
                    {WAYS[String(details.with)] && t(" with {way}", { way: WAYS[String(details.with)] })}
                  </span>
                </p>
                <p class="muted">
                  {t("by {actorName}", { actorName: actorName(actor_id ?? key_id ?? "command line") })}
                </p>
              </div>
              <time class="muted" title={moment(created_at)}>
                {ago(created_at)}
              </time>
            </li>
          ))}
        </ul>
      )}
      {last?.has_more && (
        <Button
          label={t("Older")}
          onClick={() =>
            attempt(async () =>
              setMore([
                ...more,
                await get<AdminLog>("/admin-log", { limit: 100, cursor: last.next_cursor ?? undefined }),
              ]),
            )
          }
        />
      )}
    </div>
  )
}
