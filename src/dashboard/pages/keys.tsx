import { useState } from "preact/hooks"
import { get, post, remove } from "../core/api.ts"
import { ago, day, plural, words } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { attempt, copy, say } from "../core/toast.ts"
import type { ApiKey, SavedSegment } from "../core/types.ts"
import { FailureNote, Head, Labelled } from "../parts/bits.tsx"
import { Icon } from "../parts/icons.tsx"
import { ConfirmDialog, Dialog } from "../parts/overlay.tsx"
import { RoleSelect } from "../parts/role-select.tsx"

export default function Keys() {
  const keys = useLoaded((signal) => get<ApiKey[]>("/api-keys", {}, signal), [])
  const [isAdding, setAdding] = useState(false)
  const [made, setMade] = useState("")
  const [revoking, setRevoking] = useState<ApiKey>()
  const list = keys.data ?? []
  const saved = useLoaded((signal) => get<SavedSegment[]>("/segments", {}, signal), [])
  const segments = saved.data ?? []
  return (
    <div class="page narrow">
      <Head title="Keys" note={keys.data ? plural(list.length, "key") : ""}>
        <button type="button" class="primary" onClick={() => setAdding(true)}>
          <Icon name="plus" size={14} />
          New key
        </button>
      </Head>
      <p class="lead-in">A key lets a program, a form or an AI client in, with the rights of its role.</p>
      {keys.error !== undefined && <FailureNote error={keys.error} again={keys.again} />}
      <ul class="card rows">
        {list.map((key) => (
          <KeyRow key={key.id} apiKey={key} segments={segments} onRevoke={() => setRevoking(key)} />
        ))}
      </ul>
      {isAdding && (
        <NewKeyDialog
          segments={segments}
          onClose={() => setAdding(false)}
          onMade={(key) => {
            setAdding(false)
            setMade(key)
            keys.again()
          }}
        />
      )}
      {made && (
        <Dialog title="Your new key" onClose={() => setMade("")}>
          <p>It is shown only now: keep it in a safe place.</p>
          <div class="secret">
            <code>{made}</code>
            <button type="button" onClick={() => copy(made, "Key")}>
              <Icon name="copy" size={14} />
              Copy
            </button>
          </div>
        </Dialog>
      )}
      {revoking && (
        <ConfirmDialog
          title={`Revoke ${revoking.name}?`}
          action="Revoke"
          onConfirm={() =>
            attempt(async () => {
              await remove(`/api-keys/${revoking.id}`)
              say(`${revoking.name} revoked`)
              setRevoking(undefined)
              keys.again()
            })
          }
          onClose={() => setRevoking(undefined)}
        >
          <p>Whatever uses it stops working at once, with the sessions it opened and the keys it made.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

interface KeyRowProps {
  apiKey: ApiKey
  segments: readonly SavedSegment[]
  onRevoke: () => void
}

function KeyRow({ apiKey: key, segments, onRevoke }: KeyRowProps) {
  return (
    <li>
      <div class="row-main">
        <p>
          <b>{key.name}</b> <span class="tag">{words(key.role)}</span>
          {key.kind === "sign_in" && <span class="tag">AI client</span>}
          {key.segment !== undefined && (
            <span class="tag">
              {segments.find(({ id }) => id === key.segment)?.name ?? "Deleted segment"}
            </span>
          )}
        </p>
        <p class="muted">
          <code>{key.prefix}…</code> created {day(key.created_at)},{" "}
          {key.last_used_at ? `used ${ago(key.last_used_at)}` : "never used"}
          {key.expires_at !== null && `, ends ${day(key.expires_at)}`}
        </p>
      </div>
      <button type="button" class="small danger" aria-label={`Revoke ${key.name}`} onClick={onRevoke}>
        Revoke
      </button>
    </li>
  )
}

interface NewKeyProps {
  segments: readonly SavedSegment[]
  onClose: () => void
  onMade: (key: string) => void
}

function NewKeyDialog({ segments, onClose, onMade }: NewKeyProps) {
  return (
    <Dialog title="New key" size="small" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          const until = String(form.get("expires"))
          const expires_at = until === "" ? null : Math.floor(Date.parse(until) / 1000)
          const [name, role, segment] = ["name", "role", "segment"].map((field) => form.get(field))
          const body = { name, role, expires_at, ...(segment && { segment }) }
          void attempt(async () => {
            const { key } = await post<ApiKey & { key: string }>("/api-keys", body)
            onMade(key)
          })
        }}
      >
        <Labelled label="Name" hint="What will use it, such as a form or a script.">
          <input name="name" required maxLength={1000} />
        </Labelled>
        <RoleSelect initial="editor" />
        {segments.length > 0 && (
          <Labelled label="Leads" hint="A key for a segment sees and writes its leads alone.">
            <select name="segment">
              <option value="">All leads</option>
              {segments.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </Labelled>
        )}
        <Labelled label="Ends on" hint="Never, when left empty.">
          <input name="expires" type="date" />
        </Labelled>
        <button class="primary">Create key</button>
      </form>
    </Dialog>
  )
}
