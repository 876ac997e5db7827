// What the service says in English sentences, in the person's language.
import { ApiError } from "./api.ts"
import { dayText, words } from "./format.ts"
import { sentences, t } from "./text.ts"

const FORMS = sentences.map((sentence) => {
  const parts = sentence.split(/\{(\w+)\}/)
  const names = parts.filter((_, i) => i % 2 === 1)
  const fixed = parts.filter((_, i) => i % 2 === 0).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
  return { sentence, names, pattern: new RegExp(`^${fixed.join("(.*?)")}$`, "s") }
})

/** A sentence by the first form that it has; undefined where it has none. */
function byForm(text: string): string | undefined {
  for (const { sentence, names, pattern } of FORMS) {
    const found = pattern.exec(text)
    if (!found) continue
    return t(sentence, Object.fromEntries(names.map((name, i) => [name, part(name, found[i + 1]!)])))
  }
  return undefined
}

/** A part of a sentence: `field` is the path of a field, `message` another sentence, `what` a thing that has a name. */
function part(name: string, text: string): string {
  if (name === "field") return words(text.replace(/^.*[.\]](?=\w)/, ""))
  if (name === "message") return byForm(text) ?? text
  return name === "what" ? t(text) : text
}

/** A sentence of the service, without what only programs need of it. `code` is that of its error. */
export function said(message: string, code = ""): string {
  const plain = withoutEntry(message)
    .replace(/(?:; (?:date_order|decimal=\w+) says otherwise| unless map says \w+| \((?:dmy|mdy|ymd)\))$/, "")
    .replace(/^(\S+) is (\d{4}-\d\d-\d\d.*)$/, (_, from, to) => `${from} → ${dayText(to)}`)
  return byForm(plain) ?? byForm(`${code}: ${plain}`) ?? plain
}

/** Says of whom the do-not-contact list holds what, without the id of the entry; other messages stay. */
function withoutEntry(message: string): string {
  const listed = /^The \w+ (.+) is on the do-not-contact list(?: \(.*?\))?(: .*)?$/.exec(message)
  return listed ? t("{name} is on the do-not-contact list", { name: listed[1] }) + (listed[2] ?? "") : message
}

/** Describes an error for people, with the id that finds the request in the service's log. */
export function told(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? said(error.message) : String(error)
  const message = said(error.message, error.code)
  if (error.code === "suppressed" || !error.requestId) return message
  return t("{message} (request {id})", { message, id: error.requestId })
}
