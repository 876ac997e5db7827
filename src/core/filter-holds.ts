// Whether a filter holds for a lead that is at hand: the same answer as a list's, without a database.

import { CONTACTS, contactsOf, furtherContacts } from "./contacts.ts"
import { boxes, EARTH_RADIUS_KM } from "./geo.ts"
import {
  type Activity,
  type Attribute,
  isActivityField,
  type LeadData,
  lastTouched,
  NO_ACTIVITY,
  type TextField,
} from "./lead.ts"
import { comparedText } from "./lead-keys.ts"
import type {
  AttributeCondition,
  Condition,
  ContactCondition,
  LeadFilter,
  NumberOperator,
  Phrase,
  TextOperator,
  WordsCondition,
} from "./lead-query.ts"
import { leadWords, WORD_GROUP_NAMES, type WordGroup } from "./lead-words.ts"
import { isoSeconds } from "./moment.ts"
import { phoneNumber } from "./phone.ts"
import { fold, phoneKey } from "./text.ts"

/** A lead with what filters may ask of it. */
export class SeenLead {
  #words: Record<WordGroup, string[]> | undefined
  #tags: ReadonlySet<string> | undefined

  constructor(
    readonly data: LeadData,
    readonly score: number,
    private readonly more: {
      activity: Activity | undefined
      /** The newest first. */
      notes: readonly string[]
      /** Those among the asked ones that brought it. */
      imports: ReadonlySet<string>
      /** The account's. */
      defaultCountry: string | null
      /** It is on the do-not-contact list. */
      isSuppressed: boolean
    },
  ) {}

  get activity(): Activity {
    return this.more.activity ?? NO_ACTIVITY
  }

  /** The first phone and the others. */
  get phones(): { key: string | null; number: string | null }[] {
    const { country } = this.data
    return contactsOf(this.data, "phones").map(({ value }) => ({
      key: phoneKey(value) ?? null,
      number: phoneNumber(value, country, this.more.defaultCountry),
    }))
  }

  get isSuppressed(): boolean {
    return this.more.isSuppressed
  }

  isOf(importId: string): boolean {
    return this.more.imports.has(importId)
  }

  get words(): Record<WordGroup, string[]> {
    this.#words ??= leadWords(this.data, this.more.notes)
    return this.#words
  }

  get tags(): ReadonlySet<string> {
    this.#tags ??= new Set(this.data.tags.map(fold))
    return this.#tags
  }
}

export type Holds = (lead: SeenLead) => boolean

/** The filter as a function: all of `all` hold, and one of `any` where there is one. */
export function compileFilter({ all, any }: LeadFilter): Holds {
  const each = all.map(conditionHolds)
  const one = any.map(conditionHolds)
  return (lead) =>
    each.every((holds) => holds(lead)) && (one.length === 0 || one.some((holds) => holds(lead)))
}

/** Every condition of a filter, those within others too. */
export function conditionsOf({ all, any }: LeadFilter): Condition[] {
  return [...all, ...any].flatMap((one) => (one.on === "any" ? one.conditions : one))
}

function conditionHolds(condition: Condition): Holds {
  const holds = positive(condition)
  return condition.not ? (lead) => !holds(lead) : holds
}

function positive(condition: Condition): Holds {
  switch (condition.on) {
    case "text": {
      const { field, operator } = condition
      const test = textTest(operator, condition.values)
      const list = operator === "is_empty" ? undefined : CONTACTS.find(([, own]) => own === field)?.[0]
      const own = ({ data }: SeenLead) => test(compared(field, data[field]))
      if (!list) return own
      return (lead) =>
        own(lead) || furtherContacts(lead.data, list).some(({ value }) => test(comparedText(field, value)))
    }
    case "number": {
      const { field } = condition
      const test = numberTest(condition.operator, condition.values)
      if (isActivityField(field)) return ({ activity }) => test(activity[field])
      if (field === "last_touched_at") return ({ data, activity }) => test(lastTouched(data, activity))
      return field === "score" ? ({ score }) => test(score) : ({ data }) => test(data[field])
    }
    case "tags":
      return tagsHold(condition.operator, condition.values)
    case "location":
      return condition.operator === "is_set"
        ? ({ data }) => data.latitude !== null && data.longitude !== null
        : within(condition)
    case "attribute":
      return attributeHolds(condition)
    case "words":
      return wordsHold(condition)
    case "ids": {
      const ids = new Set(condition.values)
      return ({ data }) => ids.has(data.id)
    }
    case "import":
      return (lead) => lead.isOf(condition.id)
    case "source_id":
      return ({ data }) => data.source_id === condition.value
    case "phone": {
      const numbers = new Set(condition.numbers)
      return ({ phones }) =>
        phones.some(
          ({ key, number }) =>
            (number !== null && numbers.has(number)) || (key !== null && key === condition.key),
        )
    }
    case "suppressed":
      return ({ isSuppressed }) => isSuppressed
    case "contact":
      return contactHolds(condition)
    case "any": {
      const one = condition.conditions.map(conditionHolds)
      return (lead) => one.some((holds) => holds(lead))
    }
  }
}

const compared = (field: TextField, text: string | null) => (text === null ? null : comparedText(field, text))

