// Pages that list things of one kind: how many there are, a button that makes one, and what each is.
import type { ComponentChildren, ComponentProps } from "preact"
import type { LoadState } from "../core/loading.ts"
import { query, setQuery } from "../core/router.ts"
import { t } from "../core/text.ts"
import { copy } from "../core/toast.ts"
import { Button, Empty, FailureNote, Head } from "./bits.tsx"
import type { IconName } from "./icons.tsx"
import { ConfirmDialog, type ConfirmProps, openDialog } from "./overlay.tsx"

interface ThingsProps<T> {
  title: string
  loaded: Pick<LoadState<readonly T[]>, "data" | "error" | "again">
  /** Says how many there are. */
  count?: (things: readonly T[]) => string
  /** The text of the button that makes one; false for those who may not. */
  add?: string | false
  onAdd?: () => void
  /** Further buttons of the head. */
  actions?: ComponentChildren
  intro?: ComponentChildren
  /** What is said where there are none. */
  empty?: readonly [icon: IconName, title: string, text?: string]
  /** Between the introduction and the list. */
  above?: ComponentChildren
  /** What a thing is in the list; undefined where `children` show them. */
  row?: (thing: T) => ComponentChildren
  children?: ComponentChildren
}

export function Things<T>(props: ThingsProps<T>) {
  const { title, loaded, count, add, onAdd, actions, intro, above, empty, row, children } = props
  const { data, error, again } = loaded
  return (
    <div class={row ? "page narrow" : "page"}>
      <Head title={title} note={count && (data ? count(data) : "")}>
        {actions}
        {add && <Button icon="plus" label={add} class="primary" onClick={onAdd} />}
      </Head>
      {intro && <p class="lead-in">{intro}</p>}
      {above}
      {error !== undefined && <FailureNote error={error} again={again} />}
      {data?.length === 0 && empty && <Empty icon={empty[0]} title={empty[1]} text={empty[2]} />}
      {row && data && data.length > 0 && <ul class="card rows">{data.map(row)}</ul>}
      {children}
    </div>
  )
}

interface RowProps {
  name: ComponentChildren
  /** Behind the name. */
  tags?: ComponentChildren
  note: ComponentChildren
  before?: ComponentChildren
  /** Below the note. */
  more?: ComponentChildren
  /** What can be done with it. */
  children?: ComponentChildren
}

/** A thing of a list, with the buttons that change it. */
export function Row({ name, tags, note, before, more, children }: RowProps) {
  return (
    <li>
      {before}
      <div class="row-main">
        <p>
          <b>{name}</b> {tags}
        </p>
        <p class="muted">{note}</p>
        {more}
      </div>
      {children}
    </li>
  )
}

interface AskingProps
  extends Pick<ConfirmProps, "title" | "work">,
    Omit<ComponentProps<typeof Button>, "title" | "work"> {
  label: string
  /** What is said before it is done. */
  text: string
}

/** A button that does harm, after a question. */
export function AskingButton({ label, title, text, work, ...others }: AskingProps) {
  const ask = () =>
    openDialog(
      <ConfirmDialog title={title} action={label} work={work}>
        <p>{text}</p>
      </ConfirmDialog>,
    )
  return <Button label={label} class="small danger" {...others} onClick={ask} />
}

interface ChooserProps<T> {
  label: string
  things: readonly T[]
  keyOf: (thing: T) => string
  chosen: string | undefined
  title: (thing: T) => string
  note: (thing: T) => ComponentChildren
  onChoose: (key: string) => void
  /** Below the list. */
  more?: ComponentChildren
  /** What is chosen. */
  children: ComponentChildren
}

/** A list with what is chosen of it beside it. */
export function Chooser<T>(props: ChooserProps<T>) {
  const { label, things, keyOf, chosen, title, note, onChoose, more, children } = props
  return (
    <div class="columns narrow-wide">
      <section class="card tile" aria-label={label}>
        <ul class="hooks">
          {things.map((thing) => {
            const key = keyOf(thing)
            return (
              <li key={key}>
                <Button class="hook" aria-pressed={key === chosen} onClick={() => onChoose(key)}>
                  <span class="hook-url">{title(thing)}</span>
                  <small>{note(thing)}</small>
                </Button>
              </li>
            )
          })}
        </ul>
        {more}
      </section>
      {children}
    </div>
  )
}

interface AddressedProps<T> extends Pick<ChooserProps<T>, "label" | "things" | "title" | "note"> {
  /** The parameter of the address that has the id of what is chosen. */
  parameter: string
  view: (thing: T) => ComponentChildren
}

/** A list with the one beside it that the address names, or the first. */
export function AddressedChooser<T extends { id: string }>(props: AddressedProps<T>) {
  const { parameter, view, ...others } = props
  const { things } = others
  const id = query.value.get(parameter) ?? things[0]?.id
  const chosen = things.find((thing) => thing.id === id)
  if (things.length === 0) return null
  return (
    <Chooser
      {...others}
      keyOf={(thing) => thing.id}
      chosen={id}
      onChoose={(id) => setQuery({ [parameter]: id }, "replace")}
    >
      {chosen && view(chosen)}
    </Chooser>
  )
}

/** A line of a `<dl class="facts">`. */
export function Fact({ label, children }: { label: ComponentChildren; children: ComponentChildren }) {
  return (
    <div class="fact">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface TableProps {
  /** The names of its columns; those of numbers stand at their end. */
  head: readonly (string | readonly [name: string, ...kinds: string[]])[]
  class?: string
  children: ComponentChildren
}

/** A table of words and numbers; `children` are its rows. */
export function Table({ head, class: kind, children }: TableProps) {
  return (
    <table class={kind ? `plain-table ${kind}` : "plain-table"}>
      <thead>
        <tr>
          {head.map((column) => {
            const [name, ...kinds] = typeof column === "string" ? [column] : column
            return (
              <th key={name} class={kinds.join(" ") || undefined}>
                {name}
              </th>
            )
          })}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

interface SumsProps {
  label: string
  of: readonly (readonly [name: string, value: string, kind?: "bad" | ""])[]
}

/** Numbers with their names below one another, the numbers large. */
export function Sums({ label, of: sums }: SumsProps) {
  return (
    <dl class="sums" role="group" aria-label={label}>
      {sums.map(([name, value, kind]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class={kind}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A text to be copied, which `what` names. */
export function CopyLine({ text, what, name }: { text: string; what: string; name?: string }) {
  return (
    <div class="secret">
      <code>{text}</code>
      <Button icon="copy" label={t("Copy")} aria-label={name} onClick={() => copy(text, what)} />
    </div>
  )
}
