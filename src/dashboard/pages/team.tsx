import { useState } from "preact/hooks"
import { get, post, put } from "../core/api.ts"
import { ago, day, plural, roleName } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { isOwner, session } from "../core/session.ts"
import { t, tx } from "../core/text.ts"
import { attempt, copy, say } from "../core/toast.ts"
import type { InvitedMember, Member, MemberLoss } from "../core/types.ts"
import { BecomeMember } from "../parts/become-member.tsx"
import { Empty, FailureNote, Head, StatusBadge } from "../parts/bits.tsx"
import { Button } from "../parts/button.tsx"
import { Input, Select } from "../parts/fields.tsx"
import { isWorthShowing, LossDialog, RemoveMember } from "../parts/leaving.tsx"
import { isLocal, Network } from "../parts/network.tsx"
import { Dialog } from "../parts/overlay.tsx"
import { RoleSelect } from "../parts/role-select.tsx"

export default function Team() {
  const members = useLoaded((signal) => get<Member[]>("/members", {}, signal), [])
  const [isInviting, setInviting] = useState(false)
  const [invited, setInvited] = useState<InvitedMember>()
  const [removing, setRemoving] = useState<Member>()
  const [lost, setLost] = useState<{ name: string; loss: MemberLoss }>()
  const showLoss = ({ name }: Member, loss: MemberLoss | undefined) =>
    setLost(loss && isWorthShowing(loss) ? { name, loss } : undefined)
  const list = members.data ?? []
  return (
    <div class="page narrow">
      <Head title={t("Team")} note={members.data ? plural(list.length, "member") : ""}>
        {isOwner.value && (
          <Button icon="plus" label={t("Invite")} class="primary" onClick={() => setInviting(true)} />
        )}
      </Head>
      {members.error !== undefined && <FailureNote error={members.error} again={members.again} />}
      {members.data && list.length === 0 && (
        <Empty icon="team" title={t("Nobody else yet")}>
          <p>
            {isOwner.value
              ? t(
                  "Invite people by a link. They choose a passkey or a password, and what they change carries their name.",
                )
              : t("An owner invites people by a link.")}
          </p>
        </Empty>
      )}
      {list.length > 0 && (
        <p class="lead-in">
          {t("Viewers read. Editors also change leads. Owners also manage members and keys.")}
        </p>
      )}
      {list.length > 0 && (
        <ul class="card rows">
          {list.map((member) => (
            <MemberRow
              key={member.id}
              member={member}
              onChanged={(loss) => {
                showLoss(member, loss)
                members.again()
              }}
              onInvited={setInvited}
              onRemove={() => setRemoving(member)}
            />
          ))}
        </ul>
      )}
      <BecomeMember />
      <Network />
      {isInviting && (
        <InviteDialog
          onClose={() => setInviting(false)}
          onInvited={(answer) => {
            setInviting(false)
            setInvited(answer)
            members.again()
          }}
        />
      )}
      {invited && (
        <Dialog title={t("Link for {name}", { name: invited.name })} onClose={() => setInvited(undefined)}>
          <p>{t("Send it to them. It works once, for 7 days, and is shown only now.")}</p>
          {isLocal(invited.invite_url) && (
            <p class="warning" role="alert">
              {tx(
                "This link works on this machine only: the service does not listen on the network. Start it with {code}, or set {code2}.",
                { code: <code>leaddb serve --lan</code>, code2: <code>LEADDB_PUBLIC_URL</code> },
              )}
            </p>
          )}
          <div class="secret">
            <code>{invited.invite_url}</code>
            <Button icon="copy" label={t("Copy")} onClick={() => copy(invited.invite_url, t("Link"))} />
          </div>
        </Dialog>
      )}
      {removing && (
        <RemoveMember
          member={removing}
          onClose={() => setRemoving(undefined)}
          onRemoved={(loss) => {
            setRemoving(undefined)
            showLoss(removing, loss)
            members.again()
          }}
        />
      )}
      {lost && <LossDialog {...lost} onClose={() => setLost(undefined)} />}
    </div>
  )
}

interface InviteProps {
  onClose: () => void
  onInvited: (invited: InvitedMember) => void
}

function InviteDialog({ onClose, onInvited }: InviteProps) {
  return (
    <Dialog title={t("Invite a person")} size="small" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          const body = { name: String(form.get("name")), role: String(form.get("role")) }
          void attempt(async () => {
            onInvited(await post<InvitedMember>("/members", body))
          })
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
        <RoleSelect initial="editor" />
        <button class="primary">{t("Make the link")}</button>
      </form>
    </Dialog>
  )
}

interface RowProps {
  member: Member
  /** With what can do less, for a lower role. */
  onChanged: (loss: MemberLoss | undefined) => void
  onInvited: (invited: InvitedMember) => void
  onRemove: () => void
}

function MemberRow({ member, onChanged, onInvited, onRemove }: RowProps) {
  return (
    <li>
      <span class="avatar" aria-hidden="true">
        {member.name.slice(0, 1).toUpperCase()}
      </span>
      <div class="row-main">
        <p>
          <b>{member.name}</b>
          {member.id === session.value?.actor.id && <span class="tag">{t("You")}</span>}
        </p>
        <p class="muted">{stateOf(member)}</p>
      </div>
      {isOwner.value ? (
        <>
          <Select
            class="auto"
            aria-label={t("Role of {name}", { name: member.name })}
            value={member.role}
            options={["viewer", "editor", "owner"].map((role) => [role, roleName(role)] as const)}
            onChange={(value) => {
              const role = value
              void attempt(async () => {
                const { revoked, webhooks } = await put<Partial<MemberLoss>>(`/members/${member.id}`, {
                  role,
                })
                say(t("{name} is {role} now", { name: member.name, role: roleName(role) }))
                onChanged(revoked && webhooks && { revoked, webhooks })
              })
            }}
          />
          <Button
            label={t("New link")}
            class="small"
            aria-label={t("New link for {name}", { name: member.name })}
            onClick={() =>
              attempt(async () => onInvited(await post<InvitedMember>(`/members/${member.id}/invite`)))
            }
          />
          <Button
            label={t("Remove")}
            class="small danger"
            aria-label={t("Remove {name}", { name: member.name })}
            onClick={onRemove}
          />
        </>
      ) : (
        <StatusBadge value={member.role} />
      )}
    </li>
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
