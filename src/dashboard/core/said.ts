// What the service says in English sentences, in the person's language.
import { ApiError } from "./api.ts"
import { t } from "./text.ts"

/** A sentence of the service in the person's language. `code` is that of its error. */
export function said(message: string, code = ""): string {
  const plain = withoutEntry(message)
  const inLanguage = globalThis.leaddbTexts?.sentence
  return inLanguage?.(plain) ?? inLanguage?.(`${code}: ${plain}`) ?? plain
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
