// What statuses and stages have in common: a colour, and a place among the others.

import { words } from "../core/format.ts"
import { t } from "../core/text.ts"
import { Button } from "./bits.tsx"
import { Select } from "./fields.tsx"

const COLORS = ["gray", "blue", "teal", "green", "amber", "red", "violet"]

interface ColorProps {
  of: string
  value: string
  disabled?: boolean
  onChange: (color: string) => void
}

export function ColorSelect({ of: name, value, ...others }: ColorProps) {
  return (
    <Select
      class="auto"
      aria-label={t("Color of {value}", { value: name })}
      value={value}
      options={[...new Set([...COLORS, value])].map((color) => [color, words(color)] as const)}
      {...others}
    />
  )
}

export function UpButton({ of: value, onClick }: { of: string; onClick: () => void }) {
  return (
    <Button label={t("Up")} class="small" aria-label={t("Move {value} up", { value })} onClick={onClick} />
  )
}
