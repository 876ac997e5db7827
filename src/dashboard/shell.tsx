import { signal } from "@preact/signals"
import type { ComponentType } from "preact"
import { useEffect, useLayoutEffect, useState } from "preact/hooks"
import { get, isOffline, lastRead, peek, written } from "./core/api.ts"
import { plural, roleName, words } from "./core/format.ts"
import { useShortcuts } from "./core/keys.ts"
import { startLive, useLiveLoaded } from "./core/live.ts"
import { painted, usePolling } from "./core/loading.ts"
import { learnMembers } from "./core/members.ts"
import { go, href } from "./core/router.ts"
import { learnRules } from "./core/rules.ts"
import { session, signOut } from "./core/session.ts"
import { learnStatuses } from "./core/statuses.ts"
import { language, speak, t, tx } from "./core/text.ts"
import { chosenTheme, nextTheme } from "./core/theme.ts"
import { copyCurl, undoLast } from "./core/toast.ts"
import type { BackgroundWork } from "./core/types.ts"
import { type DashboardPage, pageHere, pagesHere, pageView, programOf } from "./pages.ts"
import { Button, FailureNote, Loaded, ProgressBar, Toasts } from "./parts/bits.tsx"
import { Icon } from "./parts/icons.tsx"
import { MenuItem, OpenedDialogs, openDialog, Popover } from "./parts/overlay.tsx"

const isMenuOpen = signal(false)

const GROUPS = [
  ["work", ""],
  ["data", t("Data in and out")],
  ["settings", t("Settings")],
] as const

export function Shell() {
  const pages = pagesHere()
  const page = pageHere(pages)
  const name = page?.name ?? ""
  // Before the page is seen: a menu that was open at the end of a session would close under a finger otherwise.
  useLayoutEffect(() => {
    document.title = `${page?.title ?? t("Not found")} · leaddb`
    isMenuOpen.value = false
  }, [name])
  useEffect(() => {
    void painted().then(() => {
      startLive()
      void learnRules()
      void learnStatuses()
      void learnMembers()
    })
  }, [])
  useShortcuts([
    ...pages.map(({ key, name, title }) => ({
      keys: `g ${key}`,
      about: t("Go to {title}", { title }),
      run: () => go(href(name)),
    })),
    { keys: "Mod+K", about: t("Commands"), whileTyping: true, run: openCommands },
    { keys: "Mod+Z", about: t("Undo what this tab did last"), run: undoLast },
    { keys: "?", about: t("This help"), run: openHelp },
    {
      keys: "Mod+Shift+C",
      about: t("Copy what is shown as curl"),
      run: () => copyCurl(lastRead.value),
    },
  ])
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={skip}>
        {t("Skip to the content")}
      </a>
      <Side pages={pages} current={name} />
      <main id="main" class="main" tabIndex={-1}>
        <Offline />
        {page ? <Shown key={page.name} page={page} /> : <NotFound />}
      </main>
      <Toasts />
      <OpenedDialogs />
    </div>
  )
}

function skip(event: Event) {
  event.preventDefault()
  document.getElementById("main")?.focus()
}

function Side({ pages, current }: { pages: readonly DashboardPage[]; current: string }) {
  const isOpen = isMenuOpen.value
  return (
    <header class={`side ${isOpen ? "open" : ""}`}>
      <div class="brand">
        <a href="/app" class="logo" aria-label={t("leaddb, home")}>
          lead<b>db</b>
        </a>
        <Work />
        <Button
          icon={isOpen ? "close" : "menu"}
          class="quiet square menu-button"
          aria-label={t("Menu")}
          aria-expanded={isOpen}
          aria-controls="nav"
          onClick={() => {
            isMenuOpen.value = !isOpen
          }}
        />
      </div>
      <nav id="nav" aria-label={t("Pages")}>
        {GROUPS.map(([group, label]) => {
          const inGroup = pages.filter((page) => page.group === group)
          if (inGroup.length === 0) return null
          const links = inGroup.map(({ name, title, icon, key }) => (
            <a
              key={name}
              href={href(name)}
              aria-current={name === current ? "page" : undefined}
              title={`${title} (g ${key})`}
            >
              <Icon name={icon} />
              {title}
            </a>
          ))
          if (group === "settings")
            return (
              <details class="nav-group" key={group} open={inGroup.some(({ name }) => name === current)}>
                <summary class="nav-label">{label}</summary>
                {links}
              </details>
            )
          return (
            <div class="nav-group" key={group}>
              {label && <p class="nav-label">{label}</p>}
              {links}
            </div>
          )
        })}
        <Foot />
      </nav>
    </header>
  )
}

function Foot() {
  const now = session.value
  const theme = chosenTheme.value
  const name = now?.actor.kind === "code" ? t("This machine") : (now?.actor.name ?? "")
  return (
    <div class="side-foot">
      <Button icon="search" size={16} label={t("Commands")} class="quiet nav-button" onClick={openCommands}>
        <kbd>{navigator.platform.startsWith("Mac") ? "⌘K" : `${t("Ctrl")} K`}</kbd>
      </Button>
      <Popover
        label={t("Account menu")}
        isNamed
        class="quiet nav-button who"
        button={
          <>
            <span class="avatar" aria-hidden="true">
              {name.slice(0, 1).toUpperCase()}
            </span>
            <span class="who-name">
              {name}
              <small>{now && roleName(now.role)}</small>
              <span class="unseen">{t("Account menu")}</span>
            </span>
          </>
        }
      >
        <div class="menu">
          <p class="menu-title">{now?.account.name}</p>
          <Button
            icon={theme === "dark" ? "moon" : "sun"}
            size={16}
            label={t("Theme: {theme}", { theme: themeName(theme) })}
            onClick={nextTheme}
          />
          <Button
            icon="help"
            size={16}
            label={language === "en" ? "Deutsch" : "English"}
            onClick={() => speak(language === "en" ? "de" : "en")}
          />
          <a href="/docs" target="_blank" rel="noreferrer">
            <Icon name="help" />
            {t("API reference")}
          </a>
          <MenuItem icon="help" label={t("Keyboard help")} onClick={openHelp} />
          <Button icon="out" size={16} label={t("Sign out")} onClick={() => signOut()} />
        </div>
      </Popover>
    </div>
  )
}

