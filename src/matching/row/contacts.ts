// The most bits that phones, emails, websites and profiles of two rows can have: compare/contacts.ts is what they are.
import { levelsOf } from "../levels.ts"
import { bitCount } from "../similarity.ts"
import type { Weights } from "../weights.ts"
import {
  COLUMN,
  FLAG,
  HEAD,
  LENGTH_MAX,
  lengthIn,
  lettersIn,
  PHONE_LENGTH_AT,
  WHOLE_CODES,
  WORD,
} from "./layout.ts"
import { leastEdits, lengthAt, lettersAt } from "./words.ts"

const F = levelsOf("phone", "email", "web", "profile")
/** The most that `sharedBy` gives. */
const SHARED_MAX = 8 / 3

/** Features that the last call found possible. */
export const contacts = { maySamePhone: false }

export function mostOfContacts(a: Int32Array, b: Int32Array, weights: Weights): number {
  contacts.maySamePhone = false
  return (
    mostOfPhones(a, b, weights) +
    mostOfMails(a, b, weights) +
    mostOfWebs(a, b, weights) +
    mostOfProfiles(a, b, weights)
  )
}

const TENS = Float64Array.from({ length: 10 }, (_, i) => 10 ** i)

function mostOfPhones(a: Int32Array, b: Int32Array, weights: Weights): number {
  const flagsA = a[COLUMN.flags]!
  const flagsB = b[COLUMN.flags]!
  const lengthA = (flagsA >>> PHONE_LENGTH_AT) & 15
  const lengthB = (flagsB >>> PHONE_LENGTH_AT) & 15
  if (lengthA === 0 || lengthB === 0) return 0
  const left = a[COLUMN.phone]!
  const right = b[COLUMN.phone]!
  const shorter = Math.min(lengthA, lengthB)
  const isSameEnd =
    shorter >= 9 ? left === right : left % TENS[shorter]! === right % TENS[shorter]! && shorter >= 7
  const maySame = isSameEnd || (lengthA === lengthB && left === right)
  if (maySame && lengthA < 10 && lengthB < 10) {
    contacts.maySamePhone = true
    return weights[F["phone.same"]]! + Math.max(0, weights[F["phone.shared"]]! * SHARED_MAX)
  }
  let most = (flagsA & FLAG.forAll) === (flagsB & FLAG.forAll) ? weights[F["phone.differs"]]! : 0
  if (shorter < 7) return most
  const [long, short] = lengthA < lengthB ? [right, left] : [left, right]
  const added = Math.abs(lengthA - lengthB)
  // Of longer ones the beginning is not known.
  const mayBeExtension =
    added > 0 && added <= 3 && (Math.max(lengthA, lengthB) > 9 || Math.trunc(long / TENS[added]!) === short)
  if (mayBeExtension || (lengthA === lengthB && Math.trunc(left / 100) === Math.trunc(right / 100)))
    most = Math.max(most, weights[F["phone.line"]]!)
  if (maySame || mayBeOneEdit(left, Math.min(lengthA, 9), right, Math.min(lengthB, 9)))
    most = Math.max(most, weights[F["phone.near"]]!)
  if (!maySame) return most
  contacts.maySamePhone = true
  return Math.max(most, weights[F["phone.same"]]! + Math.max(0, weights[F["phone.shared"]]! * SHARED_MAX))
}

/** Whether one digit may be another, two neighbours swapped, or one left out. */
function mayBeOneEdit(left: number, lengthA: number, right: number, lengthB: number): boolean {
  if (lengthA !== lengthB) {
    if (Math.abs(lengthA - lengthB) > 1) return false
    const [longer, shorter] = lengthA > lengthB ? [left, right] : [right, left]
    for (let i = 0; i < 9; i++) {
      const below = longer % TENS[i]!
      if (Math.trunc(longer / TENS[i + 1]!) * TENS[i]! + below === shorter) return true
    }
    return false
  }
  let apart = Math.abs(left - right)
  while (apart > 0 && apart % 10 === 0) apart /= 10
  return apart < 10 || (apart <= 81 && apart % 9 === 0)
}