/** Texts on both sides are as they are compared; nothing but `is_empty` holds for one that is not there. */
function textTest(operator: TextOperator, values: readonly string[]): (text: string | null) => boolean {
  const [value = ""] = values
  switch (operator) {
    case "eq":
      return (text) => text === value
    case "contains":
      return (text) => text?.includes(value) ?? false
    case "starts_with":
      return (text) => text?.startsWith(value) ?? false
    case "ends_with":
      return (text) => text?.endsWith(value) ?? false
    case "in":
      return (text) => text !== null && values.includes(text)
    case "is_empty":
      return (text) => text === null
  }
}

function numberTest(operator: NumberOperator, values: readonly number[]): (n: number | null) => boolean {
  const [low = 0, high = 0] = values
  switch (operator) {
    case "eq":
      return (n) => n === low
    case "gt":
      return (n) => n !== null && n > low
    case "gte":
      return (n) => n !== null && n >= low
    case "lt":
      return (n) => n !== null && n < low
    case "lte":
      return (n) => n !== null && n <= low
    case "between":
      return (n) => n !== null && n >= low && n <= high
    case "in":
      return (n) => n !== null && values.includes(n)
    case "is_empty":
      return (n) => n === null
  }
}

type ItemsOperator = "any" | "all" | "is_empty"

function itemsTest(operator: ItemsOperator, values: readonly string[]) {
  return (items: ReadonlySet<string>) =>
    operator === "is_empty"
      ? items.size === 0
      : operator === "all"
        ? values.every((value) => items.has(value))
        : values.some((value) => items.has(value))
}

function tagsHold(operator: ItemsOperator, values: readonly string[]): Holds {
  const test = itemsTest(operator, values)
  return ({ tags }) => test(tags)
}

function within(circle: { latitude: number; longitude: number; kilometres: number }): Holds {
  const near = boxes(circle.latitude, circle.longitude, circle.kilometres)
  return ({ data: { latitude, longitude } }) =>
    latitude !== null &&
    longitude !== null &&
    near.some(
      ([south, north, west, east]) =>
        latitude >= south && latitude <= north && longitude >= west && longitude <= east,
    ) &&
    kilometresBetween(circle, { latitude, longitude }) <= circle.kilometres
}

const radians = (degrees: number) => degrees * (Math.PI / 180)

interface Point {
  latitude: number
  longitude: number
}

function kilometresBetween(a: Point, b: Point): number {
  const across = Math.sin(radians(b.latitude - a.latitude) / 2) ** 2
  const along = Math.sin(radians(b.longitude - a.longitude) / 2) ** 2
  const root = Math.sqrt(across + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * along)
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, root))
}

/** On emails or phones besides the first. */
function contactHolds({ field, text, same }: ContactCondition): Holds {
  const test = text && textTest(text.operator, text.values)
  const list = field === "email" ? "emails" : "phones"
  return ({ data, phones }) =>
    (test !== undefined &&
      furtherContacts(data, list).some(({ value }) => test(comparedText(field, value)))) ||
    (same !== undefined &&
      phones.slice(1).some(({ key, number }) => key === same.key || same.numbers.includes(number ?? "")))
}

/** By the type that is stored; a condition has no reading for some. */
function attributeHolds({
  name,
  texts,
  numbers,
  dates,
  bool,
  items,
  present,
  empty,
}: AttributeCondition): Holds {
  const find = ({ data }: SeenLead) => data.attributes.find((attribute) => attribute.name === name)
  if (present) return (lead) => find(lead) !== undefined
  if (empty) {
    return (lead) => {
      const found = find(lead)
      return !found || isBlank(found)
    }
  }
  const text = texts && textTest(texts.operator, texts.values)
  const number = numbers && numberTest(numbers.operator, numbers.values)
  const date = dates && numberTest(dates.operator, dates.values)
  const list = items && itemsTest(items.operator, items.values)
  return (lead) => {
    const found = find(lead)
    if (!found) return false
    const { type, value } = found
    if (type === "text") return text?.(fold(String(value))) ?? false
    if (type === "number") return number?.(Number(value)) ?? false
    if (type === "date") return date?.(isoSeconds(String(value)) ?? null) ?? false
    if (type === "bool") return bool === value
    if (type === "list")
      return list?.(new Set((value as string[]).map((item) => fold(String(item))))) ?? false
    return false
  }
}

function isBlank({ type, value }: Attribute): boolean {
  return (type === "text" && value === "") || (type === "list" && (value as string[]).length === 0)
}

function wordsHold({ all, none }: WordsCondition): Holds {
  const has = (lead: SeenLead, phrase: Phrase) =>
    WORD_GROUP_NAMES.some((group) => hasPhrase(lead.words[group], phrase))
  return (lead) =>
    all.every((phrases) => phrases.some((phrase) => has(lead, phrase))) &&
    !none.some((phrases) => phrases.some((phrase) => has(lead, phrase)))
}

function hasPhrase(words: readonly string[], { words: sought, isBegun }: Phrase): boolean {
  const last = sought.length - 1
  const fits = (word: string | undefined, i: number) =>
    word !== undefined && (i === last && isBegun ? word.startsWith(sought[i]!) : word === sought[i])
  return words.some((word, at) => fits(word, 0) && sought.every((_, i) => fits(words[at + i], i)))
}
