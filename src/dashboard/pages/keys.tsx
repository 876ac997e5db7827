import { useState } from "preact/hooks"
import { get, post, remove } from "../core/api.ts"
import { ago, day, plural, roleName } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { t, tx } from "../core/text.ts"
import { attempt, copy, say } from "../core/toast.ts"
import type { ApiKey, SavedSegment } from "../core/types.ts"
import { FailureNote, Head } from "../parts/bits.tsx"
import { Button } from "../parts/button.tsx"
import { Input, Select } from "../parts/fields.tsx"
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
      <Head title={t("Keys")} note={keys.data ? plural(list.length, "key") : ""}>
        <Button icon="plus" label={t("New key")} class="primary" onClick={() => setAdding(true)} />
      </Head>
      <p class="lead-in">
        {t("A key lets a program, a form or an AI client in, with the rights of its role.")}
      </p>
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
        <Dialog title={t("Your new key")} onClose={() => setMade("")}>
          <p>{t("It is shown only now: keep it in a safe place.")}</p>
          <div class="secret">
            <code>{made}</code>
            <Button icon="copy" label={t("Copy")} onClick={() => copy(made, t("Key"))} />
          </div>
        </Dialog>
      )}
      {revoking && (
        <ConfirmDialog
          title={t("Revoke {name}?", { name: revoking.name })}
          action={t("Revoke")}
          onConfirm={() =>
            attempt(async () => {
              await remove(`/api-keys/${revoking.id}`)
              say(t("{name} revoked", { name: revoking.name }))
              setRevoking(undefined)
              keys.again()
            })
          }
          onClose={() => setRevoking(undefined)}
        >
          <p>
            {t("Whatever uses it stops working at once, with the sessions it opened and the keys it made.")}
          </p>
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
          <b>{key.name}</b> <span class="tag">{roleName(key.role)}</span>
          {key.kind === "sign_in" && <span class="tag">{t("AI client")}</span>}
          {key.segment !== undefined && (
            <span class="tag">
              {segments.find(({ id }) => id === key.segment)?.name ?? t("Deleted segment")}
            </span>
          )}
        </p>
        <p class="muted">
          {tx("{code} created {created_at}, {more}{more2}", {
            code: <code>{key.prefix}…</code>,
            created_at: day(key.created_at),
            more: key.last_used_at
              ? t("used {last_used_at}", { last_used_at: ago(key.last_used_at) })
              : t("never used"),
            more2: key.expires_at !== null && t(", ends {expires_at}", { expires_at: day(key.expires_at) }),
          })}
        </p>
      </div>
      <Button
        label={t("Revoke")}
        class="small danger"
        aria-label={t("Revoke {name}", { name: key.name })}
        onClick={onRevoke}
      />
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
    <Dialog title={t("New key")} size="small" onClose={onClose}>
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
        <Input
          label={t("Name")}
          hint={t("What will use it, such as a form or a script.")}
          name="name"
          required
          maxLength={1000}
        />
        <RoleSelect initial="editor" />
        {segments.length > 0 && (
          <Select
            label={t("Leads")}
            hint={t("A key for a segment sees and writes its leads alone.")}
            name="segment"
            options={[["", t("All leads")], ...segments.map(({ id, name }) => [id, name] as const)]}
          />
        )}
        <Input label={t("Ends on")} hint={t("Never, when left empty.")} name="expires" type="date" />
        <button class="primary">{t("Create key")}</button>
      </form>
    </Dialog>
  )
}
