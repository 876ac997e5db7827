// All emails and phones of a row, out of every column that has some.
import {
  CONTACTS_MAX,
  type Contact,
  type ContactList,
  distinctContacts,
  isFax,
} from "../../../lead/contacts.ts"
import { barePhone } from "../../../text/phone-dressing.ts"
import type { FileColumn } from "../cells/file-columns.ts"
import type { CellReading } from "../cells/values.ts"
import { nameWords, plainName } from "../cells/vocabulary.ts"
import type { Draft, Gathered } from "./draft.ts"

/** Words of column names that say what an email or phone is for. */
const LABELS = new Map(
  Object.entries({
    mobile:
      "mobile mobil mobiltelefon mobilnummer mobilnr mobilfunk handy handynummer handynr cell cellphone cellular celular movil cellulare portable gsm telemovel mobiel mobiele mobielnummer komórkowy komórka cep 携帯 手机 휴대폰 الجوال",
    home: "home private privat personal perso personnel particular casa domicile prive thuis",
    work: "work business office company corporate geschaftlich dienstlich buro pro professionnel bureau trabajo oficina lavoro ufficio werk zakelijk",
    main: "main primary zentrale principal principale haupt",
    other: "other weitere autre otro altro overig outro alternate alternative secondary",
    whatsapp: "whatsapp",
  }).flatMap(([label, words]) => words.split(" ").map((word) => [plainName(word), label] as const)),
)

function labelOf({ name }: FileColumn): string | null {
  for (const word of nameWords(name)) {
    const label = LABELS.get(word)
    if (label !== undefined) return label
  }
  return null
}

/** The column with the labels of another one's values, as Google has it: `Phone 2 - Label` beside `Phone 2 - Value`. */
export function labelColumnOf({ name }: FileColumn, all: readonly FileColumn[]): FileColumn | undefined {
  const base = /^(.+) - Value$/i.exec(name)?.[1]
  if (base === undefined) return undefined
  const names = [`${base} - label`, `${base} - type`].map((one) => one.toLowerCase())
  return all.find((one) => names.includes(one.name.toLowerCase()))
}

/** The text of such a cell as a label: Google marks the first of several with a star. */
function saidLabel(said: unknown): string | null {
  const text =
    typeof said === "string"
      ? said
          .replace(/^[*\s]+/, "")
          .trim()
          .toLowerCase()
      : ""
  return text === "" || text.length > LABEL_MAX ? null : text
}

/** Characters of a label. */
const LABEL_MAX = 40

/** The emails or phones in a cell, labelled by what is said beside it, else by its column where there are several. */
export function contactsIn(
  { value, contacts }: CellReading,
  column: FileColumn | undefined,
  said: unknown,
): Contact[] {
  if (Array.isArray(value)) return value as Contact[]
  const all = contacts?.all ?? (typeof value === "string" ? [{ value, label: null }] : [])
  const label = column ? (saidLabel(said) ?? labelOf(column)) : null
  return label === null ? all : all.map((one) => ({ ...one, label: one.label ?? label }))
}

/**
 * Puts what was gathered into the draft: the first as the field, and all as the list where they are several. The result is
 * what a lead has no room for.
 */
export function putGathered(
  draft: Draft,
  list: ContactList,
  { all: gathered, isListed }: Gathered,
): Contact[] {
  const [only] = gathered
  // Most rows have one, of which there is nothing to compare.
  if (only && gathered.length === 1 && only.status === undefined && !isListed && !isFax(only)) {
    draft.fields[list === "emails" ? "email" : "phone"] = only.value
    return []
  }
  const numbers = list === "phones" ? distinctNumbers(gathered) : gathered
  const all = distinctContacts(list, numbers)
  const [first] = all
  if (!first) return []
  draft.fields[list === "emails" ? "email" : "phone"] = first.value
  // A single contact without a status or label needs no list.
  if (all.length === 1 && first.status === undefined && !isListed && !isFax(first)) return []
  draft.isNested = true
  draft.fields[list] = all
  return numbers.length > CONTACTS_MAX ? numbers.slice(CONTACTS_MAX) : []
}

/** Digits from which on one number may be the end of another. */
const NATIONAL_MIN = 6
/** Digits of a country's number. */
const COUNTRY_MAX = 3

/** Each number once: `030 1234567` is `+49 30 1234567`, which says more. */
function distinctNumbers(all: readonly Contact[]): Contact[] {
  const distinct: { contact: Contact; digits: string }[] = []
  for (const contact of all) {
    const { number, extension = "" } = barePhone(contact.value)
    const digits = `${number.replace(/\(0\)/g, "").replaceAll(/\D+/g, "").replace(/^0+/, "")}${extension}`
    const same = distinct.find((one) => areOne(one.digits, digits))
    if (!same) distinct.push({ contact, digits })
    else {
      const { value } = digits.length > same.digits.length ? contact : same.contact
      same.contact = { ...contact, ...same.contact, label: same.contact.label ?? contact.label, value }
    }
  }
  return distinct.map(({ contact }) => contact)
}

function areOne(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short === long) return true
  return short.length >= NATIONAL_MIN && long.length - short.length <= COUNTRY_MAX && long.endsWith(short)
}
