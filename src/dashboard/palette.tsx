// Loaded when it is first asked for: the commands (Mod+K) and the help (?).

import { useEffect, useRef, useState } from "preact/hooks"
import { get, lastRead } from "./core/api.ts"
import { shortcuts } from "./core/keys.ts"
import { useDebounced } from "./core/loading.ts"
import { go, href } from "./core/router.ts"
import { signOut } from "./core/session.ts"
import { t } from "./core/text.ts"
import { nextTheme } from "./core/theme.ts"
import { copyCurl } from "./core/toast.ts"
import type { Lead, LeadPage } from "./core/types.ts"
import { pagesHere } from "./pages.ts"
import { Dialog, openDialog, useClose } from "./parts/overlay.tsx"

interface Command {
  title: string
  note?: string
  run: () => void
}

function allCommands(): Command[] {
  return [
    ...pagesHere().map(({ name, title, key }) => ({
      title: t("Go to {title}", { title }),
      note: `g ${key}`,
      run: () => go(href(name)),
    })),
    {
      title: t("Copy what is shown as curl"),
      run: () => void copyCurl(lastRead.value),
    },
    { title: t("Change the theme"), run: nextTheme },
    { title: t("Keyboard help"), note: "?", run: () => openDialog(<Help />) },
    { title: t("Hot leads"), run: () => go(href("leads", { filter: "and.gte.score.70" })) },
    { title: t("Leads without an email"), run: () => go(href("leads", { filter: "and.is_empty.email." })) },
    { title: t("Newest leads"), run: () => go(href("leads", { sort: "created_at", order: "desc" })) },
    { title: t("Sign out"), run: () => void signOut() },
  ]
}

const DEBOUNCE_MS = 150

export function Commands() {
  const close = useClose()
  const [typed, setTyped] = useState("")
  const [at, setAt] = useState(0)
  const [leads, setLeads] = useState<Lead[]>([])
  const list = useRef<HTMLUListElement>(null)
  const looked = typed.trim().toLowerCase()
  const isSought = looked.length >= 2
  useEffect(() => {
    setAt(0)
    if (!isSought) setLeads([])
  }, [looked])
  useDebounced(
    DEBOUNCE_MS,
    (signal) => {
      if (!isSought) return
      get<LeadPage>("/leads", { q: looked, limit: 6, fields: "name,city,email" }, signal).then(
        (page) => setLeads(page.leads),
        () => {},
      )
    },
    [looked],
  )
  const commands: Command[] = [
    ...allCommands().filter(({ title }) =>
      looked.split(" ").every((word) => title.toLowerCase().includes(word)),
    ),
    ...leads.map((lead) => ({
      title: lead.name,
      note: [lead.city, lead.email].filter(Boolean).join(" · "),
      run: () => go(href(`leads/${lead.id}`)),
    })),
    ...(looked === ""
      ? []
      : [
          {
            title: t("Search leads for “{typed}”", { typed: typed.trim() }),
            run: () => go(href("leads", { q: typed.trim() })),
          },
        ]),
  ]
  function run(command: Command | undefined) {
    if (!command) return
    close()
    command.run()
  }
  function move(to: number) {
    setAt((to + commands.length) % commands.length)
    list.current?.children[(to + commands.length) % commands.length]?.scrollIntoView({ block: "nearest" })
  }
  return (
    <Dialog title={t("Commands")}>
      <div class="palette">
        <input
          type="text"
          role="combobox"
          aria-label={t("Command or lead")}
          aria-expanded="true"
          aria-controls="commands"
          aria-activedescendant={commands[at] ? `command-${at}` : undefined}
          placeholder={t("Go to a page, find a lead, do something…")}
          autofocus
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "ArrowDown") move(at + 1)
            else if (event.key === "ArrowUp") move(at - 1)
            else if (event.key === "Enter") run(commands[at])
            else return
            event.preventDefault()
          }}
        />
        <ul id="commands" role="listbox" aria-label={t("Commands")} ref={list}>
          {commands.map((command, i) => (
            <li
              key={`${command.title}${command.note}`}
              id={`command-${i}`}
              role="option"
              aria-selected={i === at}
              onClick={() => run(command)}
              onMouseMove={() => setAt(i)}
            >
              <span>{command.title}</span>
              {command.note && <small>{command.note}</small>}
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}

const IN_TABLES = [
  [t("↑ ↓ or j k"), t("Move through the rows")],
  ["← →", t("Move through the columns")],
  ["Enter", t("Open the lead")],
  [t("e or F2"), t("Change the cell; Enter keeps it, Escape does not")],
  [t("x or Space"), t("Select the row; Shift with ↑ ↓ selects several")],
  [`${t("Ctrl")} A`, t("Select all rows that are loaded")],
] as const

export function Help() {
  const rows: (readonly [string, string])[] = shortcuts().map(({ keys, about }) => [
    keys.replace("Mod+", `${t("Ctrl")} `),
    about,
  ])
  return (
    <Dialog title={t("Keyboard help")} size="large">
      <div class="help">
        <Keys title={t("Everywhere")} rows={rows} />
        <Keys title={t("In a table of leads")} rows={IN_TABLES} />
      </div>
    </Dialog>
  )
}

function Keys({ title, rows }: { title: string; rows: readonly (readonly [string, string])[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl class="keys">
        {rows.map(([keys, about]) => (
          <div key={keys + about}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
