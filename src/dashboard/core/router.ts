// The address holds the whole state: which page, and what it shows.
import { computed, signal } from "@preact/signals"

export const HOME = "/app"
const here = signal(read())

function read() {
  return { path: location.pathname.replace(/\/+$/, ""), search: location.search }
}

window.addEventListener("popstate", () => {
  here.value = read()
})

/** The page's name and what follows it: `/app/leads/cl_1` is `["leads", "cl_1"]`. */
export const place = computed(() =>
  here.value.path.slice(HOME.length).split("/").filter(Boolean).map(decodeURIComponent),
)
export const query = computed(() => new URLSearchParams(here.value.search))

export function go(href: string, how: "push" | "replace" = "push"): void {
  if (href === location.pathname + location.search) return
  history[how === "push" ? "pushState" : "replaceState"](null, "", href)
  here.value = read()
}

/** Changes parameters of the address; undefined and "" take one away. */
export function setQuery(
  changes: Record<string, string | readonly string[] | undefined>,
  how: "push" | "replace" = "push",
): void {
  const next = new URLSearchParams(here.value.search)
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name)
    if (typeof value === "string") {
      if (value !== "") next.set(name, value)
    } else for (const one of value ?? []) next.append(name, one)
  }
  const text = next.toString()
  go(here.value.path + (text && `?${text}`), how)
}

/** Links of the dashboard are followed without loading the page again. */
document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
  const link = (event.target as Element | null)?.closest("a")
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return
  if (link.pathname !== HOME && !link.pathname.startsWith(`${HOME}/`)) return
  event.preventDefault()
  go(link.pathname + link.search)
})

/** The address of a page. */
export function href(page: string, search: Record<string, string | readonly string[]> = {}): string {
  const text = new URLSearchParams(
    Object.entries(search).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    ),
  ).toString()
  return `${HOME}/${page}${text && `?${text}`}`
}