function mostOfMails(a: Int32Array, b: Int32Array, weights: Weights): number {
  const flagsA = a[COLUMN.flags]!
  const flagsB = b[COLUMN.flags]!
  if ((flagsA & FLAG.mail) === 0 || (flagsB & FLAG.mail) === 0) {
    const may =
      (flagsA & FLAG.mail) !== 0 ? mayHaveNameOf(a, b) : (flagsB & FLAG.mail) !== 0 && mayHaveNameOf(b, a)
    return may ? Math.max(0, weights[F["email.name"]]!) : 0
  }
  if (a[COLUMN.mail] === b[COLUMN.mail]) {
    return weights[F["email.same"]]! + Math.max(0, weights[F["email.shared"]]! * SHARED_MAX)
  }
  const hashesA = a[COLUMN.mailHashes]!
  const hashesB = b[COLUMN.mailHashes]!
  const maySameDomain = ((hashesA ^ hashesB) & 0xffff) === 0
  const maySameLocal = (hashesA ^ hashesB) >>> 16 === 0
  const domainA = a[COLUMN.mailDomain]!
  const domainB = b[COLUMN.mailDomain]!
  const isRole = (flagsA & flagsB & FLAG.roleMail) !== 0
  const mayBeLikeDomains = maySameDomain || mayBeAlike(domainA, domainB, 0.2)
  const mayDomain = (maySameDomain && (flagsA & FLAG.publicMail) === 0) || (isRole && mayBeLikeDomains)
  let most = weights[F["email.differs"]]!
  const isOfNames = (flagsA & flagsB & FLAG.mailOfName) !== 0
  if (isOfNames && !mayBeLikeDomains) return most
  if (mayDomain) most = Math.max(most, weights[F["email.domain"]]!)
  if (isRole) return most
  const localA = a[COLUMN.mailLocal]!
  const localB = b[COLUMN.mailLocal]!
  if (maySameLocal && lengthIn(localA) > 4) most = Math.max(most, weights[F["email.local"]]!)
  const mayParts =
    (maySameLocal || mayBeAlike(localA, localB, 0.3)) && (maySameDomain || mayBeAlike(domainA, domainB, 0.4))
  const whole = mayBeAlikeAsWhole(localA, domainA, localB, domainB)
  const limit = Math.max(whole, mayParts ? editsOfParts(localA, domainA, localB, domainB) : -1)
  return limit >= editsOfMails(a, b) ? Math.max(most, weights[F["email.near"]]!) : most
}

/** Whether two texts may be alike with this share of edits. */
export function mayBeAlike(a: number, b: number, share: number): boolean {
  const lengthA = lengthIn(a)
  const lengthB = lengthIn(b)
  const longer = Math.max(lengthA, lengthB)
  if (longer >= LENGTH_MAX) return true
  const edits = Math.floor(longer * share + 1e-9)
  return Math.abs(lengthA - lengthB) <= edits && bitCount(lettersIn(a) ^ lettersIn(b)) <= 2 * edits
}

/** The least edits between two addresses. */
function editsOfMails(a: Int32Array, b: Int32Array): number {
  const lengthA = mailLength(a[COLUMN.mailLocal]!, a[COLUMN.mailDomain]!)
  const lengthB = mailLength(b[COLUMN.mailLocal]!, b[COLUMN.mailDomain]!)
  return leastEdits(a, COLUMN.mailCodes, lengthA, b, COLUMN.mailCodes, lengthB, WHOLE_CODES)
}

/** With the @ between them. */
const mailLength = (local: number, domain: number) => lengthIn(local) + lengthIn(domain) + 1

