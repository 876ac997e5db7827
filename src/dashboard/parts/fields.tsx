// What forms are made of. It travels in one script with the parts of lists: each alone would be a request more.
import type { ComponentChildren, ComponentProps } from "preact"
import { useRef, useState } from "preact/hooks"
import { t } from "../core/text.ts"
import { attempt } from "../core/toast.ts"
import { Dialog, useClose } from "./overlay.tsx"
import "./things.tsx"

/** What was sent by a form. */
export class Sent extends FormData {
  /** What was typed into a field, without blanks around it. */
  text(name: string): string {
    return String(this.get(name) ?? "").trim()
  }
}

interface FormProps extends Omit<ComponentProps<"form">, "action" | "onSubmit"> {
  /** The text of the button that sends it; undefined where it has buttons of its own. */
  action?: string
  isDisabled?: boolean
  /** It says itself when the dialog closes. */
  staysOpen?: boolean
  onSend: (sent: Sent) => unknown
}

/** A form. The dialog or menu around it closes once `onSend` is done, and a failure is told. */
export function Form({ action, isDisabled = false, staysOpen, onSend, children, ...others }: FormProps) {
  const close = useClose()
  const isSending = useRef(false)
  return (
    <form
      class="stack"
      {...others}
      onSubmit={async (event) => {
        event.preventDefault()
        if (isSending.current) return
        const sent = new Sent(event.currentTarget)
        isSending.current = true
        if ((await attempt(async () => onSend(sent))) && !staysOpen) close()
        isSending.current = false
      }}
    >
      {children}
      {action && (
        <button class="primary" disabled={isDisabled}>
          {action}
        </button>
      )}
    </form>
  )
}

interface FormDialogProps extends FormProps, Pick<ComponentProps<typeof Dialog>, "size"> {
  title: string
}

/** A dialog with a form. */
export function FormDialog({ title, size, ...form }: FormDialogProps) {
  return (
    <Dialog title={title} size={size}>
      <Form {...form} />
    </Dialog>
  )
}

interface Labels {
  label: string
  hint?: ComponentChildren
}

/** A labelled part of a form. */
export function Labelled({ label, hint, children }: Labels & { children: ComponentChildren }) {
  return (
    <label class="field">
      <span class="field-label">{label}</span>
      {children}
      {hint && <span class="field-hint">{hint}</span>}
    </label>
  )
}

interface Typed {
  onText?: (text: string) => void
}

export function Input({ label, hint, onText, ...others }: Labels & Typed & ComponentProps<"input">) {
  return (
    <Labelled label={label} hint={hint}>
      <input {...others} {...typing(onText)} />
    </Labelled>
  )
}

export function TextArea({ label, hint, onText, ...others }: Labels & Typed & ComponentProps<"textarea">) {
  return (
    <Labelled label={label} hint={hint}>
      <textarea {...others} {...typing(onText)} />
    </Labelled>
  )
}

const typing = (onText: Typed["onText"]) =>
  onText && {
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => onText(currentTarget.value),
  }

/** A value with the text that people see; a value alone is its own text. */
export type Choice = string | readonly [value: string, text: string]

/** Values with their texts, in their order. */
export type Choices = readonly Choice[] | Readonly<Record<string, string>>

interface OptionsProps {
  of: Choices
  initial?: string | undefined
}

export function Options({ of: choices, initial }: OptionsProps) {
  return (
    <>
      {(Symbol.iterator in choices ? choices : Object.entries(choices)).map((choice) => {
        const [value, text] = typeof choice === "string" ? [choice, choice] : choice
        return (
          <option key={value} value={value} selected={initial === undefined ? undefined : value === initial}>
            {text}
          </option>
        )
      })}
    </>
  )
}

interface SelectProps extends Partial<Labels>, Omit<ComponentProps<"select">, "label" | "onChange" | "role"> {
  options?: Choices | undefined
  /** The one that is chosen at first, where the form keeps what is chosen. */
  initial?: string | undefined
  onChange?: ((value: string) => void) | undefined
}

export function Select({ label, hint, options, initial, onChange, children, ...others }: SelectProps) {
  const select = (
    <select {...others} onChange={({ currentTarget }) => onChange?.(currentTarget.value)}>
      {options && <Options of={options} initial={initial} />}
      {children}
    </select>
  )
  if (label === undefined) return select
  return (
    <Labelled label={label} hint={hint}>
      {select}
    </Labelled>
  )
}

interface SavedProps extends Omit<SelectProps, "onChange"> {
  save: (value: string) => Promise<unknown>
}

/** A choice that is saved at once. Refused, it is told why, and shows again what holds. */
export function SavedSelect({ save, ...others }: SavedProps) {
  const [turn, setTurn] = useState(0)
  return (
    <Select
      key={turn}
      {...others}
      onChange={async (value) => {
        if (!(await attempt(() => save(value)))) setTurn(turn + 1)
      }}
    />
  )
}

interface CheckProps extends Omit<ComponentProps<"input">, "label" | "onChange" | "role" | "type"> {
  label: ComponentChildren
  onChange?: (isOn: boolean) => void
}

export function Check({ label, onChange, ...others }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        {...others}
        onChange={({ currentTarget }) => onChange?.(currentTarget.checked)}
      />
      {label}
    </label>
  )
}

const ROLES: Readonly<Record<string, string>> = {
  viewer: t("Viewer: sees everything, changes nothing"),
  editor: t("Editor: works with leads, rules and webhooks"),
  owner: t("Owner: also keys, members and sessions"),
}

export function RoleSelect() {
  return <Select label={t("Role")} name="role" initial="editor" options={ROLES} />
}
