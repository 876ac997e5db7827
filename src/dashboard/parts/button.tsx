import type { ComponentProps } from "preact"
import { Icon, type IconName } from "./icons.tsx"

interface Props extends Omit<ComponentProps<"button">, "type" | "size"> {
  icon?: IconName
  /** Of the icon, in pixels. */
  size?: number
  label?: string | false | undefined
}

/** A button that sends no form. */
export function Button({ icon, label, size = label === undefined ? 16 : 14, children, ...others }: Props) {
  return (
    <button type="button" {...others}>
      {icon && <Icon name={icon} size={size} />}
      {label}
      {children}
    </button>
  )
}
