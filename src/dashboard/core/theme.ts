import { signal } from "@preact/signals"

type Theme = "" | "light" | "dark"
const KEY = "leaddb-theme"

/** The chosen theme; "" follows the system. */
export const chosenTheme = signal<Theme>(read())
chosenTheme.subscribe((theme) => {
  if (theme === "") document.documentElement.removeAttribute("data-theme")
  else document.documentElement.dataset.theme = theme
})

function read(): Theme {
  const saved = localStorage.getItem(KEY)
  return saved === "light" || saved === "dark" ? saved : ""
}

export function nextTheme(): void {
  const next = { "": "light", light: "dark", dark: "" } as const
  chosenTheme.value = next[chosenTheme.value]
  localStorage.setItem(KEY, chosenTheme.value)
}
