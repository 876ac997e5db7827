// The texts of the dashboard. They stand in the source in English; tables in `texts` have those of other languages, of which
// the page loads the person's own before the first script.
import type { ComponentChildren } from "preact"

/** Another language, put there by its own script. */
export interface SpokenLanguage {
  language: "de"
  /** From the English text; `{name}` stands for a value in both. */
  texts: Readonly<Record<string, string>>
  /** Translates a sentence of the service; undefined for one that it does not know. */
  sentence: (text: string) => string | undefined
}

declare global {
  var leaddbTexts: SpokenLanguage | undefined
}

type Language = "en" | SpokenLanguage["language"]
export const language: Language = globalThis.leaddbTexts?.language ?? "en"
const texts = new Map(Object.entries(globalThis.leaddbTexts?.texts ?? {}))

type Value = string | number | false | null | undefined

/** A text in the person's language, with values in the places of `{name}`; what no table has stays as it is. */
export function t(text: string, values?: Readonly<Record<string, Value>>): string {
  const translated = texts.get(text) ?? text
  return values
    ? translated.replace(/\{(\w+)\}/g, (_, name) => String(values[name] || (values[name] === 0 ? 0 : "")))
    : translated
}

/** Like `t`, with elements among the values. */
export function tx(text: string, values: Readonly<Record<string, ComponentChildren>>): ComponentChildren[] {
  return t(text)
    .split(/\{(\w+)\}/)
    .map((part, i) => (i % 2 === 0 ? part : values[part]))
}

/** Chooses the language of this browser, and shows the page in it. */
export function speak(chosen: Language): void {
  const secure = location.protocol === "https:" ? "; Secure" : ""
  // biome-ignore lint/suspicious/noDocumentCookie: the service has to see it before the first script, and not all browsers have CookieStore
  document.cookie = `leaddb-language=${chosen}; Path=/app; Max-Age=31536000; SameSite=Strict${secure}`
  location.reload()
}
