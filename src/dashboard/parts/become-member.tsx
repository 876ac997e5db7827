import { post } from "../core/api.ts"
import { HOME } from "../core/router.ts"
import { isOwner, session } from "../core/session.ts"
import { t } from "../core/text.ts"
import type { InvitedMember } from "../core/types.ts"
import { Form, Input } from "./fields.tsx"

/** Makes an owner who signed in with a code or a key a member like others, who can own leads. */
export function BecomeMember() {
  if (!isOwner.value || session.value?.actor.kind === "member") return null
  return (
    <Form
      class="card tile row"
      onSend={async (sent) => {
        const { invite } = await post<InvitedMember>("/members", { name: sent.text("name"), role: "owner" })
        location.assign(`${HOME}/join#${invite}`)
      }}
    >
      <Input
        label={t("Your name")}
        hint={t("As a member you can own leads, and what you change carries your name.")}
        name="name"
        required
        maxLength={200}
        autocomplete="name"
      />
      <button>{t("Become a member")}</button>
    </Form>
  )
}
