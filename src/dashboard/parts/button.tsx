import type { ComponentProps } from "preact"
import { attempt } from "../core/toast.ts"
import { Icon, type IconName } from "./icons.tsx"

interface Props extends Omit<ComponentProps<"button">, "type" | "size"> {
  icon?: IconName
  /** Of the icon, in pixels. */
  size?: number
  label?: string | false | undefined
  /** What it does in place of `onClick`, where a failure is told. */
  work?: () => Promise<unknown>
}

/** A button that sends no form. */
export function Button(props: Props) {
  const { icon, label, size = label === undefined ? 16 : 14, work, children, ...others } = props
  return (
    <button type="button" {...(work && { onClick: () => void attempt(work) })} {...others}>
      {icon && <Icon name={icon} size={size} />}
      {label}
      {children}
    </button>
  )
}
