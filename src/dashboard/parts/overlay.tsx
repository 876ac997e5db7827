import { signal } from "@preact/signals"
import { type ComponentChildren, type ComponentProps, createContext } from "preact"
import { useCallback, useContext, useLayoutEffect, useRef, useState } from "preact/hooks"
import { place } from "../core/router.ts"
import { t } from "../core/text.ts"
import { attempt } from "../core/toast.ts"
import { Button } from "./bits.tsx"

const Closing = createContext<() => unknown>(() => {})

/** What closes the dialog that a component is shown in. */
export const useClose = () => useContext(Closing)

interface Opened {
  id: number
  dialog: ComponentChildren
}

let opens = 0
/** The last one is on top. */
const opened = signal<readonly Opened[]>([])

/** Opens a dialog over the page, in place of those that are open. It closes itself, and stays as it was opened. */
export function openDialog(dialog: ComponentChildren): void {
  opened.value = [{ id: ++opens, dialog }]
}

/** Opens one over those that are open: for what nobody waits for, as somebody may be typing in another. */
export function openOver(dialog: ComponentChildren): void {
  opened.value = [...opened.value, { id: ++opens, dialog }]
}

/** Shows the dialogs that are open; they go with their page, and with a step back. */
export function OpenedDialogs() {
  const page = place.value.join("/")
  useLayoutEffect(() => {
    const end = () => {
      opened.value = []
    }
    addEventListener("popstate", end)
    return () => {
      removeEventListener("popstate", end)
      end()
    }
  }, [page])
  return opened.value.map((one) => <OpenedDialog key={one.id} {...one} />)
}

function OpenedDialog({ id, dialog }: Opened) {
  const close = useCallback(() => {
    opened.value = opened.value.filter((one) => one.id !== id)
  }, [id])
  return <Closing.Provider value={close}>{dialog}</Closing.Provider>
}

interface DialogProps {
  title: string
  children: ComponentChildren
  /** Buttons at the end. */
  footer?: ComponentChildren
  size?: "small" | "medium" | "large" | undefined
}

/** A window of its own: the browser keeps the focus in it, Escape closes it, and the focus goes back. */
export function Dialog({ title, children, footer, size = "medium" }: DialogProps) {
  const close = useClose()
  const ref = useRef<HTMLDialogElement>(null)
  // With what is shown, not after: keys that follow at once are meant for the dialog.
  useLayoutEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    dialog?.showModal()
    // The browser would choose the button that closes it, also where the one that does it waits for a count.
    const first = dialog?.querySelector<HTMLElement>(
      ".dialog-content :is(input, select, textarea), .dialog-foot .does",
    )
    ;(first?.matches(":disabled") ? dialog : first)?.focus()
    return () => {
      dialog?.close()
      focusBack(before)
    }
  }, [])
  return (
    <dialog
      ref={ref}
      tabIndex={-1}
      class={`dialog ${size}`}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onClick={(event) => {
        if (event.target === ref.current) close()
      }}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2>{title}</h2>
          <Button icon="close" class="quiet square" onClick={close} aria-label={t("Close")} />
        </header>
        <div class="dialog-content">{children}</div>
        {footer && <footer class="dialog-foot">{footer}</footer>}
      </div>
    </dialog>
  )
}

/** Focuses what had the focus before a dialog; where that is gone or hidden, the table or the page. */
function focusBack(before: Element | null): void {
  if (before instanceof HTMLElement && before !== document.body && before.checkVisibility()) before.focus()
  else (document.querySelector<HTMLElement>(".grid") ?? document.getElementById("main"))?.focus()
}

/** Where what had the focus goes with the component, the table or the page has it. */
export function useFocusAfter(): void {
  useLayoutEffect(
    () => () =>
      queueMicrotask(() => {
        if (document.activeElement === document.body) focusBack(null)
      }),
    [],
  )
}

export interface ConfirmProps {
  title: string
  /** The text of the button that does it. */
  action: string
  cancel?: string
  isDanger?: boolean
  isDisabled?: boolean
  /** What the button says meanwhile, when it cannot be pressed; undefined where that is over at once. */
  busy?: string
  /** What it does; the dialog closes once that is done, unless it resolves to false. A failure is told. */
  work: () => unknown
  children: ComponentChildren
}

