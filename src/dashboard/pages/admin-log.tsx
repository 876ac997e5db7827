import { get } from "../core/api.ts"
import { shown, words } from "../core/format.ts"
import { usePaged } from "../core/paged.ts"
import { t } from "../core/text.ts"
import type { AdminLog } from "../core/types.ts"
import { actorName } from "../parts/actors.ts"
import { Ago, Button } from "../parts/bits.tsx"
import { Row, Things } from "../parts/things.tsx"

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
  const log = usePaged(async (cursor, signal) => {
    const page = await get<AdminLog>("/admin-log", { limit: 100, cursor }, signal)
    return { items: page.entries, next: page.has_more ? page.next_cursor : null }
  }, [])
  return (
    <Things
      title={t("Admin log")}
      loaded={log}
      empty={[
        "activity",
        t("Nothing yet"),
        t(
          "Keys that are made and revoked, people, sign-ins, webhooks, plans and restores are written down here.",
        ),
      ]}
      intro={
        log.data?.length ? t("Sign-ins, keys and settings. Changes of leads are listed under Activity.") : ""
      }
      row={({ id, action, key_id, actor_id, details, created_at }) => (
        <Row
          key={id}
          name={words(action.replace(".", " "))}
          tags={
            <span class="muted">
              {shown(
                details.name ?? details.url ?? details.plan ?? details.default_country ?? details.time_zone,
              )}
              {WAYS[String(details.with)] && t(" with {way}", { way: WAYS[String(details.with)] })}
            </span>
          }
          note={t("by {actorName}", { actorName: actorName(actor_id ?? key_id ?? "command line") })}
        >
          <Ago at={created_at} class="muted" />
        </Row>
      )}
    >
      {log.hasMore && <Button label={t("Older")} onClick={log.more} />}
    </Things>
  )
}

import "../parts/fields.tsx"