const themeName = (theme: string) =>
  theme === "" ? t("as the system") : theme === "dark" ? t("dark") : t("light")

const RETRY_MS = 2_000

/** Says that the service is out of reach, and looks for it until it is back. */
function Offline() {
  const isOut = isOffline.value
  useEffect(() => {
    if (!isOut) return
    const timer = setInterval(() => {
      get("/sessions/current").catch(() => {})
    }, RETRY_MS)
    return () => clearInterval(timer)
  }, [isOut])
  if (!isOut) return null
  return (
    <p class="offline" role="alert">
      {t(
        "The service cannot be reached. What you see may be old; this page goes on by itself when it is back.",
      )}
    </p>
  )
}

function Shown({ page }: { page: DashboardPage }) {
  const [loaded, setLoaded] = useState<{ view?: ComponentType | undefined; error?: unknown }>({
    view: pageView(page),
  })
  const [turn, setTurn] = useState(0)
  useLayoutEffect(() => {
    if (pageView(page) && turn === 0) return
    let isHere = true
    programOf(page).then(
      (view) => isHere && setLoaded({ view }),
      (error) => {
        if (!isHere) return
        setLoaded({ error })
        if (isUnfetched(error)) isOffline.value = true
      },
    )
    return () => {
      isHere = false
    }
  }, [page.name, turn])
  const isOut = isOffline.value
  useEffect(() => {
    // Browsers may remember that a module could not be fetched; the address holds all there is to keep.
    if (!isOut && isUnfetched(loaded.error)) location.reload()
  }, [isOut])
  if (loaded.error) return <FailureNote error={loaded.error} again={() => setTurn(turn + 1)} />
  const View = loaded.view
  return View ? <View /> : null
}

/** Whether a page's program could not be had: every browser names the module in that error. */
function isUnfetched(error: unknown): boolean {
  return error instanceof TypeError && /module/i.test(error.message)
}

const commands = () => import("./palette.tsx").then((parts) => parts.Commands)
const help = () => import("./palette.tsx").then((parts) => parts.Help)
const openCommands = () => openDialog(<Loaded key="commands" load={commands} props={{}} />)
const openHelp = () => openDialog(<Loaded key="help" load={help} props={{}} />)

function NotFound() {
  return (
    <div class="empty">
      <h1>{t("There is no such page")}</h1>
      <p>
        {tx("Go to {a}, or press {kbd} to find what you look for.", {
          a: <a href={href("leads")}>{t("Leads")}</a>,
          kbd: <kbd>{`${t("Ctrl")} K`}</kbd>,
        })}
      </p>
    </div>
  )
}

// What the service does in the background, in one place.

/** Between two looks while there is work. */
const LOOK_MS = 1_000

const KINDS: Readonly<Record<string, string>> = {
  import: t("Importing"),
  bulk: t("Changing leads"),
  revert: t("Undoing changes"),
  score_leads: t("Scoring leads"),
  rescan_duplicates: t("Comparing all leads again"),
  merge_duplicates: t("Merging duplicates"),
  erase_again: t("Erasing leads again"),
}

interface Task {
  label: string
  /** How much is left, where there is no total. */
  left?: string
  done: number
  of: number | null
}

function tasksOf({ jobs, comparing, indexing }: BackgroundWork): Task[] {
  const tasks: Task[] = jobs.map(({ kind, done, of }) => ({ label: KINDS[kind] ?? words(kind), done, of }))
  const left = (label: string, count: number): Task => ({
    label,
    left: plural(count, "lead"),
    done: 0,
    of: null,
  })
  if (indexing > 0) tasks.push(left(t("Indexing"), indexing))
  if (comparing > 0) tasks.push(left(t("Comparing"), comparing))
  return tasks
}

/** Shows nothing while there is nothing to wait for. Looks after each change, and regularly while there is work. */
function Work() {
  const loaded = useLiveLoaded(async (signal) => {
    await painted()
    return peek<BackgroundWork>("/jobs", {}, signal)
  }, [])
  const tasks = loaded.data ? tasksOf(loaded.data) : []
  const isBusy = tasks.length > 0
  usePolling(isBusy || written.value !== 0, LOOK_MS, loaded.again, [isBusy && loaded.data, written.value])
  if (!isBusy) return null
  const working = tasks.length === 1 ? tasks[0]!.label : plural(tasks.length, "task")
  return (
    <Popover
      label={t("Background work: {working}", { working })}
      class="quiet work"
      button={
        <>
          <span class="work-dot" aria-hidden="true" />
          <span class="work-label">{working}</span>
        </>
      }
    >
      <div class="work-list">
        <h2>{t("Background work")}</h2>
        <ul>
          {tasks.map(({ label, left, done, of }) => (
            <li key={label}>
              <span>
                {label} {left}
              </span>
              {of !== null && <ProgressBar done={done} of={of} label={label} />}
            </li>
          ))}
        </ul>
      </div>
    </Popover>
  )
}