/** The most edits between two addresses whose local parts and domains are alike. */
function editsOfParts(localA: number, domainA: number, localB: number, domainB: number): number {
  const local = Math.max(lengthIn(localA), lengthIn(localB))
  const domain = Math.max(lengthIn(domainA), lengthIn(domainB))
  if (local >= LENGTH_MAX || domain >= LENGTH_MAX) return Number.POSITIVE_INFINITY
  return Math.min(0.3 * local + 0.4 * domain, 0.55 * Math.max(local, domain))
}

/** The edits that two addresses may have where they are alike as a whole; -1 where they cannot be. */
function mayBeAlikeAsWhole(localA: number, domainA: number, localB: number, domainB: number): number {
  const lengthA = mailLength(localA, domainA)
  const lengthB = mailLength(localB, domainB)
  const longer = Math.max(lengthA, lengthB)
  if (longer >= LENGTH_MAX) return Number.POSITIVE_INFINITY
  const edits = Math.floor(longer * 0.2 + 1e-9)
  const letters = (lettersIn(localA) | lettersIn(domainA)) ^ (lettersIn(localB) | lettersIn(domainB))
  return Math.abs(lengthA - lengthB) <= edits && bitCount(letters) <= 2 * edits ? edits : -1
}

/** Whether an email of the first may hold a word of the second's name. */
function mayHaveNameOf(a: Int32Array, b: Int32Array): boolean {
  if ((a[COLUMN.flags]! & FLAG.roleMail) !== 0 || (b[COLUMN.flags]! & FLAG.name) === 0) return false
  if ((b[COLUMN.flags]! & FLAG.manyNameWords) !== 0) return true
  const local = a[COLUMN.mailLocal]!
  const count = b[COLUMN.counts]! & 15
  for (let i = 0, at = HEAD; i < count; i++, at += WORD) {
    const length = lengthAt(b, at)
    if (length > 3 && length <= lengthIn(local) && (lettersAt(b, at) & ~lettersIn(local)) === 0) return true
  }
  return false
}

function mostOfWebs(a: Int32Array, b: Int32Array, weights: Weights): number {
  const flagsA = a[COLUMN.flags]!
  const flagsB = b[COLUMN.flags]!
  if ((flagsA & FLAG.web) === 0 || (flagsB & FLAG.web) === 0) {
    const site = (flagsA & FLAG.web) !== 0 ? a[COLUMN.site]! : b[COLUMN.site]!
    const mail = (flagsA & FLAG.web) !== 0 ? b[COLUMN.mailHashes]! : a[COLUMN.mailHashes]!
    const may = ((flagsA | flagsB) & FLAG.web) !== 0 && (site & 0xffff || 1) === (mail & 0xffff)
    return may ? Math.max(0, weights[F["web.mail"]]!) : 0
  }
  if (a[COLUMN.site] !== b[COLUMN.site])
    return (flagsA & FLAG.platform) === (flagsB & FLAG.platform) ? weights[F["web.differs"]]! : 0
  const shared = Math.max(0, weights[F["web.shared"]]! * SHARED_MAX)
  if ((flagsA & FLAG.platform) !== 0) return weights[F["web.page"]]! + shared
  const pathA = a[COLUMN.pages]! & 0xffff
  const pathB = b[COLUMN.pages]! & 0xffff
  if (pathA === 0 || pathB === 0) return weights[F["web.site"]]! + shared
  const mayBePage = pathA === pathB || (flagsA & flagsB & FLAG.pathNumbers) !== 0
  const paths = weights[F["web.paths"]]!
  return (mayBePage ? Math.max(paths, weights[F["web.page"]]!) : paths) + shared
}

function mostOfProfiles(a: Int32Array, b: Int32Array, weights: Weights): number {
  const profileA = a[COLUMN.pages]! >>> 16
  const profileB = b[COLUMN.pages]! >>> 16
  if (profileA === 0 || profileB === 0) return 0
  const differs = weights[F["profile.differs"]]!
  return profileA === profileB ? Math.max(differs, weights[F["profile.same"]]!) : differs
}
