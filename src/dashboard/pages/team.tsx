import { useState } from "preact/hooks"
import { post, put, remove } from "../core/api.ts"
import { ago, day, plural, roleName } from "../core/format.ts"
import { useFresh } from "../core/loading.ts"
import { isOwner, session } from "../core/session.ts"
import { t, tx } from "../core/text.ts"
import { attempt, say } from "../core/toast.ts"
import type { InvitedMember, Member, MemberLoss } from "../core/types.ts"
import { BecomeMember } from "../parts/become-member.tsx"
import { Button, StatusBadge } from "../parts/bits.tsx"
import { FormDialog, Input, RoleSelect, Select } from "../parts/fields.tsx"
import { isLocal, Network } from "../parts/network.tsx"
import { ConfirmDialog, Dialog, openDialog } from "../parts/overlay.tsx"
import { CopyLine, Row, Things } from "../parts/things.tsx"

export default function Team() {
  const members = useFresh<Member[]>("/members")
  return (
    <Things
      title={t("Team")}
      loaded={members}
      count={({ length }) => plural(length, "member")}
      add={isOwner.value && t("Invite")}
      onAdd={() => openDialog(<InviteDialog />)}
      empty={[
        "team",
        t("Nobody else yet"),
        isOwner.value
          ? t(
              "Invite people by a link. They choose a passkey or a password, and what they change carries their name.",
            )
          : t("An owner invites people by a link."),
      ]}
      intro={
        members.data?.length
          ? t("Viewers read. Editors also change leads. Owners also manage members and keys.")
          : ""
      }
      row={(member) => <MemberRow key={member.id} member={member} />}
    >
      <BecomeMember />
      <Network />
    </Things>
  )
}

const showInvited = (invited: InvitedMember) => openDialog(<InvitedDialog invited={invited} />)

function InvitedDialog({ invited: { name, invite_url } }: { invited: InvitedMember }) {
  return (
    <Dialog title={t("Link for {name}", { name })}>
      <p>{t("Send it to them. It works once, for 7 days, and is shown only now.")}</p>
      {isLocal(invite_url) && (
        <p class="warning" role="alert">
          {tx(
            "This link works on this machine only: the service does not listen on the network. Start it with {code}, or set {code2}.",
            { code: <code>leaddb serve --lan</code>, code2: <code>LEADDB_PUBLIC_URL</code> },
          )}
        </p>
      )}
      <CopyLine text={invite_url} what={t("Link")} />
    </Dialog>
  )
}

function InviteDialog() {
  return (
    <FormDialog
      title={t("Invite a person")}
      size="small"
      action={t("Make the link")}
      onSend={async (sent) => {
        const body = { name: sent.get("name"), role: sent.get("role") }
        showInvited(await post<InvitedMember>("/members", body))
      }}
    >
      <Input
        label={t("Name")}
        hint={t("Shown next to their changes.")}
        name="name"
        required
        maxLength={200}
        autocomplete="off"
      />
      <RoleSelect />
    </FormDialog>
  )
}

function MemberRow({ member }: { member: Member }) {
  const { id, name } = member
  const change = (role: string) =>
    attempt(async () => {
      const { revoked, webhooks } = await put<Partial<MemberLoss>>(`/members/${id}`, { role })
      say(t("{name} is {role} now", { name, role: roleName(role) }))
      if (revoked && webhooks) showLoss(name, { revoked, webhooks })
    })
  return (
    <Row
      before={
        <span class="avatar" aria-hidden="true">
          {name.slice(0, 1).toUpperCase()}
        </span>
      }
      name={name}
      tags={id === session.value?.actor.id && <span class="tag">{t("You")}</span>}
      note={stateOf(member)}
    >
      {isOwner.value ? (
        <>
          <Select
            class="auto"
            aria-label={t("Role of {name}", { name })}
            value={member.role}
            options={["viewer", "editor", "owner"].map((role) => [role, roleName(role)] as const)}
            onChange={change}
          />
          <Button
            label={t("New link")}
            class="small"
            aria-label={t("New link for {name}", { name })}
            work={async () => showInvited(await post<InvitedMember>(`/members/${id}/invite`))}
          />
          <Button
            label={t("Remove")}
            class="small danger"
            aria-label={t("Remove {name}", { name })}
            onClick={() => openDialog(<RemoveMember member={member} />)}
          />
        </>
      ) : (
        <StatusBadge value={member.role} />
      )}
    </Row>
  )
}

function stateOf({ joined_at, invite_expires_at, passkeys, has_password, has_provider }: Member): string {
  if (joined_at === null)
    return invite_expires_at
      ? t("invited, the link ends {invite_expires_at}", { invite_expires_at: ago(invite_expires_at) })
      : t("not invited")
  const how =
    passkeys > 0
      ? plural(passkeys, "passkey")
      : has_password
        ? t("password")
        : has_provider
          ? t("provider")
          : t("no way to sign in")
  return t("joined {day}, {how}", { day: day(joined_at), how })
}

/** Asks what becomes of what a member made, who is about to be removed. */
function RemoveMember({ member }: { member: Member }) {
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
        if (loss) showLoss(name, loss)
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
function LossDialog({ name, loss: { revoked, webhooks } }: LossProps) {
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

/** Shows a loss that has anything that a person would want to see: sessions always end. */
function showLoss(name: string, loss: MemberLoss): void {
  const { api_keys, invitations, links } = loss.revoked
  if ([api_keys, invitations, links, loss.webhooks].some((all) => all.length > 0))
    openDialog(<LossDialog name={name} loss={loss} />)
}
