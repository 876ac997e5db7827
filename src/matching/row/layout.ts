// A lead's row: what an upper bound on the bits of a pair reads, as 32-bit integers. Hashes take the place of texts, so
// that a lead takes some 250 bytes and no document has to be read for pairs that cannot be the same.
//
//   HEAD integers, one a column below, then WORD integers a word of the name, of the company and of the address, then
//   ATTRIBUTE integers an attribute.

import { PRIOR } from "../words.ts"

export const COLUMN = {
  flags: 0,
  /** Numbers of words and attributes, four bits each: name, company, address, attributes. */
  counts: 1,
  /** The last nine digits. */
  phone: 2,
  mail: 3,
  /** Letters and length of the local part, and of the domain. */
  mailLocal: 4,
  mailDomain: 5,
  /** 16 bits each of domain and local part. */
  mailHashes: 6,
  site: 7,
  /** 16 bits each of the path on the site and of the profile. */
  pages: 8,
  postal: 9,
  city: 10,
  cityLetters: 11,
  /** 12 bits of the state and 4 of its length, 16 of the country. */
  region: 12,
  latitude: 13,
  longitude: 14,
  /** A bit each word. */
  category: 15,
  job: 16,
  source: 17,
  /** 16 bits each of the source id and of the numbers in the name. */
  identifiers: 18,
  house: 19,
  /** A bit each word of city and state. */
  places: 20,
  nameLetters: 21,
  companyLetters: 22,
  addressLetters: 23,
  /** Letters in sixteen classes, four bits how often each: two columns each. */
  cityCounts: 24,
  addressCounts: 26,
  /** The first letters of the name in one, and of the email, six a column. */
  nameCodes: 28,
  mailCodes: 32,
} as const
export const HEAD = 36
/** Hash, twelve letters in two integers, measures. */
export const WORD = 4
/** Term (of a date its eight digits), measures, the hash of the name. */
export const ATTRIBUTE = 3

/** Bits of the column of flags; the lowest two say how much of a person the lead is. */
export const FLAG = {
  name: 1 << 2,
  company: 1 << 3,
  forAll: 1 << 4,
  mail: 1 << 5,
  publicMail: 1 << 6,
  roleMail: 1 << 7,
  web: 1 << 8,
  platform: 1 << 9,
  pathNumbers: 1 << 10,
  address: 1 << 11,
  units: 1 << 12,
  category: 1 << 14,
  job: 1 << 15,
  /** More words or attributes than a row holds: nothing is known of them. */
  manyNameWords: 1 << 16,
  manyCompanyWords: 1 << 17,
  manyAddressWords: 1 << 18,
  manyAttributes: 1 << 19,
  severalHouses: 1 << 20,
  profile: 1 << 21,
  /** The email is made of a word of the lead's own name. */
  mailOfName: 1 << 26,
} as const
/** Digits of the phone, in the four bits from here on; 0 without one. */
export const PHONE_LENGTH_AT = 22

/** Letters in one integer, five bits each; of a word, two more bits of the first one tell what it is. */
export const CODES = 6
/** Letters that a row has of a word, and of a name or an email as a whole. */
export const WORD_CODES = 2 * CODES
export const WHOLE_CODES = 4 * CODES
export const NUMBER = 1 << 30
export const UNSPACED = 1 << 31
/** What the two bits of a word's prior stand for. */
export const PRIORS = Object.values(PRIOR)
/** Where the parts of a word's measures begin, behind its length. */
export const FACTOR_AT = 6
export const PRIOR_AT = 14
export const NICKNAME_AT = 16
export const SOUND_AT = 20
/** Factors of words are multiples of one part of this. */
export const FACTORS = 200
/** Stands for several groups of nicknames. */
export const ANY_NICKNAME = 15
export const WORDS_MAX = 15
export const ROW_ATTRIBUTES = 6
/** Integers of a row at most. */
export const ROW_MAX = HEAD + 3 * WORD * WORDS_MAX + ATTRIBUTE * ROW_ATTRIBUTES
/** Letters a to z: those of other scripts fall upon them. */
export const LETTERS = 0x07fffffe
/** Lengths are counted up to here. */
export const LENGTH_MAX = 63
/** Latitudes and longitudes are kept in degrees times this: to 1.1 m. */
export const DEGREE = 100_000
export const NO_PLACE = -0x80000000
/** Metres by which a distance of kept coordinates is off at most. */
export const METRES_OFF = 3

/** 26 bits of letters, six of the length. */
export function lettersAndLength(letters: number, length: number): number {
  return ((letters & LETTERS) >>> 1) | (Math.min(length, LENGTH_MAX) << 26)
}

export const lettersIn = (packed: number) => packed & 0x03ffffff
export const lengthIn = (packed: number) => packed >>> 26

/** Writes how often the letters of a text are there, by class, into two columns. */
export function countLetters(text: string, row: Int32Array, at: number): void {
  for (let i = 0; i < text.length; i++) {
    const letter = text.charCodeAt(i) & 15
    const [column, shift] = [at + (letter >> 3), (letter & 7) << 2]
    if (((row[column]! >>> shift) & 15) < 15) row[column]! += 1 << shift
  }
}

/** By how many letters two texts differ at least: an edit makes two of them differ at most. */
export function lettersApart(a: Int32Array, b: Int32Array, counts: number): number {
  let apart = 0
  for (let column = counts; column < counts + 2; column++) {
    let [left, right] = [a[column]!, b[column]!]
    for (let i = 0; i < 8 && left !== right; i++) {
      apart += Math.abs((left & 15) - (right & 15))
      left >>>= 4
      right >>>= 4
    }
  }
  return apart
}