/** A small dialog that asks before something is done. */
export function ConfirmDialog({
  title,
  action,
  cancel = t("Cancel"),
  isDanger = true,
  isDisabled = false,
  busy,
  work,
  children,
}: ConfirmProps) {
  const close = useClose()
  const [isWorking, setWorking] = useState(false)
  const isBusy = isWorking && busy !== undefined
  const isOff = isDisabled || isBusy
  const does = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const isElsewhere = document.activeElement?.matches("input, select, textarea")
    if (!isOff && !isElsewhere) does.current?.focus()
  }, [isOff])
  async function run() {
    setWorking(true)
    await attempt(async () => {
      if ((await work()) !== false) close()
    })
    setWorking(false)
  }
  return (
    <Dialog
      title={title}
      size="small"
      footer={
        <>
          <Button label={cancel} onClick={close} />
          <Button
            label={isBusy ? busy : action}
            ref={does}
            class={`does ${isDanger ? "danger-solid" : "primary"}`}
            disabled={isOff}
            onClick={run}
          />
        </>
      }
    >
      {children}
    </Dialog>
  )
}

interface MenuProps {
  label: string
  /** Content of the button. */
  button: ComponentChildren
  /** Whether the content names the button, so that it needs no label. */
  isNamed?: boolean
  class?: string
  align?: "start" | "end"
  children: ComponentChildren
}

let menus = 0

/** An entry of a menu, which closes the menu. */
export function MenuItem({
  onClick,
  ...others
}: Omit<ComponentProps<typeof Button>, "onClick"> & { onClick: () => unknown }) {
  const close = useClose()
  return (
    <Button
      size={16}
      {...others}
      onClick={() => {
        close()
        onClick()
      }}
    />
  )
}

/** A button with something that opens below it, above everything else; Escape and a click elsewhere close it. */
export function Popover({
  label,
  button,
  isNamed = false,
  class: kind = "",
  align = "start",
  children,
}: MenuProps) {
  const id = useRef(`popover-${++menus}`).current
  const anchor = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [wasOpened, setOpened] = useState(false)
  const close = useCallback(() => panel.current?.hidePopover(), [])
  function place() {
    const [from, to] = [anchor.current, panel.current]
    if (!from || !to) return
    const box = from.getBoundingClientRect()
    const width = to.offsetWidth
    const left = align === "end" ? box.right - width : box.left
    to.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`
    const below = innerHeight - box.bottom
    if (below > to.offsetHeight + 8 || below > box.top) {
      to.style.top = `${box.bottom + 4}px`
      to.style.maxHeight = `${below - 12}px`
    } else {
      to.style.top = `${Math.max(8, box.top - to.offsetHeight - 4)}px`
      to.style.maxHeight = `${box.top - 12}px`
    }
  }
  // Before the button is seen: one that is pressed at once would open a panel without content.
  useLayoutEffect(() => {
    const element = panel.current
    const toggled = (event: Event) => {
      const isOpen = (event as ToggleEvent).newState === "open"
      anchor.current?.setAttribute("aria-expanded", String(isOpen))
      if (!isOpen) return
      place()
      element?.querySelector<HTMLElement>("input, select, button, a, [tabindex]")?.focus()
    }
    const opened = () => setOpened(true)
    // What it holds is there by the second of both events, and never where it is not opened.
    element?.addEventListener("beforetoggle", opened, { once: true })
    element?.addEventListener("toggle", toggled)
    return () => {
      element?.removeEventListener("beforetoggle", opened)
      element?.removeEventListener("toggle", toggled)
    }
  }, [])
  return (
    <>
      <Button
        ref={anchor}
        class={kind}
        aria-label={isNamed ? undefined : label}
        aria-haspopup="true"
        aria-expanded="false"
        popovertarget={id}
      >
        {button}
      </Button>
      <div id={id} ref={panel} popover="auto" class="popover" role="group" aria-label={label}>
        {wasOpened && <Closing.Provider value={close}>{children}</Closing.Provider>}
      </div>
    </>
  )
}
