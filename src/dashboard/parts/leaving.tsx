import { useState } from "preact/hooks"
import { remove } from "../core/api.ts"
import { plural } from "../core/format.ts"
import { t } from "../core/text.ts"
import { say } from "../core/toast.ts"
import type { Member, MemberLoss } from "../core/types.ts"
import { Select } from "./fields.tsx"
import { ConfirmDialog, Dialog } from "./overlay.tsx"

interface RemoveProps {
  member: Member
  /** With what ended, where there was something. */
  onRemoved: (loss: MemberLoss | undefined) => void
}

/** Asks what becomes of what a member made, who is about to be removed. */
export function RemoveMember({ member, onRemoved }: RemoveProps) {
  const [links, setLinks] = useState("stop")
  const [webhooks, setWebhooks] = useState("keep")
  const { name } = member
  return (
    <ConfirmDialog
      title={t("Remove {name}?", { name })}
      action={t("Remove")}
      work={async () => {
        const query = new URLSearchParams({ links, webhooks })
        const loss = await remove<MemberLoss | undefined>(`/members/${member.id}?${query}`)
        say(t("{name} is no longer a member", { name }))
        onRemoved(loss)
      }}
    >
      <p>{t("They are signed out at once. What they changed stays, under their name.")}</p>
      <p>{t("API keys and invitations that they made end.")}</p>
      <Select
        label={t("Public links that they made")}
        name="links"
        value={links}
        options={{ stop: t("Stop"), keep: t("Keep: you take them over") }}
        onChange={setLinks}
      />
      <Select
        label={t("Webhooks that they made")}
        name="webhooks"
        value={webhooks}
        options={{ keep: t("Keep: you see them in a moment and can decide"), stop: t("Turn off") }}
        onChange={setWebhooks}
      />
    </ConfirmDialog>
  )
}

interface LossProps {
  name: string
  loss: MemberLoss
}

/** Shows what ended or can do less, since a member was removed or has a lower role. */
export function LossDialog({ name, loss: { revoked, webhooks } }: LossProps) {
  const { api_keys, invitations, links, sessions } = revoked
  const parts = [
    { title: t("API keys"), items: api_keys.map((key) => key.name) },
    { title: t("Invitations"), items: invitations.map((invited) => invited.name) },
    { title: t("Public links"), items: links.length > 0 ? [plural(links.length, "public link")] : [] },
    { title: t("Sessions"), items: sessions.length > 0 ? [plural(sessions.length, "session")] : [] },
  ].filter(({ items }) => items.length > 0)
  return (
    <Dialog title={t("What {name} made", { name })} size="small">
      {parts.length > 0 && <p>{t("These have ended, or can do less now:")}</p>}
      {parts.map(({ title, items }) => (
        <p key={title}>
          <b>{title}</b>: {items.join(", ")}
        </p>
      ))}
      {webhooks.length > 0 && <p>{t("Webhooks, for you to decide about:")}</p>}
      {webhooks.length > 0 && (
        <ul>
          {webhooks.map(({ id, url, active }) => (
            <li key={id}>
              <a href="/app/webhooks">{url}</a> {active ? t("goes on") : t("turned off")}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

/** Whether a loss has anything that a person would want to see: sessions always end. */
export function isWorthShowing({ revoked, webhooks }: MemberLoss): boolean {
  const { api_keys, invitations, links } = revoked
  return [api_keys, invitations, links, webhooks].some((all) => all.length > 0)
}
