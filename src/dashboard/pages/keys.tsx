import { post, remove } from "../core/api.ts"
import { ago, day, plural, roleName } from "../core/format.ts"
import { useGet } from "../core/loading.ts"
import { t, tx } from "../core/text.ts"
import { say } from "../core/toast.ts"
import type { ApiKey, SavedSegment } from "../core/types.ts"
import { Button } from "../parts/bits.tsx"
import { Form, Input, RoleSelect, Select } from "../parts/fields.tsx"
import { ConfirmDialog, Dialog, useDialog } from "../parts/overlay.tsx"
import { CopyLine, Row, Things } from "../parts/things.tsx"

export default function Keys() {
  const keys = useGet<ApiKey[]>("/api-keys")
  const { data: segments = [] } = useGet<SavedSegment[]>("/segments")
  const [dialog, open] = useDialog()
  function made(key: string) {
    open(<NewKey text={key} />)
    keys.again()
  }
  return (
    <Things
      title={t("Keys")}
      loaded={keys}
      count={({ length }) => plural(length, "key")}
      add={t("New key")}
      onAdd={() => open(<NewKeyDialog segments={segments} onMade={made} />)}
      intro={t("A key lets a program, a form or an AI client in, with the rights of its role.")}
      row={(key) => (
        <KeyRow
          key={key.id}
          apiKey={key}
          segments={segments}
          onRevoke={() => open(<RevokeDialog apiKey={key} onRevoked={keys.again} />)}
        />
      )}
    >
      {dialog}
    </Things>
  )
}

function NewKey({ text }: { text: string }) {
  return (
    <Dialog title={t("Your new key")}>
      <p>{t("It is shown only now: keep it in a safe place.")}</p>
      <CopyLine text={text} what={t("Key")} />
    </Dialog>
  )
}

function RevokeDialog({ apiKey: { id, name }, onRevoked }: { apiKey: ApiKey; onRevoked: () => void }) {
  return (
    <ConfirmDialog
      title={t("Revoke {name}?", { name })}
      action={t("Revoke")}
      work={async () => {
        await remove(`/api-keys/${id}`)
        say(t("{name} revoked", { name }))
        onRevoked()
      }}
    >
      <p>{t("Whatever uses it stops working at once, with the sessions it opened and the keys it made.")}</p>
    </ConfirmDialog>
  )
}

interface KeyRowProps {
  apiKey: ApiKey
  segments: readonly SavedSegment[]
  onRevoke: () => void
}

function KeyRow({ apiKey: key, segments, onRevoke }: KeyRowProps) {
  return (
    <Row
      name={key.name}
      tags={
        <>
          <span class="tag">{roleName(key.role)}</span>
          {key.kind === "sign_in" && <span class="tag">{t("AI client")}</span>}
          {key.segment !== undefined && (
            <span class="tag">
              {segments.find(({ id }) => id === key.segment)?.name ?? t("Deleted segment")}
            </span>
          )}
        </>
      }
      note={tx("{code} created {created_at}, {more}{more2}", {
        code: <code>{key.prefix}…</code>,
        created_at: day(key.created_at),
        more: key.last_used_at
          ? t("used {last_used_at}", { last_used_at: ago(key.last_used_at) })
          : t("never used"),
        more2: key.expires_at !== null && t(", ends {expires_at}", { expires_at: day(key.expires_at) }),
      })}
    >
      <Button
        label={t("Revoke")}
        class="small danger"
        aria-label={t("Revoke {name}", { name: key.name })}
        onClick={onRevoke}
      />
    </Row>
  )
}

interface NewKeyProps {
  segments: readonly SavedSegment[]
  onMade: (key: string) => void
}

function NewKeyDialog({ segments, onMade }: NewKeyProps) {
  return (
    <Dialog title={t("New key")} size="small">
      <Form
        action={t("Create key")}
        onSend={async (sent) => {
          const until = sent.text("expires")
          const expires_at = until === "" ? null : Math.floor(Date.parse(until) / 1000)
          const [name, role, segment] = ["name", "role", "segment"].map((field) => sent.get(field))
          const body = { name, role, expires_at, ...(segment && { segment }) }
          onMade((await post<ApiKey & { key: string }>("/api-keys", body)).key)
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
      </Form>
    </Dialog>
  )
}
