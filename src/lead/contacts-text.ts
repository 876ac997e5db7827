// Emails or phones of a lead in one text, as tables have them: `work: a@x.example; b@x.example`.
import type { Contact } from "./contacts.ts"

const LABEL = /^[\p{L}\p{N} _-]{1,40}$/u
/** A label and its value. */
const LABELLED = /^([\p{L}\p{N} _-]{1,40}): (.+)$/su

/** The text of contacts, which `contactsOfText` reads back; JSON where a value has our separators in it. */
export function textOfContacts(all: readonly Contact[]): string {
  const isSimple = all.every(
    ({ value, label, status }) =>
      status === undefined &&
      (label === null || (LABEL.test(label) && label.trim() === label)) &&
      !/[;\n\r]/.test(value) &&
      !LABELLED.test(value),
  )
  if (!isSimple || /^[[{]/.test(all[0]?.value ?? "")) return JSON.stringify(all)
  return all.map(({ value, label }) => (label === null ? value : `${label}: ${value}`)).join("; ")
}

/** The contacts of a text that is no JSON. */
export function contactsOfText(text: string): Contact[] {
  return text.split(";").flatMap((part) => {
    const piece = part.trim()
    const [, label, value = piece] = LABELLED.exec(piece) ?? []
    return piece === "" ? [] : [{ value, label: label ?? null }]
  })
}
