import { t } from "../core/text.ts"
import { Labelled } from "./bits.tsx"

const ROLES = [
  ["viewer", t("Viewer: sees everything, changes nothing")],
  ["editor", t("Editor: works with leads, rules and webhooks")],
  ["owner", t("Owner: also keys, members and sessions")],
] as const

export function RoleSelect({ initial }: { initial: string }) {
  return (
    <Labelled label={t("Role")}>
      <select name="role" defaultValue={initial}>
        {ROLES.map(([role, words]) => (
          <option key={role} value={role} selected={role === initial}>
            {words}
          </option>
        ))}
      </select>
    </Labelled>
  )
}
