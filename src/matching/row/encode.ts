import { isMadeOfName } from "../compare/contacts.ts"
import { hashOf } from "../fold.ts"
import type { Prepared, PreparedAttribute } from "../prepare.ts"
import { lettersOf } from "../similarity.ts"
import { type ComparedWords, KIND } from "../words.ts"
import {
  ANY_NICKNAME,
  ATTRIBUTE,
  CODES,
  COLUMN,
  countLetters,
  DEGREE,
  FACTOR_AT,
  FACTORS,
  FLAG,
  HEAD,
  LENGTH_MAX,
  LETTERS,
  lettersAndLength,
  NICKNAME_AT,
  NO_PLACE,
  NUMBER,
  PHONE_LENGTH_AT,
  PRIOR_AT,
  PRIORS,
  ROW_ATTRIBUTES,
  SOUND_AT,
  UNSPACED,
  WHOLE_CODES,
  WORD,
  WORD_CODES,
  WORDS_MAX,
} from "./layout.ts"

/** The row of a lead. */
export function rowOf(lead: Prepared): Int32Array {
  const { name, company, address, attributes } = lead
  const [names, companies, streets] = [wordCount(name), wordCount(company), wordCount(address)]
  const attributeCount = Math.min(attributes.length, ROW_ATTRIBUTES)
  const row = new Int32Array(HEAD + WORD * (names + companies + streets) + ATTRIBUTE * attributeCount)
  row[COLUMN.flags] = flagsOf(lead)
  row[COLUMN.counts] = names | (companies << 4) | (streets << 8) | (attributeCount << 12)
  writeContacts(lead, row)
  writePlaces(lead, row)
  row[COLUMN.category] = bitsOfHashes(lead.category ?? [])
  row[COLUMN.job] = bitsOfHashes(lead.job ?? [])
  row[COLUMN.source] = lead.source ? hashOf(lead.source) : 0
  const numbers = name && name.numbers.length > 0 ? half(hashOf(name.numbers.toSorted().join(" "))) : 0
  row[COLUMN.identifiers] = (lead.sourceId ? half(hashOf(lead.sourceId)) : 0) | (numbers << 16)
  let at = HEAD
  at = writeWords(name, row, at)
  at = writeWords(company, row, at)
  at = writeWords(address, row, at)
  for (const attribute of attributes.slice(0, attributeCount)) {
    row[at] = attribute.isDate ? Number(attribute.value) : attribute.term
    row[at + 1] = attributeMeasures(attribute)
    row[at + 2] = attribute.name
    at += ATTRIBUTE
  }
  return row
}

/** 16 bits that are never 0. */
function half(hash: number): number {
  return hash & 0xffff || 1
}

function wordCount(words: ComparedWords | undefined): number {
  return words === undefined || words.words.length > WORDS_MAX ? 0 : words.words.length
}

function flagsOf(lead: Prepared): number {
  const { name, company, address, mail, web, phone } = lead
  const many = (words: ComparedWords | undefined) => words !== undefined && words.words.length > WORDS_MAX
  const is: readonly (readonly [boolean, number])[] = [
    [name !== undefined, FLAG.name],
    [company !== undefined, FLAG.company],
    [lead.isPhoneForAll, FLAG.forAll],
    [mail !== undefined, FLAG.mail],
    [mail?.isPublic === true, FLAG.publicMail],
    [mail?.isRole === true, FLAG.roleMail],
    [web !== undefined, FLAG.web],
    [web?.isPlatform === true, FLAG.platform],
    [web !== undefined && web.numbers.length > 0, FLAG.pathNumbers],
    [address !== undefined, FLAG.address],
    [address !== undefined && address.units.length > 0, FLAG.units],
    [address !== undefined && address.house.length > 1, FLAG.severalHouses],
    [lead.category !== undefined, FLAG.category],
    [lead.job !== undefined, FLAG.job],
    [many(name), FLAG.manyNameWords],
    [many(company), FLAG.manyCompanyWords],
    [many(address), FLAG.manyAddressWords],
    [lead.attributes.length > ROW_ATTRIBUTES, FLAG.manyAttributes],
    [lead.profile !== "", FLAG.profile],
    [mail !== undefined && isMadeOfName(mail, lead), FLAG.mailOfName],
  ]
  let flags: number = lead.person
  for (const [holds, flag] of is) if (holds) flags |= flag
  return flags | (Math.min(phone?.national.length ?? 0, 15) << PHONE_LENGTH_AT)
}

function writeContacts({ phone, mail, mailTerm, web, webTerm, profile }: Prepared, row: Int32Array): void {
  if (phone) row[COLUMN.phone] = Number(phone.national.slice(-9))
  if (mail) {
    row[COLUMN.mail] = mailTerm
    row[COLUMN.mailLocal] = lettersAndLength(lettersOf(mail.local), mail.local.length)
    row[COLUMN.mailDomain] = lettersAndLength(lettersOf(mail.domain), mail.domain.length)
    writeCodes(`${mail.local}@${mail.domain}`, WHOLE_CODES, row, COLUMN.mailCodes)
    row[COLUMN.mailHashes] = half(hashOf(mail.domain, KIND.domain)) | (half(hashOf(mail.local)) << 16)
  }
  if (web) row[COLUMN.site] = webTerm
  const path = web?.path ? half(hashOf(web.path)) : 0
  row[COLUMN.pages] = path | (profile ? half(hashOf(profile)) << 16 : 0)
}

