import { post, remove } from "../core/api.ts"
import { ago, day, plural, roleName } from "../core/format.ts"
import { useFresh, useGet } from "../core/loading.ts"
import { t, tx } from "../core/text.ts"
import { say } from "../core/toast.ts"
import type { ApiKey, SavedSegment } from "../core/types.ts"
import { FormDialog, Input, RoleSelect, Select } from "../parts/fields.tsx"
import { Dialog, openDialog } from "../parts/overlay.tsx"
import { AskingButton, CopyLine, Row, Things } from "../parts/things.tsx"

export default function Keys() {
  const keys = useFresh<ApiKey[]>("/api-keys")
  const { data: segments = [] } = useGet<SavedSegment[]>("/segments")
  return (
    <Things
      title={t("Keys")}
      loaded={keys}
      count={({ length }) => plural(length, "key")}
      add={t("New key")}
      onAdd={() => openDialog(<NewKeyDialog segments={segments} />)}
      intro={t("A key lets a program, a form or an AI client in, with the rights of its role.")}
      row={(key) => <KeyRow key={key.id} apiKey={key} segments={segments} />}
    />
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

interface KeyRowProps {
  apiKey: ApiKey
  segments: readonly SavedSegment[]
}

function KeyRow({ apiKey: key, segments }: KeyRowProps) {
  const { id, name } = key
  return (
    <Row
      name={name}
      tags={
        <>
          <span class="tag">{roleName(key.role)}</span>
          {key.kind === "sign_in" && <span class="tag">{t("AI client")}</span>}
          {key.segment !== undefined && (
            <span class="tag">
              {segments.find((one) => one.id === key.segment)?.name ?? t("Deleted segment")}
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
      <AskingButton
        label={t("Revoke")}
        aria-label={t("Revoke {name}", { name })}
        title={t("Revoke {name}?", { name })}
        text={t("Whatever uses it stops working at once, with the sessions it opened and the keys it made.")}
        work={async () => {
          await remove(`/api-keys/${id}`)
          say(t("{name} revoked", { name }))
        }}
      />
    </Row>
  )
}

function NewKeyDialog({ segments }: Pick<KeyRowProps, "segments">) {
  return (
    <FormDialog
      title={t("New key")}
      size="small"
      action={t("Create key")}
      onSend={async (sent) => {
        const until = sent.text("expires")
        const expires_at = until === "" ? null : Math.floor(Date.parse(until) / 1000)
        const [name, role, segment] = ["name", "role", "segment"].map((field) => sent.get(field))
        const body = { name, role, expires_at, ...(segment && { segment }) }
        const made = await post<ApiKey & { key: string }>("/api-keys", body)
        openDialog(<NewKey text={made.key} />)
      }}
    >
      <Input
        label={t("Name")}
        hint={t("What will use it, such as a form or a script.")}
        name="name"
        required
        maxLength={1000}
      />
      <RoleSelect />
      {segments.length > 0 && (
        <Select
          label={t("Leads")}
          hint={t("A key for a segment sees and writes its leads alone.")}
          name="segment"
          options={[["", t("All leads")], ...segments.map(({ id, name }) => [id, name] as const)]}
        />
      )}
      <Input label={t("Ends on")} hint={t("Never, when left empty.")} name="expires" type="date" />
    </FormDialog>
  )
}
