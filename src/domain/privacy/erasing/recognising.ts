// Recognises people in texts that stand apart from their leads. A text is compared word by word, so that its length alone
// decides how long that takes, not how much is known of the people.
import { everyContactOf } from "../../../lead/suppression-keys.ts"
import { fold } from "../../../text/text.ts"
import type { ErasedPerson } from "./erased-person.ts"

export interface Recogniser {
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
/** Words of a long text that are enough to know it by. */
const WORDS_MAX = 12
/** Values too short to be told from other words, as messages quote them. */
const QUOTED = /"([^"]{3,5})"/g

export function recogniserOf(people: readonly ErasedPerson[]): Recogniser {
  const contacts = people.flatMap((one) => [...one.contacts.values()].map(everyContactOf))
  const emails = folded(contacts.flatMap((one) => one.emails))
  const names = folded(people.flatMap((one) => [...one.names])).filter(isName)
  const phones = contacts
    .flatMap((one) => one.phones.map(({ phone }) => digitsOf(phone)))
    .filter((digits) => digits.length >= DIGITS_MIN)
  const tails = [...new Set(phones.map((digits) => digits.slice(-DIGITS)))]
  const values = folded(people.flatMap((one) => [...one.texts])).filter((text) => text.length >= VALUE_MIN)
  const whole = new Set(values)
  const labels = new Set(folded(people.flatMap((one) => [...one.labels])))
  const certain = phrases([...emails, ...names])
  const within = phrases(values.filter((value) => value.length >= WITHIN_MIN))
  const parts = new Set([...names, ...emails.map(localPart)].flatMap(wordsIn).filter(isPart))

  function isNamed(text: string, words = wordsIn(text)): boolean {
    return certain(words) || hasPhone(text, tails)
  }
  function tells(text: string, words = wordsIn(text)): boolean {
    if (isNamed(text, words) || whole.has(text.trim()) || within(words)) return true
    return text.matchAll(QUOTED).some(([, value]) => whole.has(value!))
  }
  function tellsBeside(text: string): boolean {
    const words = wordsIn(text)
    return tells(text, words) || labels.has(text.trim()) || words.some((word) => parts.has(word))
  }
  return {
    isNamed: (text) => isNamed(fold(text)),
    tells: (text) => tells(fold(text)),
    tellsBeside: (text) => tellsBeside(fold(text)),
  }
}

const folded = (texts: readonly string[]) => [...new Set(texts.map((text) => fold(text).trim()))]
const digitsOf = (text: string) => text.replaceAll(/\D+/g, "")
const localPart = (email: string) => email.slice(0, email.lastIndexOf("@"))
/** Names of few letters are words of their own in other scripts alone. */
const isName = (name: string) => name.length > VALUE_MIN || /[^\0-\u024f]/.test(name)
const isPart = (word: string) => word.length >= PART_MIN
const wordsIn = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? []

function hasPhone(text: string, tails: readonly string[]): boolean {
  if (tails.length === 0) return false
  const digits = digitsOf(text)
  return tails.some((tail) => digits.includes(tail))
}

/** Tells whether words have all of those of one of the texts in a row. */
function phrases(texts: readonly string[]): (words: readonly string[]) => boolean {
  const byFirst = Map.groupBy(
    texts.map((text) => wordsIn(text).slice(0, WORDS_MAX)).filter((words) => words.length > 0),
    ([first]) => first!,
  )
  return (words) =>
    words.some((word, at) =>
      byFirst.get(word)?.some((name) => name.every((each, i) => words[at + i] === each)),
    )
}
