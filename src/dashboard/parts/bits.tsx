import type { ComponentChildren, ComponentProps, ComponentType } from "preact"
import { useEffect, useState } from "preact/hooks"
import { ago, formatNumber, moment } from "../core/format.ts"
import { hasRules } from "../core/rules.ts"
import { told } from "../core/said.ts"
import { statusColor, statusName } from "../core/statuses.ts"
import { t } from "../core/text.ts"
import { attempt, dismissToast, runAction, type Toast, toasts } from "../core/toast.ts"
import { Icon, type IconName } from "./icons.tsx"

/** Green from 70, amber from 40, red below. */
export function temperature(score: number): "hot" | "warm" | "cold" {
  return score >= 70 ? "hot" : score >= 40 ? "warm" : "cold"
}

const temperatureName = (score: number) => (score >= 70 ? t("hot") : score >= 40 ? t("warm") : t("cold"))

export function Score({ value }: { value: number }) {
  if (value === 0 && !hasRules.value) return null
  // Downwards, so that no number seems to be of a warmer kind than its colour.
  return (
    <span class={`score ${temperature(value)}`} title={`${value}: ${temperatureName(value)}`}>
      {Math.floor(value)}
    </span>
  )
}

export function StatusBadge({ value }: { value: string }) {
  const color = statusColor(value)
  const isNamed = !color.startsWith("#")
  return (
    <span class={`status ${isNamed ? `c-${color}` : "c-own"}`} style={isNamed ? {} : { "--own": color }}>
      {statusName(value)}
    </span>
  )
}

export function TagList({ tags }: { tags: readonly string[] }) {
  return (
    <>
      {tags.map((tag) => (
        <span class="tag" key={tag}>
          {tag}
        </span>
      ))}
    </>
  )
}

/** The empty state of a page, with the next step. */
interface EmptyProps {
  icon: IconName
  title: string
  text?: string | undefined
  children?: ComponentChildren
}

export function Empty({ icon, title, text, children }: EmptyProps) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} size={22} />
      </span>
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {children}
    </div>
  )
}

export function FailureNote({ error, again }: { error: unknown; again?: () => void }) {
  return (
    <div class="failure" role="alert">
      <p>{told(error)}</p>
      {again && <Button label={t("Try again")} onClick={again} />}
    </div>
  )
}

/** The head of a page. */
export function Head({
  title,
  note,
  children,
}: {
  title: string
  note?: ComponentChildren
  children?: ComponentChildren
}) {
  return (
    <header class="head">
      <h1>{title}</h1>
      {note !== undefined && <p class="head-note">{note}</p>}
      {children && <div class="head-actions">{children}</div>}
    </header>
  )
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((toast) => (
        <Note key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

function Note({ toast }: { toast: Toast }) {
  const { id, text, kind, action } = toast
  return (
    <div class={`toast ${kind}`}>
      <p>{text}</p>
      {action && <Button label={action.label} onClick={() => runAction(toast)} />}
      <Button
        icon="close"
        size={14}
        class="quiet square"
        aria-label={t("Dismiss")}
        onClick={() => dismissToast(id)}
      />
    </div>
  )
}

/** When something was, or will be. */
export function Ago({ at, class: kind }: { at: number; class?: string }) {
  return (
    <time class={kind} title={moment(at)}>
      {ago(at)}
    </time>
  )
}

interface CardProps {
  title: string
  /** Beside the title. */
  note?: ComponentChildren
  more?: ComponentChildren
  /** Whether it is found by its title among the regions of the page. */
  isRegion?: boolean
  children?: ComponentChildren
}

/** A part of a page. */
export function Card({ title, note, more, isRegion, children }: CardProps) {
  return (
    <section class="card tile" aria-label={isRegion ? title : undefined}>
      <header class="card-head">
        <h2>{title}</h2>
        {note && <p class="muted">{note}</p>}
        {more}
      </header>
      {children}
    </section>
  )
}

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

/** How far longer work is; a bar that only moves where the end is not known. */
export function ProgressBar({ done, of, label }: { done: number; of: number | null; label: string }) {
  return (
    <div class="progress">
      <progress
        aria-label={label}
        max={of ?? undefined}
        value={of === null ? undefined : Math.min(done, of)}
      />
      <span class="muted">
        {formatNumber(done)}
        {of !== null && t(" of {of}", { of: formatNumber(of) })}
      </span>
    </div>
  )
}

/** A component whose program is loaded when it is shown first. */
export function Loaded<Props extends object>({
  load,
  props,
}: {
  load: () => Promise<ComponentType<Props>>
  props: Props
}) {
  const [view, setView] = useState<{ View: ComponentType<Props> }>()
  useEffect(() => {
    void attempt(async () => setView({ View: await load() }))
  }, [])
  if (!view) return null
  const { View } = view
  return <View {...props} />
}
