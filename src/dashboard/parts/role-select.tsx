import { t } from "../core/text.ts"
import { Select } from "./fields.tsx"

const ROLES: Readonly<Record<string, string>> = {
  viewer: t("Viewer: sees everything, changes nothing"),
  editor: t("Editor: works with leads, rules and webhooks"),
  owner: t("Owner: also keys, members and sessions"),
}

export function RoleSelect({ initial }: { initial: string }) {
  return <Select label={t("Role")} name="role" initial={initial} options={ROLES} />
}
