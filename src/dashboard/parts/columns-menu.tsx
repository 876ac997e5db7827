import { FILTER_FIELDS, fieldOf } from "../core/filters.ts"
import { t } from "../core/text.ts"
import { attributeNames } from "./attribute-names.ts"
import { Button } from "./bits.tsx"
import { Check } from "./fields.tsx"
import { Icon } from "./icons.tsx"
import { Popover } from "./overlay.tsx"

interface Props {
  label?: string
  /** A field that is always there. */
  fixed?: string
  columns: readonly string[]
  onChange: (columns: string[]) => void
}

/** Which columns a table has, and in which order. */
export function ColumnsMenu({ label = t("Columns"), ...others }: Props) {
  return (
    <Popover
      label={label}
      class="quiet"
      align="end"
      button={
        <>
          <Icon name="columns" size={14} />
          <span class="wide-only">{label}</span>
        </>
      }
    >
      <Columns {...others} />
    </Popover>
  )
}

function Columns({ fixed, columns, onChange }: Omit<Props, "label">) {
  const all = [
    ...FILTER_FIELDS.map(({ name }) => name),
    ...attributeNames.value.map((name) => `attr:${name}`),
  ]
  const hidden = all.filter((name) => !columns.includes(name) && name !== fixed)
  function move(from: number, to: number) {
    if (to < 0 || to >= columns.length) return
    const next = [...columns]
    next.splice(to, 0, ...next.splice(from, 1))
    onChange(next)
  }
  return (
    <div class="columns-menu">
      <p class="menu-title">{t("Shown")}</p>
      <ul>
        {columns.map((name, i) => (
          <li key={name}>
            <Check
              label={fieldOf(name).label}
              checked
              disabled={columns.length === 1}
              onChange={() => onChange(columns.filter((one) => one !== name))}
            />
            <Button
              class="quiet square"
              aria-label={t("Move {label} to the left", { label: fieldOf(name).label })}
              disabled={i === 0}
              onClick={() => move(i, i - 1)}
            >
              <span class="turned">
                <Icon name="down" size={12} />
              </span>
            </Button>
            <Button
              icon="down"
              size={12}
              class="quiet square"
              aria-label={t("Move {label} to the right", { label: fieldOf(name).label })}
              disabled={i === columns.length - 1}
              onClick={() => move(i, i + 1)}
            />
          </li>
        ))}
      </ul>
      <p class="menu-title">{t("Not shown")}</p>
      <ul>
        {hidden.map((name) => (
          <li key={name}>
            <Check
              label={fieldOf(name).label}
              checked={false}
              onChange={() => onChange([...columns, name])}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}
