import { useState } from "preact/hooks"
import { get, post, put, remove } from "../core/api.ts"
import { ago, day, plural } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { isOwner, session } from "../core/session.ts"
import { attempt, copy, say } from "../core/toast.ts"
import type { InvitedMember, Member } from "../core/types.ts"
import { Empty, FailureNote, Head, Labelled, StatusBadge } from "../parts/bits.tsx"
import { Icon } from "../parts/icons.tsx"
import { isLocal, Network } from "../parts/network.tsx"
import { ConfirmDialog, Dialog } from "../parts/overlay.tsx"
import { RoleSelect } from "../parts/role-select.tsx"

export default function Team() {
  const members = useLoaded((signal) => get<Member[]>("/members", {}, signal), [])
  const [isInviting, setInviting] = useState(false)
  const [invited, setInvited] = useState<InvitedMember>()
  const [removing, setRemoving] = useState<Member>()
  const list = members.data ?? []
  return (
    <div class="page narrow">
      <Head title="Team" note={members.data ? plural(list.length, "member") : ""}>
        {isOwner.value && (
          <button type="button" class="primary" onClick={() => setInviting(true)}>
            <Icon name="plus" size={14} />
            Invite
          </button>
        )}
      </Head>
      {members.error !== undefined && <FailureNote error={members.error} again={members.again} />}
      {members.data && list.length === 0 && (
        <Empty icon="team" title="Nobody else yet">
          <p>
            {isOwner.value
              ? "Invite people by a link. They choose a passkey or a password, and what they change carries their name."
              : "An owner invites people by a link."}
          </p>
        </Empty>
      )}
      {list.length > 0 && (
        <p class="lead-in">Viewers look, editors also change what is there, owners also let others in.</p>
      )}
      {list.length > 0 && (
        <ul class="card rows">
          {list.map((member) => (
            <MemberRow
              key={member.id}
              member={member}
              onChanged={members.again}
              onInvited={setInvited}
              onRemove={() => setRemoving(member)}
            />
          ))}
        </ul>
      )}
      <Network />
      {isInviting && (
        <Dialog title="Invite a person" size="small" onClose={() => setInviting(false)}>
          <form
            class="stack"
            onSubmit={(event) => {
              event.preventDefault()
              const form = new FormData(event.currentTarget)
              const body = { name: String(form.get("name")), role: String(form.get("role")) }
              void attempt(async () => {
                const answer = await post<InvitedMember>("/members", body)
                setInviting(false)
                setInvited(answer)
                members.again()
              })
            }}
          >
            <Labelled label="Name" hint="Shown next to their changes.">
              <input name="name" required maxLength={200} autocomplete="off" />
            </Labelled>
            <RoleSelect initial="editor" />
            <button class="primary">Make the link</button>
          </form>
        </Dialog>
      )}
      {invited && (
        <Dialog title={`Link for ${invited.name}`} onClose={() => setInvited(undefined)}>
          <p>Send it to them. It works once, for 7 days, and is shown only now.</p>
          {isLocal(invited.invite_url) && (
            <p class="warning" role="alert">
              This link works on this machine only: the service does not listen on the network. Start it with{" "}
              <code>leaddb serve --lan</code>, or set <code>LEADDB_PUBLIC_URL</code>.
            </p>
          )}
          <div class="secret">
            <code>{invited.invite_url}</code>
            <button type="button" onClick={() => copy(invited.invite_url, "Link")}>
              <Icon name="copy" size={14} />
              Copy
            </button>
          </div>
        </Dialog>
      )}
      {removing && (
        <ConfirmDialog
          title={`Remove ${removing.name}?`}
          action="Remove"
          onConfirm={() =>
            attempt(async () => {
              await remove(`/members/${removing.id}`)
              say(`${removing.name} is no longer a member`)
              setRemoving(undefined)
              members.again()
            })
          }
          onClose={() => setRemoving(undefined)}
        >
          <p>They are signed out at once. What they changed stays, under their name.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

interface RowProps {
  member: Member
  onChanged: () => void
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
          {member.id === session.value?.actor.id && <span class="tag">you</span>}
        </p>
        <p class="muted">{stateOf(member)}</p>
      </div>
      {isOwner.value ? (
        <>
          <select
            class="auto"
            aria-label={`Role of ${member.name}`}
            value={member.role}
            onChange={(event) => {
              const role = event.currentTarget.value
              void attempt(async () => {
                await put(`/members/${member.id}`, { role })
                say(`${member.name} is ${role} now`)
                onChanged()
              })
            }}
          >
            <option value="viewer">Viewer</option>
            <option value="editor">Editor</option>
            <option value="owner">Owner</option>
          </select>
          <button
            type="button"
            class="small"
            aria-label={`New link for ${member.name}`}
            onClick={() =>
              attempt(async () => onInvited(await post<InvitedMember>(`/members/${member.id}/invite`)))
            }
          >
            New link
          </button>
          <button type="button" class="small danger" aria-label={`Remove ${member.name}`} onClick={onRemove}>
            Remove
          </button>
        </>
      ) : (
        <StatusBadge value={member.role} />
      )}
    </li>
  )
}

function stateOf({ joined_at, invite_expires_at, passkeys, has_password }: Member): string {
  if (joined_at === null)
    return invite_expires_at ? `invited, the link ends ${ago(invite_expires_at)}` : "not invited"
  const how = passkeys > 0 ? plural(passkeys, "passkey") : has_password ? "password" : "no way to sign in"
  return `joined ${day(joined_at)}, ${how}`
}