function writePlaces(lead: Prepared, row: Int32Array): void {
  const { postal, city, state, country, latitude, longitude, address } = lead
  row[COLUMN.postal] = postalNumber(postal)
  if (city) {
    row[COLUMN.city] = hashOf(city)
    row[COLUMN.cityLetters] = lettersAndLength(lettersOf(city), city.length)
    countLetters(city, row, COLUMN.cityCounts)
  }
  const stateBits = state ? ((hashOf(state) & 0xfff) << 4) | Math.min(state.length, 15) : 0
  row[COLUMN.region] = stateBits | (country ? half(hashOf(country)) << 16 : 0)
  const isPlaced = Number.isFinite(latitude + longitude)
  row[COLUMN.latitude] = isPlaced ? Math.round(latitude * DEGREE) : NO_PLACE
  row[COLUMN.longitude] = isPlaced ? Math.round(longitude * DEGREE) : NO_PLACE
  row[COLUMN.house] = houseNumber(address?.house[0])
  row[COLUMN.places] = bitsOfHashes(lead.placeHashes)
  if (lead.name) {
    row[COLUMN.nameLetters] = lettersAndLength(lead.name.gluedLetters, lead.name.glued.length)
    writeCodes(lead.name.glued, WHOLE_CODES, row, COLUMN.nameCodes)
  }
  if (lead.company)
    row[COLUMN.companyLetters] = lettersAndLength(lead.company.gluedLetters, lead.company.glued.length)
  if (!address) return
  row[COLUMN.addressLetters] = lettersAndLength(address.gluedLetters, address.glued.length)
  countLetters(address.glued, row, COLUMN.addressCounts)
}

export const POSTAL_CHARACTERS = 5
export const POSTAL_BASE = 36

/** Five characters, whose classes are kept, and the length; 0 without a code. */
function postalNumber(postal: string): number {
  let number = 0
  for (let i = 0; i < POSTAL_CHARACTERS; i++)
    number = number * POSTAL_BASE + (i < postal.length ? postal.charCodeAt(i) % POSTAL_BASE : 0)
  return postal ? number | (Math.min(postal.length, 31) << 26) : 0
}

/** The number in 17 bits and what follows it in six; 0 for none. */
function houseNumber(house: string | undefined): number {
  if (house === undefined) return 0
  const digits = /^\d+/.exec(house)?.[0] ?? "0"
  const rest = house.slice(digits.length)
  return (Number(digits) & 0x1ffff) | (((rest.charCodeAt(0) || 0) & 63) << 17) | (1 << 30)
}

/** A bit for each hash. */
function bitsOfHashes(hashes: readonly number[]): number {
  let bits = 0
  for (const hash of hashes) bits |= 1 << (hash & 31)
  return bits
}

function writeWords(words: ComparedWords | undefined, row: Int32Array, at: number): number {
  if (wordCount(words) === 0) return at
  for (const [i, word] of words!.words.entries()) {
    const { hash, text, soundHash, given, isUnspaced } = word
    const isNumber = text.charCodeAt(0) > 47 && text.charCodeAt(0) < 58
    row[at] = hash
    writeCodes(text, WORD_CODES, row, at + 1)
    row[at + 1]! |= (isNumber ? NUMBER : 0) | (isUnspaced ? UNSPACED : 0)
    row[at + 3] =
      Math.min(text.length, LENGTH_MAX) |
      (Math.round(words!.factor[i]! * FACTORS) << FACTOR_AT) |
      (PRIORS.indexOf(words!.prior[i]!) << PRIOR_AT) |
      (nicknameOf(given) << NICKNAME_AT) |
      (soundHash << SOUND_AT)
    at += WORD
  }
  return at
}

/** Writes five bits each of the first letters. */
function writeCodes(text: string, most: number, row: Int32Array, at: number): void {
  const length = Math.min(text.length, most)
  for (let i = 0; i < length; i++)
    row[at + Math.trunc(i / CODES)]! |= (text.charCodeAt(i) & 31) << (5 * (i % CODES))
}

/** Four bits of the group of nicknames: 0 for none, ANY_NICKNAME for several. */
function nicknameOf(groups: readonly number[] | undefined): number {
  if (groups === undefined) return 0
  return groups.length > 1 ? ANY_NICKNAME : (groups[0]! % (ANY_NICKNAME - 1)) + 1
}

/** 8 bits of the name, 1 for a date, 6 of the length, 17 of the letters. */
function attributeMeasures({ name, value, isDate }: PreparedAttribute): number {
  const letters = (lettersOf(value) & LETTERS) >>> 1
  return (
    (name & 0xff) |
    (isDate ? 1 << 8 : 0) |
    (Math.min(value.length, LENGTH_MAX) << 9) |
    // Numbers fall upon the upper half of the letters.
    ((letters >>> 9) << 15)
  )
}
