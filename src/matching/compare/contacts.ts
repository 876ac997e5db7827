import { levelsOf } from "../levels.ts"
import type { Prepared } from "../prepare.ts"
import type { TermRarity } from "../rarity.ts"
import { alike, edits } from "../similarity.ts"
import type { Mail, Web } from "../web.ts"

const F = levelsOf("phone", "email", "web", "profile")

/** As if 65 leads had it. */
const FOR_ALL = 2

/** Around 1 for what many leads have, 0 for what only two have. */
function sharedBy(term: number, rarity: TermRarity): number {
  return Math.min(Math.log2(Math.max(1, rarity.count(term) - 1)), 8) / 3
}

export function compareContacts(a: Prepared, b: Prepared, rarity: TermRarity, out: Float64Array): void {
  comparePhones(a, b, rarity, out)
  compareMails(a, b, rarity, out)
  compareWebs(a, b, rarity, out)
  if (a.profile && b.profile) out[F[a.profile === b.profile ? "profile.same" : "profile.differs"]] = 1
}

function comparePhones(a: Prepared, b: Prepared, rarity: TermRarity, out: Float64Array): void {
  if (!a.phone || !b.phone) return
  const [left, right] = [a.phone.national, b.phone.national]
  const shorter = Math.min(left.length, right.length)
  if (left === right || (shorter >= 7 && (left.endsWith(right) || right.endsWith(left)))) {
    out[F["phone.same"]] = 1
    const shared = sharedBy(a.phoneTerm, rarity)
    out[F["phone.shared"]] = a.isPhoneForAll ? Math.max(shared, FOR_ALL) : shared
  } else if (shorter >= 7 && areLines(left, right)) out[F["phone.line"]] = 1
  else if (shorter >= 7 && edits(left.slice(-9), right.slice(-9), 1) <= 1) out[F["phone.near"]] = 1
  else if (shorter >= 7 && left.slice(0, -2) === right.slice(0, -2)) out[F["phone.line"]] = 1
  else if (a.isPhoneForAll === b.isPhoneForAll) out[F["phone.differs"]] = 1
}

/** Lines of one place by their last digit, or extensions at its number. */
function areLines(a: string, b: string): boolean {
  if (a.length === b.length) return a.slice(0, -1) === b.slice(0, -1)
  return Math.abs(a.length - b.length) <= 3 && (a.startsWith(b) || b.startsWith(a))
}

function compareMails(a: Prepared, b: Prepared, rarity: TermRarity, out: Float64Array): void {
  const [left, right] = [a.mail, b.mail]
  if (!left || !right) {
    if (left ? hasNameOf(left, a, b) : right !== undefined && hasNameOf(right, b, a)) out[F["email.name"]] = 1
    return
  }
  if (a.mailTerm === b.mailTerm) {
    out[F["email.same"]] = 1
    out[F["email.shared"]] = sharedBy(a.mailTerm, rarity)
  } else if (left.domain === right.domain && !left.isPublic) {
    const isNear = !left.isRole && alike(left.local, right.local, 0.75) > 0
    out[F[isNear ? "email.near" : "email.domain"]] = 1
  } else {
    const local = left.local === right.local ? 1 : alike(left.local, right.local, 0.7)
    const domain = left.domain === right.domain ? 0.8 : alike(left.domain, right.domain, 0.6)
    // Firms make addresses of names: that is the name once more.
    const isName = domain < 0.8 && isMadeOfName(left, a) && isMadeOfName(right, b)
    if (isName) out[F["email.differs"]] = 1
    else if (left.isRole && right.isRole) out[F[domain > 0.8 ? "email.domain" : "email.differs"]] = 1
    else if ((local > 0 && domain > 0 && local + domain > 1.45) || (!left.isPublic && areAlike(left, right)))
      out[F["email.near"]] = 1
    else if (local === 1 && left.local.length > 4) out[F["email.local"]] = 1
    else out[F["email.differs"]] = 1
  }
}

/** Whether an address at a firm is made of a word of its own lead's name. */
export function isMadeOfName({ local, isPublic }: Mail, { name }: Prepared): boolean {
  if (isPublic || !name) return false
  return name.words.some(({ text }) => text.length > 3 && local.includes(text))
}

/** Whether an address tells a word of the other's name that its own lead's name does not. */
function hasNameOf({ local, isRole }: Mail, holder: Prepared, other: Prepared): boolean {
  if (isRole || local.length < 5 || !other.name) return false
  for (const { text, hash } of other.name.words)
    if (text.length > 3 && local.includes(text) && !holder.name?.words.some((word) => word.hash === hash))
      return true
  return false
}

function compareWebs(a: Prepared, b: Prepared, rarity: TermRarity, out: Float64Array): void {
  const [left, right] = [a.web, b.web]
  if (!left || !right) {
    const site = left?.site ?? right?.site
    const mail = left ? b.mail : a.mail
    const isMail = mail && !mail.isPublic && mail.domain === site
    if (isMail) out[F["web.mail"]] = 1
    return
  }
  if (left.site === right.site) {
    out[F[webLevel(left, right)]] = 1
    out[F["web.shared"]] = sharedBy(a.webTerm, rarity)
  } else if (left.isPlatform === right.isPlatform) out[F["web.differs"]] = 1
}

function webLevel(a: Web, b: Web): "web.page" | "web.site" | "web.paths" {
  if (a.isPlatform) return "web.page"
  if (a.path === b.path) return a.path ? "web.page" : "web.site"
  if (!a.path || !b.path) return "web.site"
  // Branches are told apart by numbers: one that both have is the same branch.
  if (a.numbers.some((number) => b.numbers.includes(number))) return "web.page"
  return "web.paths"
}

/** Addresses that differ by typing errors anywhere, the @ included. */
function areAlike(a: Mail, b: Mail): boolean {
  return a.local.length > 1 && alike(`${a.local}@${a.domain}`, `${b.local}@${b.domain}`, 0.8) > 0
}
