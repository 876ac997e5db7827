import { Labelled } from "./bits.tsx"

const ROLES = [
  ["viewer", "Viewer: sees everything, changes nothing"],
  ["editor", "Editor: works with leads, rules and webhooks"],
  ["owner", "Owner: also keys, members and sessions"],
] as const

export function RoleSelect({ initial }: { initial: string }) {
  return (
    <Labelled label="Role">
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
