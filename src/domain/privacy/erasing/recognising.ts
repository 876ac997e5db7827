// Recognises people in texts that stand apart from their leads.
import { everyContactOf } from "../../../core/suppression-keys.ts"
import { fold } from "../../../core/text.ts"
import type { ErasedPerson } from "./erased-person.ts"

export interface Recogniser {
  /** Whether a text, or the JSON of texts, may tell of one of them: a quick look. */
  mayTell(text: string): boolean
  /** Whether a text has an email, a phone or the name of one of them in it. */
  isNamed(text: string): boolean
  /** Whether it has that or another value of theirs in it, as messages quote values. */
  tells(text: string): boolean
  /** As `tells`, also by parts of names and emails and by shared values: for what stands in a file beside them. */
  tellsBeside(text: string): boolean
}

/** Letters from which on a value says something, is told from other words within a text, and part of a name is. */
const VALUE_MIN = 3
const WITHIN_MIN = 6
const PART_MIN = 4
/** Digits that tell a phone from other numbers. */
const DIGITS = 8
const DIGITS_MIN = 6
const WORD = /[\p{L}\p{N}]/u

export function recogniserOf(people: readonly ErasedPerson[]): Recogniser {
  const contacts = people.flatMap((one) => [...one.contacts.values()].map(everyContactOf))
  const emails = folded(contacts.flatMap((one) => one.emails))
  const names = folded(people.flatMap((one) => [...one.names])).filter((name) => name.length > VALUE_MIN)
  const phones = [...new Set(contacts.flatMap((one) => one.phones.map(({ phone }) => digitsOf(phone))))]
    .filter((digits) => digits.length >= DIGITS_MIN)
    .map((digits) => digits.slice(-DIGITS))
  const values = folded(people.flatMap((one) => [...one.texts])).filter((text) => text.length >= VALUE_MIN)
  const whole = new Set(values)
  const within = values.filter((value) => value.length >= WITHIN_MIN)
  const short = values.filter((value) => value.length < WITHIN_MIN)
  const labels = new Set(folded(people.flatMap((one) => [...one.labels])))
  const parts = partsOf(names, emails)

  const named = (text: string) =>
    [...emails, ...names].some((needle) => holds(text, needle)) || hasPhone(text, phones)
  const told = (text: string) =>
    named(text) ||
    whole.has(text.trim()) ||
    within.some((value) => holds(text, value)) ||
    short.some((value) => text.includes(`"${value}"`))
  const beside = (text: string) =>
    told(text) || labels.has(text.trim()) || parts.some((part) => text.includes(part))
  return {
    mayTell: (text) => {
      const all = fold(text)
      return (
        hasPhone(all, phones) ||
        [...emails, ...names, ...values, ...parts].some((needle) => all.includes(asJson(needle)))
      )
    },
    isNamed: (text) => named(fold(text)),
    tells: (text) => told(fold(text)),
    tellsBeside: (text) => beside(fold(text)),
  }
}

const folded = (texts: readonly string[]) => [...new Set(texts.map((text) => fold(text).trim()))]
const asJson = (text: string) => JSON.stringify(text).slice(1, -1)
const digitsOf = (text: string) => text.replaceAll(/\D+/g, "")

function hasPhone(text: string, phones: readonly string[]): boolean {
  if (phones.length === 0) return false
  const digits = digitsOf(text)
  return phones.some((phone) => digits.includes(phone))
}

/** Words of names and of the local parts of emails. */
function partsOf(names: readonly string[], emails: readonly string[]): string[] {
  const texts = [...names, ...emails.map((email) => email.slice(0, email.lastIndexOf("@")))]
  const words = texts.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u))
  return [...new Set(words)].filter((word) => word.length >= PART_MIN)
}

/** Whether a text has another one in it that is no part of a longer word. */
function holds(text: string, needle: string): boolean {
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
    const [before, after] = [text[at - 1] ?? " ", text[at + needle.length] ?? " "]
    if (!WORD.test(before) && !WORD.test(after)) return true
  }
  return false
}
